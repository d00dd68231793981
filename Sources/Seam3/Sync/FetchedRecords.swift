import CloudKit

/// The server's responses for a number of records, each handled independently.
struct FetchedRecords {
    /// The records that the store keeps.
    private(set) var records: [ServerRecord] = []
    /// The names of the records that could be read, but that the store does not keep.
    private(set) var ignoredNames: [String] = []
    /// The names of the records that the server does not have.
    private(set) var missing: [String] = []
    /// Why records could not be fetched or read, by name.
    var failures: [String: any Error] = [:]

    /// The names of the records that could be read.
    var names: [String] { records.map(\.recordName) + ignoredNames }

    /// Sorts the responses to a fetch by name, and reads the records.
    ///
    /// - Parameters:
    ///   - records: Records that have already arrived.
    ///   - answers: The response for each requested record.
    ///   - reader: Reads the records.
    /// - Throws: The error of a response if it concerns more than its own record.
    init(
        _ records: [SMCloudRecord] = [],
        sorting answers: [CKRecord.ID: Result<SMCloudRecord, any Error>] = [:],
        _ reader: RecordReader
    ) throws {
        var received = records
        for (id, answer) in answers {
            do {
                received.append(try answer.get())
            } catch  where CloudErrorReaction(error) == .treatAsDeleted {
                missing.append(id.recordName)
            } catch {
                failures[id.recordName] = error
            }
        }
        let error = CloudErrorReaction.commonError(failures.values, ofFetched: answers.count)
        if let error { throw error }
        for record in received {
            let name = record.record.recordID.recordName
            guard RecordNames.accepts(name) else { continue }
            do {
                let record = try autoreleasepool { try reader.serverRecord(record) }
                if let record { self.records.append(record) } else { ignoredNames.append(name) }
            } catch let error as CKError {
                failures[name] = error
            }
        }
    }
}
