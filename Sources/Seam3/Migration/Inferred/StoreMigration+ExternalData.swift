import CoreData

/// Data of attributes that no longer allow external storage.
extension StoreMigration {
    /// Takes data from files into the rows. The files are removed once nothing refers to them.
    func takeDataFromFiles() throws {
        for entity in schema.entities {
            let (table, number) = (
                entity.table.name.sqlIdentifier, SQLiteValue.integer(entity.number)
            )
            for attribute in entity.attributes where attribute.isBinary && !attribute.isExternal {
                guard plan.oldColumn(of: attribute.name, in: entity.name) != nil else { continue }
                let column = attribute.column.sqlIdentifier
                let files = try connection.rows(
                    "SELECT pk, \(column) FROM \(table)"
                        + " WHERE entity = ? AND typeof(\(column)) = 'text'", [number]
                ) { ($0.integer(at: 0), $0.value(at: 1)) }
                for (pk, file) in files {
                    try autoreleasepool {
                        try connection.execute(
                            "UPDATE \(table) SET \(column) = ? WHERE pk = ?",
                            [dataInRow(file, of: attribute), .integer(pk)])
                    }
                }
            }
        }
    }

    /// A value of an attribute, with the data of a file instead of its name if the attribute allows
    /// no files.
    func dataInRow(_ value: SQLiteValue, of attribute: AttributeColumn) -> SQLiteValue {
        guard attribute.isBinary, !attribute.isExternal, case .text(let file) = value else {
            return value
        }
        return SQLiteValue(externalData.data(file))
    }
}
