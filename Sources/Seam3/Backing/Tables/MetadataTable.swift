import CoreData

/// The table `sm_metadata`: the file's description of itself, by key.
struct MetadataTable {
    /// The entries.
    enum Key: String {
        /// The version of the tables; see ``FileLayout/version``.
        case layoutVersion = "layout_version"
        /// Core Data's metadata, a property list.
        case metadata
        /// The names and numbers that the file has assigned, as JSON.
        case names
        /// The structure of the model, as JSON.
        case model
        /// The folder of external data, a UUID; see ``ExternalDataFolders``.
        case externalData = "external_data"
        /// The loss of the zone about which the app has not decided; see ``SyncStateTable/zoneLoss()``.
        case zoneLoss = "zone_loss"
    }

    static let name = "sm_metadata"

    static let statements = [
        """
        CREATE TABLE sm_metadata (key TEXT PRIMARY KEY \
        CHECK (key IN ('layout_version', 'metadata', 'names', 'model', 'external_data', 'zone_loss')), \
        value NOT NULL) WITHOUT ROWID
        """
    ]

    let database: StoreDatabase

    /// Replaces the table of an earlier layout, which did not have all keys.
    func replaceTable() throws {
        let statements =
            ["ALTER TABLE sm_metadata RENAME TO sm_former_metadata"] + Self.statements + [
                "INSERT INTO sm_metadata (key, value) SELECT key, value FROM sm_former_metadata",
                "DROP TABLE sm_former_metadata",
            ]
        for statement in statements { try database.connection.execute(statement) }
    }

    /// A value; NULL if there is none.
    func value(_ key: Key) throws -> SQLiteValue {
        try database.connection.firstRow(
            "SELECT value FROM sm_metadata WHERE key = ?", [.text(key.rawValue)]
        ) { $0.value(at: 0) } ?? .null
    }

    /// Sets a value, or removes it if it is NULL.
    func set(_ value: SQLiteValue, _ key: Key) throws {
        if value.isNull {
            return try database.connection.execute(
                "DELETE FROM sm_metadata WHERE key = ?", [.text(key.rawValue)])
        }
        try database.connection.execute(
            "INSERT INTO sm_metadata (key, value) VALUES (?, ?)"
                + " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            [.text(key.rawValue), value])
    }
}
