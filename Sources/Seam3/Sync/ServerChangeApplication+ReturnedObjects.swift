import CoreData

/// References to objects that come back because another device's edit survives their deletion here.
extension ServerChangeApplication {
    /// Gives objects back the references that only the deletion of their destinations has removed, as long as no other
    /// device can know of that.
    ///
    /// Otherwise nil would be sent, and other devices would take it for an edit, because they know of no deletion.
    mutating func restoreReferences() throws {
        if returned.isEmpty { return }
        for pk in try database.outbox.keysOfAutomaticUpdates() {
            try autoreleasepool { try restoreReferences(of: pk) }
        }
        returned = []
    }

    private mutating func restoreReferences(of pk: Int64) throws {
        guard let pending = try database.outbox.entry(of: pk), pending.isUnsent,
            let entity = database.schema.entity(number: pending.entity),
            let mapping = mappings.mapping(of: entity),
            let old = try database.rows.row(pk, of: entity)
        else { return }
        var (row, base, columns) = (old, pending.base, [Int]())
        for reference in mapping.references {
            let column = reference.column
            guard pending.automatic.contains(column.name), row.values[column.index].isNull,
                let target = try base[column.name].text.flatMap(returnedKey)
            else { continue }
            row.values[column.index] = .integer(target)
            base.values[column.name] = nil
            columns.append(column.index)
            if let place = column.orderIndex,
                let key = base.values.removeValue(forKey: column.orderName)
            {
                row.values[place] = key
                columns.append(place)
            }
            if !reference.isDecidedByInverse { noteOneToOne(column, of: row, targets: [target]) }
        }
        if columns.isEmpty { return }
        row.version = old.version + 1
        _ = try database.rows.update(row, columnsAt: columns, expectedVersion: old.version)
        changes.updated.insert(pk)
        noteDestinations(of: row)
        try database.outbox.replace(of: pk, base: base)
        try database.outbox.noteAutomatic([], of: pk)
    }

    /// The key of an object that has come back; nil if it has been deleted again.
    private func returnedKey(_ recordName: String) throws -> Int64? {
        guard returned.contains(recordName),
            let entry = try database.objects.entry(named: recordName),
            entry.isPresent
        else { return nil }
        return entry.pk
    }
}
