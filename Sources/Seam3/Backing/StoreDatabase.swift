import CoreData

/// One connection to a store file, with the schema of its tables.
///
/// The store and the sync engine have one each. Like its connection it is confined: one thread at
/// a time.
final class StoreDatabase {
    let connection: SQLiteConnection
    let schema: StoreSchema
    /// Where large binary data lies; nil for a connection that only reads or migrates.
    var externalFiles: ExternalFiles?
    /// The columns that may have the name of a file.
    private(set) lazy var externalColumns = schema.externalColumns
    /// What is computed at the end of each transaction that writes rows.
    private(set) lazy var derivedAttributes = DerivedAttributes(schema)
    private var lastUpdate: (table: TableSchema, indexes: [Int], statement: String)?

    init(connection: SQLiteConnection, schema: StoreSchema) {
        self.connection = connection
        self.schema = schema
    }

    // MARK: - Rows

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
    /// - Parameter sql: A statement whose columns are those of ``TableSchema/selectList(alias:)``.
    func rows(_ sql: SQL) throws -> [ObjectRow] {
        var rows: [ObjectRow] = []
        try connection.forEachRow(sql.text, sql.values) { statement in
            if let row = ObjectRow(statement, in: schema) { rows.append(row) }
        }
        return rows
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

    /// The text of an update. Most saves change the same columns of one row after the other, and
    /// making the text takes longer than running it.
    private func updateStatement(_ table: TableSchema, columnsAt indexes: [Int]) -> String {
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

    /// Computes what is derived from the rows that the transaction has written.
    ///
    /// - Returns: The objects whose derived attributes changed.
    func refreshDerivedAttributes() throws -> [Int64] {
        try derivedAttributes.refresh(connection)
    }

    // MARK: - Sequence

    /// Takes numbers that no object has had.
    ///
    /// - Parameter count: How many.
    /// - Returns: The first; the others follow.
    func takeKeys(_ count: Int) throws -> Int64 {
        try connection.transaction {
            try connection.execute(
                "UPDATE sm_sequence SET next_pk = next_pk + ?", [.integer(Int64(count))])
            let next = try connection.firstRow("SELECT next_pk FROM sm_sequence") {
                $0.integer(at: 0)
            }
            return (next ?? 1) - Int64(count)
        }
    }

    /// Takes the next revision of the outbox, once for each transaction that changes it.
    func takeRevision() throws -> Int64 {
        try connection.execute("UPDATE sm_sequence SET next_revision = next_revision + 1")
        return try connection.firstRow("SELECT next_revision FROM sm_sequence") {
            $0.integer(at: 0)
        } ?? 1
    }

    // MARK: - Metadata

    /// A value of `sm_metadata`; NULL if there is none.
    func metadata(_ key: String) throws -> SQLiteValue {
        try connection.firstRow("SELECT value FROM sm_metadata WHERE key = ?", [.text(key)]) {
            $0.value(at: 0)
        } ?? .null
    }

    /// Sets a value of `sm_metadata`; NULL removes it.
    func setMetadata(_ key: String, _ value: SQLiteValue) throws {
        if value.isNull {
            try connection.execute("DELETE FROM sm_metadata WHERE key = ?", [.text(key)])
        } else {
            try connection.execute(
                "INSERT INTO sm_metadata (key, value) VALUES (?, ?)"
                    + " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                [.text(key), value])
        }
    }
}
