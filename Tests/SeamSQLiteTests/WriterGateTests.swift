import Foundation
import Testing

@testable import SeamSQLite

@Suite("The connections of a process to one file") struct WriterGateTests {
    /// A file that connections share.
    private final class File {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        var path: String { folder.appendingPathComponent("file.sqlite").path }

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let connection = try SQLiteConnection(path: path)
            try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, writer TEXT)")
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        var gate: WriterGate { WriterGate.ofFile(atPath: path) }

        /// Runs a closure with a connection of its own on a thread of its own.
        ///
        /// - Returns: Waits until it has ended.
        func thread(
            _ options: SQLiteConnection.Options = SQLiteConnection.Options(),
            _ body: @escaping @Sendable (SQLiteConnection) throws -> Void
        ) -> () -> Void {
            let end = DispatchSemaphore(value: 0)
            let path = path
            Thread.detachNewThread {
                do {
                    try body(try SQLiteConnection(path: path, options: options))
                } catch {
                    Issue.record(error)
                }
                end.signal()
            }
            return { end.wait() }
        }

        /// Waits until a number of connections are in line.
        func waitForLine(of count: Int) {
            while gate.waitingCount < count { sched_yield() }
        }

        func writers() throws -> [String] {
            try SQLiteConnection(path: path).rows("SELECT writer FROM t ORDER BY k") {
                $0.text(at: 0)
            }
        }
    }

    private static func write(_ name: String, _ connection: SQLiteConnection) throws {
        try connection.transaction {
            try connection.execute("INSERT INTO t (writer) VALUES (?)", [.text(name)])
        }
    }

    @Test("write in the order in which they have asked")
    func order() throws {
        let file = try File()
        let connection = try SQLiteConnection(path: file.path)
        var ends: [() -> Void] = []
        try connection.transaction {
            for number in 1...5 {
                ends.append(file.thread { try Self.write("\(number)", $0) })
                file.waitForLine(of: number)
            }
        }
        for end in ends { end() }
        #expect(try file.writers() == ["1", "2", "3", "4", "5"])
    }

    @Test("go before one that yields, even if that has asked first")
    func yielding() throws {
        let file = try File()
        let connection = try SQLiteConnection(path: file.path)
        var ends: [() -> Void] = []
        try connection.transaction {
            ends.append(
                file.thread(SQLiteConnection.Options(yields: true)) { try Self.write("sync", $0) })
            file.waitForLine(of: 1)
            for number in 2...3 {
                ends.append(file.thread { try Self.write("app", $0) })
                file.waitForLine(of: number)
            }
        }
        for end in ends { end() }
        #expect(try file.writers() == ["app", "app", "sync"])
    }

    @Test("do not keep one that yields waiting for more than a few turns")
    func turns() throws {
        let file = try File()
        let connection = try SQLiteConnection(path: file.path)
        let count = WriterGate.mostTurns + 3
        var ends: [() -> Void] = []
        try connection.transaction {
            for number in 1...count {
                ends.append(file.thread { try Self.write("app", $0) })
                file.waitForLine(of: number)
            }
            ends.append(
                file.thread(SQLiteConnection.Options(yields: true)) { try Self.write("sync", $0) })
            file.waitForLine(of: count + 1)
        }
        for end in ends { end() }
        #expect(try file.writers().firstIndex(of: "sync") == WriterGate.mostTurns)
        #expect(try file.writers().count == count + 1)
    }

    @Test("give up after the busy timeout, and let those behind them pass")
    func timeout() throws {
        let file = try File()
        let connection = try SQLiteConnection(path: file.path)
        let hasGivenUp = DispatchSemaphore(value: 0)
        var ends: [() -> Void] = []
        try connection.transaction {
            ends.append(
                file.thread(SQLiteConnection.Options(busyTimeout: 0.3)) { waiting in
                    let error = #expect(throws: SQLiteError.self) {
                        try Self.write("first", waiting)
                    }
                    #expect(error?.code == .busy)
                    hasGivenUp.signal()
                })
            file.waitForLine(of: 1)
            ends.append(file.thread { try Self.write("second", $0) })
            hasGivenUp.wait()
        }
        for end in ends { end() }
        #expect(try file.writers() == ["second"])
    }

    @Test("of one thread do not wait for each other")
    func sameThread() throws {
        let file = try File()
        let connections = try (1...2).map { _ in try SQLiteConnection(path: file.path) }
        try connections[0].transaction {
            let error = #expect(throws: SQLiteError.self) {
                try Self.write("second", connections[1])
            }
            #expect(error?.code == .busy)
        }
        try Self.write("second", connections[1])
        #expect(try file.writers() == ["second"])
    }

    @Test("may be closed by another thread while they wait")
    func closing() throws {
        let file = try File()
        let connection = try SQLiteConnection(path: file.path)
        let waiting = try SQLiteConnection(
            path: file.path, options: SQLiteConnection.Options(closesFromAnyThread: true))
        nonisolated(unsafe) let shared = waiting
        let end = DispatchSemaphore(value: 0)
        try connection.transaction {
            Thread.detachNewThread {
                let error = #expect(throws: SQLiteError.self) { try Self.write("late", shared) }
                #expect(error?.code == .misuse)
                end.signal()
            }
            file.waitForLine(of: 1)
            waiting.close()
        }
        end.wait()
        #expect(try file.writers() == [])
    }
}
