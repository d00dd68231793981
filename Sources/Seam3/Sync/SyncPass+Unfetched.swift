import CloudKit
import CoreData

/// Records of the change feed that could not be fetched: asking for them again, and telling of them.
extension SyncPass {
    /// Fetches the records by name that earlier passes could not fetch.
    func fetchAgain() async throws {
        var names = try unfetched.names().filter { fetchFailures[$0] == nil }[...]
        while !names.isEmpty {
            try Task.checkCancellation()
            let batch = names.prefix(min(Self.pageSize, carryover.limits.count))
            let fetched: FetchedRecords
            do {
                let answers = try await zone.records(
                    batch.map { CKRecord.ID(recordName: $0, zoneID: zone.zoneID) })
                fetched = try FetchedRecords(sorting: answers, reader)
            } catch {
                guard CloudErrorReaction(error) == .split, batch.count > 1 else {
                    throw zoneError(error)
                }
                carryover.limits.noteRefusal(ofCount: batch.count, byteCount: 0)
                continue
            }
            // Of the deletion of those that are missing the feed tells.
            try await apply(fetched.records, deletions: []) { _ in
                try unfetched.remove(fetched.names + fetched.missing)
            }
            fetchFailures.merge(fetched.failures) { $1 }
            names = names.dropFirst(batch.count)
        }
        let count = try unfetched.names().count
        summary.unfetchedRecordCount = count
        if count > 0 { StoreLog.info("\(count) records of the server could not be fetched") }
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
