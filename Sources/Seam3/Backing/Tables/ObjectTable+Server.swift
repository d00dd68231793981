import CoreData

/// What the server knows of the records.
extension ObjectTable {
    /// Stores the system fields of a record, or clears them.
    func setSystemFields(_ fields: Data?, changeTag: String?, of pk: Int64) throws {
        try database.connection.execute(
            """
            UPDATE sm_object SET system_fields = ?1, change_tag = ?2,
            was_sent = max(was_sent, ?1 IS NOT NULL) WHERE pk = ?3
            """
        ) { statement in
            try statement.bind(SQLiteValue(fields), at: 1)
            try statement.bind(SQLiteValue(changeTag), at: 2)
            try statement.bind(.integer(pk), at: 3)
        }
    }

    /// Stores the version of an object's record that is applied, or that the server has acknowledged.
    ///
    /// - Parameters:
    ///   - fields: The system fields.
    ///   - changeTag: The version.
    ///   - edits: What it says about its edits.
    ///   - pk: The object.
    func setVersion(
        _ fields: Data, changeTag: String?, edits: KnownEdits?, of pk: Int64
    ) throws {
        try database.connection.execute(
            """
            UPDATE sm_object SET system_fields = ?, change_tag = ?, edits = ?, was_sent = 1
            WHERE pk = ?
            """
        ) { statement in
            try statement.bind(.blob(fields), at: 1)
            try statement.bind(SQLiteValue(changeTag), at: 2)
            try statement.bind(SQLiteValue(edits?.stored), at: 3)
            try statement.bind(.integer(pk), at: 4)
        }
    }

    /// The stored form of what an object's record says about its edits; nil if nothing is known.
    func storedEdits(of pk: Int64) throws -> Data? {
        try database.connection.firstRow(
            "SELECT edits FROM sm_object WHERE pk = ?", [.integer(pk)]
        ) { $0.isNull(at: 0) ? nil : $0.blob(at: 0) } ?? nil
    }

    /// What an object's record says about its edits; nil if nothing is known.
    func edits(of pk: Int64) throws -> KnownEdits? {
        try storedEdits(of: pk).flatMap(KnownEdits.init(stored:))
    }

    func setStoredEdits(_ edits: Data?, of pk: Int64) throws {
        try database.connection.execute(
            "UPDATE sm_object SET edits = ?1 WHERE pk = ?2 AND edits IS NOT ?1",
            [SQLiteValue(edits), .integer(pk)])
    }

    /// Whether a record of an entity has edit stamps.
    func hasStamps(ofEntity number: Int64) throws -> Bool {
        try database.connection.firstRow(
            """
            SELECT EXISTS (SELECT 1 FROM sm_object WHERE entity = ? AND length(edits) > 1 \
            AND substr(edits, 1, 1) = x'00')
            """, [.integer(number)]
        ) { $0.integer(at: 0) != 0 } ?? false
    }

    /// The names of some records that the server knows, the oldest and the newest.
    func knownRecordNames(limit: Int) throws -> [String] {
        try ["ASC", "DESC"].flatMap { order in
            try database.connection.rows(
                """
                SELECT record_name FROM sm_object WHERE system_fields IS NOT NULL \
                AND state = 'present' ORDER BY pk \(order) LIMIT ?
                """, [.integer(Int64(limit / 2))]
            ) { $0.text(at: 0) }
        }
    }

    /// Marks a record to be applied again when it arrives, even if its version is known.
    func forgetChangeTag(of pk: Int64) throws {
        try database.connection.execute(
            "UPDATE sm_object SET change_tag = NULL WHERE pk = ?", [.integer(pk)])
    }

    /// Forgets the system fields of all records but those that were deleted here: without them, a record that another
    /// device has made again would look like the deleted one.
    func forgetSystemFields() throws {
        try database.connection.execute(
            "UPDATE sm_object SET change_tag = NULL, system_fields = NULL WHERE state <> 'deleted'")
    }

    /// Marks all records of an entity to be applied again when they arrive.
    func forgetChangeTags(ofEntity number: Int64) throws {
        try database.connection.execute(
            "UPDATE sm_object SET change_tag = NULL WHERE entity = ?", [.integer(number)])
    }

    /// Marks the records of all links of a relationship to be applied again when they arrive. Those that
    /// were removed here stay removed.
    func forgetChangeTags(ofPresentLinks number: Int64) throws {
        try database.connection.execute(
            "UPDATE sm_object SET change_tag = NULL WHERE entity = ? AND state = 'present'",
            [.integer(number)])
    }

    /// Notes whether the server may have seen a row's record.
    func setSent(_ wasSent: Bool, _ pk: Int64) throws {
        try database.connection.execute(
            "UPDATE sm_object SET was_sent = ?1 WHERE pk = ?2 AND was_sent <> ?1",
            [.integer(wasSent ? 1 : 0), .integer(pk)])
    }

    /// Notes that the server may have seen the records of some objects.
    ///
    /// - Parameter keys: A query for their numbers.
    func setSent(in keys: SQL) throws {
        try database.connection.execute(
            "UPDATE sm_object SET was_sent = 1 WHERE was_sent = 0 AND pk IN (\(keys.text))",
            keys.values)
    }

    /// Gives a row another record name, which the server does not know.
    func rename(_ pk: Int64, to recordName: String) throws {
        try database.connection.execute(
            """
            UPDATE sm_object SET record_name = ?, change_tag = NULL, system_fields = NULL,
            edits = NULL, was_sent = 0 WHERE pk = ?
            """,
            [.text(recordName), .integer(pk)])
    }
}
