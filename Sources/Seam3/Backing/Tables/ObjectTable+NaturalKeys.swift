import CoreData

/// New objects whose record names come from their natural keys.
extension ObjectTable {
    /// Adds a new object under the record name of its natural key, unless another object has that
    /// name. An object whose deletion is undone keeps its own record.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - entity: The number of its entity.
    ///   - naturalName: The record name of its natural key.
    ///   - otherName: The record name to use if another object, which once had the key's values,
    ///     keeps the natural one.
    ///   - isBeingDeleted: Whether the same save deletes an object.
    /// - Returns: Whether it has the natural name, and the objects whose relationships already led to
    ///   the record.
    func insert(
        _ pk: Int64, entity: Int64, naturalName: String, otherName: @autoclosure () -> String,
        isBeingDeleted: (Int64) -> Bool = { _ in false }
    ) throws -> (isNamed: Bool, referrers: [Int64]) {
        guard let entry = try entry(named: naturalName), try self.entry(pk) == nil else {
            try insert(pk, entity: entity, recordName: naturalName)
            return (true, [])
        }
        if entry.isPresent, !isBeingDeleted(entry.pk) {
            try insert(pk, entity: entity, recordName: otherName())
            return (false, [])
        }
        let known = try systemFieldsToTakeOver(from: entry)
        let edits = try storedEdits(of: entry.pk)
        let sweep = try sweep(of: entry.pk)
        var referrers: [Int64] = []
        if entry.isPresent {
            // The deleted object leaves no record behind: its deletion finds a record that was
            // never sent.
            try rename(entry.pk, to: otherName())
            try database.outbox.remove(of: entry.pk)
            try database.outbox.noteInsertion(entry.pk)
        } else {
            // Other devices' versions of objects may refer to it.
            referrers = try database.references.move(from: entry.pk, to: pk)
            try database.outbox.remove(of: entry.pk)
            try forget(entry.pk)
        }
        try insert(pk, entity: entity, recordName: naturalName)
        if let known {
            try setSystemFields(known.fields, changeTag: known.changeTag, of: pk)
            try setStoredEdits(edits, of: pk)
        }
        if entry.wasSent { try setSent(true, pk) }
        try setSweep(sweep, of: pk)
        return (true, referrers)
    }

    /// Gives the objects of an entity that were never sent the record names of their natural keys, because other
    /// devices have the same objects. As for new objects, the second one with the same key keeps its own name.
    ///
    /// - Returns: The number of objects whose key another one has.
    @discardableResult func nameByNaturalKey(
        _ naturalKey: NaturalKey, _ entity: EntitySchema
    ) throws -> Int {
        var count = 0
        for pk in try unsentKeys(ofEntity: entity.number) {
            guard let row = try database.rows.row(pk, of: entity),
                let name = naturalKey.recordName(of: row)
            else { continue }
            if let other = try self.entry(named: name) {
                if other.pk != pk { count += 1 }
                continue
            }
            try rename(pk, to: name)
            try renameLinks(of: pk)
        }
        return count
    }

    /// Gives a new object that was never sent another record name, because an older object, which
    /// once had the key's values, keeps the natural one.
    ///
    /// All devices derive the same name, so objects that they create in the meantime are still one
    /// object. Links that wait to be sent are renamed as well.
    ///
    /// - Parameters:
    ///   - entry: The new object.
    ///   - naturalName: The record name of its natural key; nil if it has none.
    func makeWay(_ entry: ObjectEntry, naturalName: String?) throws {
        var name = naturalName ?? UUID().uuidString
        if name == entry.recordName { name = SHA256.hexadecimal("after \(name)") }
        if try self.entry(named: name) != nil { name = UUID().uuidString }
        try rename(entry.pk, to: name)
        // Versions that were sent under the other name say nothing about this one.
        let changes = try database.outbox.entry(of: entry.pk)?.changes ?? ChangeLayers()
        try database.outbox.noteInsertion(entry.pk, changes.isSeed ? changes : ChangeLayers())
        try renameLinks(of: entry.pk)
    }

    /// Renames the links that wait to be sent after the record of one of their ends.
    private func renameLinks(of end: Int64) throws {
        for link in database.schema.links {
            for (pk, _) in try database.links.links(of: end, link) {
                guard try database.outbox.entry(of: pk)?.kind == .insert,
                    let row = try database.links.row(pk, link),
                    let source = try recordName(of: row.source),
                    let target = try recordName(of: row.target)
                else { continue }
                let name = LinkTable.recordName(of: link, source: source, target: target)
                if try self.entry(named: name) == nil { try rename(pk, to: name) }
            }
        }
    }

    /// What the server knows about a record whose object makes way for another. Without system
    /// fields if a deletion that was sent may have reached the record, or if the object had been
    /// deleted and inserted again; if the record is still there, the change tag reveals that.
    private func systemFieldsToTakeOver(
        from entry: ObjectEntry
    ) throws -> (fields: Data?, changeTag: String?)? {
        guard entry.systemFields != nil || entry.changeTag != nil else { return nil }
        if entry.isDeleted, let deletion = try database.outbox.entry(of: entry.pk),
            deletion.mayBeDeleted
        {
            return (nil, entry.changeTag)
        }
        return (entry.systemFields, entry.changeTag)
    }
}
