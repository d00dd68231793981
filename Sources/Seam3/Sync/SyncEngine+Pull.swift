import CloudKit
import CoreData

/// Taking over the server's changes, page by page.
extension SyncEngine {
    /// Applies all changes since the last page that was applied.
    func pull(_ zone: CloudZone, of container: CKContainer) async throws {
        var hasResetToken = false
        while true {
            try Task.checkCancellation()
            let token = try state.zoneToken()
            let page: ZoneChangePage
            do {
                page = try await zone.changes(since: token, limit: Self.pageSize)
                // A token is good for one user's zone only, but without one any zone answers.
                if token == nil { try await confirmUser(container) }
            } catch {
                guard CloudErrorReaction(error) == .resetToken, !hasResetToken else {
                    throw zoneError(error, zone)
                }
                hasResetToken = true
                try await confirmUser(container)
                try transaction { try state.beginSweep() }
                continue
            }
            try await apply(page)
            StoreLog.debug(
                "A page of \(page.records.count) records and \(page.deletions.count) deletions")
            observation.advance(
                by: page.records.count + page.deletions.count,
                remaining: try database.outbox.unparkedCount()
                    + (page.moreComing ? Self.pageSize : 0))
            guard page.moreComing else { break }
            // A feed that promises more without moving on would never end.
            guard page.token != token else { throw CKError(.internalError) }
        }
        try await sweep()
        try await fetchAgain(zone)
    }

    /// Applies a page in one transaction together with its token.
    private func apply(_ page: ZoneChangePage) async throws {
        let received = try read(page.records)
        let deletions = page.deletions.map(\.recordName)
        var failures = received.failures
        for (id, error) in page.failures { failures[id.recordName] = error }
        try await apply(received.records, deletions: deletions) { [failures] sweep in
            if let sweep {
                for name in received.names + failures.keys {
                    try self.database.objects.noteSeen(recordName: name, sweep: sweep)
                }
            }
            try self.unfetched.remove(received.names + deletions)
            for name in failures.keys { try self.unfetched.add(name) }
            if let token = page.token { try self.state.setZoneToken(token) }
        }
        fetchFailures.merge(failures) { $1 }
    }

    /// What some records say.
    struct ReadRecords {
        /// The names of the records that could be read, also of those that the store does not keep.
        var names: [String] = []
        var records: [ServerRecord] = []
        /// Why records could not be read, by name.
        var failures: [String: any Error] = [:]
    }

    /// Reads records from the server, each on its own.
    func read(_ records: [CKRecord]) throws -> ReadRecords {
        let reader = RecordReader(mappings: mappings, externalFiles: database.externalFiles)
        var read = ReadRecords()
        for record in records {
            let name = record.recordID.recordName
            do {
                if let record = try reader.serverRecord(record) { read.records.append(record) }
                read.names.append(name)
            } catch let error as CKError {
                read.failures[name] = error
            }
        }
        return read
    }

    /// Applies records and deletions in one transaction, asking the application about conflicts
    /// before it begins.
    ///
    /// - Parameters:
    ///   - received: The records.
    ///   - deletions: The names of the deleted records.
    ///   - finish: Runs inside the transaction, with the number of the full refetch under way.
    func apply(
        _ received: [ServerRecord], deletions: [String],
        finish: (_ sweep: Int64?) throws -> Void = { _ in }
    ) async throws {
        var attempt = 1
        while true {
            let policies = settings.policies
            let decisions = try askApplication(about: received, policies)
            do {
                let (_, changes) = try transaction { changes in
                    var application = ServerChangeApplication(
                        database: database, mappings: mappings, policies: policies,
                        decisions: decisions)
                    for record in received { try application.apply(record) }
                    for name in deletions { try application.applyDeletion(recordName: name) }
                    try finish(try state.sweep())
                    changes.merge(application.changes)
                }
                return await didCommit(changes)
            } catch is ConflictDecisions.Outdated where attempt < Self.mostQuestions {
                // The user edited the object while the application decided.
                attempt += 1
            }
        }
    }

    /// How often the application is asked about one page that the user keeps editing.
    private static let mostQuestions = 10
}
