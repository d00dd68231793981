import Foundation
import Testing

@testable import SeamSQLite

@Suite("A large write-ahead log") final class CheckpointTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        UUID().uuidString)
    private var path: String { folder.appendingPathComponent("file.sqlite").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let connection = try SQLiteConnection(path: path)
        try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v BLOB)")
        try connection.checkpoint()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func connection(pagesBeforeCheckpoint: Int) throws -> SQLiteConnection {
        try SQLiteConnection(
            path: path,
            options: SQLiteConnection.Options(pagesBeforeCheckpoint: pagesBeforeCheckpoint))
    }

    /// Adds a row that fills about 25 pages.
    private func write(_ connection: SQLiteConnection) throws {
        try connection.transaction {
            try connection.execute("INSERT INTO t (v) VALUES (zeroblob(100000))")
        }
    }

    /// The size of the file without the log, in bytes.
    private var size: Int {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return (attributes[.size] as? NSNumber)?.intValue ?? 0
        }
    }

    @Test("is moved into the file by the transaction after which it has reached the limit")
    func limit() throws {
        let connection = try connection(pagesBeforeCheckpoint: 100)
        for _ in 1...3 { try write(connection) }
        #expect(try size < 100_000)
        for _ in 1...2 { try write(connection) }
        #expect(try size > 400_000)
    }

    @Test("is moved by the connection with the smaller limit, and no other waits for that")
    func otherConnection() throws {
        let (app, engine) = (
            try connection(pagesBeforeCheckpoint: 100_000),
            try connection(pagesBeforeCheckpoint: 100)
        )
        for _ in 1...10 { try write(app) }
        #expect(try size < 100_000)
        try write(engine)
        #expect(try size > 1_000_000)
    }

    @Test("is emptied although others read an older state, once they have ended")
    func reader() throws {
        let (writer, reader) = (
            try connection(pagesBeforeCheckpoint: 100), try connection(pagesBeforeCheckpoint: 100)
        )
        try reader.transaction(.deferred) {
            _ = try reader.firstRow("SELECT count(*) FROM t") { $0.integer(at: 0) }
            for _ in 1...10 { try write(writer) }
            #expect(try size < 100_000)
        }
        try write(writer)
        #expect(try size > 1_000_000)
    }
}
