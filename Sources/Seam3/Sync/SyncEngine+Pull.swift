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
            guard page.moreComing else { break }
            // A feed that promises more without moving on would never end.
            guard page.token != token else { throw CKError(.internalError) }
        }
        try await sweep()
    }

    /// Applies a page in one transaction together with its token.
    private func apply(_ page: ZoneChangePage) async throws {
        let received = try read(page.records)
        try await apply(received, deletions: page.deletions.map(\.recordName)) { sweep in
            if let sweep {
                for record in page.records {
                    try self.database.noteSeen(recordName: record.recordID.recordName, sweep: sweep)
                }
            }
            if let token = page.token { try self.state.setZoneToken(token) }
        }
    }

    func read(_ records: [CKRecord]) throws -> [ServerRecord] {
        let reader = RecordReader(mappings: mappings, externalFiles: database.externalFiles)
        return try records.compactMap(reader.serverRecord)
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
        defer { database.settleExternalFiles() }
        while true {
            let decisions = try askApplication(about: received)
            do {
                let changes = try transaction {
                    var application = try ServerChangeApplication(
                        database: database, mappings: mappings, policy: settings.policy,
                        decisions: decisions)
                    for record in received { try application.apply(record) }
                    for name in deletions { try application.applyDeletion(recordName: name) }
                    application.noteUpdated(try database.refreshDerivedAttributes())
                    try finish(try state.sweep())
                    return application.changes
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

    /// Removes what the server knew once and no longer has, after a full refetch.
    private func sweep() async throws {
        guard let sweep = try state.sweep() else { return }
        let names = try database.unseenRecordNames(sweep: sweep)
        try await apply([], deletions: names) { _ in try self.state.endSweep() }
    }

    // MARK: - Conflicts

    /// Asks the application's block about those conflicts that its policy leaves to it.
    private func askApplication(about received: [ServerRecord]) throws -> ConflictDecisions {
        var decisions = ConflictDecisions()
        guard settings.policy == .clientTellsWhichWins else { return decisions }
        for case .object(let record) in received {
            guard let entry = try database.object(recordName: record.recordName), entry.entity > 0,
                let pending = try database.pendingChange(of: entry.pk),
                let row = try database.row(entry.pk, of: record.mapping.entity)
            else { continue }
            let resolution = try database.resolution(record, row, pending, settings.policy)
            guard resolution.needsApplication else { continue }
            decisions.decide(
                try decision(on: resolution, record), for: record.recordName,
                revision: pending.revision)
        }
        return decisions
    }

    private func decision(
        on resolution: ConflictResolution, _ received: ReceivedRecord
    ) throws -> FieldValues? {
        guard let block = settings.resolutionBlock else {
            SMStore.report(
                .conflictResolutionBlock("recordConflictResolutionBlock is not set"))
            return nil
        }
        let writer = RecordWriter(
            mapping: received.mapping, zoneID: received.record.recordID.zoneID,
            assets: AssetFolder())
        let client = try writer.record(
            named: received.recordName, systemFields: received.systemFields,
            fields: resolution.local, keys: nil)
        let ancestor = try writer.record(
            named: received.recordName, systemFields: received.systemFields,
            fields: resolution.ancestor, keys: nil)
        guard let server = received.record.copy() as? CKRecord else { return nil }
        let chosen = block(server, client, ancestor)
        defer { withExtendedLifetime(writer.assets) {} }
        guard chosen.recordID == received.record.recordID,
            let fields = try RecordReader(
                mappings: mappings, externalFiles: database.externalFiles
            ).read(chosen)?.fields
        else {
            SMStore.report(
                .conflictResolutionBlock(
                    "the block returned \(chosen.recordID.recordName)"
                        + " for \(received.recordName)"))
            return nil
        }
        return fields
    }
}
