import CloudKit
import CoreData

/// Applies the server's changes to the store, inside a transaction of the caller.
///
/// The same code handles a page of the change feed and a conflict during a push.
struct ServerChangeApplication {
    // What Apple's frameworks do here is an assumption: SM-3.

    let database: StoreDatabase
    let mappings: RecordMappings
    let policies: ConflictPolicies
    /// The app's decisions on conflicts.
    let decisions: ConflictDecisions
    /// Whether everything that the server has is here. Otherwise records that follow may decide contested
    /// relationships.
    var isComplete = false
    /// Whether the records are certainly the present versions.
    let areCurrent: Bool
    var changes = StoreChanges()
    /// The changed one-to-one relationships that are still to be settled.
    var oneToOnes: [ChangedOneToOne] = []
    /// The ends for which a conflict was decided against what was chosen here.
    var decidedAgainst: Set<DecidedEnd> = []
    /// The partners that ends of pairs had before their records lost them.
    var removedPartners: [DecidedEnd: Int64] = [:]
    /// The records' values for ends that other records decide.
    var derivedEnds: [ReceivedEnd] = []
    /// The names of the records whose objects have come back because their deletion here has lost.
    var returned: Set<String> = []
    /// The keys for new objects and links.
    var keys: KeyBlock
    /// The objects whose records have arrived.
    private(set) var received: Set<Int64> = []

    init(
        database: StoreDatabase, mappings: RecordMappings, policies: ConflictPolicies,
        decisions: ConflictDecisions, areCurrent: Bool, changeCount: Int
    ) {
        keys = KeyBlock(expectedCount: changeCount)
        self.database = database
        self.mappings = mappings
        self.policies = policies
        self.decisions = decisions
        self.areCurrent = areCurrent
    }

    /// Notes objects whose relationships changed.
    mutating func noteUpdated(_ pks: some Sequence<Int64>) {
        changes.updated.formUnion(pks)
    }

    // MARK: - Records

    /// Applies a record from the server, or the deletion of one.
    mutating func apply(_ change: ServerChange) throws {
        switch change {
        case .record(.object(let object)): try apply(object)
        case .record(.link(let link)): try apply(link)
        case .deletion(let name): try applyDeletion(recordName: name)
        }
    }

    private mutating func apply(_ received: ReceivedRecord) throws {
        let (name, entity) = (received.recordName, received.mapping.entity.number)
        let (known, mistyped) = try database.objects.entries(named: name)
        guard let known else { return try insertNew(received, mistyped: mistyped) }
        guard let entry = try entry(of: known, named: name, entity: entity) else {
            return try insertNew(received, mistyped: database.objects.keyOfMistyped(name))
        }
        if entry.isPlaceholder {
            return try fillIn(database.following(received, since: nil), pk: entry.pk)
        }
        // The device's own save comes back in the feed. The acknowledgment has already been
        // applied.
        if entry.changeTag != nil, entry.changeTag == received.changeTag,
            try !database.unfetched.isContested(received.recordName)
        {
            try database.outbox.learnBase(of: entry.pk, from: received.fields)
            return try restoreSystemFields(of: entry, from: received.source)
        }
        if try database.isOfAnotherObject(received, than: entry) {
            try makeWay(entry, for: received)
            return try apply(received)
        }
        let pending = try database.outbox.entry(of: entry.pk)
        if try isLate(received, entry, pending) { return }
        let followed = try database.following(received, since: entry.pk)
        if entry.isDeleted {
            try applyToDeletedObject(followed, entry, pending)
        } else {
            try applyToObject(followed, entry, pending)
        }
    }

    /// Whether a record is from before the version that is known here, because the feed lags behind. What it lacks comes
    /// later.
    private func isLate(
        _ received: ReceivedRecord, _ entry: ObjectEntry, _ pending: OutboxEntry?
    ) throws -> Bool {
        guard !areCurrent, let stamps = received.edits.stamps,
            let known = try database.objects.edits(of: entry.pk)?.stamps, stamps.isBefore(known),
            !received.source.isMadeAgain(since: entry)
        else { return false }
        return pending?.saves.allSatisfy { stamps.version(savedBy: $0) == nil } ?? true
    }

    /// Takes the system fields from a record in the version that was applied last, if the store has none: the object
    /// was inserted again and is based on the version that was deleted, or they were damaged.
    func restoreSystemFields(of entry: ObjectEntry, from record: SMCloudRecord) throws {
        guard entry.isPresent, entry.systemFields == nil else { return }
        try database.objects.setSystemFields(
            SystemFields.data(of: record), changeTag: entry.changeTag, of: entry.pk)
    }

    /// Creates an object for a record that the store does not have. A former object gets its key
    /// back.
    ///
    /// - Parameters:
    ///   - received: The record.
    ///   - mistyped: The number that references of the wrong type use for the record.
    private mutating func insertNew(_ received: ReceivedRecord, mistyped: Int64?) throws {
        let number = received.mapping.entity.number
        // The object may have come back already, with a different natural key and therefore another
        // record.
        let former = try database.tombstones.take(received.recordName).flatMap {
            try database.objects.entry($0) == nil ? $0 : nil
        }
        let pk = try former ?? keys.take(from: database.sequence)
        try database.objects.insertReceived(
            pk, entity: number, recordName: received.recordName,
            systemFields: received.systemFields, changeTag: received.changeTag,
            edits: received.edits)
        // Nothing refers to a key that was never used.
        if former != nil || mistyped != nil {
            try fitReferences(to: pk, entity: number, received.recordName, isNew: former == nil)
        }
        try insert(database.following(received, since: nil), pk: pk, isReturning: former != nil)
    }

    /// Turns a placeholder, or the entry of a deleted object, into an object.
    mutating func fillIn(_ received: ReceivedRecord, pk: Int64) throws {
        try database.objects.setPresent(pk, entity: received.mapping.entity.number)
        try database.objects.setVersion(
            received.systemFields, changeTag: received.changeTag, edits: received.edits, of: pk)
        try database.tombstones.remove(received.recordName)
        try fitReferences(to: pk, entity: received.mapping.entity.number, received.recordName)
        // The key may have belonged to an object before.
        try insert(received, pk: pk, isReturning: true)
        changes.updated.formUnion(try database.references.referrers(of: pk))
    }

    /// Inserts the row of an object that has an entry, with the values of its record.
    private mutating func insert(
        _ received: ReceivedRecord, pk: Int64, isReturning: Bool
    ) throws {
        var row = ObjectRow(pk: pk, entity: received.mapping.entity)
        if isReturning { row.version = ObjectRow.versionOfReturned() }
        for column in received.mapping.localAttributes {
            row.values[column.index] = try database.stored(column.defaultValue, of: column)
        }
        _ = try database.apply(received.fields, to: &row, received.mapping)
        try setEndsDecidedByInverse(&row, received.mapping)
        try database.rows.insert(row)
        changes.inserted[pk] = row.entity.number
        changes.deleted[pk] = nil
        noteDestinations(of: row)
        try finish(received, row: row, old: nil)
        try database.queueFollowed(received, row)
    }

    private mutating func applyToObject(
        _ received: ReceivedRecord, _ entry: ObjectEntry, _ pending: OutboxEntry?
    ) throws {
        guard let row = try database.rows.row(entry.pk, of: received.mapping.entity) else {
            return
        }
        guard let pending = try keepingSetValues(of: row, received, entry, pending) else {
            let row = try write(received.fields, over: row, received)
            return try database.queueFollowed(received, row)
        }
        let policy = policies.policy(of: received.mapping)
        guard
            let resolution = try database.resolution(
                received, row, pending, policy, isCurrent: areCurrent)
        else { return }
        let outcome =
            try resolution.needsApplication
            ? resolution.outcome(decision: decisions.decision(on: resolution, of: received))
            : resolution.outcome()
        if outcome.isConflict { changes.conflictCount += 1 }
        if outcome.keepsLocalAsNewObject { try keepAsNewObject(row) }
        noteDecidedEnds(of: row.pk, outcome.fields, resolution)
        let written = try write(outcome.fields, over: row, received)
        try requeue(pending, outcome, resolution, received)
        try queueKept(written, pending, received)
    }

    /// Queues the required values of a change that its object keeps although they have lost to the server's version,
    /// because that lacks them and always has. Otherwise they would never leave the device. Defaults stay here.
    private func queueKept(
        _ row: ObjectRow, _ pending: OutboxEntry, _ received: ReceivedRecord
    ) throws {
        let kept = try received.mapping.requiredColumns.filter { column in
            try received.fields[column.name].isNull
                && (pending.kind == .insert || pending.resend.contains(column.name)
                    || pending.base.values[column.name] == .null)
                && !received.mapping.isDefault(row.values[column.index], of: column)
        }
        if kept.isEmpty { return }
        try database.outbox.noteResend(Set(kept.map(\.name)), of: row.pk)
    }

    /// The properties that are kept after a conflict. Ends that other records decide keep their
    /// local values, because no policy applies to them.
    private func withDerivedEnds(
        _ fields: PropertyValues, _ server: PropertyValues, _ pending: OutboxEntry,
        _ mapping: RecordMapping
    ) throws -> PropertyValues {
        var fields = fields
        let row = try database.rows.row(pending.pk, of: mapping.entity)
        for reference in mapping.references where reference.isDecidedByInverse {
            let name = reference.column.name
            let isPending = pending.kind == .insert || pending.names.contains(name)
            let target = row?.values[reference.column.index].integer
            fields[name] =
                isPending
                ? SQLiteValue(try target.flatMap(database.objects.recordNameForReference))
                : server[name]
        }
        return fields
    }

    /// Sets the outbox to the changes that the server still lacks after a conflict.
    private func requeue(
        _ pending: OutboxEntry, _ outcome: ConflictResolution.Outcome,
        _ resolution: ConflictResolution, _ received: ReceivedRecord
    ) throws {
        let (mapping, replaced, server) = (received.mapping, received.replaced, resolution.server)
        let fields = try withDerivedEnds(outcome.fields, server, pending, mapping)
        // What a record lacks that has yet to be sent counts as it was.
        var base = mapping.base(of: fields, from: replaced.present.adding(server))
        let lacking = pending.resend.union(replaced.keys).union(resolution.unwritten).filter {
            (replaced.values[$0] ?? received.fields[$0]).isNull && !fields[$0].isNull
        }
        for name in received.cascadingReferences { base[name] = server[name] }
        // A nil is also sent to a present field that is empty, because it empties the former field.
        for property in mapping.formerProperties
        where property.isRemoved(by: fields, sending: pending.sentNames)
            && property.parts.contains(where: { !received.formerFields[$0.field].isNull })
        {
            for name in property.names { base[name] = server[name] }
        }
        base.add(try formerReferences(stillIn: received, removedBy: pending))
        // What the app's block has changed is an edit, too.
        let edits = resolution.ours.union(
            base.keys.filter { name in
                [resolution.local, server].allSatisfy {
                    !mapping.isEqual(name, fields[name], $0[name])
                }
            })
        let revision = try database.revision()
        var changes = ChangeLayers()
        for name in base.keys.sorted() {
            let cause = edits.contains(name) ? .edit : pending.changes.cause(of: name) ?? .other
            changes.note(
                base.limited(to: [name]), cause == .removal ? .edit : cause, revision: revision,
                sent: nil)
        }
        try database.outbox.replace(of: pending.pk, changes, resend: lacking)
    }

    /// Writes the properties over a row and keeps the server's system fields.
    ///
    /// - Returns: The new row.
    private mutating func write(
        _ fields: PropertyValues, over old: ObjectRow, _ received: ReceivedRecord
    ) throws -> ObjectRow {
        var row = old
        // Before the version that is known is another one.
        let later =
            try received.mapping.formerReferences.isEmpty
            ? nil : database.laterEdits(of: received, old.pk)
        let columns = try database.apply(fields, to: &row, received.mapping)
        if !columns.isEmpty {
            row.version = ObjectRow.version(after: old.version)
            _ = try database.rows.update(row, columnsAt: columns, expectedVersion: old.version)
            changes.updated.insert(row.pk)
            noteDestinations(of: old)
            noteDestinations(of: row)
        }
        try database.objects.setVersion(
            received.systemFields, changeTag: received.changeTag, edits: received.edits, of: row.pk)
        try finish(received, row: row, old: old, later)
        return row
    }

    private mutating func finish(
        _ received: ReceivedRecord, row: ObjectRow, old: ObjectRow?, _ later: LaterEdits? = nil
    ) throws {
        self.received.insert(row.pk)
        try followFormerReferences(of: received, row.pk, later)
        noteOneToOnes(of: row, old: old, received)
        guard !received.cascadingReferences.isEmpty else { return }
        let references = received.fields.limited(to: Set(received.cascadingReferences))
        try database.outbox.noteUpdate(row.pk, references, .other)
    }
}
