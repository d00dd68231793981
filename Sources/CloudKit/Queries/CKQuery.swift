/// A question for the records of one type that match a predicate.
open class CKQuery: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because its sort descriptors can be set: like Apple's, it must not be changed by
    // two threads at once.

    /// The type of the records.
    public let recordType: CKRecord.RecordType

    /// What the records must match. CloudKit allows few operators; the server checks them.
    public let predicate: NSPredicate

    /// The order of the results, by fields.
    public var sortDescriptors: [NSSortDescriptor]?

    /// Creates a query. `NSPredicate(value: true)` matches every record.
    public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
        precondition(!recordType.isEmpty, "CKException: recordType can not be nil or empty")
        self.recordType = recordType
        self.predicate = predicate
    }

    // MARK: - NSSecureCoding, NSCopying

    private enum Key {
        static let recordType = "RecordType"
        static let predicateFormat = "PredicateFormat"
        static let sortKeys = "SortKeys"
        static let sortDirections = "SortDirections"
    }

    /// Queries decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes a query that ``encode(with:)`` wrote.
    public required init?(coder: NSCoder) {
        guard let recordType = coder.decodeString(forKey: Key.recordType), !recordType.isEmpty,
            let predicate = coder.decodePredicate(forKey: Key.predicateFormat)
        else { return nil }
        self.recordType = recordType
        self.predicate = predicate
    }

    /// Encodes the type, the predicate as text, and the keys and directions of the order, for a
    /// keyed archive.
    public func encode(with coder: NSCoder) {
        coder.encode(recordType, forKey: Key.recordType)
        coder.encode(predicate: predicate, forKey: Key.predicateFormat)
    }

    /// Returns an independent copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKQuery(recordType: recordType, predicate: predicate)
        copy.sortDescriptors = sortDescriptors
        return copy
    }
}
