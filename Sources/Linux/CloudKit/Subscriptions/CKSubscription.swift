/// A request for pushes about changes in a database.
///
/// Subscriptions belong to a user, not to a device: a change is pushed to all of the user's devices
/// except the one that made it. Use one of the subclasses.
open class CKSubscription: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because its properties can be set: like Apple's, it must not be changed by two
    // threads at once.

    /// The name of a subscription, unique for a user in a database.
    public typealias ID = String

    /// The contents of a subscription's pushes.
    public typealias NotificationInfo = CKNotificationInfo

    /// The scope of a subscription.
    public enum SubscriptionType: Int, Sendable {
        /// The records that match a query.
        case query = 1

        /// The records of a zone.
        case recordZone = 2

        /// All zones of a database.
        case database = 3
    }

    /// The subscription's name.
    public let subscriptionID: CKSubscription.ID

    /// The scope of the subscription.
    public let subscriptionType: SubscriptionType

    /// The contents of the pushes. Without it, pushes show nothing.
    public var notificationInfo: NotificationInfo? {
        get { storedNotificationInfo }
        set { storedNotificationInfo = newValue?.copy() as? NotificationInfo }
    }

    private var storedNotificationInfo: NotificationInfo?

    init(subscriptionID: CKSubscription.ID, subscriptionType: SubscriptionType) {
        guard !subscriptionID.isEmpty else {
            _raise("CKException", "subscriptionID can not be nil or empty")
        }
        self.subscriptionID = subscriptionID
        self.subscriptionType = subscriptionType
    }

    // MARK: - NSSecureCoding, NSCopying

    private enum Key {
        static let subscriptionID = "SubscriptionID"
        static let subscriptionType = "SubscriptionType"
        static let notificationInfo = "NotificationInfo"
    }

    /// Subscriptions decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes a subscription that ``encode(with:)`` wrote.
    public required init?(coder: NSCoder) {
        guard let subscriptionID = coder.decodeString(forKey: Key.subscriptionID),
            !subscriptionID.isEmpty,
            let subscriptionType = SubscriptionType(
                rawValue: Int(coder.decodeInt64(forKey: Key.subscriptionType)))
        else { return nil }
        self.subscriptionID = subscriptionID
        self.subscriptionType = subscriptionType
        storedNotificationInfo = coder.decode(CKNotificationInfo.self, forKey: Key.notificationInfo)
    }

    /// Decodes the common properties of all types of subscriptions. From any other archive it
    /// creates one without an ID, which cannot be saved, and reports the failure to the coder.
    init(decoding coder: NSCoder, as subscriptionType: SubscriptionType) {
        subscriptionID = coder.decodeString(forKey: Key.subscriptionID) ?? ""
        self.subscriptionType = subscriptionType
        storedNotificationInfo = coder.decode(CKNotificationInfo.self, forKey: Key.notificationInfo)
        super.init()
        if subscriptionID.isEmpty { coder.failDecoding(type(of: self)) }
    }

    /// Encodes the subscription, for a keyed archive.
    open func encode(with coder: NSCoder) {
        coder.encode(subscriptionID, forKey: Key.subscriptionID)
        coder.encode(Int64(subscriptionType.rawValue), forKey: Key.subscriptionType)
        if let notificationInfo { coder.encode(notificationInfo, forKey: Key.notificationInfo) }
    }

    /// Returns an independent copy of the same class.
    open func copy(with zone: NSZone? = nil) -> Any {
        preconditionFailure("CKSubscription is abstract: \(type(of: self)) must copy itself")
    }

    /// The class and the ID.
    open override var description: String {
        "<\(type(of: self)); subscriptionID=\(subscriptionID)>"
    }
}
