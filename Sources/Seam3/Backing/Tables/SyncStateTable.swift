import CoreData

/// The table `sm_sync`: the state of sync, in one row.
struct SyncStateTable {
    static let name = "sm_sync"

    static let statements = [
        """
        CREATE TABLE sm_sync (id INTEGER PRIMARY KEY CHECK (id = 1), user_name TEXT, \
        container TEXT, \
        is_copy INTEGER NOT NULL DEFAULT 0 CHECK (is_copy IN (0, 1)), \
        user_is_unknown INTEGER NOT NULL DEFAULT 0 CHECK (user_is_unknown IN (0, 1)), \
        zone_is_created INTEGER NOT NULL DEFAULT 0 CHECK (zone_is_created IN (0, 1)), \
        is_subscribed INTEGER NOT NULL DEFAULT 0 CHECK (is_subscribed IN (0, 1)), \
        zone_token BLOB, former_token BLOB, database_token BLOB, \
        sweep INTEGER NOT NULL DEFAULT 0, \
        is_sweeping INTEGER NOT NULL DEFAULT 0 CHECK (is_sweeping IN (0, 1)), \
        is_sweep_wanted INTEGER NOT NULL DEFAULT 0 CHECK (is_sweep_wanted IN (0, 1)), \
        last_success REAL, last_error TEXT, failure_count INTEGER NOT NULL DEFAULT 0, \
        retry_after REAL, zone_identity BLOB, file INTEGER NOT NULL, stampless TEXT, lease_owner TEXT, lease_process INTEGER, lease_expiry REAL)
        """,
        // Four random bytes.
        "INSERT INTO sm_sync (id, file) VALUES (1, random() & 4294967295)",
    ]

    let database: StoreDatabase
    private var connection: SQLiteConnection { database.connection }

    private func value(_ column: String) throws -> SQLiteValue {
        try connection.firstRow("SELECT \(column) FROM sm_sync") { $0.value(at: 0) } ?? .null
    }

    private func set(_ column: String, _ value: SQLiteValue) throws {
        try connection.execute("UPDATE sm_sync SET \(column) = ?", [value])
    }

    /// The bytes of a column; empty if the value has another type, because it is damaged then.
    private func data(_ column: String) throws -> Data? {
        let value = try value(column)
        return value.isNull ? nil : value.blob ?? Data()
    }

    private func date(_ column: String) throws -> Date? {
        try value(column).real.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    // MARK: - The server

    /// The record name of the user whose data the store holds, nil before the first pass.
    func user() throws -> String? { try value("user_name").text }
    func setUser(_ name: String) throws { try set("user_name", .text(name)) }

    /// Whether the file has records of an unknown user. Sync must then determine whether the
    /// signed-in user is that user.
    func isUserUnknown() throws -> Bool { try value("user_is_unknown").integer == 1 }
    func setUserUnknown(_ isUnknown: Bool) throws {
        try set("user_is_unknown", .integer(isUnknown ? 1 : 0))
    }

    /// The identifier of the container that the file was synced with; nil if unknown.
    func container() throws -> String? { try value("container").text }
    func setContainer(_ identifier: String?) throws {
        try set("container", SQLiteValue(identifier))
    }

    /// Whether the objects are copies of those of a synced store, which the file's records would repeat.
    func isCopy() throws -> Bool { try value("is_copy").integer == 1 }
    func setCopy() throws { try set("is_copy", .integer(1)) }

    /// Whether this store's zone once existed for this user.
    func isZoneCreated() throws -> Bool { try value("zone_is_created").integer == 1 }
    func setZoneCreated() throws { try set("zone_is_created", .integer(1)) }

    /// The loss of the zone about which the app has not decided; nil if there is none. The zone may be there again by the
    /// time it decides, made by another device.
    func zoneLoss() throws -> SMZoneLoss? {
        try database.metadata.value(.zoneLoss).text.flatMap(SMZoneLoss.init(name:))
    }
    func setZoneLoss(_ loss: SMZoneLoss?) throws {
        try database.metadata.set(SQLiteValue(loss?.name), .zoneLoss)
    }

    /// The random number by which the file recognizes its own saves. A copy of the file has the same one.
    func fileNumber() throws -> UInt32 {
        UInt32(truncatingIfNeeded: try value("file").integer ?? 0)
    }

    /// By what the zone is recognized after its token has expired; nil if it has none that is known.
    func zoneIdentity() throws -> ZoneIdentity? {
        try data("zone_identity").flatMap(ZoneIdentity.init(_:))
    }
    func setZoneIdentity(_ identity: ZoneIdentity) throws {
        if try zoneIdentity() != identity { try set("zone_identity", .blob(identity.bytes)) }
    }

    /// The zone's identity, which is made up if it has none.
    func makeZoneIdentity() throws -> ZoneIdentity {
        if let known = try zoneIdentity() { return known }
        let identity = ZoneIdentity()
        try setZoneIdentity(identity)
        return identity
    }

    /// The record types that the server has refused with edit stamps, and accepted without.
    func typesWithoutStamps() throws -> Set<String> {
        OutboxTable.names(inList: try value("stampless"))
    }
    func setTypesWithoutStamps(_ types: Set<String>) throws {
        try set("stampless", OutboxTable.list(types))
    }

    func isSubscribed() throws -> Bool { try value("is_subscribed").integer == 1 }
    func setSubscribed() throws { try set("is_subscribed", .integer(1)) }

    /// The archived change token of the zone; nil to read the feed from its beginning.
    func zoneTokenData() throws -> Data? { try data("zone_token") }
    func setZoneTokenData(_ data: Data?) throws { try set("zone_token", SQLiteValue(data)) }

    /// The archived change token of the database.
    func databaseTokenData() throws -> Data? { try data("database_token") }
    func setDatabaseTokenData(_ data: Data?) throws {
        try set("database_token", SQLiteValue(data))
    }

    // MARK: - Full refetch

    /// The number of the current full refetch, which ends by removing what the server no longer
    /// has; nil if there is none.
    func sweep() throws -> Int64? {
        try connection.firstRow("SELECT sweep FROM sm_sync WHERE is_sweeping = 1") {
            $0.integer(at: 0)
        }
    }

    /// The archived change token with which the current full refetch can learn what was deleted while it
    /// was running; nil if there is none.
    func formerTokenData() throws -> Data? { try data("former_token") }

    /// Starts a full refetch: the feed is read from its beginning.
    ///
    /// - Parameter token: The zone's token until now; nil if it has expired. One that an unfinished
    ///   refetch has kept is preferred, because it is older.
    func beginSweep(keeping token: Data?) throws {
        try connection.execute(
            """
            UPDATE sm_sync SET sweep = sweep + 1, is_sweeping = 1, is_sweep_wanted = 0,
            former_token = coalesce(former_token, ?), zone_token = NULL
            """, [SQLiteValue(token)])
    }

    /// Requests a full refetch, if any records were fetched before. The feed from its beginning
    /// does not report deletions, so objects that it lacks must be removed here. The next pass
    /// first fetches the deletions since the last token.
    func askAgain() throws {
        if try zoneTokenData() != nil { try set("is_sweep_wanted", .integer(1)) }
    }

    /// Makes the first fetch a full refetch: the file has records that other devices may have deleted.
    func sweepAtFirstFetch() throws { try set("is_sweep_wanted", .integer(1)) }

    /// Whether the next pass is to begin a full refetch.
    func isSweepWanted() throws -> Bool { try value("is_sweep_wanted").integer == 1 }

    /// Ends the full refetch. Its number is not used again.
    func endSweep() throws {
        try connection.execute("UPDATE sm_sync SET is_sweeping = 0, former_token = NULL")
    }

    // MARK: - The last pass

    /// When the last pass ended without an error.
    func lastSuccess() throws -> Date? { try date("last_success") }

    /// The error of the last pass; nil if it succeeded.
    func lastError() throws -> String? { try value("last_error").text }

    /// A failed pass is not repeated automatically before this date.
    func retryAfter() throws -> Date? { try date("retry_after") }

    /// How many passes in a row have failed.
    func failureCount() throws -> Int {
        try connection.firstRow("SELECT failure_count FROM sm_sync") { $0.count(at: 0) } ?? 0
    }

    /// Notes that a pass ended without an error.
    ///
    /// - Parameter date: When it ended.
    func noteSuccess(at date: Date) throws {
        try connection.execute(
            """
            UPDATE sm_sync SET last_success = ?, last_error = NULL, retry_after = NULL,
            failure_count = 0
            """, [.real(date.timeIntervalSinceReferenceDate)])
    }

    /// Notes that a pass failed.
    ///
    /// - Parameters:
    ///   - error: What it failed with.
    ///   - count: How many passes in a row have failed now.
    ///   - retry: When it will be repeated; nil if waiting does not help.
    func noteFailure(_ error: any Error, count: Int, retry: Date?) throws {
        try connection.execute(
            "UPDATE sm_sync SET last_error = ?, failure_count = ?, retry_after = ?",
            [
                .text(ErrorText.of(error)), .integer(Int64(count)),
                retry.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null,
            ])
    }

    /// Lets a failed pass be repeated at once.
    func forgetRetry() throws { try set("retry_after", .null) }

    // MARK: - Starting over

    /// Forgets the zone: the next pass creates it, and fetches it from its beginning.
    func resetZone() throws {
        try connection.execute(
            """
            UPDATE sm_sync SET zone_is_created = 0, is_subscribed = 0, zone_token = NULL,
            former_token = NULL, zone_identity = NULL, stampless = NULL
            """)
        try setZoneLoss(nil)
        try database.unfetched.removeAll()
    }

    /// Forgets the server: the next pass sets everything up again.
    func reset() throws {
        try connection.execute(
            """
            UPDATE sm_sync SET user_name = NULL, container = NULL, is_copy = 0, user_is_unknown = 0, database_token = NULL, last_success = NULL,
            last_error = NULL, retry_after = NULL, failure_count = 0
            """)
        try resetZone()
    }

    private static let columnsToTake = """
        user_name, container, is_copy, user_is_unknown, zone_is_created, is_subscribed, zone_token, former_token, database_token, sweep,
        is_sweeping, is_sweep_wanted, last_success, last_error, failure_count, retry_after, zone_identity,
        file, stampless
        """

    /// Takes over the state of another file.
    ///
    /// - Parameter asksAgain: Whether all records are to be fetched again.
    func take(from other: SyncStateTable, asksAgain: Bool) throws {
        let values = try other.connection.firstRow("SELECT \(Self.columnsToTake) FROM sm_sync") {
            row in (0..<19).map { row.value(at: $0) }
        }
        guard let values else { return }
        let parameters = values.map { _ in "?" }.joined(separator: ", ")
        try connection.execute(
            "UPDATE sm_sync SET (\(Self.columnsToTake)) = (\(parameters))", values)
        try setZoneLoss(other.zoneLoss())
        try database.unfetched.take(from: other.database.unfetched)
        try database.tombstones.take(from: other.database.tombstones)
        if asksAgain { try askAgain() }
    }

    // MARK: - Lease

    /// Who may sync the file, and until when.
    struct Lease: Equatable {
        let owner: String
        let process: Int32
        let expiry: Date
    }

    /// The lease; nil if nobody holds one.
    func lease() throws -> Lease? {
        try connection.firstRow(
            "SELECT lease_owner, lease_process, lease_expiry FROM sm_sync"
                + " WHERE lease_owner IS NOT NULL"
        ) { row in
            // A number that is not a process ID means that nobody holds the lease.
            Int32(exactly: row.integer(at: 1)).flatMap { $0 > 0 ? $0 : nil }.map {
                Lease(
                    owner: row.text(at: 0), process: $0,
                    expiry: Date(timeIntervalSinceReferenceDate: row.real(at: 2)))
            }
        } ?? nil
    }

    func setLease(_ lease: Lease?) throws {
        try connection.execute(
            "UPDATE sm_sync SET lease_owner = ?, lease_process = ?, lease_expiry = ?",
            [
                SQLiteValue(lease?.owner), SQLiteValue(lease.map { Int64($0.process) }),
                lease.map { .real($0.expiry.timeIntervalSinceReferenceDate) } ?? .null,
            ])
    }
}
