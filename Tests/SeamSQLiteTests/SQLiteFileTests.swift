import Foundation
import SeamSQLite
import Testing

@Suite final class SQLiteFileTests {
    let directory: URL
    var path: String { directory.appendingPathComponent("file.sqlite").path }

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("SQLiteFileTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    @Test("A file is opened in WAL mode with synchronous NORMAL")
    func fileUsesWriteAheadLogging() throws {
        let connection = try SQLiteConnection(path: path)
        #expect(try connection.firstRow("PRAGMA journal_mode") { $0.text(at: 0) } == "wal")
        #expect(try connection.firstRow("PRAGMA synchronous") { $0.integer(at: 0) } == 1)
    }

    @Test("The data version moves when another connection commits")
    func dataVersionMoves() throws {
        let reader = try SQLiteConnection(path: path)
        let writer = try SQLiteConnection(path: path)
        let before = try reader.dataVersion()
        try writer.execute("CREATE TABLE t (k)")
        #expect(try reader.dataVersion() != before)
        #expect(try reader.dataVersion() == reader.dataVersion())
    }

    @Test("A reader continues while another connection writes")
    func readersDoNotWait() throws {
        let writer = try SQLiteConnection(path: path)
        try writer.execute("CREATE TABLE t (k)")
        let reader = try SQLiteConnection(
            path: path, options: SQLiteConnection.Options(busyTimeout: 0))
        try writer.transaction {
            try writer.execute("INSERT INTO t VALUES (1)")
            #expect(try reader.firstRow("SELECT count(*) FROM t") { $0.integer(at: 0) } == 0)
        }
        #expect(try reader.firstRow("SELECT count(*) FROM t") { $0.integer(at: 0) } == 1)
    }

    @Test("A lock held past the busy timeout is the error busy")
    func busyIsReported() throws {
        let first = try SQLiteConnection(path: path)
        let second = try SQLiteConnection(
            path: path, options: SQLiteConnection.Options(busyTimeout: 0))
        try first.execute("CREATE TABLE t (k)")
        try first.transaction {
            let error = #expect(throws: SQLiteError.self) { try second.transaction {} }
            #expect(error?.code == .busy)
        }
    }

    @Test("A file that is not a database is refused")
    func garbageIsRefused() throws {
        try Data(repeating: 0x41, count: 4096).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: SQLiteError.self) { try SQLiteConnection(path: path) }
        #expect(error?.code == .notADatabase)
    }

    @Test("A file in a missing folder cannot be opened")
    func missingFolderIsRefused() {
        let error = #expect(throws: SQLiteError.self) {
            try SQLiteConnection(path: directory.path + "/missing/file.sqlite")
        }
        #expect(error?.code == .cannotOpen)
    }

    @Test("A read-only connection refuses writes")
    func readOnlyRefusesWrites() throws {
        try SQLiteConnection(path: path).execute("CREATE TABLE t (k)")
        let connection = try SQLiteConnection(
            path: path, options: SQLiteConnection.Options(readOnly: true))
        let error = #expect(throws: SQLiteError.self) {
            try connection.execute("INSERT INTO t VALUES (1)")
        }
        #expect(error?.code == .readOnly)
    }

    @Test("A connection is freed, and its file closed, with its last reference")
    func connectionIsFreed() throws {
        weak var freed: SQLiteConnection?
        do {
            let connection = try SQLiteConnection(path: path)
            try connection.execute("CREATE TABLE t (k)")
            freed = connection
        }
        #expect(freed == nil)
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }
}
