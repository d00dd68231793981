import CloudKit

/// The records from which objects are decoded, and the objects that have been decoded.
final class RecordGraph {
    private struct Key: Hashable {
        let recordID: CKRecord.ID
        let type: ObjectIdentifier
    }

    let userInfo: [CodingUserInfoKey: Any]
    private let records: [CKRecord.ID: CKRecord]
    private let maximumDepth: Int
    private let missingListsAreEmpty: Bool
    private var decoded: [Key: Any] = [:]
    private var path: [CKRecord.ID] = []

    init(
        records: [CKRecord.ID: CKRecord], maximumDepth: Int, missingListsAreEmpty: Bool,
        userInfo: [CodingUserInfoKey: Any]
    ) {
        self.records = records
        self.maximumDepth = maximumDepth
        self.missingListsAreEmpty = missingListsAreEmpty
        self.userInfo = userInfo
    }

    /// The value of an optional list property without a field; nil for other types.
    ///
    /// - Parameter type: The list's type. Code that does not know that a property is optional asks
    ///   for the optional type.
    func missingList<T>(_ type: T.Type) -> T? {
        missingListsAreEmpty ? emptyList(type) ?? emptyOptionalList(type) : nil
    }

    /// Whether an object can be decoded from the record: the record exists, is not too deep, and is
    /// not being decoded already.
    func isAvailable(_ recordID: CKRecord.ID) -> Bool {
        records[recordID] != nil && path.count <= maximumDepth && !path.contains(recordID)
    }

    /// The object of a record.
    ///
    /// Each record is decoded once, and all references to it share that object. Otherwise the work
    /// for objects that refer to each other could grow exponentially.
    func object<T: Decodable>(
        _ type: T.Type, of recordID: CKRecord.ID, at codingPath: [any CodingKey]
    ) throws -> T {
        let key = Key(recordID: recordID, type: ObjectIdentifier(type))
        if let object = decoded[key] as? T { return object }
        guard let record = records[recordID] else {
            throw DecodingError.unavailable(
                type, .recordNotFound, at: codingPath,
                reason: "The record \"\(recordID.recordName)\" was not found.")
        }
        guard !path.contains(recordID) else {
            throw DecodingError.unavailable(
                type, .cyclicReference, at: codingPath,
                reason: "The record \"\(recordID.recordName)\" is already being decoded.")
        }
        guard path.count <= maximumDepth else {
            throw DecodingError.unavailable(
                type, .recordNotFound, at: codingPath,
                reason: "The record \"\(recordID.recordName)\" is more than \(maximumDepth) "
                    + "references away.")
        }
        path.append(recordID)
        defer { path.removeLast() }
        let object = try T(
            from: ValueDecoder(graph: self, source: .record(record), codingPath: codingPath))
        decoded[key] = object
        return object
    }
}

extension CKRecord {
    /// The records that this one's fields refer to.
    var referencedRecordIDs: [CKRecord.ID] {
        allKeys().flatMap { StoredValue(self, $0).recordIDs(in: recordID.zoneID) }
    }
}
