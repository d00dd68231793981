import CoreData

/// Objects that come back: those that a context still had when they were deleted, and new ones with
/// the natural key of an object that was deleted here.
extension SaveWriter {
    /// Whether an object with this number was saved before: a context has read it, it was deleted through this
    /// store, or on the server.
    func isReturning(_ pk: Int64) throws -> Bool {
        if store.rowCache.vendedVersion(pk) != nil || store.deletedKeys.contains(Int(pk)) {
            return true
        }
        return try formerRecordName(of: pk) != nil
    }

    /// The record name of an object with this number that was deleted on the server.
    func formerRecordName(of pk: Int64) throws -> String? {
        pk <= highestDeleted ? try database.tombstones.recordName(of: pk) : nil
    }

    /// The deletion that a new object undoes, if it waits in the outbox, is parked, or may be under way.
    func undoneDeletion(by row: ObjectRow) throws -> UndoneDeletion? {
        guard hasAbsent, let mapping = mappings.mapping(of: row.entity) else { return nil }
        let name = mapping.naturalKey?.recordName(of: row)
        let known =
            try database.objects.entry(row.pk) ?? name.flatMap(database.objects.entry(named:))
        guard let known, known.isDeleted, let change = try database.outbox.entry(of: known.pk),
            change.kind == .delete
        else { return nil }
        return UndoneDeletion(entry: known, change: change)
    }

    /// Queues a new object. If its deletion was never sent, the server still has the old record, so
    /// the object is an update at most. If anything was sent before the deletion and not answered,
    /// the server may have that version as well.
    func noteInsertion(
        of row: ObjectRow, _ mapping: RecordMapping, undoing deletion: UndoneDeletion?
    ) throws {
        guard let (entry, change) = deletion.map({ ($0.entry, $0.change) }) else {
            return try database.outbox.noteInsertion(row.pk, .insertion(cause))
        }
        let isUpdate =
            entry.pk == row.pk && !change.mayBeDeleted && entry.systemFields != nil
            && !change.base.values.isEmpty
        if isUpdate {
            try database.objects.setSystemFields(
                entry.systemFields, changeTag: entry.changeTag, of: row.pk)
        }
        let fields = isUpdate ? try database.fields(of: row, mapping) : PropertyValues()
        try database.outbox.noteReturn(
            from: change, of: row.pk, as: isUpdate ? .update : .insert, isSeed: cause != .edit
        ) { mapping.isEqual($0, fields[$0], $1) }
    }

    /// Sets the ends of one-to-one relationships that the save left nil but whose other ends
    /// already point to the new object, because the object existed before or a record that refers
    /// to it has arrived. Where the save has chosen another object, the other end is released.
    mutating func adoptPartners(_ row: inout ObjectRow) throws {
        guard hasAbsent || row.pk <= highestDeleted else { return }
        for toOne in row.entity.toOnes {
            guard let column = database.schema.inverse(of: toOne),
                let table = database.schema.entity(named: column.owner)?.table,
                case let partners = try database.references.keysPointing(
                    column, in: table, at: row.pk),
                let partner = partners.first,
                let entity = try database.schema.entity(
                    number: database.objects.entry(partner)?.entity)
            else { continue }
            if let chosen = row.values[toOne.index].integer {
                for other in partners where other != chosen {
                    note(toOne, of: row, old: other, (chosen, entity))
                }
            } else {
                row.values[toOne.index] = .integer(partner)
                row.setDestination(entity, of: toOne)
                corrected += [row.pk, partner]
            }
        }
    }
}

/// A deletion that was undone before a request that contains it was sent.
struct UndoneDeletion {
    /// The object as the store knew it.
    let entry: ObjectEntry
    let change: OutboxEntry
}
