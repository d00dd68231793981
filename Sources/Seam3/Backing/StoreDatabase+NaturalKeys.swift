import CoreData

/// New objects whose records have the names of their natural keys.
extension StoreDatabase {
    /// Adds a new object under the record name of its natural key, if no other object has it.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - entityNumber: The number of its entity.
    ///   - naturalName: The record name of its natural key.
    ///   - otherName: The record name to take if another object keeps the natural one: it had the
    ///     key's values once.
    ///   - isBeingDeleted: Whether the same save deletes an object.
    /// - Returns: The objects whose relationships have led to the record before it was here.
    func insertObject(
        _ pk: Int64, entityNumber: Int64, naturalName: String, otherName: @autoclosure () -> String,
        isBeingDeleted: (Int64) -> Bool = { _ in false }
    ) throws -> [Int64] {
        guard let entry = try object(recordName: naturalName), entry.pk != pk else {
            try insertObject(pk, entityNumber: entityNumber, recordName: naturalName)
            return []
        }
        if entry.isPlaceholder {
            let referrers = try moveReferences(from: entry.pk, to: pk)
            try forgetObject(entry.pk)
            try insertObject(pk, entityNumber: entityNumber, recordName: naturalName)
            return referrers
        }
        guard entry.isDeleted || isBeingDeleted(entry.pk) else {
            try insertObject(pk, entityNumber: entityNumber, recordName: otherName())
            return []
        }
        let known = try systemFieldsToTakeOver(from: entry)
        var referrers: [Int64] = []
        if entry.isDeleted {
            // Other devices' versions of objects may lead to it.
            referrers = try moveReferences(from: entry.pk, to: pk)
            try removeChange(of: entry.pk)
            try forgetObject(entry.pk)
        } else {
            // The object that goes leaves no record behind; its deletion finds it unsent.
            try connection.execute(
                "UPDATE sm_object SET record_name = ?, change_tag = NULL, system_fields = NULL"
                    + " WHERE pk = ?",
                [.text(otherName()), .integer(entry.pk)])
            try removeChange(of: entry.pk)
            try noteInsertion(entry.pk, revision: 0)
        }
        try insertObject(pk, entityNumber: entityNumber, recordName: naturalName)
        if let known { try setSystemFields(known.fields, changeTag: known.changeTag, of: pk) }
        return referrers
    }

    /// What the server knows of a record whose object makes way for another; nil if a deletion that
    /// was sent may have reached it.
    private func systemFieldsToTakeOver(
        from entry: ObjectEntry
    ) throws -> (fields: Data, changeTag: String?)? {
        guard let fields = entry.systemFields else { return nil }
        if entry.isDeleted, let pending = try pendingChange(of: entry.pk), pending.attempts > 0 {
            return nil
        }
        return (fields, entry.changeTag)
    }

    /// Makes everything that refers to a record refer to another.
    ///
    /// - Returns: The objects that do.
    private func moveReferences(from old: Int64, to new: Int64) throws -> [Int64] {
        let referrers = try referrers(of: old)
        for table in schema.tables {
            for index in table.toOneIndexes {
                let column = table.columns[index].sqlIdentifier
                try connection.execute(
                    "UPDATE \(table.name.sqlIdentifier) SET \(column) = ? WHERE \(column) = ?",
                    [.integer(new), .integer(old)])
            }
        }
        for link in schema.links {
            for column in ["source", "target"] {
                try connection.execute(
                    "UPDATE \(link.table.sqlIdentifier) SET \(column) = ? WHERE \(column) = ?",
                    [.integer(new), .integer(old)])
            }
        }
        return referrers
    }
}
