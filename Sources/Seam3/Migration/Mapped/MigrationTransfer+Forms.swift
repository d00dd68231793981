import CoreData

/// The stored forms of values.
extension MigrationTransfer {
    /// Stores the values that the mapping has not changed as they were stored before. Core Data stores a copied value
    /// anew, and an equal value may have another form: the order within an archive varies, and another client may have
    /// written a URI differently. The server would get such a value as a change.
    func keepForms(
        of oldRow: ObjectRow, in newRow: inout ObjectRow, _ translation: FieldTranslation
    ) throws {
        var indexes: [Int] = []
        // Binary data has only one form, and may be in a file, which is read only if it has to be.
        for column in translation.destination.attributes.map(\.column)
        where column.kind != .binaryData {
            guard let oldName = translation.oldNames[column.name],
                let oldColumn = oldRow.entity.attribute(named: oldName),
                oldColumn.kind == column.kind,
                oldColumn.attribute.valueTransformerName == column.attribute.valueTransformerName
            else { continue }
            let stored = newRow.values[column.index]
            if stored == oldRow.values[oldColumn.index] { continue }
            let old = source.inlined(oldRow.values[oldColumn.index], of: oldColumn)
            let new = destination.inlined(stored, of: column)
            guard old != new, try column.isSame(column.attributeValue(new), stored: new, as: old)
            else { continue }
            newRow.values[column.index] = try destination.kept(old, of: column)
            indexes.append(column.index)
        }
        if indexes.isEmpty { return }
        _ = try destination.rows.update(
            newRow, columnsAt: indexes, expectedVersion: newRow.version)
    }
}
