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

    /// The object that has the record of a natural key, and whose values give a new object the same
    /// record name, for example dates within the same millisecond or two forms of the same text.
    ///
    /// - Parameter name: The record name of the natural key.
    func key(naturallyNamed name: String, _ mappings: RecordMappings) throws -> Int64? {
        guard let entry = try objects.entry(named: name), entry.isPresent,
            let entity = schema.entity(number: entry.entity),
            let key = mappings.mapping(of: entity)?.naturalKey,
            let row = try rows.row(entry.pk, of: entity), key.recordName(of: row) == name
        else { return nil }
        return entry.pk
    }
}
