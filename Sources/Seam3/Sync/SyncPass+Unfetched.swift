import CloudKit
import CoreData

extension SyncPass.Carryover {
    /// What a page should have at most: the records of one are in memory together, and an extension has
    /// about 50 MB.
    private static let mostPageBytes = 8_000_000

    /// Notes a page that has come: after a full one the next may be larger, as far as its records were
    /// small.
    mutating func notePage(of records: [ServerRecord]) {
        let byteCount = records.reduce(0) { $0 + $1.byteCount }
        guard byteCount > 0 else { return }
        let fitting = Self.mostPageBytes * records.count / byteCount
        let wanted = records.count < pageSize / 2 ? pageSize : pageSize * 2
        pageSize = max(1, min(wanted, fitting, SyncPass.largestPage))
    }

    /// Asks for fewer records with the next page if one has failed as a whole because of its size or
    /// of assets, which come with it.
    ///
    /// - Returns: Whether the page is to be asked for again at once. Where the network has failed, the
    ///   next pass does.
    mutating func shrinksPage(after error: any Error) -> Bool {
        guard let error = error as? CKError, pageSize > 1 else { return false }
        switch error.code {
        case .limitExceeded, .assetNotAvailable, .assetFileNotFound, .assetFileModified:
            pageSize /= 2
            return true
        case .networkFailure, .serverResponseLost:
            pageSize /= 2
            return false
        default:
            return false
        }
    }
}

/// Records of the change feed that could not be applied: asking for them again, and reporting them.
extension SyncPass {
    /// Fetches the records by name that earlier passes could not fetch.
    func fetchAgain() async throws {
        var names = try unfetched.names().filter { fetchFailures[$0] == nil }[...]
        while !names.isEmpty {
            try Task.checkCancellation()
            database.externalFiles?.beginKeeping()
            defer { database.externalFiles?.stopKeeping(in: database) }
            let batch = names.prefix(min(Self.largestPage, carryover.limits.count))
            let fetched: FetchedRecords
            do {
                let answers = try await zone.records(
                    batch.map { CKRecord.ID(recordName: $0, zoneID: zone.zoneID) })
                fetched = try read([], sorting: answers)
            } catch {
                guard CloudErrorReaction(error) == .split, batch.count > 1 else {
                    throw zoneError(error)
                }
                carryover.limits.noteRefusal(ofCount: batch.count, byteCount: 0)
                continue
            }
            try await apply(fetched.records, deletions: fetched.missing, extent: .all) {
                _, refused in
                try unfetched.removeTakenOver(
                    (fetched.names + fetched.missing).filter { refused[$0] == nil })
                try noteFailures(fetched.failures)
            }
            if !fetched.missing.isEmpty { hasForeseenDeletion = true }
            fetchFailures.merge(fetched.failures) { $1 }
            names = names.dropFirst(batch.count)
        }
        let count = try unfetched.names().count
        summary.unfetchedRecordCount = count
        if count > 0 { StoreLog.info("\(count) records of the server could not be fetched") }
    }

    /// Fails once for each record that could not be fetched, after all else is done, and again as long
    /// as waiting may help.
    ///
    /// - Throws: ``SMStoreError/recordsNotFetched(_:underlying:)``.
    func tellOfUnfetchedRecords() throws {
        let unreported = Set(try unfetched.unreportedNames())
        let names = try unfetched.names().filter { name in
            guard let error = fetchFailures[name] else { return false }
            return unreported.contains(name) || CloudErrorReaction(error) == .retryLater
        }
        guard let error = unfetchedError(of: names) else { return }
        try transaction {
            for name in names { try unfetched.noteReported(name) }
        }
        throw error
    }

    /// Fetches those records again whose system fields are damaged: without them the server cannot
    /// tell on which version a change is based.
    ///
    /// - Returns: The changes of the others.
    func readingAgain(_ changes: [OutgoingChange]) async throws -> [OutgoingChange] {
        let damaged = changes.filter { outgoing in
            guard !outgoing.isDeletion else { return false }
            let fields = outgoing.change.systemFields
            // What the server has taken once has some.
            return fields.map { !SystemFields.isReadable($0) } ?? (outgoing.change.kind == .update)
        }.map(\.change)
        guard !damaged.isEmpty else { return changes }
        try transaction {
            for change in damaged {
                // If the server has no other version, nothing has to be decided about the change.
                try database.objects.setSystemFields(
                    nil, changeTag: database.objects.entry(change.pk)?.changeTag, of: change.pk)
                try unfetched.add(change.recordName, reason: "its system fields are damaged")
            }
        }
        try await fetchAgain()
        let keys = Set(damaged.map(\.pk))
        return changes.filter { !keys.contains($0.change.pk) }
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
