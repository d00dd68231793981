import CloudKit
import CoreData

#if SWIFT_PACKAGE
import SeamSQLite
#endif

/// Sending the outbox, batch by batch.
extension SyncEngine {
    /// A change and the record that was made for it.
    private struct PreparedSave {
        /// What the record stands for.
        enum Content {
            /// An object, with all its properties as the server has them once it has saved it.
            case object(RecordMapping, FieldValues)
            case link
        }

        let change: PendingChange
        let record: CKRecord
        let content: Content

        /// Whether an error from the server may lack files that the record has there.
        var mayHaveAssets: Bool {
            if case .object(let mapping, _) = content { return mapping.hasAssets }
            return false
        }

        var fingerprint: Data? {
            if case .object(let mapping, let fields) = content {
                return mapping.fingerprint(fields)
            }
            return nil
        }
    }

    /// Sends saves, then deletions, until nothing waits.
    ///
    /// - Throws: ``SMStoreError/changesNotAcknowledged(count:underlying:)`` if a round brought
    ///   nothing forward though something waits, and what the server answered otherwise.
    func push(_ zone: CloudZone) async throws {
        batchSize = Self.largestBatch
        while true {
            let progress = try await pushSaves(zone) + pushDeletions(zone)
            let waiting = try database.unparkedChangeCount()
            if waiting == 0 { break }
            guard progress > 0 else {
                throw SMStoreError.changesNotAcknowledged(count: waiting, underlying: nil)
            }
        }
        if let (count, error) = try database.parkedChanges() {
            throw SMStoreError.changesNotAcknowledged(
                count: count, underlying: SMStoreError.invalidRequest(error))
        }
    }

    // MARK: - Saves

    /// - Returns: How many changes were settled one way or another.
    private func pushSaves(_ zone: CloudZone) async throws -> Int {
        var cursor: Int64 = 0
        var progress = 0
        while true {
            try Task.checkCancellation()
            let changes = try database.pendingChanges(
                deletions: false, after: cursor, limit: batchSize)
            guard let last = changes.last else { return progress }
            // The files of the assets live until their batch is done.
            let assets = AssetFolder()
            let (saves, dropped) = try prepare(changes, zone, assets)
            progress += dropped
            guard !saves.isEmpty else {
                cursor = last.pk
                continue
            }
            do {
                let outcome = try await zone.modify(saving: saves.map(\.record), deleting: [])
                progress += try await settle(saves, outcome, zone)
                cursor = saves.last?.change.pk ?? last.pk
            } catch {
                guard CloudErrorReaction(error) == .split else { throw zoneError(error, zone) }
                try shrinkBatch(saves, error)
            }
            try lease.renew()
            withExtendedLifetime(assets) {}
        }
    }

    /// How many bytes of fields a request carries at most; CloudKit takes 2 MB.
    private static let requestLimit = 1_500_000

    /// Makes the records of a batch, and notes in the outbox that they are being sent.
    private func prepare(
        _ changes: [PendingChange], _ zone: CloudZone, _ assets: AssetFolder
    ) throws -> (saves: [PreparedSave], dropped: Int) {
        var saves: [PreparedSave] = []
        var dropped: [Int64] = []
        var size = 0
        for change in changes {
            guard let save = try preparedSave(change, zone, assets) else {
                dropped.append(change.pk)
                continue
            }
            if case .object(_, let fields) = save.content { size += fields.byteCount }
            if size > Self.requestLimit, !saves.isEmpty { break }
            saves.append(save)
        }
        try database.connection.transaction {
            for pk in dropped { try database.removeChange(of: pk) }
            for save in saves {
                try database.noteAttempt(save.change.pk, fingerprint: save.fingerprint)
            }
        }
        return (saves, dropped.count)
    }

    /// The record of a change; nil if there is nothing to send.
    private func preparedSave(
        _ change: PendingChange, _ zone: CloudZone, _ assets: AssetFolder
    ) throws -> PreparedSave? {
        if let link = database.schema.link(number: change.entityNumber) {
            guard let content = try database.linkRecord(change.pk, link) else { return nil }
            let record = try content.record(
                named: change.recordName, zoneID: zone.zoneID, systemFields: change.systemFields)
            return PreparedSave(change: change, record: record, content: .link)
        }
        guard let entity = database.schema.entity(number: change.entityNumber),
            let mapping = mappings.mapping(of: entity),
            let row = try database.row(change.pk, of: entity)
        else { return nil }
        let fields = try database.fields(of: row, mapping)
        let keys = change.base.keys.intersection(mapping.propertyNames)
        if change.kind == .update, keys.isEmpty { return nil }
        let writer = RecordWriter(mapping: mapping, zoneID: zone.zoneID, assets: assets)
        let record = try writer.record(
            named: change.recordName, systemFields: change.systemFields, fields: fields,
            previous: FieldValues(fields.values.merging(change.base.values) { $1 }),
            keys: change.kind == .insert ? nil : keys)
        return PreparedSave(change: change, record: record, content: .object(mapping, fields))
    }

    private func shrinkBatch(_ saves: [PreparedSave], _ error: any Error) throws {
        if let only = saves.first, saves.count == 1 {
            try database.connection.transaction {
                try database.park(only.change.pk, error: "\(error)")
            }
        } else {
            batchSize = max(1, saves.count / 2)
        }
    }

    /// Takes over what the server said of each record.
    private func settle(
        _ saves: [PreparedSave], _ outcome: PushOutcome, _ zone: CloudZone
    ) async throws -> Int {
        var conflicts: [CKRecord.ID] = []
        var known: [CKRecord] = []
        var deletions: [String] = []
        var progress = 0
        var failure: (any Error)?
        try database.connection.transaction {
            for save in saves {
                switch outcome.saved[save.record.recordID] {
                case .success(let record)?:
                    try acknowledge(save, record)
                    summary.savedRecordCount += 1
                    progress += 1
                case .failure(let error)?:
                    switch CloudErrorReaction(error) {
                    case .resolveConflict:
                        let record = (error as? CKError)?.serverRecord
                        if let record, !save.mayHaveAssets {
                            known.append(record)
                        } else {
                            conflicts.append(save.record.recordID)
                        }
                    case .treatAsDeleted:
                        deletions.append(save.change.recordName)
                    case .park:
                        try database.park(save.change.pk, error: "\(error)")
                        progress += 1
                    case .sendAgain:
                        break
                    default:
                        failure = failure ?? error
                    }
                case nil:
                    break
                }
            }
        }
        progress += try await resolve(known, fetching: conflicts, deletions: deletions, zone)
        if let failure { throw zoneError(failure, zone) }
        return progress
    }

    private func resolve(
        _ known: [CKRecord], fetching ids: [CKRecord.ID], deletions: [String], _ zone: CloudZone
    ) async throws -> Int {
        var records = known
        var deletions = deletions
        if !ids.isEmpty {
            for (id, result) in try await zone.records(ids) {
                switch result {
                case .success(let record): records.append(record)
                case .failure(let error):
                    guard CloudErrorReaction(error) == .treatAsDeleted else { throw error }
                    deletions.append(id.recordName)
                }
            }
        }
        guard !records.isEmpty || !deletions.isEmpty else { return 0 }
        try await apply(try read(records), deletions: deletions)
        return records.count + deletions.count
    }

    /// The server has saved this revision of the record.
    private func acknowledge(_ save: PreparedSave, _ record: CKRecord) throws {
        let pk = save.change.pk
        try database.setSystemFields(
            SystemFields.data(of: record), changeTag: record.recordChangeTag, of: pk)
        guard let current = try database.pendingChange(of: pk) else { return }
        if current.revision == save.change.revision {
            return try database.removeChange(of: pk)
        }
        // The object was edited meanwhile: what differs from the saved record goes next. A
        // deletion stays as it is, and of a link there is no more than one field to differ.
        guard current.kind != .delete else { return }
        guard case .object(let mapping, let sent) = save.content else {
            return try database.replaceChange(
                of: pk, base: current.base.values.isEmpty ? Self.linkOrder : current.base,
                revision: current.revision)
        }
        guard let row = try database.row(pk, of: mapping.entity) else { return }
        var base = FieldValues()
        for name in mapping.differences(try database.fields(of: row, mapping), sent) {
            base[name] = sent[name]
        }
        try database.replaceChange(of: pk, base: base, revision: current.revision)
    }

    private static let linkOrder = FieldValues([LinkRecord.targetOrder: .null])

    // MARK: - Deletions

    private func pushDeletions(_ zone: CloudZone) async throws -> Int {
        var cursor: Int64 = 0
        var progress = 0
        let held = try database.recordNamesReferredToByPendingSaves()
        while true {
            try Task.checkCancellation()
            let batch = try database.pendingChanges(
                deletions: true, after: cursor, limit: Self.largestBatch)
            guard let last = batch.last else { return progress }
            cursor = last.pk
            let changes = batch.filter { !held.contains($0.recordName) }
            guard !changes.isEmpty else { continue }
            try database.connection.transaction {
                for change in changes { try database.noteAttempt(change.pk, fingerprint: nil) }
            }
            let ids = changes.map {
                CKRecord.ID(recordName: $0.recordName, zoneID: zone.zoneID)
            }
            let outcome: PushOutcome
            do {
                outcome = try await zone.modify(saving: [], deleting: ids)
            } catch {
                throw zoneError(error, zone)
            }
            progress += try settleDeletions(zip(changes, ids), outcome, zone)
            try lease.renew()
        }
    }

    private func settleDeletions(
        _ deletions: Zip2Sequence<[PendingChange], [CKRecord.ID]>, _ outcome: PushOutcome,
        _ zone: CloudZone
    ) throws -> Int {
        var progress = 0
        var failure: (any Error)?
        try database.connection.transaction {
            for (change, id) in deletions {
                switch outcome.deleted[id] {
                case .success?:
                    try acknowledgeDeletion(change)
                    progress += 1
                case .failure(let error)?:
                    switch CloudErrorReaction(error) {
                    case .treatAsDeleted:
                        try acknowledgeDeletion(change)
                        progress += 1
                    case .park:
                        try database.park(change.pk, error: "\(error)")
                        progress += 1
                    case .sendAgain:
                        break
                    default:
                        failure = failure ?? error
                    }
                case nil:
                    break
                }
            }
        }
        if let failure { throw zoneError(failure, zone) }
        return progress
    }

    private func acknowledgeDeletion(_ change: PendingChange) throws {
        guard let current = try database.pendingChange(of: change.pk),
            current.revision == change.revision
        else { return }
        try database.removeChange(of: change.pk)
        try database.removeObject(change.pk)
        summary.deletedRecordCount += 1
    }
}
