import CloudKit
import CoreData

/// Records of the change feed that could not be fetched: asking for them again, and telling of them.
extension SyncEngine {
    var unfetched: UnfetchedRecordTable { database.unfetched }

    /// Fetches the records by name that earlier passes could not fetch.
    func fetchAgain(_ zone: CloudZone) async throws {
        var names = try unfetched.names().filter { fetchFailures[$0] == nil }[...]
        while !names.isEmpty {
            try Task.checkCancellation()
            let batch = names.prefix(min(Self.pageSize, batchLimits.count))
            let results: [CKRecord.ID: Result<CKRecord, any Error>]
            do {
                results = try await zone.records(
                    batch.map { CKRecord.ID(recordName: $0, zoneID: zone.zoneID) })
            } catch {
                guard CloudErrorReaction(error) == .split, batch.count > 1 else {
                    throw zoneError(error, zone)
                }
                batchLimits.noteRefusal(ofCount: batch.count, byteCount: 0)
                continue
            }
            try await apply(results, zone)
            names = names.dropFirst(batch.count)
        }
        let count = try unfetched.names().count
        summary.unfetchedRecordCount = count
        if count > 0 { StoreLog.info("\(count) records of the server could not be fetched") }
    }

    private func apply(
        _ results: [CKRecord.ID: Result<CKRecord, any Error>], _ zone: CloudZone
    ) async throws {
        var records: [CKRecord] = []
        var settled: [String] = []
        for (id, result) in results {
            switch result {
            case .success(let record): records.append(record)
            case .failure(let error):
                // Of its deletion the feed tells.
                if CloudErrorReaction(error) == .treatAsDeleted {
                    settled.append(id.recordName)
                } else if CloudErrorReaction.concernsOneRecord(error) {
                    fetchFailures[id.recordName] = error
                } else {
                    throw zoneError(error, zone)
                }
            }
        }
        let received = try read(records)
        settled += received.names
        try await apply(received.records, deletions: []) { _ in
            try self.unfetched.remove(settled)
        }
        fetchFailures.merge(received.failures) { $1 }
    }

    /// Fails once for each record that could not be fetched, after all else is done.
    ///
    /// - Throws: ``SMStoreError/recordsNotFetched(_:underlying:)``.
    func tellOfUnfetchedRecords() throws {
        let names = try unfetched.unreportedNames().filter { fetchFailures[$0] != nil }
        guard let error = unfetchedError(of: names) else { return }
        try transaction {
            for name in names { try unfetched.noteReported(name) }
        }
        throw error
    }

    /// The error for records that the current pass could not fetch; nil if it could.
    func unfetchedError(of names: [String]) -> SMStoreError? {
        let names = names.filter { fetchFailures[$0] != nil }
        guard let first = names.first, let error = fetchFailures[first] else { return nil }
        return .recordsNotFetched(names, underlying: error)
    }

    /// The records whose deletion has to wait: the server has a version that nobody here has seen,
    /// and by the policy it may bring the object back.
    func unfetchedRecordNamesToKeep() throws -> Set<String> {
        let policies = settings.policies
        return Set(
            try unfetched.names().filter { name in
                guard let entry = try database.objects.entry(named: name),
                    let entity = database.schema.entity(number: entry.entity)
                else { return false }
                return policies.policy(of: entity.description).serverEditSurvivesLocalDeletion
            })
    }
}
