import CoreData

/// Relationships as the sync engine follows them from one row to others.
extension StoreDatabase {
    /// The objects that have an object in one of their relationships.
    func referrers(of pk: Int64) throws -> [Int64] {
        let linked = try schema.links.flatMap { try links(of: pk, $0).map(\.other) }
        return try linked
            + schema.tables.flatMap { table in
                try table.toOneIndexes.flatMap { index in
                    try connection.rows(
                        "SELECT pk FROM \(table.name.sqlIdentifier)"
                            + " WHERE \(table.columns[index].sqlIdentifier) = ?",
                        [.integer(pk)]
                    ) { $0.integer(at: 0) }
                }
            }
    }

    /// The object whose to-one relationship points at another.
    func keyPointing(_ column: ToOneColumn, in table: TableSchema, at pk: Int64) throws -> Int64? {
        try connection.firstRow(
            "SELECT pk FROM \(table.name.sqlIdentifier)"
                + " WHERE \(column.column.sqlIdentifier) = ? LIMIT 1",
            [.integer(pk)]
        ) { $0.integer(at: 0) }
    }

    /// Makes the partners of a one-to-one relationship agree with the end that decides.
    ///
    /// - Parameters:
    ///   - row: The deciding end.
    ///   - column: Its relationship.
    ///   - target: Where it points now.
    ///   - inverse: The relationship of the other end.
    ///   - table: The table of the other end.
    /// - Returns: The objects whose relationship changed.
    func movePartner(
        of row: ObjectRow, _ column: ToOneColumn, to target: Int64?, inverse: ToOneColumn,
        in table: TableSchema
    ) throws -> [Int64] {
        let own = row.entity.table.name.sqlIdentifier
        let ownColumn = column.column.sqlIdentifier
        let other = table.name.sqlIdentifier
        let otherColumn = inverse.column.sqlIdentifier
        let target = SQLiteValue(target)
        let me = SQLiteValue.integer(row.pk)
        // The partner left, whoever else held the new partner, and the new partner itself.
        let moves: [(where: String, values: [SQLiteValue], table: String, set: String)] = [
            ("\(otherColumn) = ? AND pk IS NOT ?", [me, target], other, "\(otherColumn) = NULL"),
            ("\(ownColumn) = ? AND pk <> ?", [target, me], own, "\(ownColumn) = NULL"),
            (
                "pk = ? AND \(otherColumn) IS NOT \(row.pk)", [target], other,
                "\(otherColumn) = \(row.pk)"
            ),
        ]
        var touched: [Int64] = []
        for move in moves {
            touched += try connection.rows(
                "SELECT pk FROM \(move.table) WHERE \(move.where)", move.values
            ) { $0.integer(at: 0) }
            try connection.execute(
                "UPDATE \(move.table) SET \(move.set), version = version + 1 WHERE \(move.where)",
                move.values)
        }
        return touched
    }
}
