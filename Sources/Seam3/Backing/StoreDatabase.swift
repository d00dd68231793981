import CoreData

/// One connection to a store file, with the schema of its tables.
///
/// The store and the sync engine have one each. Like its connection it is confined: one thread at
/// a time. Each table has an owner with its statements; every write goes through ``write(_:)``.
final class StoreDatabase {
    let connection: SQLiteConnection
    let schema: StoreSchema
    /// The objects' values.
    let rows: ObjectRows
    /// Where large binary data lies; nil for a connection that only reads or migrates.
    private(set) var externalFiles: ExternalFiles?
    /// What is computed at the end of each transaction that writes rows.
    private var computedValues: (any ComputedValues)?
    /// Who the history says has written what this connection writes; nil if it keeps none.
    var historyWriter: HistoryWriter?
    /// How many calls of ``write(_:)`` are under way.
    private var writeDepth = 0
    private var takenRevision: Int64?
    /// What keeps the process from being suspended during a transaction that writes.
    var activity = WriteActivity.system
    /// Whether the file may have free pages to give back: so it is at first, as nobody knows.
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

    /// Makes the connection note what is written from now on: the rows whose derived attributes may
    /// have changed, and the external files that are given up.
    func observe(computing values: some ComputedValues) throws {
        try values.observe(connection)
        try externalFiles?.observe(connection, schema)
        computedValues = values
    }

    /// Makes the connection note in the file's history what it writes from now on.
    ///
    /// - Parameters:
    ///   - triggers: What notes it: statements that make temporary triggers.
    ///   - writer: Who the history says has written it.
    func recordHistory(_ triggers: [String], by writer: HistoryWriter) throws {
        for statement in triggers { try connection.execute(statement) }
        historyWriter = writer
    }

    /// Gives the connection the folder of external data.
    func use(_ folder: ExternalDataFolder) {
        externalFiles = ExternalFiles(folder)
    }

    /// Runs a transaction that writes, or a part of the one under way, and ends it: derived attributes
    /// are computed before it commits; afterward external files to which nothing refers are removed,
    /// whether it was committed or not.
    ///
    /// - Parameter body: Writes, and notes the objects that it changes.
    /// - Returns: What the closure returns, and all that changed, derived attributes included.
    @discardableResult
    func write<T>(
        _ body: (inout StoreChanges) throws -> T
    ) throws -> (value: T, changes: StoreChanges) {
        var changes = StoreChanges()
        guard writeDepth == 0 else {
            return (try writePart { try body(&changes) }, changes)
        }
        writeDepth += 1
        defer {
            writeDepth -= 1
            takenRevision = nil
            externalFiles?.settle(in: self)
        }
        let value = try connection.writing(during: activity) { () -> T in
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
            return value
        }
        return (value, changes)
    }

    /// Runs a transaction that writes what no context sees; see ``write(_:)``.
    @discardableResult
    func write<T>(_ body: () throws -> T) throws -> T {
        try write { (_: inout StoreChanges) in try body() }.value
    }

    private func writePart<T>(_ body: () throws -> T) throws -> T {
        let known = takenRevision
        do {
            return try connection.transaction { try body() }
        } catch {
            // What was taken inside is taken back, and will be given again.
            takenRevision = known
            throw error
        }
    }

    /// The revision that the changes of the outbox in this transaction share, taken when it is first
    /// asked for.
    func revision() throws -> Int64 {
        if let takenRevision { return takenRevision }
        let revision = try sequence.takeRevision()
        if writeDepth > 0 { takenRevision = revision }
        return revision
    }
}

extension SQLiteConnection {
    /// Runs a transaction during which the process is not suspended. If the time for that is over, the
    /// statement that runs fails with `interrupted`, and the transaction with it.
    fileprivate func writing<T>(
        during activity: WriteActivity?, _ body: () throws -> T
    ) throws -> T {
        guard let activity else { return try transaction(.immediate, body) }
        nonisolated(unsafe) let connection = self
        return try activity.run(expire: { connection.interrupt() }) {
            try transaction(.immediate, body)
        }
    }
}

/// Values that rows have by other rows, computed at the end of each transaction.
protocol ComputedValues {
    /// Makes a connection note the rows whose values may have to be computed.
    func observe(_ connection: SQLiteConnection) throws

    /// Computes the values of the rows noted so far.
    ///
    /// - Returns: The objects whose values changed.
    func refresh(_ connection: SQLiteConnection) throws -> [Int64]
}
