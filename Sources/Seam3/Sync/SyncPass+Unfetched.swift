import CloudKit
import CoreData

extension SyncPass.Carryover {
    /// The target size of a page in bytes. All records of a page are in memory together, and an
    /// extension has about 50 MB.
    private static let mostPageBytes = 8_000_000

    /// Notes a page that has arrived. After a full page, the next one may be larger if the records
    /// are small enough.
    mutating func notePage(of records: [ServerRecord]) {
        let byteCount = records.reduce(0) { $0 + $1.byteCount }
        guard byteCount > 0 else { return }
        let fitting = Self.mostPageBytes * records.count / byteCount
        let wanted = records.count < pageSize / 2 ? pageSize : pageSize * 2
        pageSize = max(1, min(wanted, fitting, SyncPass.largestPage))
    }

    /// Reduces the size of the next page if one has failed as a whole because of its size or of its
    /// assets.
    ///
    /// - Returns: Whether to request the page again at once. After a network failure, the next pass
    ///   does so.
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

/// Fetching the records again that could not be applied, and reporting them.
extension SyncPass {
    /// Fetches by name the records that earlier passes could not fetch.
    func fetchAgain() async throws {
        try forgetImpossibleNames()
        var names = try unfetched.names().filter { fetchFailures[$0] == nil }[...]
        while !names.isEmpty {
            try Task.checkCancellation()
            database.externalFiles?.beginKeeping()
            defer { database.externalFiles?.stopKeeping(in: database) }
            let batch = names.prefix(min(Self.largestPage, carryover.limits.count))
            let fetched: FetchedRecords
            do {
                let answers = try await confirmed {
                    try await zone.records(
                        batch.compactMap { CKRecord.ID.ofRecord(named: $0, in: zone.zoneID) })
                }
                fetched = try read([], sorting: answers)
            } catch {
                guard CloudErrorReaction(error) == .split, batch.count > 1 else {
                    throw zoneError(error)
                }
                carryover.limits.noteRefusal(ofCount: batch.count, byteCount: 0)
                continue
            }
            try await apply(fetched.records, deletions: fetched.missing, from: .names) {
                try unfetched.removeTakenOver(fetched.ignoredNames)
                try noteFailures(fetched.failures)
            }
            if !fetched.missing.isEmpty { isPullDue = true }
            fetchFailures.merge(fetched.failures) { $1 }
            names = names.dropFirst(batch.count)
        }
        let count = try unfetched.names().count
        summary.unfetchedRecordCount = count
        if count > 0 { StoreLog.info("\(count) records of the server could not be fetched") }
    }

    /// Forgets what a file from elsewhere lists and nobody can fetch.
    private func forgetImpossibleNames() throws {
        let names = try unfetched.names().filter { !RecordNames.accepts($0) }
        if !names.isEmpty { try transaction { try unfetched.removeTakenOver(names) } }
    }

    /// Throws once for each record that could not be fetched, after everything else is done, and
    /// again in each pass as long as waiting may help.
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

    /// Fetches the records whose stored system fields are damaged. Without these the server cannot
    /// tell on which version a change is based.
    ///
    /// - Returns: The changes of all other records.
    func readingAgain(_ changes: [OutgoingChange]) async throws -> [OutgoingChange] {
        let damaged = changes.filter { outgoing in
            guard !outgoing.isDeletion else { return false }
            let fields = outgoing.change.systemFields
            // A record that the server has accepted once has system fields.
            return fields.map { !SystemFields.areReadable($0, of: outgoing.change.recordName) }
                ?? (outgoing.change.kind == .update)
        }.map(\.change)
        guard !damaged.isEmpty else { return changes }
        try transaction {
            for change in damaged {
                // If the server has no newer version, there is no conflict to resolve.
                try database.objects.setSystemFields(
                    nil, changeTag: database.objects.entry(change.pk)?.changeTag, of: change.pk)
                try unfetched.add(change.recordName, reason: "its system fields are damaged")
            }
        }
        try await fetchAgain()
        let keys = Set(damaged.map(\.pk))
        return changes.filter { !keys.contains($0.change.pk) }
    }

    /// The error for records that the current pass could not fetch; nil if it fetched all of them.
    func unfetchedError(of names: [String]) -> SMStoreError? {
        let names = names.filter { fetchFailures[$0] != nil }
        guard let first = names.first, let error = fetchFailures[first] else { return nil }
        return .recordsNotFetched(names, underlying: error)
    }

    /// The records whose deletion has to wait for records that could not be fetched, or saved.
    ///
    /// - Parameter refused: Whether the deletions are those that the server has refused before, or the others.
    func recordNamesToKeep(refused: Bool) async throws -> Set<String> {
        let names = try unfetched.names()
        let unsaved = try database.outbox.parkedUpdateNames() + failedSaves
        guard !names.isEmpty || !unsaved.isEmpty,
            try !database.outbox.unparked(deletions: true, refused: refused, after: 0, limit: 1)
                .isEmpty
        else { return [] }
        return try await cascadingDestinations(of: names + unsaved)
            .union(contestedRecordNames(names))
    }

    /// The records of which the server has a version that may bring the object back according to the policy.
    private func contestedRecordNames(_ names: [String]) throws -> [String] {
        let policies = settings.policies
        return try names.filter { name in
            guard let entry = try database.objects.entry(named: name),
                let entity = database.schema.entity(number: entry.entity)
            else { return false }
            return policies.policy(of: entity.description).serverEditSurvivesLocalDeletion
        }
    }

    /// The records with which the server would delete some of these: older versions of the app write references
    /// that cascade. A record that cannot be read at all counts as one without such references.
    private func cascadingDestinations(of names: [String]) async throws -> Set<String> {
        let fields = mappings.referenceFields.sorted()
        var parts = stride(from: 0, to: names.count, by: Self.largestPage).map {
            names[$0..<min($0 + Self.largestPage, names.count)]
        }
        var kept: Set<String> = []
        while let part = parts.popLast() {
            let answers: [CKRecord.ID: Result<SMCloudRecord, any Error>]
            do {
                answers = try await zone.records(
                    part.compactMap { CKRecord.ID.ofRecord(named: $0, in: zone.zoneID) },
                    fields: fields)
            } catch  where CloudErrorReaction.concernsOneRecord(error) {
                let middle = part.count / 2
                if middle > 0 { parts += [part.prefix(middle), part.dropFirst(middle)] }
                continue
            } catch {
                throw zoneError(error)
            }
            for answer in answers.values {
                guard let record = try? answer.get().record else { continue }
                for field in fields {
                    let reference: CKRecord.Reference? = record[field]
                    if let reference, reference.action == .deleteSelf {
                        kept.insert(reference.recordID.recordName)
                    }
                }
            }
        }
        try await confirmUser()
        return kept
    }
}
