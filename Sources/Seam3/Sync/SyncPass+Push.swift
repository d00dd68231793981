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
    /// What makes the pass fail once everything else is done.
    var failure: (any Error)?

    static func += (left: inout PushProgress, right: PushProgress) {
        left.settled += right.settled
        left.retried += right.retried
        left.lastError = right.lastError ?? left.lastError
        left.failure = left.failure ?? right.failure
    }
}

/// Changes on their way to the server, and its answers to them.
extension SyncPass {
    /// A change that is being sent.
    struct SentChange {
        let outgoing: OutgoingChange
        /// The record to save, nil for a deletion.
        let record: SMCloudRecord?
        let recordID: CKRecord.ID

        var change: OutboxEntry { outgoing.change }
    }

    /// What the server's answers to a batch come to.
    struct Outcome {
        var progress = PushProgress()
        /// The names of the records that are on the server as they were sent.
        var acknowledged: [String] = []
        /// The server's versions of records in conflict, and the names of those to fetch.
        var serverRecords: [SMCloudRecord] = []
        var conflicts: [CKRecord.ID] = []
        /// What the server has said about records in conflict.
        var toldRecords: [CKRecord.ID: SMCloudRecord] = [:]
        /// The names of the records to save that the server does not have any more.
        var deletions: [String] = []
        /// Whether the server found the batch too large.
        var isTooLarge = false
        /// Why conflicts cannot be resolved before they are met with fewer records.
        var unresolved: (any Error)?
        /// What makes the pass fail.
        var failure: (any Error)?
    }

    /// Creates the records of changes, and notes in the outbox that they are being sent. A change
    /// that is not the same any more is left to the next round.
    ///
    /// - Returns: What is sent, and what the zone is to keep of the request.
    func prepare(
        _ changes: [OutgoingChange], _ assets: AssetFolder
    ) throws -> (sent: [SentChange], log: RequestLog) {
        let prepared = try changes.map { outgoing in
            reportValuesLeftBehind(outgoing)
            let record = try outgoing.record(zoneID: zone.zoneID, assets: assets)
            return SentChange(
                outgoing: outgoing, record: record,
                recordID: record?.record.recordID
                    ?? CKRecord.ID(recordName: outgoing.change.recordName, zoneID: zone.zoneID))
        }
        // What the server may have, this device must know to have sent, even after a power cut.
        return try database.connection.durably {
            try transaction {
                let (request, log) = try state.takeRequest(at: clock.now())
                let sent = try prepared.filter {
                    try database.outbox.noteAttempt(
                        $0.change, request: request, version: $0.outgoing.sentForm)
                }
                return (sent, log)
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

    // MARK: - Answers

    /// Takes over what the server said of each change.
    func settle(
        _ sent: [SentChange], _ answers: SMCloudModifications
    ) async throws -> Outcome {
        var outcome = Outcome(toldRecords: answers.serverRecords)
        try transaction {
            for change in sent {
                switch answers.answer(to: change) {
                case .success(let record): try acknowledge(change, record, &outcome)
                case .failure(let error):
                    try settle(change, error, isAlone: sent.count == 1, &outcome)
                case nil: break
                }
            }
            try unfetched.remove(outcome.acknowledged)
        }
        outcome.progress.settled += outcome.acknowledged.count
        do {
            outcome.progress += try await resolve(outcome)
        } catch  where CloudErrorReaction(error) == .split {
            // Conflicts that are met with fewer records need fewer to be fetched.
            outcome.isTooLarge = true
            outcome.unresolved = error
        } catch  where CloudErrorReaction.allowsOtherRequests(error) {
            outcome.failure = outcome.failure ?? error
        }
        return outcome
    }

    /// Takes over what the server said of a change that it has not carried out.
    private func settle(
        _ sent: SentChange, _ error: any Error, isAlone: Bool, _ outcome: inout Outcome
    ) throws {
        outcome.progress.lastError = error
        if CloudErrorReaction.concernsOneRecord(error) || CloudErrorReaction.refusesRequest(error) {
            try database.outbox.takeBackAttempt(of: sent.change)
        }
        switch reaction(to: error, of: sent.outgoing, isAlone: isAlone) {
        case .resolveConflict:
            if let record = outcome.toldRecords[sent.recordID],
                !sent.outgoing.mayLackValuesInConflicts
            {
                outcome.serverRecords.append(record)
            } else {
                outcome.conflicts.append(sent.recordID)
            }
        case .treatAsDeleted where sent.outgoing.isDeletion:
            try acknowledge(sent, nil, &outcome)
        case .treatAsDeleted:
            outcome.deletions.append(sent.change.recordName)
        case .park:
            try park(sent.outgoing, error)
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
        case .stop where CloudErrorReaction.concernsOneRecord(error): return .park
        case let reaction: return reaction
        }
    }

    /// Decides conflicts by the server's records, and carries deletions out.
    private func resolve(_ outcome: Outcome) async throws -> PushProgress {
        database.externalFiles?.beginKeeping()
        defer { database.externalFiles?.stopKeeping(in: database) }
        let answers = outcome.conflicts.isEmpty ? [:] : try await zone.records(outcome.conflicts)
        let fetched = try read(outcome.serverRecords, sorting: answers)
        // What cannot be fetched at once is not sent at once either.
        if let error = fetched.failures.values.first(where: { CloudErrorReaction($0) == .split }) {
            throw error
        }
        let deletions = outcome.deletions + fetched.missing
        if !deletions.isEmpty { hasForeseenDeletion = true }
        let settled = fetched.names + deletions
        if !settled.isEmpty {
            try await apply(fetched.records, deletions: deletions) { _, refused in
                try unfetched.remove(settled.filter { refused[$0] == nil })
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
        _ sent: SentChange, _ record: SMCloudRecord?, _ outcome: inout Outcome
    ) throws {
        if let record {
            try acknowledgeSave(sent.outgoing, record)
        } else {
            try acknowledgeDeletion(sent.change)
        }
        outcome.acknowledged.append(sent.change.recordName)
    }

    /// The server has saved this revision of the record.
    private func acknowledgeSave(_ sent: OutgoingChange, _ record: SMCloudRecord) throws {
        let pk = sent.change.pk
        summary.savedRecordCount += 1
        try database.objects.setSystemFields(
            SystemFields.data(of: record), changeTag: record.changeTag, of: pk)
        if sent.heldReferences.isEmpty, try database.outbox.remove(sent.change) { return }
        guard let current = try database.outbox.entry(of: pk) else { return }
        // The object was edited meanwhile, or has references that wait: what differs from the saved
        // record goes next. A deletion stays as it is, and of a link there is no more than one field to
        // differ.
        guard current.kind != .delete else { return }
        guard case .object(let mapping, let fields) = sent.content else {
            return try database.outbox.replace(
                of: pk, base: current.base.values.isEmpty ? Self.linkOrder : current.base,
                revision: current.revision)
        }
        guard let row = try database.rows.row(pk, of: mapping.entity) else { return }
        var base = PropertyValues()
        for name in mapping.differences(try database.fields(of: row, mapping), fields) {
            base[name] = fields[name]
        }
        try database.outbox.replace(of: pk, base: base, revision: current.revision)
    }

    private static let linkOrder = PropertyValues([LinkRecord.targetOrder: .null])

    private func acknowledgeDeletion(_ change: OutboxEntry) throws {
        guard try database.outbox.remove(change) else { return }
        if database.schema.entity(number: change.entity) != nil {
            // Links that have come from other devices since the object was deleted here.
            _ = try database.links.removeAll(
                ofDeletedObject: change.pk, isSynced: mappings.isSynced)
        }
        try database.objects.remove(change.pk)
        summary.deletedRecordCount += 1
    }
}

extension SMCloudModifications {
    /// Whether it says nothing of any record.
    var isEmpty: Bool { saved.isEmpty && deleted.isEmpty }

    /// What the server said of a change: the saved record, nil for a deleted one, or why not; nil if it
    /// said nothing.
    func answer(
        to sent: SyncPass.SentChange
    ) -> Result<SMCloudRecord?, any Error>? {
        sent.record == nil
            ? deleted[sent.recordID]?.map { nil } : saved[sent.recordID]?.map { $0 }
    }
}
