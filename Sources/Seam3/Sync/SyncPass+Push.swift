import CloudKit
import CoreData

/// The progress of a push round.
struct PushProgress {
    /// The number of changes that were acknowledged, parked, or dropped because there was nothing
    /// to send.
    var settled = 0
    /// The number of conflicts that were resolved, and of other changes that will be sent again.
    var retried = 0
    /// The server's last error for a change that will be sent again.
    var lastError: (any Error)?
    /// The error with which the pass fails after everything else is done.
    var failure: (any Error)?

    static func += (left: inout PushProgress, right: PushProgress) {
        left.settled += right.settled
        left.retried += right.retried
        left.lastError = right.lastError ?? left.lastError
        left.failure = left.failure ?? right.failure
    }
}

/// Sending changes, and handling the server's responses.
extension SyncPass {
    /// A change that is being sent.
    struct SentChange {
        let outgoing: OutgoingChange
        /// The record to save; nil for a deletion.
        let record: SMCloudRecord?
        let recordID: CKRecord.ID

        var change: OutboxEntry { outgoing.change }
    }

    /// The result of the server's responses to a batch.
    struct Outcome {
        var progress = PushProgress()
        /// The names of the records that the server has as they were sent.
        var acknowledged: [String] = []
        /// The server's versions of records in conflict, and the IDs of those that have to be
        /// fetched.
        var serverRecords: [SMCloudRecord] = []
        var conflicts: [CKRecord.ID] = []
        /// The server's records that came with conflict errors.
        var toldRecords: [CKRecord.ID: SMCloudRecord] = [:]
        /// The names of records to save that the server no longer has.
        var deletions: [String] = []
        /// Whether the server has refused a change, and therefore carried out none.
        var isRefused = false
        /// The changes that were not carried out because of another one in the request.
        var innocent: [SentChange] = []
        /// Whether the server refused the batch for its size.
        var isTooLarge = false
        /// The error because of which conflicts have to be resolved in a smaller batch.
        var unresolved: (any Error)?
        /// The error with which the pass fails.
        var failure: (any Error)?
    }

    /// Creates the records of changes, and notes in the outbox that they are being sent. A change
    /// that has been edited in the meantime is left for the next round.
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
        // Anything that may have reached the server must be recorded as sent, even after a power
        // failure.
        return try database.connection.durably {
            try transaction {
                let (request, log) = try state.takeRequest(at: clock.now())
                let sent = try prepared.filter {
                    try database.outbox.noteAttempt(
                        $0.change, request: arrivedRequest(with: $0.outgoing) ?? request,
                        sent: $0.outgoing.sentVersions)
                }
                for change in sent {
                    try database.noteEmptied(
                        change.outgoing.emptiedFormerFields, of: change.outgoing.change.pk,
                        isAcknowledged: false)
                }
                let keys = sent.map(\.change.pk)
                if let first = keys.min(), let last = keys.max() {
                    try database.outbox.noteSent(first...last, request: request)
                }
                // From now on, the server may have references to objects that it does not have. If such an object
                // is deleted, the references have to go, too, as if the server had it.
                let destinations = Set(sent.flatMap(\.outgoing.destinations)).subtracting(keys)
                for pk in destinations.subtracting(sentDestinations) {
                    try database.objects.setSent(true, pk)
                }
                sentDestinations.formUnion(destinations)
                return (sent, log)
            }
        }
    }

    /// The last request with a change, if that request has arrived with the version that is sent again now. It stays the
    /// one that is remembered: the new request changes nothing, and its answer may be lost, too.
    private func arrivedRequest(with outgoing: OutgoingChange) throws -> Int64? {
        let change = outgoing.change
        guard !change.sent.isEmpty, outgoing.sentVersions == change.sent.encoded,
            try database.hasArrived(change) == true
        else { return nil }
        return change.request
    }

    /// Reports the values that stay on this device, once for each change of the object, no matter
    /// how often it is sent.
    private func reportValuesLeftBehind(_ save: OutgoingChange) {
        let errors = save.valuesLeftBehind
        guard !errors.isEmpty,
            carryover.reportedRevisions.updateValue(save.change.revision, forKey: save.change.pk)
                != save.change.revision
        else { return }
        for error in errors { report(error) }
    }

    // MARK: - Responses

    /// Handles the server's response to each change.
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
            // Conflicts in a smaller batch require fewer records to be fetched.
            outcome.isTooLarge = true
            outcome.unresolved = error
        } catch  where CloudErrorReaction.allowsOtherRequests(error) {
            outcome.failure = outcome.failure ?? error
        }
        return outcome
    }

    /// Notes that the server has refused a change.
    func takeBackAttempt(_ sent: SentChange) throws {
        try database.outbox.takeBackAttempt(
            of: sent.change, remaining: sent.outgoing.versionsAfterRefusal)
        if !sent.change.wasSent, !sentDestinations.contains(sent.change.pk) {
            try database.objects.setSent(false, sent.change.pk)
        }
    }

    /// Handles the server's error for a change.
    private func settle(
        _ sent: SentChange, _ error: any Error, isAlone: Bool, _ outcome: inout Outcome
    ) throws {
        outcome.progress.lastError = error
        outcome.isRefused = true
        if (error as? CKError)?.code == .batchRequestFailed { outcome.innocent.append(sent) }
        if CloudErrorReaction.concernsOneRecord(error) || CloudErrorReaction.refusesRequest(error) {
            try takeBackAttempt(sent)
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
            noteFailure(of: [sent], error)
            outcome.failure = outcome.failure ?? error
        }
    }

    /// Notes the saves that deletions need not wait for.
    func noteFailure(of sent: [SentChange], _ error: any Error) {
        let isFull = CloudErrorReaction(error) == .stopPushing
        for save in sent where save.record != nil && (isFull || save.change.attempts > 0) {
            failedSaves.insert(save.change.recordName)
        }
    }

    /// The reaction to the error of one record.
    private func reaction(
        to error: any Error, of outgoing: OutgoingChange, isAlone: Bool
    ) -> CloudErrorReaction {
        switch CloudErrorReaction(error) {
        // A record that the server never had was not deleted there, so something else is missing.
        case .treatAsDeleted where !outgoing.isDeletion && outgoing.change.systemFields == nil:
            return .park
        case .split where isAlone: return .park
        // A deletion has no version that could be in conflict.
        case .resolveConflict where outgoing.isDeletion: return .stop
        case .stop where CloudErrorReaction.concernsOneRecord(error): return .park
        case let reaction: return reaction
        }
    }

    /// Resolves conflicts with the server's records, and applies deletions.
    private func resolve(_ outcome: Outcome) async throws -> PushProgress {
        database.externalFiles?.beginKeeping()
        defer { database.externalFiles?.stopKeeping(in: database) }
        let answers =
            outcome.conflicts.isEmpty
            ? [:] : try await confirmed { try await zone.records(outcome.conflicts) }
        let fetched = try read(outcome.serverRecords, sorting: answers)
        // Records that are too large to fetch together are too large to send together.
        if let error = fetched.failures.values.first(where: { CloudErrorReaction($0) == .split }) {
            throw error
        }
        // An unresolved conflict is left alone, so that the other changes do not wait for it.
        isLogOutdated = isLogOutdated || !fetched.names.isEmpty
        let deletions = outcome.deletions + fetched.missing
        if !deletions.isEmpty { isPullDue = true }
        let settled = fetched.names + deletions
        if !settled.isEmpty {
            try await apply(fetched.records, deletions: deletions, isComplete: false) {
                _, refused in
                try unfetched.remove(settled.filter { refused[$0] == nil })
            }
            if try fetched.names.contains(where: unfetched.isContested) { isPullDue = true }
        }
        // The changes of unreadable records wait for a pass that can read them.
        return PushProgress(
            retried: settled.count,
            lastError: fetched.failures.first.map {
                SMStoreError.recordsNotFetched(
                    fetched.failures.keys.sorted(), underlying: $0.value)
            })
    }

    /// Notes that the server has what was sent: this revision of a record, or its deletion.
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

    /// Notes that the server has saved this revision of the record.
    private func acknowledgeSave(_ sent: OutgoingChange, _ record: SMCloudRecord) throws {
        let pk = sent.change.pk
        summary.savedRecordCount += 1
        try database.objects.setSystemFields(
            SystemFields.data(of: record), changeTag: record.changeTag, of: pk)
        if sent.change.kind == .insert, case .object(let mapping, _) = sent.content,
            mapping.hasFormerFields
        {
            try database.objects.setFormerFields(SentVersions(), of: pk)
        }
        try database.noteEmptied(sent.emptiedFormerFields, of: pk, isAcknowledged: true)
        if sent.heldReferences.isEmpty, try database.outbox.remove(sent.change) { return }
        guard let current = try database.outbox.entry(of: pk) else { return }
        // The object was edited in the meantime, or has references that wait. The differences from
        // the saved record are sent next. A deletion stays unchanged.
        guard current.kind != .delete, var base = try missingChanges(sent.content, pk) else {
            return
        }
        if case .object(let mapping, _) = sent.content {
            for (name, value) in mapping.formerReferences(in: current.base).values
            where sent.change.base.values[name] == nil {
                base[name] = value
            }
        }
        try database.outbox.replace(of: pk, base: base, revision: current.revision)
    }

    /// The values that the server has saved, where an object or link has others now; nil if it is gone.
    private func missingChanges(
        _ saved: OutgoingChange.Content, _ pk: Int64
    ) throws -> PropertyValues? {
        switch saved {
        case .object(let mapping, let fields):
            guard let row = try database.rows.row(pk, of: mapping.entity) else { return nil }
            return mapping.base(of: try database.fields(of: row, mapping), from: fields)
        case .link(let record):
            return try database.links.row(pk, record.link)?.basePlaces(from: record)
        case .deletion: return nil
        }
    }

    private func acknowledgeDeletion(_ change: OutboxEntry) throws {
        // The object may have come back in the meantime.
        isPullDue = true
        guard try database.outbox.remove(change) else { return }
        if database.schema.entity(number: change.entity) != nil {
            // These links have arrived from other devices since the object was deleted here.
            _ = try database.links.removeAll(
                ofDeletedObject: change.pk, isSynced: mappings.isSynced)
        }
        try database.objects.remove(change.pk)
        summary.deletedRecordCount += 1
    }
}

extension SMCloudModifications {
    /// Whether it has no response for any record.
    var isEmpty: Bool { saved.isEmpty && deleted.isEmpty }

    /// The server's response to a change: the saved record, nil for a deletion, or the error; nil
    /// if there is no response.
    func answer(
        to sent: SyncPass.SentChange
    ) -> Result<SMCloudRecord?, any Error>? {
        sent.record == nil
            ? deleted[sent.recordID]?.map { nil } : saved[sent.recordID]?.map { $0 }
    }
}
