/// A subscription to all changes in a zone of the private database.
open class CKRecordZoneSubscription: CKSubscription, @unchecked Sendable {
    // Unchecked for the reason given at CKSubscription.

    /// The zone that is watched. Its changes must be fetchable, so it cannot be the default zone.
    public let zoneID: CKRecordZone.ID

    /// The type of the records that are watched; all types if nil.
    public var recordType: CKRecord.RecordType?

    /// Creates a subscription with a random ID.
    @available(*, deprecated, message: "use init(zoneID:subscriptionID:)")
    public convenience init(zoneID: CKRecordZone.ID) {
        self.init(zoneID: zoneID, subscriptionID: UUID().uuidString)
    }

    /// Creates a subscription; it exists once it is saved.
    public init(zoneID: CKRecordZone.ID, subscriptionID: CKSubscription.ID) {
        self.zoneID = zoneID
        super.init(subscriptionID: subscriptionID, subscriptionType: .recordZone)
    }

    // MARK: - NSSecureCoding, NSCopying

    private enum Key {
        static let zoneID = "ZoneID"
        static let recordType = "RecordType"
    }

    /// Decodes a subscription that ``encode(with:)`` wrote.
    ///
    /// From any other archive it creates a subscription without an ID, which cannot be saved, and tells
    /// the coder of the failure.
    public required init(coder aDecoder: NSCoder) {
        let decodedID = aDecoder.decode(CKRecordZoneID.self, forKey: Key.zoneID)
        zoneID = decodedID ?? .default
        recordType = aDecoder.decodeString(forKey: Key.recordType)
        super.init(decoding: aDecoder, as: .recordZone)
        if decodedID == nil { aDecoder.failDecoding(CKRecordZoneSubscription.self) }
    }

    /// Encodes the subscription, for a keyed archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(zoneID, forKey: Key.zoneID)
        coder.encode(recordType, forKey: Key.recordType)
    }

    /// Returns an independent copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: subscriptionID)
        copy.recordType = recordType
        copy.notificationInfo = notificationInfo
        return copy
    }
}
