import CloudKitService
import Foundation
import SeamSQLite

/// One request in its transaction: the caller, the database, and the next sequence number.
///
/// It is used on its connection's queue. Extensions in other files carry out the requests.
final class RequestSession {
    /// The row of the caller's database.
    struct Database {
        var id: Int64
        var incarnation: Int64
        var sequence: Int64
        var tokenEpoch: Int64
        var bytes: Int64
    }

    /// Thrown by a reading request if the database or an index must be created first. The request
    /// is then repeated as a writing one.
    struct WriteNeeded: Error {}

    let connection: SQLiteConnection
    let caller: Caller
    let options: LocalCloudOptions
    /// Whether the transaction may write.
    let isWriting: Bool
    /// The items that must fail, with their errors, by name.
    let itemFaults: [String: ErrorDictionary]
    /// The other effects of faults on the request.
    let effects: [Fault.Effect]
    /// The records that get a new tag when a save refers to them.
    let touched: Set<Fault.Relative>
    /// The current time in milliseconds since 1970.
    let now: Int64
    private(set) var database: Database
    private var isDatabaseChanged = false
    /// Whether pushes were queued, so that listeners must be notified after the commit.
    var hasPushes = false

    var scope: RequestContext.DatabaseScope { caller.context.database }
    var device: String { caller.context.device }

    init(
        connection: SQLiteConnection,
        caller: Caller,
        options: LocalCloudOptions,
        effects: [Fault.Effect] = [],
        isWriting: Bool
    ) throws {
        self.connection = connection
        self.caller = caller
        self.options = options
        self.effects = effects
        itemFaults = effects.itemFaults
        touched = effects.touched
            .union(options.childSaveTouchesParent ? [.parents] : [])
            .union(options.referenceSaveTouchesTarget ? [.targets] : [])
        self.isWriting = isWriting
        now = Int64((options.clock().timeIntervalSince1970 * 1000).rounded(.down))
        database = try Self.database(of: caller, connection: connection, isWriting: isWriting)
    }

    /// Returns the next number of the database's sequence.
    func nextSequence() -> Int64 {
        isDatabaseChanged = true
        database.sequence += 1
        return database.sequence
    }

    /// Counts bytes that were stored or, if negative, released.
    func addBytes(_ count: Int64) {
        guard count != 0 else { return }
        isDatabaseChanged = true
        database.bytes += count
    }

    /// Expires all sync tokens of the database.
    func expireDatabaseTokens() {
        isDatabaseChanged = true
        database.tokenEpoch += 1
    }

    /// Restores the counters when a savepoint is rolled back.
    func restore(_ database: Database) { self.database = database }

    /// Writes the counters, as the last step of a transaction.
    func finish() throws {
        guard isDatabaseChanged else { return }
        try connection.execute(
            "UPDATE cloud_database SET sequence = ?, token_epoch = ?, bytes = ? WHERE id = ?",
            [
                .integer(database.sequence), .integer(database.tokenEpoch),
                .integer(database.bytes), .integer(database.id),
            ])
    }

    private static func database(
        of caller: Caller, connection: SQLiteConnection, isWriting: Bool
    ) throws -> Database {
        let scope = caller.context.database
        let owner = scope == .public ? "" : caller.user ?? ""
        let key: [SQLiteValue] = [.text(scope.rawValue), .text(owner)]
        if let database = try connection.firstRow(
            """
            SELECT id, incarnation, sequence, token_epoch, bytes FROM cloud_database
            WHERE scope = ? AND owner = ?
            """, key,
            {
                Database(
                    id: $0.integer(at: 0), incarnation: $0.integer(at: 1),
                    sequence: $0.counter(at: 2), tokenEpoch: $0.counter(at: 3),
                    bytes: $0.counter(at: 4))
            })
        {
            return database
        }
        guard isWriting else { throw WriteNeeded() }
        let incarnation = Int64.random(in: 1...Int64.max)
        try connection.execute(
            """
            INSERT INTO cloud_database (scope, owner, incarnation, sequence, token_epoch, bytes)
            VALUES (?, ?, ?, 0, 0, 0)
            """, key + [.integer(incarnation)])
        let database = Database(
            id: connection.lastInsertRowID, incarnation: incarnation, sequence: 0, tokenEpoch: 0,
            bytes: 0)
        if scope != .shared {
            try insertDefaultZone(database: database, connection: connection)
        }
        return database
    }

    private static func insertDefaultZone(
        database: Database, connection: SQLiteConnection
    ) throws {
        try connection.execute(
            """
            INSERT INTO zone
                (database_id, name, incarnation, sequence, token_epoch, tombstone_horizon)
            VALUES (?, ?, ?, 0, 0, 0)
            """,
            [
                .integer(database.id), .text(ZoneIDDictionary.defaultZoneName),
                .integer(database.incarnation),
            ])
    }
}
