import CoreData

extension StoreDatabase {
    /// The other rows with the same values under a constraint, the oldest first.
    func keys(sharing constraint: UniquenessConstraint, with row: ObjectRow) throws -> [Int64] {
        let values = constraint.indexes.map { row.values[$0] }
        guard !values.contains(where: \.isNull) else { return [] }
        return try connection.rows(constraint.valuesStatement, values + [.integer(row.pk)]) {
            $0.integer(at: 0)
        }
    }

    /// The other rows with the same values under a constraint as a written row, the oldest first.
    func keys(sharing constraint: UniquenessConstraint, with pk: Int64) throws -> [Int64] {
        try connection.rows(constraint.rowStatement, [.integer(pk)]) { $0.integer(at: 0) }
    }
}
