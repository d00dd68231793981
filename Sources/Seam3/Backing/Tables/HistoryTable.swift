import CoreData

/// The tables `sm_history` and `sm_history_change`: who wrote each transaction and which objects it
/// changed, as long as the store is added with `NSPersistentHistoryTrackingKey`.
///
/// Triggers of the connection record all changes as they are made. The end of the transaction
/// creates an entry for them. No number is used again.
struct HistoryTable {
    static let name = "sm_history"
    static let changes = "sm_history_change"

    static let statements = [
        """
        CREATE TABLE sm_history (number INTEGER PRIMARY KEY AUTOINCREMENT, \
        last_change INTEGER NOT NULL, time REAL NOT NULL, author TEXT, context TEXT, \
        process TEXT NOT NULL, bundle TEXT NOT NULL, writer TEXT NOT NULL)
        """,
        """
        CREATE TABLE sm_history_change (number INTEGER PRIMARY KEY AUTOINCREMENT, \
        kind INTEGER NOT NULL, pk INTEGER NOT NULL, entity INTEGER, properties TEXT, \
        tombstone TEXT)
        """,
    ]

    /// What a transaction did to an object.
    enum Kind: Int64 {
        case insertion = 0
        case update = 1
        case deletion = 2
        /// A relationship of another object now leads to it, or no longer does.
        case relation = 3
    }

    /// One row of `sm_history_change`.
    struct Change {
        var number: Int64
        var kind: Kind
        let pk: Int64
        /// Nil if only the number was known.
        var entity: Int64?
        /// The names of the changed properties.
        var properties: Set<String> = []
        /// The values that outlive a deletion, as ``HistoryTriggers`` writes them.
        var tombstone: String?
    }

    /// One row of `sm_history`, with its changes.
    struct Transaction {
        let number: Int64
        let time: Date
        let author: String?
        let context: String?
        let process: String
        let bundle: String
        /// Identifies the store, and the connections of that store, that wrote it.
        let writer: String
        var changes: [Change] = []
    }

    let database: StoreDatabase
    private var connection: SQLiteConnection { database.connection }

    init(database: StoreDatabase) {
        self.database = database
    }

    // MARK: - Writing

    /// Creates an entry for the changes that the triggers have recorded since the last one.
    func close(by writer: HistoryWriter) throws {
        let first = try lastClosedChange()
        guard let last = try lastChange(), last > first else { return }
        try noteEntities(after: first)
        try connection.execute(
            """
            INSERT INTO sm_history (last_change, time, author, context, process, bundle, writer)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(last), .real(Date().timeIntervalSinceReferenceDate),
                SQLiteValue(writer.author), SQLiteValue(writer.context), .text(writer.process),
                .text(writer.bundle), .text(writer.identifier),
            ])
    }

    /// Adds the entities of objects of which a trigger knew only the number: the objects may be
    /// gone when the history is read.
    private func noteEntities(after first: Int64) throws {
        let keys = try connection.rows(
            "SELECT DISTINCT pk FROM sm_history_change WHERE number > ? AND entity IS NULL",
            [.integer(first)]
        ) { $0.integer(at: 0) }
        for key in keys {
            guard let entity = try database.objects.entry(key)?.entity else { continue }
            try connection.execute(
                """
                UPDATE sm_history_change SET entity = ?
                WHERE number > ? AND pk = ? AND entity IS NULL
                """, [.integer(entity), .integer(first), .integer(key)])
        }
    }

    private func lastChange() throws -> Int64? {
        try connection.firstRow(
            "SELECT number FROM sm_history_change ORDER BY number DESC LIMIT 1"
        ) { $0.integer(at: 0) }
    }

    private func lastClosedChange() throws -> Int64 {
        try connection.firstRow("SELECT last_change FROM sm_history ORDER BY number DESC LIMIT 1") {
            $0.integer(at: 0)
        } ?? 0
    }

    /// Deletes the transactions before one.
    ///
    /// - Returns: How many changes they had.
    func forget(before number: Int64) throws -> Int {
        try connection.execute(
            """
            DELETE FROM sm_history_change WHERE number <= coalesce(
            (SELECT max(last_change) FROM sm_history WHERE number < ?), 0)
            """, [.integer(number)])
        let count = Int(connection.changeCount)
        try connection.execute("DELETE FROM sm_history WHERE number < ?", [.integer(number)])
        return count
    }

    // MARK: - Reading

    /// The number of the last transaction, deleted or not; 0 if there was none.
    func lastNumber() throws -> Int64 {
        try connection.firstRow("SELECT seq FROM sqlite_sequence WHERE name = 'sm_history'") {
            $0.integer(at: 0)
        } ?? 0
    }

    /// The number up to which transactions have been deleted.
    func forgottenNumber() throws -> Int64 {
        let first = try connection.firstRow("SELECT number FROM sm_history ORDER BY number LIMIT 1")
        {
            $0.integer(at: 0)
        }
        return try first.map { max($0, 1) - 1 } ?? lastNumber()
    }

    /// The number of the last transaction before a time; 0 if there is none.
    func lastNumber(before date: Date) throws -> Int64 {
        try connection.firstRow(
            "SELECT max(number) FROM sm_history WHERE time <= ?",
            [.real(date.timeIntervalSinceReferenceDate)]
        ) { $0.isNull(at: 0) ? 0 : $0.integer(at: 0) } ?? 0
    }

    /// The transactions after one, each with one change for each object.
    func transactions(after number: Int64) throws -> [Transaction] {
        var lastChanges: [Int64] = []
        var transactions = try connection.rows(
            """
            SELECT number, last_change, time, author, context, process, bundle, writer
            FROM sm_history WHERE number > ? ORDER BY number
            """, [.integer(number)]
        ) { row -> Transaction in
            lastChanges.append(row.integer(at: 1))
            return Transaction(
                number: row.integer(at: 0),
                time: Date(timeIntervalSinceReferenceDate: row.real(at: 2)),
                author: row.isNull(at: 3) ? nil : row.text(at: 3),
                context: row.isNull(at: 4) ? nil : row.text(at: 4), process: row.text(at: 5),
                bundle: row.text(at: 6), writer: row.text(at: 7))
        }
        var first = try lastChange(ofTransaction: number)
        for (place, last) in lastChanges.enumerated() {
            transactions[place].changes = try changes(after: first, to: last)
            first = last
        }
        return transactions
    }

    private func lastChange(ofTransaction number: Int64) throws -> Int64 {
        try connection.firstRow(
            "SELECT max(last_change) FROM sm_history WHERE number <= ?", [.integer(number)]
        ) { $0.isNull(at: 0) ? 0 : $0.integer(at: 0) } ?? 0
    }

    /// All changes of each object combined into one; an object that was inserted and then deleted
    /// has no change.
    private func changes(after first: Int64, to last: Int64) throws -> [Change] {
        let noted = try connection.rows(
            """
            SELECT number, kind, pk, entity, properties, tombstone FROM sm_history_change
            WHERE number > ? AND number <= ? ORDER BY number
            """, [.integer(first), .integer(last)]
        ) { row in
            Change(
                number: row.integer(at: 0), kind: Kind(rawValue: row.integer(at: 1)) ?? .update,
                pk: row.integer(at: 2), entity: row.isNull(at: 3) ? nil : row.integer(at: 3),
                properties: Set(
                    row.isNull(at: 4) ? [] : row.text(at: 4).split(separator: " ").map(String.init)),
                tombstone: row.isNull(at: 5) ? nil : row.text(at: 5))
        }
        var places: [Int64: Int] = [:]
        var changes: [Change?] = []
        for change in noted {
            guard let place = places[change.pk], let known = changes[place] else {
                places[change.pk] = changes.count
                changes.append(change)
                continue
            }
            changes[place] = Self.joined(known, change)
        }
        return changes.compactMap { $0 }
    }

    private static func joined(_ first: Change, _ second: Change) -> Change? {
        var joined = second
        joined.entity = second.entity ?? first.entity
        switch (first.kind, second.kind) {
        case (.insertion, .deletion): return nil
        case (.insertion, _): joined.kind = .insertion
        case (.deletion, .insertion): joined.kind = .update
        case (.deletion, _):
            joined.kind = .deletion
            joined.tombstone = first.tombstone
        // A link may arrive before the objects that it connects.
        case (_, .deletion), (_, .insertion): break
        case (.update, _), (_, .update): joined.kind = .update
        default: break
        }
        joined.properties = first.properties.union(second.properties)
        return joined
    }
}

/// The writer of a connection's transactions.
struct HistoryWriter {
    /// The same for all connections of one store, and different for other stores.
    let identifier: String
    var author: String?
    var context: String?
    let process = ProcessInfo.processInfo.processName
    let bundle = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName

    init(identifier: String, author: String? = nil) {
        self.identifier = identifier
        self.author = author
    }

    /// Takes over the author and the name of a context.
    mutating func note(_ context: NSManagedObjectContext?) {
        author = context?.transactionAuthor
        self.context = context?.name
    }
}
