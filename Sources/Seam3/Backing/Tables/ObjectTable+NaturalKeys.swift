import CoreData

/// New objects whose records have the names of their natural keys.
extension ObjectTable {
    /// Adds a new object under the record name of its natural key, if no other object has it.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - entity: The number of its entity.
    ///   - naturalName: The record name of its natural key.
    ///   - otherName: The record name to take if another object keeps the natural one: it had the
    ///     key's values once.
    ///   - isBeingDeleted: Whether the same save deletes an object.
    /// - Returns: The objects whose relationships have led to the record before it was here.
    func insert(
        _ pk: Int64, entity: Int64, naturalName: String, otherName: @autoclosure () -> String,
        isBeingDeleted: (Int64) -> Bool = { _ in false }
    ) throws -> [Int64] {
        guard let entry = try entry(named: naturalName), entry.pk != pk else {
            try insert(pk, entity: entity, recordName: naturalName)
            return []
        }
        if entry.isPresent, !isBeingDeleted(entry.pk) {
            try insert(pk, entity: entity, recordName: otherName())
            return []
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
        return referrers
    }

    /// What the server knows of a record whose object makes way for another; nil if a deletion that
    /// was sent may have reached it.
    private func systemFieldsToTakeOver(
        from entry: ObjectEntry
    ) throws -> (fields: Data, changeTag: String?)? {
        guard let fields = entry.systemFields else { return nil }
        if entry.isDeleted, let deletion = try database.outbox.entry(of: entry.pk),
            deletion.attempts > 0
        {
            return nil
        }
        return (fields, entry.changeTag)
    }
}
