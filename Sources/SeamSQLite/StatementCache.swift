/// The idle prepared statements of one connection, by their text.
///
/// A statement is removed while it is in use. The few that were used last are found without hashing
/// their texts, which are long. If there are too many, those that have been unused the longest are
/// dropped.
struct StatementCache {
    private var recent: [SQLiteStatement?] = Array(repeating: nil, count: 8)
    private var nextPlace = 0
    private var idle: [String: (statement: SQLiteStatement, lastUse: UInt64)] = [:]
    private var uses: UInt64 = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func take(_ sql: String) -> SQLiteStatement? {
        for place in recent.indices where recent[place]?.sql == sql {
            let statement = recent[place]
            recent[place] = nil
            return statement
        }
        return idle.removeValue(forKey: sql)?.statement
    }

    mutating func put(_ statement: SQLiteStatement) {
        let place = recent.firstIndex { $0 == nil } ?? nextPlace
        if let old = recent[place] {
            nextPlace = (nextPlace + 1) % recent.count
            store(old)
        }
        recent[place] = statement
    }

    private mutating func store(_ statement: SQLiteStatement) {
        uses += 1
        if let twin = idle.updateValue((statement, uses), forKey: statement.sql) {
            twin.statement.finalize()
        }
        if idle.count > limit { evict() }
    }

    /// Drops the older half at once, so that eviction costs little per statement.
    private mutating func evict() {
        let oldest = idle.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(idle.count / 2)
        for (sql, entry) in oldest {
            entry.statement.finalize()
            idle[sql] = nil
        }
    }

    mutating func finalizeAll() {
        for statement in recent { statement?.finalize() }
        for entry in idle.values {
            entry.statement.finalize()
        }
        recent = Array(repeating: nil, count: recent.count)
        idle.removeAll()
    }
}
