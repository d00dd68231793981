import CloudKit
import CoreData

/// How far a round of the push has come.
struct PushProgress {
    /// The changes that the server has acknowledged, that it refused for good, or that were none.
    var settled = 0
    /// The conflicts that were resolved, and what is to be sent again.
    var retried = 0
    /// What the server said last of a change that is to be sent again.
    var lastError: (any Error)?

    static func += (left: inout PushProgress, right: PushProgress) {
        left.settled += right.settled
        left.retried += right.retried
        left.lastError = right.lastError ?? left.lastError
    }
}

/// Sending the outbox, batch by batch.
extension SyncPass {
    /// A change that is being sent.
    private struct SentChange {
        let outgoing: OutgoingChange
        /// The record to save, nil for a deletion.
        let record: CKRecord?
        let recordID: CKRecord.ID

        var change: OutboxEntry { outgoing.change }
    }

    /// What the server's answers to a batch come to.
    private struct Outcome {
        var progress = PushProgress()
        /// The names of the records that are on the server as they were sent.
        var acknowledged: [String] = []
        /// The server's versions of records in conflict, and the names of those to fetch.
        var serverRecords: [CKRecord] = []
        var conflicts: [CKRecord.ID] = []
        /// The names of the records to save that the server does not have any more.
        var deletions: [String] = []
        /// Whether the server found the batch too large.
        var isTooLarge = false
        /// What ends the pass.
        var failure: (any Error)?
    }

    /// Sends the changes of one kind, batch by batch.
    func send(_ kind: OutgoingBatch.Kind) async throws -> PushProgress {
        var cursor: Int64 = 0
        var progress = PushProgress()
        // A deletion waits for the saves that refer to its record, and until its last version was seen.
        let unseen = kind == .deletions ? try unfetchedRecordNamesToKeep() : []
        let held =
            kind == .deletions
            ? try database.outbox.recordNamesInBases().union(unseen) : []
        while true {
            try Task.checkCancellation()
            var batch = try database.connection.transaction(.deferred) {
                try database.outgoingBatch(
                    kind, mappings, after: cursor, limits: carryover.limits)
            }
            guard let last = batch.last else { return progress }
            let names = batch.changes.map(\.change.recordName).filter(unseen.contains)
            if let error = unfetchedError(of: names) {
                progress.lastError = error
            }
            batch.changes.removeAll { held.contains($0.change.recordName) }
            // The files of the assets live until their batch is done.
            let assets = AssetFolder()
            let sent = try prepare(batch, assets)
            progress.settled += batch.obsolete.count
            progress.retried += batch.changes.count - sent.count
            guard !sent.isEmpty else {
                cursor = last
                continue
            }
            do {
                let answers = try await zone.modify(
                    saving: sent.compactMap(\.record),
                    deleting: sent.filter(\.outgoing.isDeletion).map(\.recordID))
                carryover.limits.noteAcceptance()
                let settled = try await settle(sent, answers)
                StoreLog.debug(
                    "A batch of \(kind): \(settled.settled) settled, \(settled.retried) not")
                observation.advance(
                    by: settled.settled, remaining: try database.outbox.unparkedCount())
                progress += settled
                cursor = last
            } catch {
                guard CloudErrorReaction(error) == .split else { throw zoneError(error) }
                try shrinkBatch(sent, error)
            }
            withExtendedLifetime(assets) {}
        }
    }

    /// Makes the records of a batch, and notes in the outbox that they are being sent. A change
    /// that is not the same any more is left to the next round.
    private func prepare(_ batch: OutgoingBatch, _ assets: AssetFolder) throws -> [SentChange] {
        let prepared = try batch.changes.map { outgoing in
            reportValuesLeftBehind(outgoing)
            let record = try outgoing.record(zoneID: zone.zoneID, assets: assets)
            return SentChange(
                outgoing: outgoing, record: record,
                recordID: record?.recordID
                    ?? CKRecord.ID(recordName: outgoing.change.recordName, zoneID: zone.zoneID))
        }
        return try transaction {
            for change in batch.obsolete where try database.outbox.isCurrent(change) {
                try database.outbox.remove(of: change.pk)
            }
            return try prepared.filter { sent in
                guard try database.outbox.isCurrent(sent.change) else { return false }
                try database.outbox.noteAttempt(
                    sent.change, version: sent.outgoing.sentForm)
                return true
            }
        }
    }

    /// Reports the values that stay on this device, once for each change of the object, however often
    /// it is sent.
    private func reportValuesLeftBehind(_ save: OutgoingChange) {
        let errors = save.valuesLeftBehind
        guard !errors.isEmpty,
            carryover.reportedRevisions.updateValue(save.change.revision, forKey: save.change.pk)
                != save.change.revision
        else { return }
        for error in errors { report(error) }
    }

    private func shrinkBatch(_ sent: [SentChange], _ error: any Error) throws {
        if let only = sent.first, sent.count == 1 {
            try transaction { try database.outbox.park(only.change, error: "\(error)") }
        } else {
            noteRefusal(of: sent)
            StoreLog.info(
                "\(sent.count) changes were too many; \(carryover.limits.count) are tried next")
        }
    }

    private func noteRefusal(of sent: [SentChange]) {
        carryover.limits.noteRefusal(
            ofCount: sent.count, byteCount: sent.reduce(0) { $0 + $1.outgoing.byteCount })
    }

    // MARK: - Answers

    /// Takes over what the server said of each change.
    private func settle(_ sent: [SentChange], _ answers: PushAnswers) async throws -> PushProgress {
        var outcome = Outcome()
        try transaction {
            for change in sent {
                switch answers[change.recordID] {
                case .success(let record): try acknowledge(change, record, &outcome)
                case .failure(let error):
                    try settle(change, error, isAlone: sent.count == 1, &outcome)
                case nil: break
                }
            }
            try unfetched.remove(outcome.acknowledged)
        }
        outcome.progress.settled += outcome.acknowledged.count
        if outcome.isTooLarge { noteRefusal(of: sent) }
        outcome.progress += try await resolve(outcome)
        if let failure = outcome.failure { throw zoneError(failure) }
        return outcome.progress
    }

    /// Takes over what the server said of a change that it has not carried out.
    private func settle(
        _ sent: SentChange, _ error: any Error, isAlone: Bool, _ outcome: inout Outcome
    ) throws {
        outcome.progress.lastError = error
        if CloudErrorReaction.concernsOneRecord(error) {
            try database.outbox.takeBackAttempt(of: sent.change)
        }
        switch reaction(to: error, of: sent.outgoing, isAlone: isAlone) {
        case .resolveConflict:
            if let record = (error as? CKError)?.serverRecord, !sent.outgoing.mayHaveAssets {
                outcome.serverRecords.append(record)
            } else {
                outcome.conflicts.append(sent.recordID)
            }
        case .treatAsDeleted where sent.outgoing.isDeletion:
            try acknowledge(sent, nil, &outcome)
        case .treatAsDeleted:
            outcome.deletions.append(sent.change.recordName)
        case .park:
            try database.outbox.park(sent.change, error: "\(error)")
            outcome.progress.settled += 1
        case .sendAgain:
            outcome.progress.retried += 1
        case .split:
            outcome.isTooLarge = true
            outcome.progress.retried += 1
        default:
            outcome.failure = outcome.failure ?? error
        }
    }

    /// What to do about the error of one record.
    private func reaction(
        to error: any Error, of outgoing: OutgoingChange, isAlone: Bool
    ) -> CloudErrorReaction {
        switch CloudErrorReaction(error) {
        // A record that the server never had was not deleted there: something else is missing.
        case .treatAsDeleted where !outgoing.isDeletion && outgoing.change.systemFields == nil:
            return .park
        case .split where isAlone: return .park
        // A deletion has no version that could be in conflict.
        case .resolveConflict where outgoing.isDeletion: return .stop
        case let reaction: return reaction
        }
    }

    /// Decides conflicts by the server's records, and carries deletions out.
    private func resolve(_ outcome: Outcome) async throws -> PushProgress {
        let answers = outcome.conflicts.isEmpty ? [:] : try await zone.records(outcome.conflicts)
        let fetched = try FetchedRecords(outcome.serverRecords, sorting: answers, reader)
        // What cannot be fetched at once is not sent at once either.
        if let error = fetched.failures.values.first(where: { CloudErrorReaction($0) == .split }) {
            throw error
        }
        let deletions = outcome.deletions + fetched.missing
        let settled = fetched.names + deletions
        if !settled.isEmpty {
            try await apply(fetched.records, deletions: deletions) { _ in
                try unfetched.remove(settled)
            }
        }
        // The changes of records that cannot be read wait for a pass that can.
        return PushProgress(
            retried: settled.count,
            lastError: fetched.failures.first.map {
                SMStoreError.recordsNotFetched(
                    fetched.failures.keys.sorted(), underlying: $0.value)
            })
    }

    /// The server has what was sent: this revision of a record, or its deletion.
    private func acknowledge(
        _ sent: SentChange, _ record: CKRecord?, _ outcome: inout Outcome
    ) throws {
        if let record {
            try acknowledgeSave(sent.outgoing, record)
        } else {
            try acknowledgeDeletion(sent.change)
        }
        outcome.acknowledged.append(sent.change.recordName)
    }

    /// The server has saved this revision of the record.
    private func acknowledgeSave(_ sent: OutgoingChange, _ record: CKRecord) throws {
        let pk = sent.change.pk
        summary.savedRecordCount += 1
        try database.objects.setSystemFields(
            SystemFields.data(of: record), changeTag: record.recordChangeTag, of: pk)
        guard let current = try database.outbox.entry(of: pk) else { return }
        if current.revision == sent.change.revision {
            return try database.outbox.remove(of: pk)
        }
        // The object was edited meanwhile: what differs from the saved record goes next. A
        // deletion stays as it is, and of a link there is no more than one field to differ.
        guard current.kind != .delete else { return }
        guard case .object(let mapping, let fields) = sent.content else {
            return try database.outbox.replace(
                of: pk, base: current.base.values.isEmpty ? Self.linkOrder : current.base,
                revision: current.revision)
        }
        guard let row = try database.rows.row(pk, of: mapping.entity) else { return }
        var base = FieldValues()
        for name in mapping.differences(try database.fields(of: row, mapping), fields) {
            base[name] = fields[name]
        }
        try database.outbox.replace(of: pk, base: base, revision: current.revision)
    }

    private static let linkOrder = FieldValues([LinkRecord.targetOrder: .null])

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
