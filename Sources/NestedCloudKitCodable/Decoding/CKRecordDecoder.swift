import CloudKit

/// Decodes an object, and all objects that it refers to, from records.
///
/// A property that is optional is nil where its record does not exist any more, lies deeper than
/// ``maximumDepth``, or is that of an object that is being decoded and has led here; a property
/// that is not optional is an error then. Objects of a record that is referred to several times are
/// decoded once, so class instances are shared.
public final class CKRecordDecoder {
    /// How many references lie at most between the outermost object and one that it leads to.
    ///
    /// 100 by default. Objects are decoded within each other, so what is deep needs much stack.
    public var maximumDepth = 100

    /// Whether an optional list without a field is empty; if not, it is nil.
    ///
    /// True by default, because an empty list has no field: CloudKit refuses it as the first value
    /// of one. A list that was nil is then empty, too.
    public var missingListsAreEmpty = true

    /// What the objects find as their decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    /// A decoder of records.
    public init() {}

    /// Fetches the records that a record leads to and decodes the object.
    ///
    /// Records are fetched level by level, many with each request.
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - record: The object's own record.
    ///   - database: The database that has the other records.
    /// - Returns: The object.
    /// - Throws: A ``CKCodableError``, with CloudKit's error or the path of the property at fault.
    public func decode<T: Decodable>(
        _ type: T.Type, from record: CKRecord, referenceDatabase database: CKDatabase
    ) async throws -> T {
        let fetch = RecordFetch(database: database, maximumDepth: maximumDepth)
        return try decode(type, from: record, in: await fetch.records(from: record))
    }

    /// Fetches the records that a record leads to, decodes the object and hands it to a block.
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - record: The object's own record.
    ///   - database: The database that has the other records.
    ///   - completion: Called once, on any thread, with the object or with the error.
    public func decode<T: Decodable>(
        _ type: T.Type, from record: CKRecord, referenceDatabase database: CKDatabase,
        completion: @escaping (_ result: T?, _ error: CKCodableError?) -> Void
    ) {
        Task {
            do {
                let object = try await self.decode(
                    type, from: record, referenceDatabase: database)
                completion(object, nil)
            } catch {
                completion(nil, CKCodableError.wrapping(error))
            }
        }
    }

    /// Decodes an object from records that are all here.
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - record: The object's own record.
    ///   - records: The records that it leads to. What is not among them does not exist.
    /// - Returns: The object.
    /// - Throws: A ``CKCodableError`` with the path of the property at fault.
    public func decode<T: Decodable>(
        _ type: T.Type, from record: CKRecord, among records: [CKRecord]
    ) throws -> T {
        var known = [record.recordID: record]
        for other in records where other.recordID != record.recordID {
            known[other.recordID] = other
        }
        return try decode(type, from: record, in: known)
    }

    private func decode<T: Decodable>(
        _ type: T.Type, from record: CKRecord, in records: [CKRecord.ID: CKRecord]
    ) throws -> T {
        do {
            return try RecordGraph(
                records: records, maximumDepth: maximumDepth,
                missingListsAreEmpty: missingListsAreEmpty, userInfo: userInfo
            ).object(type, of: record.recordID, at: [])
        } catch {
            throw CKCodableError.wrapping(error)
        }
    }
}
