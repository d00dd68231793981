import CSQLite
import Foundation
import Measurement

/// The work done with SQLite's C API and plain Swift structs for the results, which is the lower
/// limit for the time.
final class CSide {
    private var handle: OpaquePointer?
    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    struct Failure: Error { let message: String }

    /// A row with all values.
    struct Book {
        let key: Int64
        let title: String
        let code: String
        let number: Int64
        let pages: Int64
        let shelf: Int64
        let price: Double
        let added: Date
        let isLent: Bool
        let note: String?
        let reader: Int64

        var checksum: Int {
            var sum = title.utf8.count &+ code.utf8.count &+ Int(number) &+ Int(pages)
            sum = sum &+ Int(shelf) &+ Int(price) &+ Int(added.timeIntervalSinceReferenceDate)
            return sum &+ (isLent ? 1 : 0) &+ (note?.utf8.count ?? 0)
        }
    }

    init(_ url: URL) throws {
        guard
            sqlite3_open_v2(
                url.path, &handle,
                SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK
        else { throw Failure(message: "cannot open \(url.path)") }
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = NORMAL")
        try execute(ShelfTables.cacheSize)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    private func prepare(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(handle)))
        }
        return statement
    }

    private static func bind(_ text: String?, _ statement: OpaquePointer?, _ index: Int32) {
        guard var text else {
            sqlite3_bind_null(statement, index)
            return
        }
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                _ = sqlite3_bind_text(
                    statement, index, $0.baseAddress, Int32($0.count), transient)
            }
        }
    }

    private static func text(_ statement: OpaquePointer?, _ index: Int32) -> String? {
        guard let address = sqlite3_column_text(statement, index) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: address, count: count), as: UTF8.self)
    }

    func insert(_ numbers: Range<Int>) throws {
        try execute("BEGIN IMMEDIATE")
        let readers = try prepare(ShelfTables.insertReader)
        let books = try prepare(ShelfTables.insertBook)
        defer {
            sqlite3_finalize(readers)
            sqlite3_finalize(books)
        }
        for number in numbers {
            let values = BookValues(number: number)
            if number % ShelfModel.booksPerReader == 0 {
                sqlite3_bind_int64(readers, 1, Int64(values.reader + 1))
                Self.bind("Reader \(values.reader)", readers, 2)
                sqlite3_bind_int64(readers, 3, Int64(values.reader))
                sqlite3_step(readers)
                sqlite3_reset(readers)
            }
            sqlite3_bind_int64(books, 1, Int64(number + 1))
            Self.bind(values.title, books, 2)
            Self.bind(values.code, books, 3)
            sqlite3_bind_int64(books, 4, Int64(number))
            sqlite3_bind_int64(books, 5, Int64(values.pages))
            sqlite3_bind_int64(books, 6, Int64(values.shelf))
            sqlite3_bind_double(books, 7, values.price)
            sqlite3_bind_double(books, 8, values.added)
            sqlite3_bind_int64(books, 9, values.isLent ? 1 : 0)
            Self.bind(values.note, books, 10)
            sqlite3_bind_int64(books, 11, Int64(values.reader + 1))
            sqlite3_step(books)
            sqlite3_reset(books)
        }
        try execute("COMMIT")
    }

    /// The books that a statement selects with all columns.
    func books(_ sql: String, _ parameter: String? = nil) throws -> [Book] {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        if let parameter { Self.bind(parameter, statement, 1) }
        var books: [Book] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            books.append(
                Book(
                    key: sqlite3_column_int64(statement, 0),
                    title: Self.text(statement, 1) ?? "", code: Self.text(statement, 2) ?? "",
                    number: sqlite3_column_int64(statement, 3),
                    pages: sqlite3_column_int64(statement, 4),
                    shelf: sqlite3_column_int64(statement, 5),
                    price: sqlite3_column_double(statement, 6),
                    added: Date(
                        timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 7)),
                    isLent: sqlite3_column_int64(statement, 8) != 0,
                    note: Self.text(statement, 9), reader: sqlite3_column_int64(statement, 10)))
        }
        return books
    }

    /// The rows of a statement, as integers.
    func integers(_ sql: String, columns: Int32) throws -> [[Int]] {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        var rows: [[Int]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append((0..<columns).map { Int(sqlite3_column_int64(statement, $0)) })
        }
        return rows
    }

    /// Runs a statement for each of some keys, bound to its last parameter, in one transaction.
    func forEach(_ books: [Book], _ sql: String, binds pages: Bool) throws {
        try execute("BEGIN IMMEDIATE")
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        for book in books {
            if pages { sqlite3_bind_int64(statement, 1, book.pages + 1) }
            sqlite3_bind_int64(statement, pages ? 2 : 1, book.key)
            sqlite3_step(statement)
            sqlite3_reset(statement)
        }
        try execute("COMMIT")
    }

    static func filled(_ size: Int) throws -> URL {
        try BenchmarkFiles.shared.filled("plain", size) { url, size in
            let side = try CSide(url)
            for statement in ShelfTables.statements { try side.execute(statement) }
            try side.insert(0..<size)
            try side.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}

/// The measurements of the C API.
extension CSide {
    private static func reading(_ body: @escaping (CSide, Int) throws -> Int) -> Workload {
        Workload("C API") { size in
            let side = try CSide(filled(size))
            return { try body(side, size) }
        }
    }

    private static func writing(_ body: @escaping (CSide) throws -> Void) -> Workload {
        Workload("C API") { size in
            let file = Temporary(try BenchmarkFiles.shared.copy(of: filled(size)))
            let side = try CSide(file.url)
            return .init({ try body(side) }, checksum: { try checksum(file) })
        }
    }

    /// A checksum of a file's contents, which must be the same for all three sides.
    static func checksum(_ file: Temporary) throws -> Int {
        try CSide(file.url).integers(ShelfTables.checksum, columns: 1)[0][0]
    }

    static var insertion: Workload {
        Workload("C API") { size in
            let file = Temporary(BenchmarkFiles.shared.newURL())
            let side = try CSide(file.url)
            for statement in ShelfTables.statements { try side.execute(statement) }
            return .init({ try side.insert(0..<size) }, checksum: { try checksum(file) })
        }
    }

    static var allValues: Workload {
        reading { side, _ in
            try side.books("SELECT \(ShelfTables.allColumns) FROM book")
                .reduce(0) { $0 &+ $1.checksum }
        }
    }

    static var rows: Workload {
        reading { side, _ in
            try side.books("SELECT \(ShelfTables.allColumns) FROM book")
                .reduce(0) { $0 &+ Int($1.number) }
        }
    }

    static var oneByIndex: Workload {
        reading { side, size in
            var sum = 0
            for index in 0..<1000 {
                let number = (index &* 7_919) % size
                let books = try side.books(
                    "SELECT \(ShelfTables.allColumns) FROM book WHERE code = ?",
                    BookValues(number: number).code)
                sum = books.reduce(sum) { $0 &+ $1.checksum }
            }
            return sum
        }
    }

    static var count: Workload {
        reading { side, _ in
            try side.integers("SELECT COUNT(*) FROM book WHERE pages >= 500", columns: 1)[0][0]
        }
    }

    static var identifiers: Workload {
        reading { side, _ in
            try side.integers("SELECT pk FROM book WHERE pages >= 500", columns: 1).count
        }
    }

    static var toMany: Workload {
        reading { side, _ in
            try side.integers(ShelfTables.toMany, columns: 2).reduce(0) { $0 &+ $1[1] }
        }
    }

    static var walk: Workload {
        reading { side, _ in
            let readers = try side.integers("SELECT pk, number FROM reader", columns: 2)
            let books = try side.books("SELECT \(ShelfTables.allColumns) FROM book")
            let byReader = Dictionary(grouping: books, by: \.reader)
            return readers.reduce(0) { sum, reader in
                (byReader[Int64(reader[0])] ?? []).reduce(sum) { $0 &+ Int($1.number) }
            }
        }
    }

    static var update: Workload {
        writing { side in
            let books = try side.books("SELECT \(ShelfTables.allColumns) FROM book")
            try side.forEach(books, "UPDATE book SET pages = ? WHERE pk = ?", binds: true)
        }
    }

    static var smallSaves: Workload {
        Workload("C API") { size in
            let file = Temporary(try BenchmarkFiles.shared.copy(of: filled(size)))
            let side = try CSide(file.url)
            return .init(
                {
                    for code in BookValues.codesToChange(of: size) {
                        let books = try side.books(
                            "SELECT \(ShelfTables.allColumns) FROM book WHERE code = ?", code)
                        try side.forEach(
                            books, "UPDATE book SET pages = ? WHERE pk = ?", binds: true)
                    }
                },
                checksum: { try checksum(file) })
        }
    }

    static var deletion: Workload {
        writing { side in
            let books = try side.books("SELECT \(ShelfTables.allColumns) FROM book")
            try side.forEach(books, "DELETE FROM book WHERE pk = ?", binds: false)
        }
    }

    static var groups: Workload {
        reading { side, _ in
            try side.integers(ShelfTables.groups, columns: 3).reduce(0) { sum, row in
                sum &+ row[1] &* (row[0] + 1) &+ row[2]
            }
        }
    }

    static var dictionaries: Workload {
        reading { side, _ in
            let statement = try side.prepare("SELECT number, title, pages FROM book")
            defer { sqlite3_finalize(statement) }
            var rows: [(number: Int, title: String, pages: Int)] = []
            while sqlite3_step(statement) == SQLITE_ROW {
                rows.append(
                    (
                        Int(sqlite3_column_int64(statement, 0)), Self.text(statement, 1) ?? "",
                        Int(sqlite3_column_int64(statement, 2))
                    ))
            }
            return rows.reduce(0) { $0 &+ $1.number &+ $1.title.utf8.count &+ $1.pages }
        }
    }
}
