import SeamSQLite

/// The tables of a container's file.
enum ContainerSchema {
    private static let version: Int64 = 4

    /// Opens the file, and creates its tables if it is new.
    static func open(path: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path)
        // Names are random, so a large zone uses pages all over its index. 32 MB hold the upper
        // levels for a million records.
        try connection.execute("PRAGMA cache_size = -32768")
        try RecordIndex.register(with: connection)
        guard try storedVersion(connection) != version else { return connection }
        try connection.transaction(.immediate) {
            // Another process may have created them while this one waited for the lock.
            let stored = try storedVersion(connection)
            guard stored != version else { return }
            guard (0..<version).contains(stored) else {
                throw SQLiteError(
                    extendedCode: 1, message: "a newer version of LocalCloud made this file")
            }
            let steps = stored == 0 ? statements : migrations[(Int(stored) - 1)...].flatMap { $0 }
            for statement in steps { try connection.execute(statement) }
            try connection.execute("PRAGMA user_version = \(version)")
        }
        return connection
    }

    private static func storedVersion(_ connection: SQLiteConnection) throws -> Int64 {
        try connection.firstRow("PRAGMA user_version") { $0.integer(at: 0) } ?? 0
    }

    private static let recordsByType =
        "CREATE INDEX record_by_type ON record (zone_id, type) WHERE is_deleted = 0"

    /// The migrations from each version to the next, starting with version 1.
    private static let migrations = [
        [
            "ALTER TABLE record ADD COLUMN is_deleted INTEGER NOT NULL DEFAULT 0",
            "UPDATE record SET is_deleted = 1 WHERE fields IS NULL",
            "DROP INDEX record_by_type",
            recordsByType,
        ],
        [
            "ALTER TABLE record_field ADD COLUMN indexes TEXT NOT NULL DEFAULT ''",
            // Every field was learned from a record.
            """
            UPDATE record_field SET indexes = CASE
                WHEN type = 'STRING' THEN 'QUERYABLE SEARCHABLE SORTABLE'
                WHEN type = 'STRING_LIST' THEN 'QUERYABLE SEARCHABLE'
                WHEN type LIKE '%\\_LIST' ESCAPE '\\' THEN 'QUERYABLE'
                ELSE 'QUERYABLE SORTABLE' END
            WHERE is_encrypted = 0 AND type NOT LIKE 'BYTES%' AND type NOT LIKE 'ASSETID%'
            """,
        ],
        ["ALTER TABLE zone ADD COLUMN has_failed_items INTEGER NOT NULL DEFAULT 0"],
    ]

    private static let statements = [
        // `sequence` counts every change in the database. It determines the change tags, the order
        // of both feeds, and the positions of tokens.
        """
        CREATE TABLE cloud_database (
            id INTEGER PRIMARY KEY,
            scope TEXT NOT NULL,
            owner TEXT NOT NULL,
            incarnation INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            token_epoch INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            UNIQUE (scope, owner))
        """,
        // A deleted zone keeps its row for the feed. `sequence` is that of the zone's last change.
        // `has_failed_items` says whether items of the request with the client change token failed or were
        // left out.
        """
        CREATE TABLE zone (
            id INTEGER PRIMARY KEY,
            database_id INTEGER NOT NULL,
            name TEXT NOT NULL,
            incarnation INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            deletion_reason TEXT,
            token_epoch INTEGER NOT NULL,
            tombstone_horizon INTEGER NOT NULL,
            client_change_token BLOB,
            has_failed_items INTEGER NOT NULL DEFAULT 0,
            UNIQUE (database_id, name))
        """,
        "CREATE INDEX zone_feed ON zone (database_id, sequence)",
        // A deleted record keeps its row as a tombstone: `fields` is then NULL. `is_deleted` has
        // the same meaning, for indexes: an index on `fields` would be written with every save.
        """
        CREATE TABLE record (
            id INTEGER PRIMARY KEY,
            zone_id INTEGER NOT NULL,
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            created_by TEXT,
            created_on TEXT,
            modified_at INTEGER NOT NULL,
            modified_by TEXT,
            modified_on TEXT,
            parent TEXT,
            bytes INTEGER NOT NULL,
            has_links INTEGER NOT NULL,
            fields BLOB,
            is_deleted INTEGER NOT NULL DEFAULT 0,
            UNIQUE (zone_id, name))
        """,
        "CREATE INDEX record_feed ON record (zone_id, sequence)",
        recordsByType,
        // The references that the server must track: kind 1 deletes the source with its target,
        // kind 2 prevents the deletion of the target. They are names, because targets may be
        // missing.
        """
        CREATE TABLE record_reference (
            zone_id INTEGER NOT NULL,
            target TEXT NOT NULL,
            kind INTEGER NOT NULL,
            source TEXT NOT NULL,
            PRIMARY KEY (zone_id, target, kind, source)) WITHOUT ROWID
        """,
        "CREATE INDEX record_reference_source ON record_reference (zone_id, source)",
        "CREATE TABLE record_type (name TEXT PRIMARY KEY) WITHOUT ROWID",
        """
        CREATE TABLE record_field (
            record_type TEXT NOT NULL,
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            is_encrypted INTEGER NOT NULL,
            indexes TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (record_type, name)) WITHOUT ROWID
        """,
        """
        CREATE TABLE subscription (
            database_id INTEGER NOT NULL,
            user TEXT NOT NULL,
            subscription_id TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (database_id, user, subscription_id)) WITHOUT ROWID
        """,
        // The pushes that were sent recently. Each listener continues after the last one that it
        // has read.
        """
        CREATE TABLE push (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user TEXT NOT NULL,
            device TEXT NOT NULL,
            payload BLOB NOT NULL)
        """,
        // `uses` counts the fields that refer to the asset.
        """
        CREATE TABLE asset (
            receipt TEXT PRIMARY KEY,
            database_id INTEGER NOT NULL,
            checksum TEXT,
            bytes INTEGER NOT NULL,
            uses INTEGER NOT NULL,
            unused_since INTEGER NOT NULL) WITHOUT ROWID
        """,
        "CREATE INDEX unused_asset ON asset (unused_since) WHERE uses = 0",
    ]
}
