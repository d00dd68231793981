import CloudKit

/// What the server has sent of some records, each on its own.
struct FetchedRecords {
    /// The records that the store keeps.
    private(set) var records: [ServerRecord] = []
    /// The names of the records that could be read, also of those that the store does not keep.
    private(set) var names: [String] = []
    /// The names of the records that the server does not have.
    private(set) var missing: [String] = []
    /// Why records could not be fetched or read, by name.
    var failures: [String: any Error] = [:]

    /// Sorts the answers to a fetch by name, and reads the records.
    ///
    /// - Parameters:
    ///   - records: Records that are here.
    ///   - answers: What the server answered for each record that was asked for.
    ///   - reader: What reads the records.
    /// - Throws: The error of an answer if it concerns not only its own record.
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
            } catch  where CloudErrorReaction.concernsOneFetch(error) {
                failures[id.recordName] = error
            }
        }
        for record in received {
            let name = record.record.recordID.recordName
            do {
                let record = try autoreleasepool { try reader.serverRecord(record) }
                if let record { self.records.append(record) }
                names.append(name)
            } catch let error as CKError {
                failures[name] = error
            }
        }
    }
}
