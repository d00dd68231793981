/// The idle prepared statements of one connection, by their text.
///
/// A statement is taken out while it is in use. When there are too many, those unused for the
/// longest time go.
struct StatementCache {
    private var idle: [String: (statement: SQLiteStatement, lastUse: UInt64)] = [:]
    private var uses: UInt64 = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func take(_ sql: String) -> SQLiteStatement? {
        idle.removeValue(forKey: sql)?.statement
    }

    mutating func put(_ statement: SQLiteStatement) {
        uses += 1
        if let twin = idle.updateValue((statement, uses), forKey: statement.sql) {
            twin.statement.finalize()
        }
        if idle.count > limit { evict() }
    }

    /// Drops the older half, so that eviction costs little for each statement.
    private mutating func evict() {
        let oldest = idle.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(idle.count / 2)
        for (sql, entry) in oldest {
            entry.statement.finalize()
            idle[sql] = nil
        }
    }

    mutating func finalizeAll() {
        for entry in idle.values {
            entry.statement.finalize()
        }
        idle.removeAll()
    }
}
