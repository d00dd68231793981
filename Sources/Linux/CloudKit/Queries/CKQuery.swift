import CloudKitService

/// A query for the records of one type that match a predicate.
open class CKQuery: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because its sort descriptors can be set: like Apple's, it must not be changed by
    // two threads at once.

    /// The type of the records.
    public let recordType: CKRecord.RecordType

    /// The condition for the records. CloudKit supports few operators; an operation with any other
    /// fails.
    public let predicate: NSPredicate

    /// The order of the results, by fields.
    public var sortDescriptors: [NSSortDescriptor]?

    /// Creates a query. `NSPredicate(value: true)` matches every record.
    public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
        NameRules.check(recordType, "recordType")
        self.recordType = recordType
        self.predicate = predicate
    }

    // MARK: - NSSecureCoding, NSCopying

    private static let queryKey = "Query"

    /// Queries decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes a query that ``encode(with:)`` wrote.
    ///
    /// From any other archive it creates a query that matches nothing, and reports the failure to
    /// the coder.
    public required init(coder aDecoder: NSCoder) {
        let query = aDecoder.decodeQuery(forKey: Self.queryKey)
        recordType = query?.recordType ?? ""
        predicate = query?.predicate(scope: .private) ?? NSPredicate(value: false)
        sortDescriptors = query?.sortDescriptors
        super.init()
        if query == nil { aDecoder.failDecoding(CKQuery.self) }
    }

    /// Encodes the query in the form in which it is sent, for a keyed archive. It fails for a
    /// predicate that CloudKit does not support.
    public func encode(with coder: NSCoder) {
        coder.encodeQuery(forKey: Self.queryKey) {
            try QueryDictionary(
                recordType: recordType, predicate: predicate, sortDescriptors: sortDescriptors)
        }
    }

    /// Returns an independent copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKQuery(recordType: recordType, predicate: predicate)
        copy.sortDescriptors = sortDescriptors
        return copy
    }
}

extension NSCoder {
    /// Encodes a query in the form in which it is sent: Linux cannot archive predicates.
    func encodeQuery(forKey key: String, _ query: () throws -> QueryDictionary) {
        do {
            encode(NSData(data: try JSONEncoder().encode(query())), forKey: key)
        } catch {
            failWithError(error)
        }
    }

    /// Decodes a query; nil if there is none that can be read.
    func decodeQuery(forKey key: String) -> QueryDictionary? {
        guard let data = decode(NSData.self, forKey: key),
            let query = try? JSONDecoder().decode(
                QueryDictionary.self, from: Data(referencing: data)),
            !query.recordType.isEmpty
        else { return nil }
        return query
    }
}
