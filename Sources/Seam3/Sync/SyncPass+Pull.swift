import CloudKit
import CoreData

/// Taking over what the server has sent.
extension SyncPass {
    var reader: RecordReader {
        RecordReader(mappings: mappings, externalFiles: database.externalFiles)
    }

    /// Applies a page in one transaction together with its token.
    func apply(_ page: ZoneChangePage) async throws {
        var fetched = try FetchedRecords(page.records, reader)
        for (id, error) in page.failures { fetched.failures[id.recordName] = error }
        let deletions = page.deletions.map(\.recordName)
        try await apply(fetched.records, deletions: deletions) { sweep in
            if let sweep {
                for name in fetched.names + fetched.failures.keys {
                    try database.objects.noteSeen(recordName: name, sweep: sweep)
                }
            }
            try unfetched.remove(fetched.names + deletions)
            for name in fetched.failures.keys { try unfetched.add(name) }
            if let token = page.token { try state.setZoneToken(token) }
        }
        fetchFailures.merge(fetched.failures) { $1 }
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
