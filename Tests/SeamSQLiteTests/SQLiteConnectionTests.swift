import Foundation
import SeamSQLite
import Testing

@Suite struct SQLiteConnectionTests {
    let connection: SQLiteConnection

    init() throws {
        connection = try SQLiteConnection(path: SQLiteConnection.inMemoryPath)
        try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v)")
    }

    static let values: [SQLiteValue] = [
        .null, .integer(.min), .integer(.max), .integer(0), .real(1.5), .real(-.infinity),
        .text(""), .text("ünïcode 👩‍👩‍👧"), .text("a\0b"), .blob(Data()), .blob(Data([0, 255, 7])),
    ]

    @Test("A bound value comes back unchanged", arguments: values)
    func valueRoundTrips(value: SQLiteValue) throws {
        try connection.execute("INSERT INTO t (v) VALUES (?)", [value])
        #expect(try connection.firstRow("SELECT v FROM t") { $0.value(at: 0) } == value)
    }

    @Test("A NaN is stored as NULL")
    func notANumberIsNull() throws {
        try connection.execute("INSERT INTO t (v) VALUES (?)", [.real(.nan)])
        #expect(try connection.firstRow("SELECT v FROM t") { $0.isNull(at: 0) } == true)
    }

    @Test("An error carries SQLite's code, message and the statement, not the values")
    func errorTellsWhatFailed() throws {
        try connection.execute("INSERT INTO t (k) VALUES (?)", [7])
        let error = #expect(throws: SQLiteError.self) {
            try connection.execute("INSERT INTO t (k, v) VALUES (?, ?)", [7, "secret"])
        }
        #expect(error?.code == .constraint)
        #expect(error?.extendedCode == 1555)
        #expect(error?.statement == "INSERT INTO t (k, v) VALUES (?, ?)")
        #expect(error?.description.contains("UNIQUE constraint failed: t.k") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("Too few values are refused")
    func parameterCountIsChecked() {
        let error = #expect(throws: SQLiteError.self) {
            try connection.execute("INSERT INTO t (k, v) VALUES (?, ?)", [1])
        }
        #expect(error?.code == .range)
    }

    @Test("A statement used twice at the same time works both times")
    func statementIsReentrant() throws {
        for key in 1...3 {
            try connection.execute("INSERT INTO t (k) VALUES (?)", [.integer(Int64(key))])
        }
        let pairs = try connection.rows("SELECT k FROM t ORDER BY k") { outer in
            (
                outer.integer(at: 0),
                try connection.rows("SELECT k FROM t ORDER BY k") { $0.integer(at: 0) }
            )
        }
        #expect(pairs.map(\.0) == [1, 2, 3])
        #expect(pairs.allSatisfy { $0.1 == [1, 2, 3] })
    }

    @Test("More statements than the cache holds still run")
    func cacheEvicts() throws {
        let small = try SQLiteConnection(
            path: SQLiteConnection.inMemoryPath,
            options: SQLiteConnection.Options(statementCacheLimit: 4))
        for number in 0..<50 {
            #expect(
                try small.firstRow("SELECT \(number)") { $0.integer(at: 0) } == Int64(number))
        }
        #expect(try small.firstRow("SELECT 1") { $0.integer(at: 0) } == 1)
    }

    @Test("A transaction that throws leaves no change behind")
    func transactionRollsBack() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t (k) VALUES (1)")
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.firstRow("SELECT count(*) FROM t") { $0.integer(at: 0) } == 0)
    }

    @Test("An inner transaction that throws undoes only its own changes")
    func savepointRollsBack() throws {
        struct Stop: Error {}
        try connection.transaction {
            try connection.execute("INSERT INTO t (k) VALUES (1)")
            #expect(throws: Stop.self) {
                try connection.transaction {
                    try connection.execute("INSERT INTO t (k) VALUES (2)")
                    throw Stop()
                }
            }
            try connection.transaction { try connection.execute("INSERT INTO t (k) VALUES (3)") }
        }
        #expect(try connection.rows("SELECT k FROM t") { $0.integer(at: 0) } == [1, 3])
    }

    @Test("A custom function computes in SQL, and its error is thrown")
    func functionIsCalled() throws {
        struct Refused: Error, Equatable {}
        try connection.createFunction("twice", argumentCount: 1) { arguments in
            guard let number = arguments.first?.integer else { throw Refused() }
            return .integer(number * 2)
        }
        #expect(try connection.firstRow("SELECT twice(21)") { $0.integer(at: 0) } == 42)
        #expect(throws: Refused()) { try connection.execute("SELECT twice('x')") }
    }

    @Test("A collation orders rows")
    func collationOrders() throws {
        try connection.createCollation("backwards") { left, right in
            right.compare(left)
        }
        for text in ["a", "c", "b"] {
            try connection.execute("INSERT INTO t (v) VALUES (?)", [.text(text)])
        }
        let ordered = try connection.rows("SELECT v FROM t ORDER BY v COLLATE backwards") {
            $0.text(at: 0)
        }
        #expect(ordered == ["c", "b", "a"])
    }

    @Test(
        "A quoted identifier may contain anything", arguments: ["order", "a\"b", "x; DROP TABLE t"])
    func identifiersAreQuoted(name: String) throws {
        try connection.execute("CREATE TABLE \(name.sqlIdentifier) (\(name.sqlIdentifier) INTEGER)")
        try connection.execute("INSERT INTO \(name.sqlIdentifier) VALUES (5)")
        let value = try connection.firstRow(
            "SELECT \(name.sqlIdentifier) FROM \(name.sqlIdentifier)"
        ) {
            $0.integer(at: 0)
        }
        #expect(value == 5)
    }
}
