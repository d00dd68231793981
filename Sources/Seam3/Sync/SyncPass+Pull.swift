import CloudKit
import CoreData

/// Applying the server's changes.
extension SyncPass {
    var reader: RecordReader {
        RecordReader(mappings: mappings, externalFiles: database.externalFiles)
    }

    /// Reads records from the server; see ``FetchedRecords``.
    ///
    /// The files of their assets belong to the store before a transaction refers to them, and the
    /// caller keeps them until then. Therefore the lease is extended first. As long as the pass holds
    /// it, no other process sweeps such a file.
    func read(
        _ records: [SMCloudRecord],
        sorting answers: [CKRecord.ID: Result<SMCloudRecord, any Error>] = [:]
    ) throws -> FetchedRecords {
        if !(records.isEmpty && answers.isEmpty), mappings.schema.hasExternalData {
            try transaction { () -> Void in }
        }
        return try FetchedRecords(records, sorting: answers, reader)
    }

    /// Applies a page. Its token is stored with the last of it, so that an interrupted page is fetched again.
    func apply(_ page: SMCloudZoneChanges) async throws {
        database.externalFiles?.beginKeeping()
        defer { database.externalFiles?.stopKeeping(in: database) }
        var fetched = try read(page.records)
        for (id, error) in page.failures where RecordNames.accepts(id.recordName) {
            fetched.failures[id.recordName] = error
        }
        let deletions = page.deletions.map(\.recordName).filter { fetched.failures[$0] == nil }
        // What a full refetch lacks is removed at its end only.
        let isComplete = try !page.moreComing && state.sweep() == nil
        try await apply(
            fetched.records, deletions: deletions, from: .feed(isComplete: isComplete)
        ) {
            if let sweep = try state.sweep() {
                for name in fetched.names + fetched.failures.keys {
                    try database.objects.noteSeen(recordName: name, sweep: sweep)
                }
            }
            try unfetched.remove(fetched.ignoredNames)
            try noteFailures(fetched.failures)
            if let token = page.token { try state.setZoneTokenData(token) }
            if let identity = page.clientToken.flatMap(ZoneIdentity.init(_:)) {
                try state.setZoneIdentity(identity)
            }
        }
        fetchFailures.merge(fetched.failures) { $1 }
        carryover.notePage(of: fetched.records)
    }

    /// Stores the names of records that were not applied, with the reasons. They are on the server, perhaps
    /// again.
    func noteFailures(_ failures: [String: any Error]) throws {
        for (name, error) in failures {
            try unfetched.add(name, reason: ErrorText.of(error))
            try database.tombstones.letReturn(name)
        }
    }

    /// A page of the zone's change feed.
    ///
    /// - Parameter token: The token of the previous page.
    /// - Throws: The error of a record, too, if it concerns other records, because such a page must
    ///   not count as applied.
    func page(since token: Data?) async throws -> SMCloudZoneChanges {
        let page = try await zone.changes(since: token, limit: carryover.pageSize)
        let count = page.records.count + page.deletions.count + page.failures.count
        let error = CloudErrorReaction.commonError(page.failures.values, ofFetched: count)
        if let error { throw error }
        return page
    }

    /// Applies records and deletions, asking the app about conflicts before each transaction. Records that cannot be
    /// applied are set aside, and the others are applied.
    ///
    /// A transaction that others wait for is committed before all is applied. What it leaves is like the next page of the
    /// feed.
    ///
    /// - Parameters:
    ///   - received: The records.
    ///   - deletions: The names of the deleted records.
    ///   - source: Where they come from.
    ///   - finish: Runs inside the last transaction.
    func apply(
        _ received: [ServerRecord], deletions: [String], from source: ServerChange.Source,
        finish: () throws -> Void = {}
    ) async throws {
        var questions: [String: Int] = [:]
        occupied.invalidate()
        let policies = settings.policies
        var decisions = try askApplication(
            about: received, areCurrent: source.hasPresentVersions, policies)
        let changes = received.map(ServerChange.record) + deletions.map(ServerChange.deletion)
        var waiting = changes[...]
        repeat {
            do {
                let (part, changes) = try applyPart(
                    of: waiting, from: source, policies, decisions, finish)
                waiting.removeFirst(part.count)
                fetchFailures.merge(part.refused) { $1 }
                await didCommit(changes)
            } catch let missing as ConflictDecisions.Missing {
                // The app was not asked about the record, or its user has edited the object in the meantime.
                let (record, name) = (missing.record, missing.record.recordName)
                questions[name, default: 0] += 1
                if questions[name, default: 0] > Self.mostQuestions {
                    decisions.letServerWin(name)
                    report(
                        .conflictResolutionBlock(
                            "\(record.mapping.entity.name) \(name) was edited each time it ran"))
                    continue
                }
                decisions.decide(
                    try decision(on: missing.conflict, record), on: missing.conflict, of: name)
            }
        } while !waiting.isEmpty
    }

    /// What one transaction has applied.
    private struct AppliedPart {
        /// How many changes it has taken.
        var count: Int
        /// The reasons why some of them could not be applied, by name.
        var refused: [String: any Error] = [:]
    }

    /// Applies as many changes as one transaction takes.
    private func applyPart(
        of waiting: ArraySlice<ServerChange>, from source: ServerChange.Source,
        _ policies: ConflictPolicies, _ decisions: ConflictDecisions, _ finish: () throws -> Void
    ) throws -> (AppliedPart, StoreChanges) {
        try transaction { changes in
            var application = ServerChangeApplication(
                database: database, mappings: mappings, policies: policies, decisions: decisions,
                areCurrent: source.hasPresentVersions,
                changeCount: min(waiting.count, limits.transaction.upperBound))
            let part = try apply(waiting, by: &application)
            try application.restoreRelationships()
            // Contests may set records aside, or depend on those that are.
            let names = waiting.prefix(part.count).map(\.recordName)
            try noteArrival(of: names.filter { part.refused[$0] == nil }, from: source)
            let isLast = part.count == waiting.count
            if isLast { try finish() }
            try noteFailures(part.refused)
            application.isComplete = source.isComplete(isLast: isLast)
            try application.settleOneToOnes()
            if application.isComplete { try application.removeDanglingReferences() }
            changes.merge(application.changes)
            return part
        }
    }

    /// Applies changes together, as many as the transaction takes. If one of them is refused, each is applied
    /// individually.
    private func apply(
        _ waiting: ArraySlice<ServerChange>, by application: inout ServerChangeApplication
    ) throws -> AppliedPart {
        let before = application
        do {
            let count = try database.write {
                try takePart(of: waiting) { change in
                    try autoreleasepool { try application.apply(change) }
                }
            }
            return AppliedPart(count: count)
        } catch  where Self.isRefusal(error) {
            application = before
            return try applyEach(waiting, by: &application)
        }
    }

    private func applyEach(
        _ waiting: ArraySlice<ServerChange>, by application: inout ServerChangeApplication
    ) throws -> AppliedPart {
        var refused: [String: any Error] = [:]
        let count = try takePart(of: waiting) { change in
            let before = application
            do {
                try autoreleasepool { try database.write { try application.apply(change) } }
            } catch  where Self.isRefusal(error) {
                application = before
                let name = change.recordName
                refused[name] = error
                StoreLog.error("The record \(name) cannot be applied: \(StoreLog.text(error))")
            }
        }
        return AppliedPart(count: count, refused: refused)
    }

    /// Forgets that records could not be fetched: they are here, or gone.
    private func noteArrival(
        of names: [String], from source: ServerChange.Source
    ) throws {
        if case .names = source {
            try unfetched.removeTakenOver(names)
        } else {
            try unfetched.remove(names)
        }
    }

    /// Whether an error concerns the record, and not the file.
    private static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case let error as SQLiteError:
            return [.constraint, .mismatch, .tooBig].contains(error.code)
        case is SMStoreError: return true
        case let error as CocoaError: return !error.isFileError
        default: return false
        }
    }
    /// How often the app is asked about one record while its user keeps editing the object.
    private static let mostQuestions = 10
}
