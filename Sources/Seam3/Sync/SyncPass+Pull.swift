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

    /// Applies a page in one transaction together with its token.
    func apply(_ page: SMCloudZoneChanges) async throws {
        database.externalFiles?.beginKeeping()
        defer { database.externalFiles?.stopKeeping(in: database) }
        var fetched = try read(page.records)
        for (id, error) in page.failures
        where !RecordNames.possible(CollectionOfOne(id.recordName)).isEmpty {
            fetched.failures[id.recordName] = error
        }
        let deletions = page.deletions.map(\.recordName).filter { fetched.failures[$0] == nil }
        // What a full refetch lacks is removed at its end only.
        let isComplete = try !page.moreComing && state.sweep() == nil
        try await apply(
            fetched.records, deletions: deletions, isComplete: isComplete
        ) { sweep, refused in
            if let sweep {
                for name in fetched.names + fetched.failures.keys {
                    try database.objects.noteSeen(recordName: name, sweep: sweep)
                }
            }
            try unfetched.remove((fetched.names + deletions).filter { refused[$0] == nil })
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

    /// Applies records and deletions in one transaction, asking the app about conflicts before it
    /// begins. Records that cannot be applied are set aside, and the others are applied.
    ///
    /// - Parameters:
    ///   - received: The records.
    ///   - deletions: The names of the deleted records.
    ///   - isComplete: Whether everything that the server has is present afterward, so that contested
    ///     relationships can be decided.
    ///   - areCurrent: Whether the records are certainly the present versions: they came with conflicts, or were fetched by
    ///     their names.
    ///   - finish: Runs inside the transaction, with the number of the current full refetch, and
    ///     with the records that were set aside and the reasons, by name.
    func apply(
        _ received: [ServerRecord], deletions: [String], isComplete: Bool,
        areCurrent: Bool = false,
        finish: (_ sweep: Int64?, _ refused: [String: any Error]) throws -> Void = { _, _ in }
    ) async throws {
        var questions: [String: Int] = [:]
        occupied.invalidate()
        let policies = settings.policies
        var decisions = try askApplication(
            about: received, areCurrent: areCurrent, policies)
        while true {
            do {
                let (refused, changes) = try transaction { changes in
                    var application = ServerChangeApplication(
                        database: database, mappings: mappings, policies: policies,
                        decisions: decisions, isComplete: isComplete, areCurrent: areCurrent,
                        recordCount: received.count)
                    let refused = try apply(received, deletions, by: &application)
                    try application.restoreRelationships()
                    // Contests may set records aside, or depend on those that are.
                    try finish(try state.sweep(), refused)
                    try noteFailures(refused)
                    try application.settleOneToOnes()
                    if isComplete { try application.removeDanglingReferences() }
                    changes.merge(application.changes)
                    return refused
                }
                fetchFailures.merge(refused) { $1 }
                return await didCommit(changes)
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
        }
    }

    /// Applies records and deletions together. If one of them is refused, each is applied
    /// individually.
    ///
    /// - Returns: The reasons why records could not be applied, by name.
    private func apply(
        _ received: [ServerRecord], _ deletions: [String],
        by application: inout ServerChangeApplication
    ) throws -> [String: any Error] {
        let before = application
        do {
            try database.write {
                for record in received { try autoreleasepool { try application.apply(record) } }
                for name in deletions {
                    try autoreleasepool { try application.applyDeletion(recordName: name) }
                }
            }
            return [:]
        } catch  where Self.isRefusal(error) {
            application = before
            return try applyEach(received, deletions, by: &application)
        }
    }

    private func applyEach(
        _ received: [ServerRecord], _ deletions: [String],
        by application: inout ServerChangeApplication
    ) throws -> [String: any Error] {
        var refused: [String: any Error] = [:]
        func attempt(
            _ name: String, _ apply: (inout ServerChangeApplication) throws -> Void
        ) throws {
            let before = application
            do {
                try autoreleasepool { try database.write { try apply(&application) } }
            } catch  where Self.isRefusal(error) {
                application = before
                refused[name] = error
                StoreLog.error("The record \(name) cannot be applied: \(StoreLog.text(error))")
            }
        }
        for record in received {
            try attempt(record.recordName) { try $0.apply(record) }
        }
        for name in deletions {
            try attempt(name) { try $0.applyDeletion(recordName: name) }
        }
        return refused
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
