import CoreData

/// One connection to a store file, with the schema of its tables.
///
/// The store and the sync engine have one each. Like an SQLite connection, it is confined to one
/// thread at a time. Each table has an owner, which has its statements. All writes go through
/// ``write(_:)``.
final class StoreDatabase {
    let connection: SQLiteConnection
    let schema: StoreSchema
    /// The objects' values.
    let rows: ObjectRows
    /// The folder of large binary data; nil for a connection that only reads or migrates.
    private(set) var externalFiles: ExternalFiles?
    /// The values that are computed at the end of each transaction that writes rows.
    private var computedValues: (any ComputedValues)?
    /// The writer of this connection's transactions in the history; nil if there is no history.
    var historyWriter: HistoryWriter?
    /// Learns of each transaction before its commit; nil if nobody has cached rows.
    private var announcements: TransactionAnnouncements?
    private var announcesRows = false
    /// Whether a call of ``write(_:)`` is running.
    var isWriting: Bool { writeDepth > 0 }
    /// The nesting depth of the current calls of ``write(_:)``.
    private var writeDepth = 0
    private var takenRevision: Int64?
    /// Whether the file has no tombstones, as the present transaction has found; nil if it has not looked.
    var hasNoTombstones: Bool?
    /// Keeps the process from being suspended while it locks the file; nil if it may be suspended.
    var activity: WriteActivity?
    /// Whether the file may have free pages to release. Initially true, because it is unknown.
    private var mayHaveFreePages = true

    init(connection: SQLiteConnection, schema: StoreSchema) {
        self.connection = connection
        self.schema = schema
        rows = ObjectRows(connection: connection, schema: schema)
    }

    // MARK: - Tables

    var metadata: MetadataTable { MetadataTable(database: self) }
    var entities: EntityTable { EntityTable(database: self) }
    var sequence: SequenceTable { SequenceTable(database: self) }
    var objects: ObjectTable { ObjectTable(database: self) }
    var outbox: OutboxTable { OutboxTable(database: self) }
    var links: LinkTable { LinkTable(database: self) }
    var references: References { References(database: self) }
    var unfetched: UnfetchedRecordTable { UnfetchedRecordTable(database: self) }
    var tombstones: TombstoneTable { TombstoneTable(database: self) }
    var syncState: SyncStateTable { SyncStateTable(database: self) }
    var history: HistoryTable { HistoryTable(database: self) }

    // MARK: - Writing

    /// Makes the connection track its writes from now on: the rows whose derived attributes may
    /// have changed, and the external files that are no longer used.
    func observe(computing values: some ComputedValues) throws {
        try values.observe(connection)
        try externalFiles?.observe(connection)
        computedValues = values
    }

    /// Makes the connection record its writes in the file's history from now on.
    ///
    /// - Parameters:
    ///   - triggers: The statements that create the temporary triggers for this.
    ///   - writer: The writer of the transactions.
    func recordHistory(_ triggers: [String], by writer: HistoryWriter) throws {
        for statement in triggers { try connection.execute(statement) }
        historyWriter = writer
    }

    /// Makes the connection announce its transactions from now on.
    ///
    /// - Parameters:
    ///   - announcements: Where.
    ///   - namesRows: Whether it tells the rows that they change. The connection that reads the cached rows knows them.
    func announce(in announcements: TransactionAnnouncements, namingRows namesRows: Bool) {
        self.announcements = announcements
        announcesRows = namesRows
        guard namesRows else { return }
        let tables = Set(schema.tables.map(\.name))
        connection.noteChangedRows { tables.contains(String(cString: $0)) }
    }

    /// Gives the connection the folder of external data.
    func use(_ folder: ExternalDataFolder) throws {
        externalFiles = ExternalFiles(folder, schema)
        try QueryFunctions.registerData(in: folder, on: connection)
    }

    /// Runs a write transaction, or a part of the current one. Before the commit, derived
    /// attributes are computed. After the commit or the rollback, external files without references
    /// are removed.
    ///
    /// - Parameter body: Writes, and notes the objects that it changes.
    /// - Returns: The closure's result, and all changes, derived attributes included.
    @discardableResult
    func write<T>(
        _ body: (inout StoreChanges) throws -> T
    ) throws -> (value: T, changes: StoreChanges) {
        var changes = StoreChanges()
        guard writeDepth == 0 else {
            return (try writePart { try body(&changes) }, changes)
        }
        writeDepth += 1
        hasNoTombstones = nil
        defer {
            writeDepth -= 1
            takenRevision = nil
            hasNoTombstones = nil
            externalFiles?.settle(in: self)
        }
        var isAnnounced = false
        defer { if isAnnounced { announcements?.withdraw() } }
        let value = try withoutSuspension {
            try connection.transaction(.immediate) { () -> T in
                let before = connection.totalChangeCount
                let value = try body(&changes)
                if let computedValues {
                    changes.updated.formUnion(try computedValues.refresh(connection))
                    try externalFiles?.noteReplaced(in: connection)
                }
                try externalFiles?.check()
                if let historyWriter { try history.close(by: historyWriter) }
                mayHaveFreePages = try giveBackPages(
                    afterChanges: connection.totalChangeCount - before, mayHaveFreePages)
                if connection.totalChangeCount > before {
                    let number = try sequence.numberTransaction()
                    announcements?.announce(
                        number,
                        changing: announcesRows
                            ? connection.takeChangedRows().union(changes.keys) : [])
                    isAnnounced = true
                }
                return value
            }
        }
        isAnnounced = false
        return (value, changes)
    }

    /// Runs a closure that locks the file. The process is not suspended meanwhile. If the system's time limit for that
    /// expires, the current statement fails with `interrupted`, and so does the transaction.
    func withoutSuspension<T>(_ body: () throws -> T) rethrows -> T {
        guard let activity else { return try body() }
        nonisolated(unsafe) let connection = connection
        return try activity.run(interrupt: { connection.interrupt() }, body)
    }

    /// Runs a transaction whose changes no context sees; see ``write(_:)``.
    @discardableResult
    func write<T>(_ body: () throws -> T) throws -> T {
        try write { (_: inout StoreChanges) in try body() }.value
    }

    private func writePart<T>(_ body: () throws -> T) throws -> T {
        let known = takenRevision
        do {
            return try connection.transaction { try body() }
        } catch {
            // A revision that was taken inside is rolled back, and will be issued again.
            takenRevision = known
            hasNoTombstones = nil
            throw error
        }
    }

    /// The revision that this transaction's outbox changes share, taken on first use.
    func revision() throws -> Int64 {
        if let takenRevision { return takenRevision }
        let revision = try sequence.takeRevision()
        if writeDepth > 0 { takenRevision = revision }
        return revision
    }
}

/// Values of rows that are computed from other rows at the end of each transaction.
protocol ComputedValues {
    /// Makes a connection track the rows whose values may have to be computed.
    func observe(_ connection: SQLiteConnection) throws

    /// Computes the values of the rows tracked so far.
    ///
    /// - Returns: The objects whose values changed.
    func refresh(_ connection: SQLiteConnection) throws -> [Int64]
}
