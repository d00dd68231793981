/// The row of an object in its table.
struct ObjectRow {
    let pk: Int64
    let entity: EntitySchema
    var version: Int64
    /// A value for each column of the table, followed by one for each to-one relationship: the
    /// number of the destination's entity, or 0 if there is no destination or only a placeholder.
    var values: [SQLiteValue]

    /// Creates the row of an object without values.
    init(pk: Int64, entity: EntitySchema) {
        self.pk = pk
        self.entity = entity
        version = 1
        values = entity.table.emptyValues
    }

    /// The largest version that is counted on from.
    static let lastVersion: Int64 = 1 << 62 - 1

    /// The version that follows. One that is out of range, which a file from elsewhere may have, is followed by one
    /// that is not.
    static func version(after version: Int64) -> Int64 { version & lastVersion + 1 }

    /// The same in SQL.
    static let nextVersion: SQL = "(version & \(verbatim: String(lastVersion))) + 1"

    /// The version as a node of Core Data has it.
    static func nodeVersion(_ version: Int64) -> UInt64 { UInt64(version & Int64.max) }

    /// A version for an object that comes back with the number that it had. No context can have read it, so none
    /// mistakes the object for the former one.
    static func versionOfReturned() -> Int64 { .random(in: 1 << 32..<1 << 47) }

    /// Reads the current row of a statement. Its columns from an index on must be those of
    /// ``RootTable/selectList(alias:)``.
    ///
    /// - Returns: The row, or nil if its entity is not in the schema.
    init?(_ statement: SQLiteStatement, at start: Int = 0, in schema: StoreSchema) {
        guard let entity = schema.entity(number: statement.integer(at: start + 1)) else {
            return nil
        }
        self.entity = entity
        pk = statement.integer(at: start)
        version = statement.integer(at: start + 2)
        values = statement.values(from: start + 3, count: entity.table.emptyValues.count)
    }

    /// Notes the entity of a to-one relationship's destination; nil for none.
    mutating func setDestination(_ entity: EntitySchema?, of toOne: ToOneColumn) {
        values[self.entity.table.columns.count + toOne.destinationIndex] =
            .integer(entity?.number ?? 0)
    }

    /// The destination of a to-one relationship, if it is present.
    func destination(_ toOne: ToOneColumn) -> (pk: Int64, entityNumber: Int64)? {
        guard let pk = values[toOne.index].integer,
            let number = values[entity.table.columns.count + toOne.destinationIndex].integer,
            number > 0
        else { return nil }
        return (pk, number)
    }
}
