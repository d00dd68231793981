import CoreData

/// Contents of a file that its model does not describe.
extension ObjectAdoption {
    private static let fixedTables: Set<String> = [
        "Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE", CoreDataFile.Seam3Name.changeSetTable,
    ]

    /// Reports the tables and columns with values that belong to no entity and no property.
    func reportLeftovers(roots: [NSEntityDescription]) throws {
        var known = Self.fixedTables
        for root in roots { known.insert(file.table(of: root)) }
        // The names of the history tables begin with an A.
        for (table, columns) in file.tables.sorted(by: { $0.key < $1.key })
        where table.hasPrefix("Z") && !known.contains(table) && !usedTables.contains(table) {
            let isJoin = columns.contains("Z_PK") == false
            report.noteLeftOut(
                table, count: try count("SELECT count(*) FROM \(table.sqlIdentifier)"),
                because: isJoin
                    ? "the model has no relationship for this table"
                    : "the model has no entity for this table")
        }
        for root in roots { try reportColumns(ofRoot: root) }
    }

    private func reportColumns(ofRoot root: NSEntityDescription) throws {
        let table = file.table(of: root)
        var used = CoreDataFile.fixedColumns.union(file.columns(ofRoot: root).values)
        used.formUnion(usedColumns[table] ?? [])
        for column in file.tables[table] ?? [] where !used.contains(column) {
            if isAccompanying(column, used) { continue }
            let name = column.sqlIdentifier
            report.noteLeftOut(
                root.name ?? table, column,
                count: try count(
                    "SELECT count(*) FROM \(table.sqlIdentifier) WHERE \(name) IS NOT NULL"),
                because: "the model has no property for this column")
        }
    }

    /// Whether a column only accompanies others: a position in an order, the number of a
    /// destination's entity, or an addition of Seam3 1.
    private func isAccompanying(_ column: String, _ used: Set<String>) -> Bool {
        if column.hasPrefix("ZSM_LOCALSTORE_") { return true }
        if column.hasPrefix("Z_FOK_") { return used.contains("Z" + column.dropFirst(6)) }
        guard column.hasPrefix("Z") else { return false }
        let digits = column.dropFirst().prefix { ("0"..."9").contains($0) }
        let rest = column.dropFirst(1 + digits.count)
        return !digits.isEmpty && rest.first == "_" && used.contains("Z" + rest.dropFirst())
    }

    private func count(_ sql: String) throws -> Int {
        Int(try file.connection.firstRow(sql) { $0.integer(at: 0) } ?? 0)
    }
}
