#if SWIFT_PACKAGE
import SeamSQLite
#endif

/// An object as its table keeps it.
struct ObjectRow {
    let pk: Int64
    let entity: EntitySchema
    var version: Int64
    /// A value for each of the table's columns.
    var values: [SQLiteValue]
    /// For each of the table's to-one relationships the number of its destination's entity; 0 where
    /// there is no destination, or only a placeholder of one.
    var destinations: [Int64]

    /// An object that has no values yet.
    init(pk: Int64, entity: EntitySchema) {
        self.pk = pk
        self.entity = entity
        version = 1
        values = Array(repeating: .null, count: entity.table.columns.count)
        destinations = Array(repeating: 0, count: entity.table.toOneIndexes.count)
    }

    /// Reads the current row of a statement whose columns, from a place on, are those of
    /// ``TableSchema/selectList(alias:)``.
    ///
    /// - Returns: The row, or nil if its entity is not in the schema.
    init?(_ statement: SQLiteStatement, at start: Int = 0, in schema: StoreSchema) {
        guard let entity = schema.entity(number: statement.integer(at: start + 1)) else {
            return nil
        }
        self.entity = entity
        pk = statement.integer(at: start)
        version = statement.integer(at: start + 2)
        let table = entity.table
        let first = start + 3
        values = []
        values.reserveCapacity(table.columns.count)
        for index in table.columns.indices {
            values.append(statement.value(at: first + index))
        }
        let firstDestination = first + table.columns.count
        destinations = table.toOneIndexes.indices.map {
            statement.integer(at: firstDestination + $0)
        }
    }

    /// The destination of a to-one relationship, if it is here.
    func destination(_ toOne: ToOneColumn) -> (pk: Int64, entityNumber: Int64)? {
        let number = destinations[toOne.destinationIndex]
        guard number > 0, let pk = values[toOne.index].integer else { return nil }
        return (pk, number)
    }
}
