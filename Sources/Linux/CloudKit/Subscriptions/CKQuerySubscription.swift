import CloudKitService

/// A subscription to the creation, update or deletion of records that match a predicate.
open class CKQuerySubscription: CKSubscription, @unchecked Sendable {
    // Unchecked for the reason given at CKSubscription.

    /// The changes that a query subscription reports.
    public struct Options: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates a set of options from its bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Records that are created and match, or are changed so that they match.
        public static let firesOnRecordCreation = Options(rawValue: 1)

        /// Matching records that are changed.
        public static let firesOnRecordUpdate = Options(rawValue: 2)

        /// Matching records that are deleted.
        public static let firesOnRecordDeletion = Options(rawValue: 4)

        /// The first change only: the subscription is then gone.
        public static let firesOnce = Options(rawValue: 8)
    }

    /// The type of the records.
    public let recordType: CKRecord.RecordType?

    /// The condition for the records.
    public let predicate: NSPredicate

    /// The zone that the records are in; all zones if nil.
    public var zoneID: CKRecordZone.ID?

    /// The changes to report.
    public let querySubscriptionOptions: Options

    /// Creates a subscription with a random ID.
    @available(*, deprecated, message: "use init(recordType:predicate:subscriptionID:options:)")
    public convenience init(
        recordType: CKRecord.RecordType, predicate: NSPredicate,
        options querySubscriptionOptions: Options = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
        ]
    ) {
        self.init(
            recordType: recordType, predicate: predicate, subscriptionID: UUID().uuidString,
            options: querySubscriptionOptions)
    }

    /// Creates a subscription; it exists once it is saved.
    ///
    /// - Parameters:
    ///   - recordType: The type of the records.
    ///   - predicate: The condition for the records, with the operators that a `CKQuery` supports.
    ///   - subscriptionID: The ID. Saving another subscription with the same ID replaces this one.
    ///   - querySubscriptionOptions: The changes to report, at least one.
    public init(
        recordType: CKRecord.RecordType, predicate: NSPredicate,
        subscriptionID: CKSubscription.ID,
        options querySubscriptionOptions: Options = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
        ]
    ) {
        self.recordType = recordType
        self.predicate = predicate
        self.querySubscriptionOptions = querySubscriptionOptions
        super.init(subscriptionID: subscriptionID, subscriptionType: .query)
    }

    // MARK: - NSSecureCoding, NSCopying

    private enum Key {
        static let query = "Query"
        static let zoneID = "ZoneID"
        static let options = "QuerySubscriptionOptions"
    }

    /// Decodes a subscription that ``encode(with:)`` wrote.
    ///
    /// From any other archive it creates a subscription without an ID, which cannot be saved, and tells
    /// the coder of the failure.
    public required init(coder aDecoder: NSCoder) {
        let query = aDecoder.decodeQuery(forKey: Key.query)
        recordType = query?.recordType
        predicate = query?.predicate(scope: .private) ?? NSPredicate(value: false)
        zoneID = aDecoder.decode(CKRecordZoneID.self, forKey: Key.zoneID)
        querySubscriptionOptions = Options(
            rawValue: UInt(bitPattern: Int(aDecoder.decodeInt64(forKey: Key.options))))
        super.init(decoding: aDecoder, as: .query)
        if query == nil { aDecoder.failDecoding(CKQuerySubscription.self) }
    }

    /// Encodes the subscription, for a keyed archive. It fails for a predicate that CloudKit does
    /// not support.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeQuery(forKey: Key.query) {
            try QueryDictionary(recordType: recordType ?? "", predicate: predicate)
        }
        if let zoneID { coder.encode(zoneID, forKey: Key.zoneID) }
        coder.encode(Int64(querySubscriptionOptions.rawValue), forKey: Key.options)
    }

    /// Returns an independent copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKQuerySubscription(
            recordType: recordType ?? "", predicate: predicate, subscriptionID: subscriptionID,
            options: querySubscriptionOptions)
        copy.zoneID = zoneID
        copy.notificationInfo = notificationInfo
        return copy
    }
}
