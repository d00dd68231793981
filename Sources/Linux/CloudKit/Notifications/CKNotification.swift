/// A push from CloudKit: a hint that something changed, never the change itself.
open class CKNotification: NSObject, _CKNotificationReading, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// The name of a push.
    public typealias ID = CKNotificationID

    /// The kind of a push.
    public enum NotificationType: Int, Sendable {
        /// From a query subscription.
        case query = 1

        /// From a zone subscription.
        case recordZone = 2

        /// That another push has been marked as read.
        case readNotification = 3

        /// From a database subscription.
        case database = 4
    }

    /// The kind of the push.
    public let notificationType: NotificationType

    /// The name of the push. The pushes that one change sends to several subscriptions have the
    /// same name.
    public let notificationID: CKNotification.ID?

    /// The container that the change was made in.
    public let containerIdentifier: String?

    /// The owner of the subscription.
    public let subscriptionOwnerUserRecordID: CKRecord.ID?

    /// The subscription that sent the push.
    public let subscriptionID: CKSubscription.ID?

    /// Whether parts of the push were left out because it was too long.
    public let isPruned: Bool

    /// What the push shows and does.
    private let alert: RemoteNotificationAlert

    init(payload: RemoteNotificationPayload, type: NotificationType) {
        notificationType = type
        notificationID = payload.notificationID.map(CKNotification.ID.init(identifier:))
        containerIdentifier = payload.containerIdentifier
        subscriptionOwnerUserRecordID = payload.userRecordName.map { CKRecord.ID(received: $0) }
        subscriptionID = payload.subscriptionID
        isPruned = payload.isPruned
        alert = payload.alert
    }

    /// The text of the alert.
    public var alertBody: String? { alert.body }

    /// The key of the alert's text in the app's strings.
    public var alertLocalizationKey: String? { alert.bodyLocalizationKey }

    /// The values that fill the alert's text.
    public var alertLocalizationArgs: [String]? { alert.bodyLocalizationArguments }

    /// The title of the alert.
    public var title: String? { alert.title }

    /// The key of the alert's title in the app's strings.
    public var titleLocalizationKey: String? { alert.titleLocalizationKey }

    /// The values that fill the alert's title.
    public var titleLocalizationArgs: [String]? { alert.titleLocalizationArguments }

    /// The subtitle of the alert.
    public var subtitle: String? { alert.subtitle }

    /// The key of the alert's subtitle in the app's strings.
    public var subtitleLocalizationKey: String? { alert.subtitleLocalizationKey }

    /// The values that fill the alert's subtitle.
    public var subtitleLocalizationArgs: [String]? { alert.subtitleLocalizationArguments }

    /// The key of the action button's title in the app's strings.
    public var alertActionLocalizationKey: String? { alert.actionLocalizationKey }

    /// The image to show while the app is launched.
    public var alertLaunchImage: String? { alert.launchImage }

    /// The number on the app's badge.
    public var badge: NSNumber? { alert.badge.map { NSNumber(value: $0) } }

    /// The sound to play.
    public var soundName: String? { alert.sound }

    /// The category of the push.
    public var category: String? { alert.category }
}

/// Declares the initializer of `CKNotification`.
///
/// An initializer in a class creates an instance of that class. One in a protocol extension can
/// assign an instance of a subclass, as Apple's does.
public protocol _CKNotificationReading {}

extension _CKNotificationReading {
    /// Reads the user info of a push. The result is a `CKQueryNotification`, a
    /// `CKRecordZoneNotification` or a `CKDatabaseNotification`, or nil if the push is not
    /// CloudKit's or not of the class on which the initializer is called.
    public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) {
        guard let payload = RemoteNotificationPayload(notificationDictionary),
            let notification = payload.notification as? Self
        else { return nil }
        self = notification
    }
}

/// The name of a push; spelled `CKNotification.ID`.
open class CKNotificationID: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; the property is a constant.

    let identifier: String

    init(identifier: String) {
        self.identifier = identifier
    }

    private static let identifierKey = "NotificationID"

    /// Notification IDs decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes an ID that ``encode(with:)`` wrote.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeString(forKey: Self.identifierKey) else { return nil }
        self.identifier = identifier
    }

    /// Encodes the ID, for a keyed archive.
    public func encode(with coder: NSCoder) {
        coder.encode(identifier, forKey: Self.identifierKey)
    }

    /// Returns the receiver: IDs never change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object names the same push.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKNotificationID)?.identifier == identifier
    }

    /// A hash that agrees with ``isEqual(_:)``.
    open override var hash: Int { identifier.hashValue }

    /// The name.
    open override var description: String { "<CKNotificationID; \(identifier)>" }
}
