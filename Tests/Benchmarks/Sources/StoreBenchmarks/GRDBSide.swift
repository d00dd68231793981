import Foundation
import GRDB
import Measurement

/// The work done with GRDB as its manual recommends, with Codable structs as records.
final class GRDBSide {
    let queue: DatabaseQueue

    struct Book: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "book"

        var pk: Int64
        var title: String
        var code: String
        var number: Int64
        var pages: Int64
        var shelf: Int64
        var price: Double
        var added: Double
        var isLent: Bool
        var note: String?
        var reader: Int64

        init(_ values: BookValues) {
            pk = Int64(values.number + 1)
            title = values.title
            code = values.code
            number = Int64(values.number)
            pages = Int64(values.pages)
            shelf = Int64(values.shelf)
            price = values.price
            added = values.added
            isLent = values.isLent
            note = values.note
            reader = Int64(values.reader + 1)
        }

        // Written by hand, which is several times as fast as the Codable conformance, according to
        // GRDB's manual.
        init(row: Row) {
            pk = row[0]
            title = row[1]
            code = row[2]
            number = row[3]
            pages = row[4]
            shelf = row[5]
            price = row[6]
            added = row[7]
            isLent = row[8]
            note = row[9]
            reader = row[10]
        }

        func encode(to container: inout PersistenceContainer) {
            container["pk"] = pk
            container["title"] = title
            container["code"] = code
            container["number"] = number
            container["pages"] = pages
            container["shelf"] = shelf
            container["price"] = price
            container["added"] = added
            container["isLent"] = isLent
            container["note"] = note
            container["reader"] = reader
        }

        var checksum: Int {
            var sum = title.utf8.count &+ code.utf8.count &+ Int(number) &+ Int(pages)
            sum = sum &+ Int(shelf) &+ Int(price)
            sum &+= Int(Date(timeIntervalSinceReferenceDate: added).timeIntervalSinceReferenceDate)
            return sum &+ (isLent ? 1 : 0) &+ (note?.utf8.count ?? 0)
        }
    }

    struct Reader: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "reader"

        var pk: Int64
        var name: String
        var number: Int64

        init(pk: Int64, name: String, number: Int64) {
            self.pk = pk
            self.name = name
            self.number = number
        }

        init(row: Row) {
            pk = row[0]
            name = row[1]
            number = row[2]
        }
    }

    init(_ url: URL) throws {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.prepareDatabase { try $0.execute(sql: ShelfTables.cacheSize) }
        queue = try DatabaseQueue(path: url.path, configuration: configuration)
    }

    private static func filled(_ size: Int) throws -> URL { try CSide.filled(size) }

    private static func reading(_ body: @escaping @Sendable (Database, Int) throws -> Int)
        -> Workload
    {
        Workload("GRDB") { size in
            let side = try GRDBSide(filled(size))
            return { try await side.queue.read { try body($0, size) } }
        }
    }

    private static func writing(_ body: @escaping @Sendable (Database) throws -> Void)
        -> Workload
    {
        Workload("GRDB") { size in
            let file = Temporary(try BenchmarkFiles.shared.copy(of: filled(size)))
            let side = try GRDBSide(file.url)
            return .init(
                { try await side.queue.write { try body($0) } },
                checksum: { try CSide.checksum(file) })
        }
    }
}

/// The measurements of GRDB.
extension GRDBSide {
    static var insertion: Workload {
        Workload("GRDB") { size in
            let file = Temporary(BenchmarkFiles.shared.newURL())
            let side = try GRDBSide(file.url)
            try await side.queue.write { database in
                for statement in ShelfTables.statements { try database.execute(sql: statement) }
            }
            return .init(
                {
                    try await side.queue.write { database in
                        for number in 0..<size { try insert(number, into: database) }
                    }
                }, checksum: { try CSide.checksum(file) })
        }
    }

    private static func insert(_ number: Int, into database: Database) throws {
        let values = BookValues(number: number)
        if number % ShelfModel.booksPerReader == 0 {
            try Reader(
                pk: Int64(values.reader + 1), name: "Reader \(values.reader)",
                number: Int64(values.reader)
            ).insert(database)
        }
        try Book(values).insert(database)
    }

    static var allValues: Workload {
        reading { database, _ in
            try Book.fetchAll(database).reduce(0) { $0 &+ $1.checksum }
        }
    }

    static var rows: Workload {
        reading { database, _ in
            try Book.fetchAll(database).reduce(0) { $0 &+ Int($1.number) }
        }
    }

    static var oneByIndex: Workload {
        reading { database, size in
            var sum = 0
            for index in 0..<1000 {
                let code = BookValues(number: (index &* 7_919) % size).code
                let books = try Book.filter(Column("code") == code).fetchAll(database)
                sum = books.reduce(sum) { $0 &+ $1.checksum }
            }
            return sum
        }
    }

    static var count: Workload {
        reading { database, _ in
            try Book.filter(Column("pages") >= 500).fetchCount(database)
        }
    }

    static var identifiers: Workload {
        reading { database, _ in
            try Int64.fetchAll(database, sql: "SELECT pk FROM book WHERE pages >= 500").count
        }
    }

    static var toMany: Workload {
        reading { database, _ in
            try Reader.fetchAll(
                database,
                sql: "SELECT pk, name, number FROM reader WHERE EXISTS"
                    + " (SELECT 1 FROM book WHERE book.reader = reader.pk AND book.pages = 500)"
            ).reduce(0) { $0 &+ Int($1.number) }
        }
    }

    static var walk: Workload {
        reading { database, _ in
            let readers = try Reader.fetchAll(database)
            let byReader = Dictionary(grouping: try Book.fetchAll(database), by: \.reader)
            return readers.reduce(0) { sum, reader in
                (byReader[reader.pk] ?? []).reduce(sum) { $0 &+ Int($1.number) }
            }
        }
    }

    static var update: Workload {
        writing { database in
            for var book in try Book.fetchAll(database) {
                try book.updateChanges(database) { $0.pages += 1 }
            }
        }
    }

    static var smallSaves: Workload {
        Workload("GRDB") { size in
            let file = Temporary(try BenchmarkFiles.shared.copy(of: filled(size)))
            let side = try GRDBSide(file.url)
            return .init(
                {
                    for code in BookValues.codesToChange(of: size) {
                        try await side.queue.write { database in
                            let books = try Book.filter(Column("code") == code).fetchAll(database)
                            for var book in books {
                                try book.updateChanges(database) { $0.pages += 1 }
                            }
                        }
                    }
                },
                checksum: { try CSide.checksum(file) })
        }
    }

    static var deletion: Workload {
        writing { database in
            for book in try Book.fetchAll(database) {
                _ = try Book.deleteOne(database, key: book.pk)
            }
        }
    }

    static var groups: Workload {
        reading { database, _ in
            try Row.fetchAll(database, sql: ShelfTables.groups).reduce(0) { sum, row in
                sum &+ (row[1] as Int) &* ((row[0] as Int) + 1) &+ (row[2] as Int)
            }
        }
    }

    static var dictionaries: Workload {
        reading { database, _ in
            try Row.fetchAll(database, sql: "SELECT number, title, pages FROM book").reduce(0) {
                $0 &+ ($1["number"] as Int) &+ ($1["title"] as String).utf8.count
                    &+ ($1["pages"] as Int)
            }
        }
    }
}
