import CoreData

/// The table `sm_sequence`: the next number of an object, the next revision of the outbox, and the number of the last
/// transaction. No number is used again.
struct SequenceTable {
    static let name = "sm_sequence"

    static let statements = [
        "CREATE TABLE sm_sequence (next_pk INTEGER NOT NULL, next_revision INTEGER NOT NULL)",
        "INSERT INTO sm_sequence VALUES (1, 1)",
        addition,
    ]

    /// Adds what a file of an earlier layout lacks.
    static let addition =
        "ALTER TABLE sm_sequence ADD COLUMN last_transaction INTEGER NOT NULL DEFAULT 0"

    /// The numbers that are assigned. With those of a file from elsewhere, too, no sum of two overflows.
    static let numbers: ClosedRange<Int64> = 1...1 << 60

    let database: StoreDatabase
    private var connection: SQLiteConnection { database.connection }

    /// Takes numbers that no object has had.
    ///
    /// - Parameter count: How many.
    /// - Returns: The first; the others follow it.
    func takeKeys(_ count: Int) throws -> Int64 {
        try connection.transaction {
            try connection.execute(
                "UPDATE sm_sequence SET next_pk = next_pk + ?", [.integer(Int64(count))])
            return try next("next_pk") - Int64(count)
        }
    }

    /// Takes the next revision of the outbox; see ``StoreDatabase/revision()``.
    func takeRevision() throws -> Int64 {
        try connection.execute("UPDATE sm_sequence SET next_revision = next_revision + 1")
        return try next("next_revision")
    }

    /// Gives the present transaction a number.
    func numberTransaction() throws -> Int64 {
        try connection.execute("UPDATE sm_sequence SET last_transaction = last_transaction + 1")
        return try lastTransaction()
    }

    /// The number of the last transaction, of whichever process, that has changed something.
    func lastTransaction() throws -> Int64 {
        try connection.firstRow("SELECT last_transaction FROM sm_sequence") { $0.integer(at: 0) }
            ?? 0
    }

    private func next(_ column: String) throws -> Int64 {
        let next =
            try connection.firstRow("SELECT \(column) FROM sm_sequence") { $0.integer(at: 0) } ?? 1
        guard Self.numbers.contains(next) else {
            throw SQLiteError(
                extendedCode: SQLiteError.Code.corrupt.rawValue,
                message: "\(Self.name).\(column) is \(next)")
        }
        return next
    }
}
