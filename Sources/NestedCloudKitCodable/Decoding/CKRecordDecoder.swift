import CloudKit

/// Decodes an object, and all objects that it refers to, from records.
///
/// An object is not available if its record does not exist, if it is deeper than ``maximumDepth``,
/// or if it is still being decoded because the references form a cycle. An optional property is
/// then nil; for any other property it is an error. A record that several objects refer to is
/// decoded once, so class instances are shared.
///
/// The containers that objects receive throw a `DecodingError`, as those of any decoder. The decoder
/// itself converts it to a ``CKCodableError``.
public final class CKRecordDecoder {
    /// The maximum number of references between the outermost object and one that it leads to.
    ///
    /// 100 by default. Objects are decoded recursively, so deep graphs need a large stack.
    public var maximumDepth = 100

    /// Whether an optional list without a field is decoded as empty, or as nil.
    ///
    /// True by default, because an empty list has no field: CloudKit refuses an empty list as the
    /// first value of a field. A list that was nil is then empty, too.
    public var missingListsAreEmpty = true

    /// The `userInfo` of the decoders that objects receive.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    /// Creates a decoder.
    public init() {}

    /// Fetches the records that a record refers to, directly or indirectly, and decodes the object.
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

    /// Fetches the records that a record refers to, directly or indirectly, decodes the object and
    /// passes it to a closure.
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - record: The object's own record.
    ///   - database: The database that has the other records.
    ///   - completion: Called once, on any thread, with the object or with the error.
    @preconcurrency public func decode<T: Decodable>(
        _ type: T.Type, from record: CKRecord, referenceDatabase database: CKDatabase,
        completion: @escaping @Sendable (_ result: T?, _ error: CKCodableError?) -> Void
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

    /// Decodes an object from records that have already been fetched.
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - record: The object's own record.
    ///   - records: The records that it refers to, directly or indirectly. A record that is not
    ///     among them counts as missing.
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
