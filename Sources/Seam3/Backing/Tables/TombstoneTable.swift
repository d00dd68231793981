import CoreData

/// The table `sm_tombstone`: the names of records whose objects were deleted, and the numbers of
/// those objects.
///
/// Another device may refer to the record because it does not know of the deletion yet. Without the
/// name, such a reference would look like one to a record that has not arrived. An object that
/// comes back, from another device or from a context that still has it, gets its old number.
struct TombstoneTable {
    static let name = "sm_tombstone"

    static let statements = [
        """
        CREATE TABLE sm_tombstone (
            number INTEGER PRIMARY KEY, record_name TEXT NOT NULL UNIQUE, pk INTEGER UNIQUE,
            may_return INTEGER NOT NULL DEFAULT 0 CHECK (may_return IN (0, 1))
        )
        """
    ]

    /// How many names are kept. If more records are deleted before a device learns of a deletion, a
    /// reference from that device reads as nil.
    private static let limit = 20_000

    /// A query for the names of all records that the server is known not to have.
    static let names = "SELECT record_name FROM sm_tombstone WHERE may_return = 0"

    let database: StoreDatabase
    private var connection: SQLiteConnection { database.connection }

    /// Notes that a record is deleted on the server.
    ///
    /// - Parameters:
    ///   - name: The record's name.
    ///   - pk: The number of its object; nil if it had none.
    func add(_ name: String, of pk: Int64? = nil) throws {
        database.hasNoTombstones = nil
        try connection.execute(
            "INSERT OR REPLACE INTO sm_tombstone (record_name, pk) VALUES (?, ?)",
            [.text(name), SQLiteValue(pk)])
        try connection.execute(
            """
            DELETE FROM sm_tombstone
            WHERE number <= (SELECT max(number) FROM sm_tombstone) - \(Self.limit)
            """)
    }

    /// Notes that a record is on the server, perhaps again.
    func remove(_ name: String) throws {
        try connection.execute("DELETE FROM sm_tombstone WHERE record_name = ?", [.text(name)])
    }

    /// Notes that a record is on the server, perhaps again.
    ///
    /// - Returns: The number that its object had, if it is known.
    func take(_ name: String) throws -> Int64? {
        guard let key = try knownKey(of: name) else { return nil }
        try remove(name)
        return key
    }

    /// The number that the object of a deleted record had, if it is known.
    func key(of name: String) throws -> Int64? { try knownKey(of: name) ?? nil }

    /// The number in the tombstone of a record; nil if there is no tombstone.
    private func knownKey(of name: String) throws -> Int64?? {
        // Few of the records that arrive have been deleted before.
        if try isEmpty() { return nil }
        return try connection.firstRow(
            "SELECT pk FROM sm_tombstone WHERE record_name = ?", [.text(name)]
        ) { $0.value(at: 0).integer }
    }

    /// Whether there are no tombstones. A write transaction looks once.
    private func isEmpty() throws -> Bool {
        if let known = database.hasNoTombstones { return known }
        let isEmpty = try connection.firstRow("SELECT 1 FROM sm_tombstone") { _ in true } == nil
        if connection.isInTransaction { database.hasNoTombstones = isEmpty }
        return isEmpty
    }

    /// Whether the server is known not to have a record.
    func contains(_ name: String) throws -> Bool {
        try connection.firstRow(
            "SELECT 1 FROM sm_tombstone WHERE record_name = ? AND may_return = 0", [.text(name)]
        ) { _ in true } ?? false
    }

    /// The record name that an object had.
    func recordName(of pk: Int64) throws -> String? {
        try connection.firstRow(
            "SELECT record_name FROM sm_tombstone WHERE pk = ?", [.integer(pk)]
        ) { $0.text(at: 0) }
    }

    /// The highest number that an object had; 0 if there is none.
    func highestKey() throws -> Int64 {
        try connection.firstRow("SELECT max(pk) FROM sm_tombstone") { $0.integer(at: 0) } ?? 0
    }

    func removeAll() throws {
        try connection.execute("DELETE FROM sm_tombstone")
    }

    /// Notes that a record may be on the server again, although it has not been applied. Its object keeps its
    /// identity.
    func letReturn(_ name: String) throws {
        try connection.execute(
            "UPDATE sm_tombstone SET may_return = 1 WHERE record_name = ?", [.text(name)])
    }

    /// Keeps the deleted objects after the server has lost the zone. Other devices may send them
    /// again. An object that comes back from them or from a context keeps its identity.
    ///
    /// - Parameter keys: A query for the keys of further objects that were deleted here.
    func letReturn(with keys: String) throws {
        database.hasNoTombstones = nil
        try connection.execute("UPDATE sm_tombstone SET may_return = 1")
        try connection.execute(
            """
            INSERT OR REPLACE INTO sm_tombstone (record_name, pk, may_return)
            SELECT \(ObjectTable.recordName(of: "k.pk")), k.pk, 1 FROM (\(keys)) AS k
            """)
    }

    /// Notes that a full refetch has read all records of the zone.
    func noteAllRead() throws {
        try connection.execute(
            """
            UPDATE sm_tombstone SET may_return = 0 WHERE may_return = 1
            AND record_name NOT IN (SELECT record_name FROM \(UnfetchedRecordTable.name))
            """)
    }

    /// Takes over the names of another file.
    func take(from other: TombstoneTable) throws {
        try removeAll()
        let names = try other.connection.rows("\(Self.names) ORDER BY number") { $0.text(at: 0) }
        for name in names { try add(name) }
    }
}
