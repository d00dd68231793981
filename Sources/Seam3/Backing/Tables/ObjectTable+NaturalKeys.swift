import CoreData

/// New objects whose records have the names of their natural keys.
extension ObjectTable {
    /// Adds a new object under the record name of its natural key, if no other object has it. One whose
    /// deletion is undone keeps its own record.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - entity: The number of its entity.
    ///   - naturalName: The record name of its natural key.
    ///   - otherName: The record name to take if another object keeps the natural one: it had the
    ///     key's values once.
    ///   - isBeingDeleted: Whether the same save deletes an object.
    /// - Returns: Whether it has the natural name, and the objects whose relationships have led to the record
    ///   before it was here.
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
        var referrers: [Int64] = []
        if entry.isPresent {
            // The object that goes leaves no record behind; its deletion finds it unsent.
            try rename(entry.pk, to: otherName())
            try database.outbox.remove(of: entry.pk)
            try database.outbox.noteInsertion(entry.pk)
        } else {
            // Other devices' versions of objects may lead to it.
            referrers = try database.references.move(from: entry.pk, to: pk)
            try database.outbox.remove(of: entry.pk)
            try forget(entry.pk)
        }
        try insert(pk, entity: entity, recordName: naturalName)
        if let known { try setSystemFields(known.fields, changeTag: known.changeTag, of: pk) }
        if entry.wasSent { try setSent(true, pk) }
        return (true, referrers)
    }

    /// Gives a new object, of which the server has heard nothing, another record name, because another
    /// object has its own: it had the key's values once.
    ///
    /// All devices make the same name, so that what they create meanwhile is one object again. The links
    /// that wait to be sent get other names with it.
    ///
    /// - Parameters:
    ///   - entry: The new object.
    ///   - naturalName: The record name of its natural key; nil if it has none.
    func makeWay(_ entry: ObjectEntry, naturalName: String?) throws {
        var name = naturalName ?? UUID().uuidString
        if name == entry.recordName { name = SHA256.hexadecimal("after \(name)") }
        if try self.entry(named: name) != nil { name = UUID().uuidString }
        try rename(entry.pk, to: name)
        // What was sent under the other name says nothing of this one.
        try database.outbox.noteInsertion(entry.pk)
        for link in database.schema.links {
            for (pk, _) in try database.links.links(of: entry.pk, link) {
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

    /// What the server knows about a record whose object makes way for another; without system fields if
    /// a deletion that was sent may have reached it. If it has not, the change tag tells so.
    private func systemFieldsToTakeOver(
        from entry: ObjectEntry
    ) throws -> (fields: Data?, changeTag: String?)? {
        guard let fields = entry.systemFields else { return nil }
        if entry.isDeleted, let deletion = try database.outbox.entry(of: entry.pk),
            deletion.attempts > 0
        {
            return (nil, entry.changeTag)
        }
        return (fields, entry.changeTag)
    }
}
