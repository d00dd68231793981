/// A subscription: which changes cause pushes, and their contents.
public struct SubscriptionDictionary: Hashable, Sendable, Codable {
    /// Unique for the user in the database; chosen by the client.
    public var subscriptionID: String
    /// The kind. Absent only where the subscription is merely identified.
    public var subscriptionType: Kind?
    /// The zone that is watched.
    public var zoneID: ZoneIDDictionary?
    /// Whether a query watches all zones.
    public var zoneWide: Bool?
    /// The records that a query subscription watches.
    public var query: QueryDictionary?
    /// The changes that a query subscription watches.
    public var firesOn: [Trigger]?
    /// Whether a query subscription ends with its first push.
    public var firesOnce: Bool?
    /// The contents of the pushes.
    public var notificationInfo: NotificationInfoDictionary?
    /// Extension: restricts a zone or database subscription to records of this type.
    public var recordType: String?
    /// Whether this is a deletion.
    public var deleted: Bool?

    /// Creates a subscription.
    public init(
        subscriptionID: String,
        subscriptionType: Kind? = nil,
        zoneID: ZoneIDDictionary? = nil,
        zoneWide: Bool? = nil,
        query: QueryDictionary? = nil,
        firesOn: [Trigger]? = nil,
        firesOnce: Bool? = nil,
        notificationInfo: NotificationInfoDictionary? = nil,
        recordType: String? = nil,
        deleted: Bool? = nil
    ) {
        self.subscriptionID = subscriptionID
        self.subscriptionType = subscriptionType
        self.zoneID = zoneID
        self.zoneWide = zoneWide
        self.query = query
        self.firesOn = firesOn
        self.firesOnce = firesOnce
        self.notificationInfo = notificationInfo
        self.recordType = recordType
        self.deleted = deleted
    }

    /// The kinds of subscription.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// Watches records that match a query.
        case query
        /// Watches a zone.
        case zone
        /// Watches a database.
        case database
    }

    /// The changes of a record.
    public enum Trigger: String, Hashable, Sendable, Codable {
        /// A record was created.
        case create
        /// A record was changed.
        case update
        /// A record was deleted.
        case delete
    }
}

/// The contents of a push.
public struct NotificationInfoDictionary: Hashable, Sendable, Codable {
    /// The text.
    public var alertBody: String?
    /// The key of a localized text.
    public var alertLocalizationKey: String?
    /// The fields whose values fill the localized text.
    public var alertLocalizationArgs: [String]?
    /// The key of a localized title for the action button.
    public var alertActionLocalizationKey: String?
    /// The name of a launch image.
    public var alertLaunchImage: String?
    /// The name of a sound.
    public var soundName: String?
    /// Whether the app's badge counts up.
    public var shouldBadge: Bool?
    /// Whether the push wakes the app.
    public var shouldSendContentAvailable: Bool?
    /// Extension: whether the app may change the push before it is shown.
    public var shouldSendMutableContent: Bool?
    /// The fields whose values the push carries.
    public var additionalFields: [String]?
    /// The category of actions.
    public var category: String?
    /// Extension: the title.
    public var title: String?
    /// Extension: the key of a localized title.
    public var titleLocalizationKey: String?
    /// Extension: the fields whose values fill the localized title.
    public var titleLocalizationArgs: [String]?
    /// Extension: the subtitle.
    public var subtitle: String?
    /// Extension: the key of a localized subtitle.
    public var subtitleLocalizationKey: String?
    /// Extension: the fields whose values fill the localized subtitle.
    public var subtitleLocalizationArgs: [String]?
    /// Extension: a field whose value lets a push replace an earlier one.
    public var collapseIDKey: String?

    /// Creates an empty description: a push without an alert, which does not wake the app.
    public init() {}
}
