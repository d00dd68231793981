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
    final class SentChange {
        let outgoing: OutgoingChange
        /// The record to save; nil for a deletion.
        let record: SMCloudRecord?
        /// What the server's version says about its edits once it has that record.
        let edits: KnownEdits?
        let recordID: CKRecord.ID

        init(
            outgoing: OutgoingChange, record: SMCloudRecord?, edits: KnownEdits?,
            recordID: CKRecord.ID
        ) {
            self.outgoing = outgoing
            self.record = record
            self.edits = edits
            self.recordID = recordID
        }

        var change: OutboxEntry { outgoing.change }
        /// The request, as the outbox remembers it.
        var request: SentRequest {
            outgoing.request(token: edits?.stamps?.saves.last?.token)
        }
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
        /// Whether the server's versions of records were applied, and the changes will be sent again.
        var hasResolvedConflicts = false
        /// Whether the server has refused a change, and therefore carried out none.
        var isRefused = false
        /// The changes that were not carried out because of another one in the request.
        var innocent: [SentChange] = []
        /// The number of changes that the server may carry out later.
        var temporaryErrorCount = 0
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
    /// - Returns: What is sent, and the identity of the zone.
    func prepare(
        _ changes: [OutgoingChange], _ assets: AssetFolder
    ) throws -> (sent: [SentChange], identity: ZoneIdentity) {
        let request = StampedRequest(file: try state.fileNumber(), token: .random(in: 1 ... .max))
        let prepared = try changes.map { outgoing in
            reportValuesLeftBehind(outgoing)
            let (record, edits) =
                try outgoing.record(
                    zoneID: zone.zoneID, assets: assets,
                    request: getsStamps(outgoing) ? request : nil) ?? (nil, nil)
            return try SentChange(
                outgoing: outgoing, record: record, edits: edits,
                recordID: record?.record.recordID
                    ?? CKRecord.ID.record(named: outgoing.change.recordName, in: zone.zoneID))
        }
        // Anything that may have reached the server must be recorded as sent, even after a power
        // failure.
        return try database.connection.durably {
            var sent: [SentChange] = []
            var notedCount = 0
            try inParts(prepared) { change in
                if try database.outbox.noteRequest(change.request, with: change.change) {
                    sent.append(change)
                }
            } finish: {
                try noteSent(sent[notedCount...])
                notedCount = sent.count
            }
            let identity = try state.zoneIdentity() ?? transaction { try state.makeZoneIdentity() }
            return (sent, identity)
        }
    }

    /// Notes which objects the server may know from now on.
    private func noteSent(_ sent: ArraySlice<SentChange>) throws {
        let keys = sent.map(\.change.pk)
        if let first = keys.min(), let last = keys.max() {
            try database.outbox.noteSent(first...last)
        }
        // The server may have references to objects that it does not have. If such an object is deleted, the references
        // have to go, too, as if the server had it.
        let destinations = Set(sent.flatMap(\.outgoing.destinations)).subtracting(keys)
        for pk in destinations.subtracting(sentDestinations) {
            try database.objects.setSent(true, pk)
        }
        sentDestinations.formUnion(destinations)
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
        outcome.temporaryErrorCount = sent.count { change in
            if case .failure(let error) = answers.answer(to: change) {
                CloudErrorReaction.isTemporary(error)
            } else {
                false
            }
        }
        try inParts(sent) { change in
            switch answers.answer(to: change) {
            case .success(let record): try acknowledge(change, record, &outcome)
            case .failure(let error):
                try settle(change, error, isAlone: sent.count == 1, &outcome)
            case nil: break
            }
        } finish: {
            try unfetched.remove(outcome.acknowledged)
        }
        outcome.progress.settled += outcome.acknowledged.count
        do {
            outcome.progress += try await resolve(&outcome)
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
    func noteRefusal(_ sent: SentChange) throws {
        try database.outbox.noteRefusal(
            of: sent.change, repeatable: sent.outgoing.isRepeatable ? sent.request : nil)
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
            try noteRefusal(sent)
        }
        // If the server answers the same record with temporary errors again and again, that is their cause.
        let isItsOwn =
            CloudErrorReaction.isTemporary(error) && outcome.temporaryErrorCount == 1
            && !Task.isCancelled
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
        case .park where try triesWithoutStamps(sent, error):
            outcome.progress.retried += 1
        case .park:
            try park(sent.outgoing, error)
            outcome.progress.settled += 1
        case .sendAgain:
            outcome.progress.retried += 1
        case .split:
            outcome.isTooLarge = true
            outcome.progress.retried += 1
        case _ where isItsOwn && sent.change.refusalCount >= Self.mostTemporaryErrors:
            let count = sent.change.refusalCount + 1
            try park(
                sent.outgoing, error, delay: RetryDelay.seconds(after: error, failures: count))
            outcome.progress.settled += 1
        default:
            if isItsOwn { try database.outbox.countRefusal(of: sent.change) }
            noteFailure(of: [sent], error)
            outcome.failure = outcome.failure ?? error
        }
    }

    /// Notes the saves that deletions need not wait for.
    func noteFailure(of sent: [SentChange], _ error: any Error) {
        let isFull = CloudErrorReaction(error) == .stopPushing
        for save in sent where save.record != nil && (isFull || !save.change.isUnsent) {
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
    private func resolve(_ outcome: inout Outcome) async throws -> PushProgress {
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
        outcome.hasResolvedConflicts = !fetched.names.isEmpty
        let deletions = outcome.deletions + fetched.missing
        if !deletions.isEmpty { isPullDue = true }
        let settled = fetched.names + deletions
        if !settled.isEmpty {
            try await apply(fetched.records, deletions: deletions, from: .conflicts) {
                try unfetched.remove(fetched.ignoredNames)
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
            try acknowledgeSave(sent.outgoing, record, sent.edits)
        } else {
            try acknowledgeDeletion(sent.change)
        }
        outcome.acknowledged.append(sent.change.recordName)
    }

    /// Notes that the server has saved this revision of the record.
    private func acknowledgeSave(
        _ sent: OutgoingChange, _ record: SMCloudRecord, _ edits: KnownEdits?
    ) throws {
        let pk = sent.change.pk
        summary.savedRecordCount += 1
        try database.objects.setVersion(
            SystemFields.data(of: record), changeTag: record.changeTag, edits: edits, of: pk)
        try noteStamps(of: sent, edits)
        if sent.heldReferences.isEmpty, try database.outbox.remove(sent.change) { return }
        guard var current = try database.outbox.entry(of: pk), current.kind != .delete else {
            return
        }
        // The object was edited in the meantime, or has references that wait. What was not sent stays.
        guard let values = try presentValues(sent.content, pk) else { return }
        current.changes.acknowledge(
            sent.change.revision, held: sent.request().held, isNew: sent.change.kind == .insert
        ) { name, value in
            if case .object(let mapping, _) = sent.content {
                return mapping.isEqual(name, values[name], value)
            }
            return values[name] == value
        }
        try database.outbox.replace(
            of: pk, current.changes,
            resend: sent.change.kind == .insert
                ? []
                : current.resend.subtracting(sent.change.resend.subtracting(sent.heldReferences)),
            revision: current.revision)
    }

    /// The values that an object or link has now; nil if it is gone.
    private func presentValues(
        _ saved: OutgoingChange.Content, _ pk: Int64
    ) throws -> PropertyValues? {
        switch saved {
        case .object(let mapping, _):
            return try database.rows.row(pk, of: mapping.entity).map {
                try database.fields(of: $0, mapping)
            }
        case .link(let record): return try database.links.row(pk, record.link)?.places
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
