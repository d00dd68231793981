/// The contents of a subscription's pushes.
///
/// It is spelled `CKSubscription.NotificationInfo`. On Linux only ``shouldSendContentAvailable``
/// and ``desiredKeys`` have an effect. The other properties are stored and sent, but nothing shows
/// alerts.
open class CKNotificationInfo: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because its properties can be set: like Apple's, it must not be changed by two
    // threads at once.

    /// The text of the alert.
    public var alertBody: String?

    /// The key of the alert's text in the app's strings.
    public var alertLocalizationKey: String?

    /// The fields whose values fill the alert's text.
    public var alertLocalizationArgs: [CKRecord.FieldKey]?

    /// The title of the alert.
    public var title: String?

    /// The key of the alert's title in the app's strings.
    public var titleLocalizationKey: String?

    /// The fields whose values fill the alert's title.
    public var titleLocalizationArgs: [CKRecord.FieldKey]?

    /// The subtitle of the alert.
    public var subtitle: String?

    /// The key of the alert's subtitle in the app's strings.
    public var subtitleLocalizationKey: String?

    /// The fields whose values fill the alert's subtitle.
    public var subtitleLocalizationArgs: [CKRecord.FieldKey]?

    /// The key of the action button's title in the app's strings.
    public var alertActionLocalizationKey: String?

    /// The image to show while the app is launched.
    public var alertLaunchImage: String?

    /// The sound to play.
    public var soundName: String?

    /// The fields whose values a query subscription's pushes carry.
    public var desiredKeys: [CKRecord.FieldKey]?

    /// Whether the app's badge counts the push.
    public var shouldBadge: Bool

    /// Whether the push wakes the app.
    public var shouldSendContentAvailable: Bool

    /// Whether the app may change the push before it is shown.
    public var shouldSendMutableContent: Bool

    /// The category of the push.
    public var category: String?

    /// The key that lets newer pushes replace older ones.
    public var collapseIDKey: String?

    /// Creates a description of a push; without arguments, the push shows nothing and does not wake
    /// the app.
    public init(
        alertBody: String? = nil, alertLocalizationKey: String? = nil,
        alertLocalizationArgs: [CKRecord.FieldKey] = [], title: String? = nil,
        titleLocalizationKey: String? = nil, titleLocalizationArgs: [CKRecord.FieldKey] = [],
        subtitle: String? = nil, subtitleLocalizationKey: String? = nil,
        subtitleLocalizationArgs: [CKRecord.FieldKey] = [],
        alertActionLocalizationKey: String? = nil, alertLaunchImage: String? = nil,
        soundName: String? = nil, desiredKeys: [CKRecord.FieldKey] = [],
        shouldBadge: Bool = false, shouldSendContentAvailable: Bool = false,
        shouldSendMutableContent: Bool = false, category: String? = nil,
        collapseIDKey: String? = nil
    ) {
        self.alertBody = alertBody
        self.alertLocalizationKey = alertLocalizationKey
        self.alertLocalizationArgs = alertLocalizationArgs
        self.title = title
        self.titleLocalizationKey = titleLocalizationKey
        self.titleLocalizationArgs = titleLocalizationArgs
        self.subtitle = subtitle
        self.subtitleLocalizationKey = subtitleLocalizationKey
        self.subtitleLocalizationArgs = subtitleLocalizationArgs
        self.alertActionLocalizationKey = alertActionLocalizationKey
        self.alertLaunchImage = alertLaunchImage
        self.soundName = soundName
        self.desiredKeys = desiredKeys
        self.shouldBadge = shouldBadge
        self.shouldSendContentAvailable = shouldSendContentAvailable
        self.shouldSendMutableContent = shouldSendMutableContent
        self.category = category
        self.collapseIDKey = collapseIDKey
    }

    // MARK: - NSSecureCoding, NSCopying

    /// The string properties with their archive keys.
    private static var strings: [(String, ReferenceWritableKeyPath<CKNotificationInfo, String?>)] {
        [
            ("AlertBody", \.alertBody), ("AlertLocalizationKey", \.alertLocalizationKey),
            ("Title", \.title), ("TitleLocalizationKey", \.titleLocalizationKey),
            ("Subtitle", \.subtitle), ("SubtitleLocalizationKey", \.subtitleLocalizationKey),
            ("AlertActionLocalizationKey", \.alertActionLocalizationKey),
            ("AlertLaunchImage", \.alertLaunchImage), ("SoundName", \.soundName),
            ("Category", \.category), ("CollapseIDKey", \.collapseIDKey),
        ]
    }

    /// The properties that are lists of fields, with their archive keys.
    private static var lists: [(String, ReferenceWritableKeyPath<CKNotificationInfo, [String]?>)] {
        [
            ("AlertLocalizationArgs", \.alertLocalizationArgs),
            ("TitleLocalizationArgs", \.titleLocalizationArgs),
            ("SubtitleLocalizationArgs", \.subtitleLocalizationArgs),
            ("DesiredKeys", \.desiredKeys),
        ]
    }

    /// The Boolean properties with their archive keys.
    private static var flags: [(String, ReferenceWritableKeyPath<CKNotificationInfo, Bool>)] {
        [
            ("ShouldBadge", \.shouldBadge),
            ("ShouldSendContentAvailable", \.shouldSendContentAvailable),
            ("ShouldSendMutableContent", \.shouldSendMutableContent),
        ]
    }

    /// Notification infos decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes what ``encode(with:)`` wrote.
    public required convenience init?(coder: NSCoder) {
        self.init()
        for (key, path) in Self.strings {
            self[keyPath: path] = coder.decodeString(forKey: key)
        }
        for (key, path) in Self.lists {
            self[keyPath: path] = coder.decodeStrings(forKey: key)
        }
        for (key, path) in Self.flags {
            self[keyPath: path] = coder.decodeBool(forKey: key)
        }
    }

    /// Encodes every property, for a keyed archive.
    public func encode(with coder: NSCoder) {
        for (key, path) in Self.strings {
            coder.encode(self[keyPath: path], forKey: key)
        }
        for (key, path) in Self.lists {
            coder.encode(self[keyPath: path], forKey: key)
        }
        for (key, path) in Self.flags {
            coder.encode(self[keyPath: path], forKey: key)
        }
    }

    /// Returns an independent copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKNotificationInfo()
        for (_, path) in Self.strings { copy[keyPath: path] = self[keyPath: path] }
        for (_, path) in Self.lists { copy[keyPath: path] = self[keyPath: path] }
        for (_, path) in Self.flags { copy[keyPath: path] = self[keyPath: path] }
        return copy
    }
}
