import Foundation
import SQLite3

/// Lets the connections of a process write to a file one after another.
///
/// SQLite has no queue: a connection that finds the file locked asks again after up to a tenth of a second, and one that
/// writes again and again may have locked it again by then. Connections of other processes still meet that way.
///
/// A connection that yields, such as the one that syncs, lets those pass that wait at the same time, but not forever.
final class WriterGate: @unchecked Sendable {
    // Unchecked because `condition` guards everything.

    private struct Weak { weak var gate: WriterGate? }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var gates: [String: Weak] = [:]

    /// The gate of a file, which all connections to it in this process share.
    static func ofFile(atPath path: String) -> WriterGate {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        lock.lock()
        defer { lock.unlock() }
        if let gate = gates[path]?.gate { return gate }
        let gate = WriterGate()
        gates = gates.filter { $0.value.gate != nil }
        gates[path] = Weak(gate: gate)
        return gate
    }

    /// How many others pass while a connection that yields waits.
    static let mostTurns = 8

    private let condition = NSCondition()
    private var writer: Thread?
    /// Those that wait, in the order of their arrival.
    private var line: [Int] = []
    /// Those that wait and yield, each with the number of turns when it came.
    private var yielding: [(ticket: Int, start: Int)] = []
    private var lastTicket = 0
    private var turnCount = 0

    /// How many wait.
    var waitingCount: Int {
        condition.lock()
        defer { condition.unlock() }
        return line.count + yielding.count
    }

    /// Waits until nobody else writes.
    ///
    /// - Parameters:
    ///   - limit: When to give up.
    ///   - yields: Whether others that wait enter first.
    /// - Throws: ``SQLiteError`` with the code `busy` if the time is over, or if the thread already writes through another
    ///   connection and would wait for itself.
    func enter(before limit: Date, yields: Bool) throws {
        condition.lock()
        defer { condition.unlock() }
        if writer === Thread.current {
            throw SQLiteError(
                extendedCode: SQLITE_BUSY,
                message: "another connection of the same thread is writing to the file")
        }
        lastTicket += 1
        let ticket = lastTicket
        if yields { yielding.append((ticket, turnCount)) } else { line.append(ticket) }
        defer {
            line.removeAll { $0 == ticket }
            yielding.removeAll { $0.ticket == ticket }
        }
        while writer != nil || (line.first ?? yielding.first?.ticket) != ticket {
            guard condition.wait(until: limit) else {
                // It may have been the first.
                condition.broadcast()
                throw SQLiteError(extendedCode: SQLITE_BUSY, message: "the file is in use")
            }
        }
        writer = Thread.current
        turnCount += 1
    }

    /// Lets the next one enter.
    func leave() {
        condition.lock()
        defer { condition.unlock() }
        writer = nil
        if let first = yielding.first, turnCount - first.start >= Self.mostTurns {
            yielding.removeFirst()
            line.insert(first.ticket, at: 0)
        }
        condition.broadcast()
    }
}
