import CoreData

/// How a process keeps the system from suspending it in the middle of a transaction. A process that is
/// suspended while it holds a lock on a file that it shares, as in an app group, is ended by the system.
struct WriteActivity: Sendable {
    /// Calls a closure with false on another thread, and does not suspend the process until it has returned;
    /// calls it with true instead, or once more, when the time for that is over.
    let begin: @Sendable (_ reason: String, _ body: @escaping @Sendable (Bool) -> Void) -> Void

    /// That of the system; nil where processes are not suspended.
    static let system: WriteActivity? = {
        #if canImport(ObjectiveC) && !os(macOS)
        return WriteActivity { reason, body in
            ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: body)
        }
        #else
        return nil
        #endif
    }()

    /// Runs a transaction.
    ///
    /// - Parameters:
    ///   - expire: Called on another thread if there is no more time: makes the transaction fail.
    ///   - body: The transaction.
    func run<T>(expire: @escaping @Sendable () -> Void, _ body: () throws -> T) rethrows -> T {
        let end = TransactionEnd()
        begin("A transaction of SMStore") { hasExpired in
            if hasExpired { end.wait(repeating: expire) } else { end.wait() }
        }
        end.begin()
        defer { end.reach() }
        return try body()
    }
}

/// The end of a transaction, for another thread that waits for it.
private final class TransactionEnd: @unchecked Sendable {
    // Unchecked because the condition guards what changes.

    private let condition = NSCondition()
    private var isBegun = false
    private var isReached = false

    /// The transaction is about to begin.
    func begin() {
        condition.lock()
        isBegun = true
        condition.unlock()
    }

    func reach() {
        condition.lock()
        isReached = true
        condition.broadcast()
        condition.unlock()
    }

    func wait() {
        condition.lock()
        while !isReached { condition.wait() }
        condition.unlock()
    }

    /// Calls a closure until the transaction has ended: what it interrupts may be between two statements.
    /// A transaction that had no time from the beginning goes on.
    func wait(repeating body: () -> Void) {
        condition.lock()
        defer { condition.unlock() }
        while isBegun, !isReached {
            body()
            _ = condition.wait(until: Date(timeIntervalSinceNow: 0.01))
        }
    }
}
