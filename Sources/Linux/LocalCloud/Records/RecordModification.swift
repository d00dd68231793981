import CloudKitService
import Foundation

/// One `records/modify` request in its transaction.
///
/// The operations are tried in order in a savepoint. Some failures only show at the end, such as a
/// missing parent or a target that must not be deleted. The operations at fault then fail, and the
/// rest is tried again without them. In an atomic request any failure undoes everything.
struct RecordModification {
    /// A record that changed, for the subscriptions.
    struct Change {
        var recordName: String
        var recordType: String
        var trigger: SubscriptionDictionary.Trigger
        /// The record as it is now or, for a deletion, as it was.
        var record: StoredRecord
    }

    /// A saved record with its present fields.
    private struct Saved {
        var record: StoredRecord
        var fields: [String: RecordFieldDictionary]
    }

    let session: RequestSession
    /// The request; for an interrupted one, the part that is carried out.
    let request: ModifyRecordsRequest
    /// Whether an interruption leaves some operations out.
    private let isCutShort: Bool
    let zone: Zone
    private var schema: RecordSchema
    private var failures: [Int: ErrorDictionary] = [:]
    private var saved: [Int: Saved] = [:]
    /// The deletions of this request, cascades included, with the operation that caused each.
    private var deleted: [String: Int] = [:]
    private var changes: [Change] = []

    init(session: RequestSession, request: ModifyRecordsRequest, zone: Zone) {
        self.session = session
        self.zone = zone
        let count = request.operations.count
        var request = request
        let isWhole = request.atomic == true && !zone.isDefault
        if let interruption = session.effects.interruption, !isWhole {
            request.operations = Array(request.operations.prefix(interruption.after))
        }
        isCutShort = request.operations.count < count
        self.request = request
        schema = RecordSchema(session: session)
    }

    private var isAtomic: Bool { request.atomic == true && !zone.isDefault }

    /// Undoes an attempt.
    private struct Rejected: Error {}

    /// Carries out the request.
    mutating func run() throws -> ModifyRecordsResponse {
        failures = session.itemFaults.isEmpty ? [:] : faultyOperations()
        while true {
            let before = session.database
            do {
                try session.connection.transaction { try attempt() }
                break
            } catch is Rejected {
                session.restore(before)
                schema.forget()
                if isAtomic { break }
            }
        }
        if isAtomic, !failures.isEmpty {
            (saved, deleted, changes) = ([:], [:], [])
        } else if !changes.isEmpty || request.clientChangeToken != nil {
            try finishZone()
        }
        let interruption = session.effects.interruption
        let told = request.operations.indices.prefix(interruption?.after ?? .max)
        return ModifyRecordsResponse(
            records: try told.map(result(of:)),
            syncToken: zone.isDefault || interruption != nil
                ? nil : session.token(of: zone, sequence: session.database.sequence).text,
            interruption: interruption?.error)
    }

    private func faultyOperations() -> [Int: ErrorDictionary] {
        var failures: [Int: ErrorDictionary] = [:]
        for (index, operation) in request.operations.enumerated() {
            failures[index] = session.itemFaults[operation.record.recordName]
        }
        return failures
    }

    /// Applies all operations that have not failed yet.
    ///
    /// - Throws: ``Rejected`` if the changes must be undone.
    private mutating func attempt() throws {
        (saved, deleted, changes) = ([:], [:], [])
        for (index, operation) in request.operations.enumerated() where failures[index] == nil {
            do {
                switch operation.operationType {
                case .delete, .forceDelete: try delete(operation, at: index)
                default: try save(operation, at: index)
                }
            } catch let failure as ItemFailure {
                failures[index] = failure.error
            }
        }
        let violations = try referenceViolations()
        failures.merge(violations) { first, _ in first }
        if !violations.isEmpty || isAtomic && !failures.isEmpty { throw Rejected() }
    }

    // MARK: - Saving

    private mutating func save(_ operation: RecordOperation, at index: Int) throws {
        let record = operation.record
        try checkNames(of: record)
        let stored = try session.storedRecord(named: record.recordName, in: zone)
        let existing =
            stored.flatMap { $0.isTombstone ? nil : $0 }
            ?? session.userRecord(named: record.recordName, in: zone)
        try checkTag(operation, existing: existing)
        try checkPermission(toChange: existing)
        let type = try recordType(of: record, existing: existing)
        let sent = try schema.checked(type: type, fields: record.fields)

        let old = try existing?.fields.map { try FieldCoding.decode($0) } ?? [:]
        let isReplacing = [.replace, .forceReplace].contains(operation.operationType)
        let fields = merged(sent, into: isReplacing ? [:] : old)
        var new =
            existing
            ?? StoredRecord(
                name: record.recordName, type: type, sequence: 0, created: timestamp)
        new.type = type
        new.modified = timestamp
        if record.parent != nil || record.isParentChanged == true || isReplacing {
            new.parent = record.parent?.recordName
        }
        let encoded = FieldCoding.encode(fields)
        try checkSize(encoded.count)
        new.fields = encoded
        try undoingOnFailure(
            isNeeded: new.hasLinks || new.parent != nil || session.options.quota != nil
                || fields.values.contains { $0.value?.needsBookkeeping == true }
        ) {
            try write(&new, fields: fields, in: old)
        }
        saved[index] = Saved(record: new, fields: fields)
        deleted[new.name] = nil
        changes.append(
            Change(
                recordName: new.name, recordType: type,
                trigger: existing == nil ? .create : .update,
                record: new))
        try touchRelatives(of: new, saving: record.fields)
    }

    /// Writes a record's row, its links and the use counts of its assets.
    private func write(
        _ record: inout StoredRecord, fields: [String: RecordFieldDictionary],
        in old: [String: RecordFieldDictionary]
    ) throws {
        try session.exchangeAssets(of: old, for: fields)
        let links = RecordLink.links(of: fields, parent: record.parent)
        try session.replaceLinks(of: record, with: links, in: zone)
        record.hasLinks = !links.isEmpty
        let size = Int64(record.fields?.count ?? 0)
        session.addBytes(size - record.bytes)
        record.bytes = size
        try checkQuota()
        record.sequence = session.nextSequence()
        try session.store(record, in: zone)
    }

    /// Runs work that may fail after it has written something. A savepoint costs time, so most
    /// records do without.
    private func undoingOnFailure(isNeeded: Bool, _ body: () throws -> Void) throws {
        guard isNeeded else { return try body() }
        let before = session.database
        do {
            try session.connection.transaction(.immediate, body)
        } catch {
            session.restore(before)
            throw error
        }
    }

    private var timestamp: RecordDictionary.RecordTimestamp {
        .init(
            timestamp: session.now, userRecordName: session.caller.userRecordName,
            deviceID: session.device)
    }

    private func merged(
        _ fields: [String: RecordFieldDictionary], into old: [String: RecordFieldDictionary]
    ) -> [String: RecordFieldDictionary] {
        var merged = old
        for (name, field) in fields { merged[name] = field.value == nil ? nil : field }
        return merged
    }

    /// Gives new tags to the records that a saved one refers to, if that is enabled.
    private mutating func touchRelatives(
        of record: StoredRecord, saving fields: [String: RecordFieldDictionary]
    ) throws {
        guard !session.touched.isEmpty else { return }
        var names: Set<String> = []
        if session.touched.contains(.parents), let parent = record.parent { names.insert(parent) }
        if session.touched.contains(.targets) {
            for field in fields.values {
                names.formUnion(field.value?.references.map(\.recordName) ?? [])
            }
        }
        names.subtract(request.operations.map(\.record.recordName))
        for name in names.sorted() {
            guard var relative = try session.storedRecord(named: name, in: zone),
                !relative.isTombstone
            else { continue }
            relative.sequence = session.nextSequence()
            try session.store(relative, in: zone)
        }
    }

    // MARK: - Deleting

    private mutating func delete(_ operation: RecordOperation, at index: Int) throws {
        let name = operation.record.recordName
        let stored = try session.storedRecord(named: name, in: zone)
        let existing = stored.flatMap { $0.isTombstone ? nil : $0 }
        try checkTag(operation, existing: existing)
        try checkPermission(toChange: existing)
        guard existing != nil else {
            if session.options.deletingMissingRecordFails {
                throw ItemFailure(.notFound, "Record not found", code: 2003)
            }
            return
        }
        // Deleting a record also deletes those that refer to it with `deleteSelf`. A record that is
        // already deleted ends a cycle.
        var doomed = [name]
        while let name = doomed.popLast() {
            guard var record = try session.storedRecord(named: name, in: zone),
                !record.isTombstone
            else { continue }
            doomed += try session.sources(of: name, kind: .deleteSelf, in: zone)
            changes.append(
                Change(
                    recordName: name, recordType: record.type, trigger: .delete, record: record))
            let isTold =
                name == operation.record.recordName
                || session.options.cascadesLeaveTombstones
            try bury(&record, leavingTombstone: isTold)
            deleted[name] = index
        }
    }

    private mutating func bury(
        _ record: inout StoredRecord, leavingTombstone: Bool
    ) throws {
        if let fields = record.fields {
            try session.exchangeAssets(of: try FieldCoding.decode(fields), for: [:])
        }
        try session.replaceLinks(of: record, with: [], in: zone)
        session.addBytes(-record.bytes)
        record.bytes = 0
        record.fields = nil
        record.parent = nil
        record.hasLinks = false
        record.modified = timestamp
        record.sequence = session.nextSequence()
        if leavingTombstone {
            try session.store(record, in: zone)
        } else {
            try session.forget(record, in: zone)
        }
    }

    // MARK: - References

    /// The operations that would leave a validated reference without its target.
    private func referenceViolations() throws -> [Int: ErrorDictionary] {
        var violations: [Int: ErrorDictionary] = [:]
        for (index, record) in saved.mapValues(\.record)
        where record.hasLinks && deleted[record.name] == nil {
            if let target = try session.missingTarget(of: record, in: zone) {
                violations[index] =
                    ItemFailure(
                        .validatingReferenceError,
                        "Record '\(record.name)' refers to '\(target)', which does not exist"
                    ).error
            }
        }
        for (name, index) in deleted {
            let sources = try session.sources(of: name, kind: .validate, in: zone)
            if let source = sources.first {
                violations[index] =
                    ItemFailure(
                        .validatingReferenceError,
                        "Record '\(name)' cannot be deleted: '\(source)' refers to it"
                    ).error
            }
        }
        return violations
    }

    // MARK: - Result

    private func finishZone() throws {
        if let token = request.clientChangeToken {
            try session.connection.execute(
                "UPDATE zone SET client_change_token = ?, has_failed_items = ? WHERE id = ?",
                [
                    .blob(token), .integer(failures.isEmpty && !isCutShort ? 0 : 1),
                    .integer(zone.id),
                ])
        }
        guard !changes.isEmpty else { return }
        try session.touch(zone, sequence: session.database.sequence)
        try session.queuePushes(for: changes, in: zone)
    }

    private func result(of index: Int) throws -> ItemResult<RecordDictionary> {
        let operation = request.operations[index]
        let name = operation.record.recordName
        let zoneID = session.zoneID(of: zone)
        if let error = failures[index] {
            return .failure(error.naming(recordName: name, zoneID: zoneID))
        }
        if isAtomic, !failures.isEmpty {
            let error = ItemFailure(.atomicError, "Batch failed: another item is at fault").error
            return .failure(error.naming(recordName: name, zoneID: zoneID))
        }
        if let saved = saved[index] {
            let desiredKeys = operation.desiredKeys ?? request.desiredKeys
            let fields = desiredKeys.map(Set.init).map { keys in
                saved.fields.filter { keys.contains($0.key) }
            }
            return .success(
                session.dictionary(
                    of: saved.record, in: zone, fields: fields ?? saved.fields))
        }
        return .success(RecordDictionary(recordName: name, zoneID: zoneID, deleted: true))
    }
}
