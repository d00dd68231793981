import CloudKit
import CoreData

/// Sending the outbox, batch by batch.
extension SyncEngine {
    /// A change that is being sent, and its record.
    private struct PreparedSave {
        let save: OutgoingSave
        let record: CKRecord

        var change: OutboxEntry { save.change }
    }

    /// How far one round of the push has come.
    private struct Progress {
        /// The changes that the server has acknowledged, that it refused for good, or that were
        /// none.
        var settled = 0
        /// The conflicts that were resolved, and what is to be sent again.
        var retried = 0
        /// What the server said last of a change that is to be sent again.
        var lastError: (any Error)?

        static func += (left: inout Progress, right: Progress) {
            left.settled += right.settled
            left.retried += right.retried
            left.lastError = right.lastError ?? left.lastError
        }
    }

    /// How many rounds in a row may end without the server taking a single change.
    private static let mostFruitlessRounds = 10

    /// Sends saves, then deletions, until nothing waits.
    ///
    /// - Throws: ``SMStoreError/changesNotAcknowledged(count:underlying:)`` if the rounds brought
    ///   nothing forward though something waits, and what the server answered otherwise.
    func push(_ zone: CloudZone) async throws {
        var fruitlessRounds = 0
        while true {
            let progress = try await pushRound(zone)
            let waiting = try database.outbox.unparkedCount()
            if waiting == 0 { break }
            fruitlessRounds = progress.settled > 0 ? 0 : fruitlessRounds + 1
            guard progress.settled + progress.retried > 0,
                fruitlessRounds < Self.mostFruitlessRounds
            else {
                throw SMStoreError.changesNotAcknowledged(
                    count: waiting, underlying: progress.lastError)
            }
        }
        if let (count, error) = try database.outbox.parked() {
            throw SMStoreError.changesNotAcknowledged(
                count: count, underlying: SMStoreError.refusedByServer(error))
        }
    }

    private func pushRound(_ zone: CloudZone) async throws -> Progress {
        var progress = Progress()
        do {
            progress += try await pushSaves(zone)
        } catch  where CloudErrorReaction(error) == .stopPushing {
            // Deletions may free the space that the saves lack.
            _ = try await pushDeletions(zone)
            throw error
        }
        progress += try await pushDeletions(zone)
        return progress
    }

    // MARK: - Saves

    private func pushSaves(_ zone: CloudZone) async throws -> Progress {
        var cursor: Int64 = 0
        var progress = Progress()
        while true {
            try Task.checkCancellation()
            let batch = try database.connection.transaction(.deferred) {
                try database.outgoingSaves(mappings, after: cursor, limits: batchLimits)
            }
            guard let last = batch.last else { return progress }
            // The files of the assets live until their batch is done.
            let assets = AssetFolder()
            let saves = try prepare(batch, zone, assets)
            progress.settled += batch.obsolete.count
            progress.retried += batch.saves.count - saves.count
            guard !saves.isEmpty else {
                cursor = last
                continue
            }
            do {
                let outcome = try await zone.modify(saving: saves.map(\.record), deleting: [])
                batchLimits.noteAcceptance()
                let settled = try await settle(saves, outcome, zone)
                try noteProgress(settled, of: "saves")
                progress += settled
                cursor = last
            } catch {
                guard CloudErrorReaction(error) == .split else { throw zoneError(error, zone) }
                try shrinkBatch(
                    saves.map(\.change), bytes: saves.reduce(0) { $0 + $1.save.byteCount }, error)
            }
            withExtendedLifetime(assets) {}
        }
    }

    /// Makes the records of a batch, and notes in the outbox that they are being sent. A change
    /// that is not the same any more is left to the next round.
    private func prepare(
        _ batch: OutgoingBatch, _ zone: CloudZone, _ assets: AssetFolder
    ) throws -> [PreparedSave] {
        let saves = try batch.saves.map { save in
            reportValuesLeftBehind(save)
            return PreparedSave(
                save: save, record: try save.record(zoneID: zone.zoneID, assets: assets))
        }
        return try transaction {
            for change in batch.obsolete where try database.outbox.isCurrent(change) {
                try database.outbox.remove(of: change.pk)
            }
            return try saves.filter { prepared in
                guard try database.outbox.isCurrent(prepared.change) else { return false }
                try database.outbox.noteAttempt(
                    prepared.change.pk, fingerprint: prepared.save.fingerprint)
                return true
            }
        }
    }

    /// Reports the values that stay on this device, once for each change of the object, however often
    /// it is sent.
    private func reportValuesLeftBehind(_ save: OutgoingSave) {
        let errors = save.valuesLeftBehind
        guard !errors.isEmpty,
            reportedRevisions.updateValue(save.change.revision, forKey: save.change.pk)
                != save.change.revision
        else { return }
        for error in errors { report(error) }
    }

    private func shrinkBatch(
        _ changes: [OutboxEntry], bytes: Int, _ error: any Error
    ) throws {
        if let only = changes.first, changes.count == 1 {
            try transaction { try database.outbox.park(only, error: "\(error)") }
        } else {
            batchLimits.noteRefusal(ofCount: changes.count, byteCount: bytes)
            StoreLog.info(
                "\(changes.count) changes were too many; \(batchLimits.count) are tried next")
        }
    }

    private func noteProgress(_ progress: Progress, of kind: String) throws {
        StoreLog.debug("A batch of \(kind): \(progress.settled) settled, \(progress.retried) not")
        observation.advance(by: progress.settled, remaining: try database.outbox.unparkedCount())
    }

    /// Takes over what the server said of each record.
    private func settle(
        _ saves: [PreparedSave], _ outcome: PushOutcome, _ zone: CloudZone
    ) async throws -> Progress {
        var conflicts: [CKRecord.ID] = []
        var known: [CKRecord] = []
        var deletions: [String] = []
        var progress = Progress()
        var acknowledged: [String] = []
        var failure: (any Error)?
        var isTooLarge = false
        // What the server has acknowledged needs the values no more that it was based on.
        try transaction {
            for save in saves {
                guard let result = outcome.saved[save.record.recordID] else { continue }
                guard case .failure(let error) = result else {
                    try acknowledge(save, try result.get())
                    acknowledged.append(save.change.recordName)
                    continue
                }
                switch reaction(to: error, of: save, isAlone: saves.count == 1) {
                case .resolveConflict:
                    let record = (error as? CKError)?.serverRecord
                    if let record, !save.save.mayHaveAssets {
                        known.append(record)
                    } else {
                        conflicts.append(save.record.recordID)
                    }
                case .treatAsDeleted:
                    deletions.append(save.change.recordName)
                case .park:
                    try database.outbox.park(save.change, error: "\(error)")
                    progress.settled += 1
                case .sendAgain:
                    progress.retried += 1
                case .split:
                    isTooLarge = true
                    progress.retried += 1
                default:
                    failure = failure ?? error
                }
                progress.lastError = error
            }
            try unfetched.remove(acknowledged)
        }
        progress.settled += acknowledged.count
        if isTooLarge {
            batchLimits.noteRefusal(
                ofCount: saves.count, byteCount: saves.reduce(0) { $0 + $1.save.byteCount })
        }
        progress += try await resolve(known, fetching: conflicts, deletions: deletions, zone)
        if let failure { throw zoneError(failure, zone) }
        return progress
    }

    /// What to do about the error of one record.
    private func reaction(
        to error: any Error, of save: PreparedSave, isAlone: Bool
    ) -> CloudErrorReaction {
        let reaction = CloudErrorReaction(error)
        // A record that the server never had was not deleted there: something else is missing.
        if reaction == .treatAsDeleted, save.change.systemFields == nil { return .park }
        if reaction == .split, isAlone { return .park }
        return reaction
    }

    private func resolve(
        _ known: [CKRecord], fetching ids: [CKRecord.ID], deletions: [String], _ zone: CloudZone
    ) async throws -> Progress {
        var records = known
        var deletions = deletions
        var failures: [String: any Error] = [:]
        if !ids.isEmpty {
            for (id, result) in try await zone.records(ids) {
                switch result {
                case .success(let record): records.append(record)
                case .failure(let error):
                    let reaction = CloudErrorReaction(error)
                    if reaction == .treatAsDeleted {
                        deletions.append(id.recordName)
                    } else if reaction != .split, CloudErrorReaction.concernsOneRecord(error) {
                        failures[id.recordName] = error
                    } else {
                        throw error
                    }
                }
            }
        }
        let received = try read(records)
        let settled = received.names + deletions
        if !settled.isEmpty {
            try await apply(received.records, deletions: deletions) { _ in
                try self.unfetched.remove(settled)
            }
        }
        // The changes of records that cannot be read wait for a pass that can.
        failures.merge(received.failures) { $1 }
        return Progress(
            retried: settled.count,
            lastError: failures.first.map {
                SMStoreError.recordsNotFetched(failures.keys.sorted(), underlying: $0.value)
            })
    }

    /// The server has saved this revision of the record.
    private func acknowledge(_ save: PreparedSave, _ record: CKRecord) throws {
        let pk = save.change.pk
        summary.savedRecordCount += 1
        try database.objects.setSystemFields(
            SystemFields.data(of: record), changeTag: record.recordChangeTag, of: pk)
        guard let current = try database.outbox.entry(of: pk) else { return }
        if current.revision == save.change.revision {
            return try database.outbox.remove(of: pk)
        }
        // The object was edited meanwhile: what differs from the saved record goes next. A
        // deletion stays as it is, and of a link there is no more than one field to differ.
        guard current.kind != .delete else { return }
        guard case .object(let mapping, let sent) = save.save.content else {
            return try database.outbox.replace(
                of: pk, base: current.base.values.isEmpty ? Self.linkOrder : current.base,
                revision: current.revision)
        }
        guard let row = try database.rows.row(pk, of: mapping.entity) else { return }
        var base = FieldValues()
        for name in mapping.differences(try database.fields(of: row, mapping), sent) {
            base[name] = sent[name]
        }
        try database.outbox.replace(of: pk, base: base, revision: current.revision)
    }

    private static let linkOrder = FieldValues([LinkRecord.targetOrder: .null])

    // MARK: - Deletions

    private func pushDeletions(_ zone: CloudZone) async throws -> Progress {
        var cursor: Int64 = 0
        var progress = Progress()
        let unseen = try unfetchedRecordNamesToKeep()
        let held = try database.outbox.recordNamesInBases().union(unseen)
        while true {
            try Task.checkCancellation()
            let batch = try database.outbox.unparked(
                deletions: true, after: cursor, limit: batchLimits.count)
            guard let last = batch.last else { return progress }
            if let error = unfetchedError(of: batch.map(\.recordName).filter(unseen.contains)) {
                progress.lastError = error
            }
            let changes = try transaction {
                try batch.filter { change in
                    guard !held.contains(change.recordName), try database.outbox.isCurrent(change) else {
                        return false
                    }
                    try database.outbox.noteAttempt(change.pk, fingerprint: nil)
                    return true
                }
            }
            guard !changes.isEmpty else {
                cursor = last.pk
                continue
            }
            do {
                let ids = changes.map {
                    CKRecord.ID(recordName: $0.recordName, zoneID: zone.zoneID)
                }
                let outcome = try await zone.modify(saving: [], deleting: ids)
                batchLimits.noteAcceptance()
                let settled = try settleDeletions(changes, ids, outcome, zone)
                try noteProgress(settled, of: "deletions")
                progress += settled
                cursor = last.pk
            } catch {
                guard CloudErrorReaction(error) == .split else { throw zoneError(error, zone) }
                try shrinkBatch(changes, bytes: 0, error)
            }
        }
    }

    private func settleDeletions(
        _ deletions: [OutboxEntry], _ ids: [CKRecord.ID], _ outcome: PushOutcome,
        _ zone: CloudZone
    ) throws -> Progress {
        var progress = Progress()
        var acknowledged: [String] = []
        var failure: (any Error)?
        var isTooLarge = false
        try transaction {
            for (change, id) in zip(deletions, ids) {
                guard let result = outcome.deleted[id] else { continue }
                guard case .failure(let error) = result else {
                    try acknowledgeDeletion(change)
                    acknowledged.append(change.recordName)
                    continue
                }
                switch CloudErrorReaction(error) {
                case .treatAsDeleted:
                    try acknowledgeDeletion(change)
                    acknowledged.append(change.recordName)
                case .park:
                    try database.outbox.park(change, error: "\(error)")
                    progress.settled += 1
                case .sendAgain:
                    progress.retried += 1
                case .split where deletions.count > 1:
                    isTooLarge = true
                    progress.retried += 1
                default:
                    failure = failure ?? error
                }
                progress.lastError = error
            }
            try unfetched.remove(acknowledged)
        }
        progress.settled += acknowledged.count
        if isTooLarge { batchLimits.noteRefusal(ofCount: deletions.count, byteCount: 0) }
        if let failure { throw zoneError(failure, zone) }
        return progress
    }

    private func acknowledgeDeletion(_ change: OutboxEntry) throws {
        guard let current = try database.outbox.entry(of: change.pk),
            current.revision == change.revision
        else { return }
        try database.outbox.remove(of: change.pk)
        if database.schema.entity(number: change.entity) != nil {
            // Links that have come from other devices since the object was deleted here.
            _ = try database.links.removeAll(
                ofDeletedObject: change.pk, isSynced: mappings.isSynced)
        }
        try database.objects.remove(change.pk)
        summary.deletedRecordCount += 1
    }
}
