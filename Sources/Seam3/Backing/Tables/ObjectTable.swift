import CoreData

/// What the store knows about one record: a row of `sm_object`.
struct ObjectEntry {
    let pk: Int64
    let state: ObjectTable.State
    /// The number of the entity or of the kind of link; nil for a placeholder.
    let entity: Int64?
    let recordName: String
    let changeTag: String?
    let systemFields: Data?
    /// Whether the server may have seen a record of this name, or a reference to one.
    let wasSent: Bool

    var isPresent: Bool { state == .present }
    var isPlaceholder: Bool { state == .placeholder }
    var isDeleted: Bool { state == .deleted }
}

/// The table `sm_object`: one row for each object, link and placeholder.
struct ObjectTable {
    /// What a row represents.
    enum State: String, CaseIterable {
        /// An object or a link; its values are in another table.
        case present
        /// A record that is referred to and has not arrived.
        case placeholder
        /// An object or link that was deleted here, until the server has acknowledged the deletion.
        case deleted
        /// A target for references of the wrong type: the record has another type than the
        /// references require, and may have a row of its own under its real type. The reference
        /// reads as nil.
        case mistyped
    }

    static let name = "sm_object"

    static let statements = [
        """
        CREATE TABLE sm_object (pk INTEGER PRIMARY KEY, entity INTEGER, \
        state TEXT NOT NULL CHECK (\("state".sqlIsCase(of: State.self))), \
        record_name TEXT NOT NULL, change_tag TEXT, system_fields BLOB, \
        was_sent INTEGER NOT NULL DEFAULT 0 CHECK (was_sent IN (0, 1)), \
        sweep INTEGER NOT NULL DEFAULT 0, is_mistyped INTEGER NOT NULL DEFAULT 0, \
        edits BLOB, \
        CHECK ((entity IS NULL) = (state IN ('placeholder', 'mistyped'))), \
        CHECK (is_mistyped = (state = 'mistyped')))
        """,
        // The index is on a column that does not change, because an index on the state would be
        // written at each deletion.
        "CREATE UNIQUE INDEX sm_object_record_name ON sm_object (record_name, is_mistyped)",
        // Used by queries that contain `state <> 'present'` in exactly this form.
        "CREATE INDEX sm_object_absent ON sm_object (entity) WHERE state <> 'present'",
    ]

    let database: StoreDatabase
    private var connection: SQLiteConnection { database.connection }

    // MARK: - For statements of others

    /// The number of the entity of the object that a column refers to; NULL if the object is not
    /// present.
    static func entityOfPresent(_ column: String) -> String {
        "(SELECT d.entity FROM sm_object AS d WHERE d.pk = \(column) AND d.state = 'present')"
    }

    /// The name of the record that a column refers to.
    static func recordName(of column: String) -> String {
        "(SELECT record_name FROM sm_object WHERE pk = \(column))"
    }

    /// The name of the record that a column refers to; NULL if its object was deleted here.
    static func recordNameOfUndeleted(_ column: String) -> String {
        "(SELECT record_name FROM sm_object WHERE pk = \(column) AND state <> 'deleted')"
    }

    /// A join with the object that a column refers to, if the object is present.
    static func joinPresent(_ alias: String, on column: String) -> String {
        "JOIN sm_object AS \(alias) ON \(alias).pk = \(column) AND \(alias).state = 'present'"
    }

    /// The numbers of all objects that were deleted here.
    static let deletedKeys =
        "SELECT pk FROM sm_object WHERE state <> 'present' AND state = 'deleted'"
    /// The numbers whose records the server may have seen, or the others.
    ///
    /// - Parameter keys: A query for numbers.
    static func keys(among keys: String, sent: Bool) -> String {
        "SELECT pk FROM sm_object WHERE was_sent = \(sent ? 1 : 0) AND pk IN (\(keys))"
    }

    /// The numbers of everything that the store knows.
    static let allKeys = "SELECT pk FROM sm_object"

    /// The numbers of the records of some entities, present or deleted.
    static func keys(ofEntities numbers: [Int64]) -> String {
        "SELECT pk FROM sm_object WHERE entity IN (\(numbers.sqlList))"
    }

    /// A trigger of a connection for objects that appear or disappear, although something may refer to them.
    ///
    /// - Parameter statements: What it executes; `NEW.pk` is the object's number.
    static func trigger(ofPresence statements: [String]) -> String {
        """
        CREATE TEMP TRIGGER IF NOT EXISTS "sm_presence" AFTER UPDATE OF state ON main.sm_object \
        WHEN (OLD.state = 'present') <> (NEW.state = 'present') \
        BEGIN \(statements.joined(separator: "; ")); END
        """
    }

    // MARK: - Reading

    private static let columns =
        "pk, state, entity, record_name, change_tag, system_fields, was_sent"
    private static let selectNamed =
        "SELECT \(columns) FROM sm_object WHERE record_name = ? AND is_mistyped = 0"
    private static let selectAllNamed =
        "SELECT \(columns), is_mistyped FROM sm_object WHERE record_name = ?"
    private static let selectKey = "SELECT \(columns) FROM sm_object WHERE pk = ?"

    private func entry(_ row: SQLiteStatement) -> ObjectEntry {
        ObjectEntry(
            pk: row.integer(at: 0), state: State(rawValue: row.text(at: 1)) ?? .placeholder,
            entity: row.isNull(at: 2) ? nil : row.integer(at: 2), recordName: row.text(at: 3),
            changeTag: row.isNull(at: 4) ? nil : row.text(at: 4),
            systemFields: row.isNull(at: 5) ? nil : row.blob(at: 5),
            wasSent: row.integer(at: 6) != 0)
    }

    /// What the store knows about the record with a name.
    func entry(named recordName: String) throws -> ObjectEntry? {
        try connection.firstRow(Self.selectNamed, [.text(recordName)], entry)
    }

    /// What the store knows about the record with a name, and the number that references of the wrong
    /// type use for it.
    func entries(named recordName: String) throws -> (entry: ObjectEntry?, mistyped: Int64?) {
        var found: (entry: ObjectEntry?, mistyped: Int64?)
        try connection.forEachRow(Self.selectAllNamed, [.text(recordName)]) { row in
            if row.integer(at: 7) != 0 {
                found.mistyped = row.integer(at: 0)
            } else {
                found.entry = entry(row)
            }
        }
        return found
    }

    /// What the store knows about the object with a number.
    func entry(_ pk: Int64) throws -> ObjectEntry? {
        try connection.firstRow(Self.selectKey, [.integer(pk)], entry)
    }

    /// The record name of an object; nil if there is no such object or it was deleted here.
    func recordName(of pk: Int64) throws -> String? {
        try connection.firstRow(
            "SELECT record_name FROM sm_object WHERE pk = ? AND state <> 'deleted'",
            [.integer(pk)]
        ) { $0.text(at: 0) }
    }

    /// The record name that a reference carries; nil if there is no such object.
    ///
    /// It may be the name of an object that was deleted here: until the server has acknowledged the
    /// deletion, another device's version of an object can refer to it, and the object may come
    /// back.
    func recordNameForReference(to pk: Int64) throws -> String? {
        try connection.firstRow(
            "SELECT record_name FROM sm_object WHERE pk = ?", [.integer(pk)]
        ) { $0.text(at: 0) }
    }

    /// Whether any record is a placeholder, or was deleted here and not yet on the server.
    func hasAbsent() throws -> Bool {
        try connection.firstRow(
            "SELECT EXISTS (SELECT 1 FROM sm_object WHERE state <> 'present')"
        ) { $0.integer(at: 0) != 0 } ?? false
    }

    /// All objects that are present: number → entity number.
    func entitiesOfPresentObjects() throws -> [Int64: Int64] {
        let objects = try connection.rows(
            "SELECT pk, entity FROM sm_object WHERE state = 'present'"
        ) { ($0.integer(at: 0), $0.integer(at: 1)) }
        return Dictionary(objects.filter { database.schema.entity(number: $1) != nil }) { $1 }
    }

    /// All objects and links, present or deleted, sorted by number.
    func allButPlaceholders() throws -> [ObjectEntry] {
        try connection.rows(
            "SELECT \(Self.columns) FROM sm_object WHERE entity IS NOT NULL ORDER BY pk", [],
            entry)
    }

    // MARK: - What a row stands for

    /// Adds an object or a link.
    ///
    /// An object whose deletion is undone after it was saved returns with its old number. It keeps
    /// its record name, and its record is sent as a new one, whether the deletion has reached the
    /// server or not. If it has not, the deleted version is recognized by its change tag.
    func insert(_ pk: Int64, entity: Int64, recordName: String) throws {
        try connection.execute(
            """
            INSERT INTO sm_object (pk, entity, state, record_name) VALUES (?, ?, 'present', ?)
            ON CONFLICT (pk) DO UPDATE SET entity = excluded.entity, state = 'present',
            system_fields = NULL
            """,
            [.integer(pk), .integer(entity), .text(recordName)])
    }

    /// Adds an object or a link that the server has, under an unused number.
    ///
    /// - Parameters:
    ///   - pk: Its number.
    ///   - entity: The number of its entity or of its kind of link.
    ///   - recordName: The name of its record.
    ///   - systemFields: The record's system fields.
    ///   - changeTag: The record's version.
    ///   - edits: What that says about its edits; nil for a link.
    func insertReceived(
        _ pk: Int64, entity: Int64, recordName: String, systemFields: Data, changeTag: String?,
        edits: KnownEdits? = nil
    ) throws {
        try connection.execute(
            """
            INSERT INTO sm_object
            (pk, entity, state, record_name, system_fields, change_tag, edits, was_sent)
            VALUES (?, ?, 'present', ?, ?, ?, ?, 1)
            """
        ) { statement in
            try statement.bind(.integer(pk), at: 1)
            try statement.bind(.integer(entity), at: 2)
            try statement.bind(.text(recordName), at: 3)
            try statement.bind(.blob(systemFields), at: 4)
            try statement.bind(SQLiteValue(changeTag), at: 5)
            try statement.bind(SQLiteValue(edits?.stored), at: 6)
        }
    }

    /// The number for a record that something refers to: the object's, or that of a new
    /// placeholder.
    ///
    /// - Parameters:
    ///   - recordName: The record's name.
    ///   - entities: The numbers of the entities that the reference may lead to; nil for any. If
    ///     the record belongs to another entity, the number represents no object.
    func keyForReference(recordName: String, toOneOf entities: [Int64]? = nil) throws -> Int64 {
        guard let entry = try entry(named: recordName) else {
            return try addReferred(recordName, state: .placeholder)
        }
        guard let entities, let entity = entry.entity, !entities.contains(entity) else {
            return entry.pk
        }
        return try keyOfMistyped(recordName) ?? addReferred(recordName, state: .mistyped)
    }

    /// The number that references of the wrong type use for a record; nil if there are none.
    func keyOfMistyped(_ recordName: String) throws -> Int64? {
        try connection.firstRow(
            "SELECT pk FROM sm_object WHERE record_name = ? AND is_mistyped = 1",
            [.text(recordName)]
        ) { $0.integer(at: 0) }
    }

    /// Adds a row for a record that something refers to and that is not present, under a new
    /// number. A deleted object that may come back keeps its own.
    func addReferred(_ recordName: String, state: State) throws -> Int64 {
        let former = state == .placeholder ? try database.tombstones.key(of: recordName) : nil
        let isFree = try former.map { try entry($0) == nil } ?? false
        let pk = if isFree, let former { former } else { try database.sequence.takeKeys(1) }
        try connection.execute(
            """
            INSERT INTO sm_object (pk, state, record_name, was_sent, is_mistyped)
            VALUES (?, ?, ?, 1, ?)
            """,
            [
                .integer(pk), .text(state.rawValue), .text(recordName),
                .integer(state == .mistyped ? 1 : 0),
            ])
        return pk
    }

    /// The referenced records that have been deleted on the server: numbers and record names.
    func danglingReferences() throws -> [(pk: Int64, recordName: String)] {
        try connection.rows(
            """
            SELECT pk, record_name FROM sm_object WHERE state <> 'present' AND state <> 'deleted'
            AND record_name IN (\(TombstoneTable.names)) ORDER BY pk
            """
        ) { ($0.integer(at: 0), $0.text(at: 1)) }
    }

    /// Makes a row represent an object or a link.
    func setPresent(_ pk: Int64, entity: Int64) throws {
        try connection.execute(
            "UPDATE sm_object SET state = 'present', entity = ? WHERE pk = ?",
            [.integer(entity), .integer(pk)])
    }

    /// Makes a row represent a deleted object or link.
    func setDeleted(_ pk: Int64, entity: Int64) throws {
        try connection.execute(
            "UPDATE sm_object SET state = 'deleted', entity = ? WHERE pk = ?",
            [.integer(entity), .integer(pk)])
    }

    /// Makes a row represent a deleted object or link, if the server may have seen the record.
    func setDeletedIfSent(_ pk: Int64, entity: Int64) throws -> Bool {
        try connection.execute(
            "UPDATE sm_object SET state = 'deleted', entity = ? WHERE pk = ? AND was_sent = 1",
            [.integer(entity), .integer(pk)])
        return connection.changeCount > 0
    }

    /// Makes rows represent deleted objects.
    func setDeleted(in keys: String) throws {
        try connection.execute(
            "UPDATE sm_object SET state = 'deleted' WHERE state = 'present' AND pk IN (\(keys))")
    }

    /// Removes an object whose row is gone and whose record is deleted on the server. Leaves a
    /// placeholder if something refers to it.
    func remove(_ pk: Int64) throws {
        if let entry = try entry(pk), entry.wasSent {
            try database.tombstones.add(entry.recordName, of: pk)
        }
        guard try !database.references.referrers(of: pk).isEmpty else { return try forget(pk) }
        try connection.execute(
            """
            UPDATE sm_object SET state = 'placeholder', entity = NULL, change_tag = NULL,
            system_fields = NULL, edits = NULL WHERE pk = ?
            """, [.integer(pk)])
    }

    /// Removes the row of a record that nothing can refer to.
    func forget(_ pk: Int64) throws {
        try connection.execute("DELETE FROM sm_object WHERE pk = ?", [.integer(pk)])
    }

    /// Removes the rows of records that nothing can refer to.
    func forget(in keys: String) throws {
        try connection.execute("DELETE FROM sm_object WHERE pk IN (\(keys))")
    }

    func removeAll() throws {
        try connection.execute("DELETE FROM sm_object")
    }
}

extension String {
    /// Whether a record name sorts before another. The order is the same on all devices.
    func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension [Int64] {
    /// The numbers as a list for SQL.
    var sqlList: String { map(String.init).joined(separator: ", ") }
}
