/// A subscription to all changes in the zones of the private or the shared database.
open class CKDatabaseSubscription: CKSubscription, @unchecked Sendable {
    // Unchecked for the reason given at CKSubscription.

    /// The type of the records that are watched; all types if nil.
    public var recordType: CKRecord.RecordType?

    /// Creates a subscription with a random ID.
    @available(*, deprecated, message: "use init(subscriptionID:)")
    public convenience init() {
        self.init(subscriptionID: UUID().uuidString)
    }

    /// Creates a subscription; it exists once it is saved.
    public init(subscriptionID: CKSubscription.ID) {
        super.init(subscriptionID: subscriptionID, subscriptionType: .database)
    }

    // MARK: - NSSecureCoding, NSCopying

    private static let recordTypeKey = "RecordType"

    /// Decodes a subscription that ``encode(with:)`` wrote.
    ///
    /// From any other archive it creates a subscription without an ID, which cannot be saved, and tells
    /// the coder of the failure.
    public required init(coder aDecoder: NSCoder) {
        recordType = aDecoder.decodeString(forKey: Self.recordTypeKey)
        super.init(decoding: aDecoder, as: .database)
    }

    /// Encodes the subscription, for a keyed archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(recordType, forKey: Self.recordTypeKey)
    }

    /// Returns an independent copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKDatabaseSubscription(subscriptionID: subscriptionID)
        copy.recordType = recordType
        copy.notificationInfo = notificationInfo
        return copy
    }
}
