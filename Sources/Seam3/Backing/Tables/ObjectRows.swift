import CoreData

/// The tables of root entities, which hold the values of objects.
final class ObjectRows {
    private let connection: SQLiteConnection
    private let schema: StoreSchema
    private var lastUpdate: (table: RootTable, indexes: [Int], statement: String)?

    init(connection: SQLiteConnection, schema: StoreSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// The row of an object.
    ///
    /// - Returns: The row, or nil if there is none.
    func row(_ pk: Int64, of entity: EntitySchema) throws -> ObjectRow? {
        try connection.firstRow(entity.table.selectStatement, [.integer(pk)]) {
            ObjectRow($0, in: schema)
        } ?? nil
    }

    /// The rows that a statement selects with all columns.
    ///
    /// - Parameter sql: A statement whose columns are those of ``RootTable/selectList(alias:)``.
    func rows(_ sql: SQL) throws -> [ObjectRow] {
        try connection.rows(sql.text, sql.values) { ObjectRow($0, in: schema) }.compactMap { $0 }
    }

    /// Caches the rows that the statement of a fetch selects with all columns.
    ///
    /// - Parameters:
    ///   - sql: A statement whose columns are those of ``RootTable/selectList(alias:)``.
    ///   - destinationID: The ID of the object with a `pk` and an entity.
    ///   - body: Is called with each row.
    func fetch(
        _ sql: SQL, into cache: RowCache,
        destinationID: (Int64, EntitySchema) -> NSManagedObjectID, _ body: (CachedRow) -> Void
    ) throws {
        try connection.forEachRow(sql.text, sql.values) { statement in
            let row = cache.keepFetched(
                statement.integer(at: 0), version: statement.integer(at: 2)
            ) { CachedRow(statement, in: schema, destinationID: destinationID) }
            if let row { body(row) }
        }
    }

    /// Adds a row to its entity's table.
    func insert(_ row: ObjectRow) throws {
        try connection.execute(row.entity.table.insertStatement) { statement in
            try statement.bind(.integer(row.pk), at: 1)
            try statement.bind(.integer(row.entity.number), at: 2)
            try statement.bind(.integer(row.version), at: 3)
            for index in row.entity.table.columns.indices where !row.values[index].isNull {
                try statement.bind(row.values[index], at: 4 + index)
            }
        }
    }

    /// Writes some columns of a row and its new version.
    ///
    /// - Parameters:
    ///   - row: The row with its new values and version.
    ///   - indexes: The columns to write.
    ///   - expectedVersion: The version that the file must have.
    /// - Returns: Whether the row was there with the expected version.
    func update(
        _ row: ObjectRow, columnsAt indexes: [Int], expectedVersion: Int64
    ) throws -> Bool {
        try connection.execute(updateStatement(row.entity.table, columnsAt: indexes)) { statement in
            for (place, index) in indexes.enumerated() {
                try statement.bind(row.values[index], at: place + 1)
            }
            try statement.bind(.integer(row.version), at: indexes.count + 1)
            try statement.bind(.integer(row.pk), at: indexes.count + 2)
            try statement.bind(.integer(expectedVersion), at: indexes.count + 3)
        }
        return connection.changeCount == 1
    }

    /// The text of an update. Most saves change the same columns of many rows in turn, and building
    /// the text takes longer than running it.
    private func updateStatement(_ table: RootTable, columnsAt indexes: [Int]) -> String {
        if let last = lastUpdate, last.table === table, last.indexes == indexes {
            return last.statement
        }
        let statement = table.updateStatement(columnsAt: indexes)
        lastUpdate = (table, indexes, statement)
        return statement
    }

    /// Removes a row from its entity's table.
    ///
    /// - Returns: Whether the row was there with the expected version.
    func delete(_ pk: Int64, of entity: EntitySchema, expectedVersion: Int64) throws -> Bool {
        try connection.execute(
            entity.table.deleteStatement, [.integer(pk), .integer(expectedVersion)])
        return connection.changeCount == 1
    }
}
