import CoreData

/// Keeps the system from suspending the process in the middle of a transaction. A process that is suspended while
/// it holds a lock on a file in a shared container is ended by the system.
///
/// Transactions in quick succession, of all stores, share one of the system's activities. No transaction waits for the
/// permission, which arrives on another thread, perhaps late or never. A transaction without permission goes on.
final class WriteActivity: @unchecked Sendable {
    // Unchecked because the condition guards what changes.
    // What the system does with an activity is an assumption: SM-5 and SM-22.

    /// Asks the system for an activity. The closure is called on another thread: with false if the activity is
    /// granted, which lasts until the closure returns, and with true if there is no more time. If the activity
    /// is denied, it is called with true alone.
    typealias Begin =
        @Sendable (_ reason: String, _ body: @escaping @Sendable (Bool) -> Void) -> Void

    /// One of the system's activities.
    private final class Grant {
        let requested = Date()
        var isGranted = false
        var isDenied = false
        /// The transactions that are interrupted because there is no more time; nil while there is time.
        var interrupted: Set<Int>?
    }

    private let begin: Begin
    /// How long an activity lasts after a transaction, for the next one.
    private let pause: TimeInterval
    private let condition = NSCondition()
    /// The present transactions, with what makes them fail.
    private var transactions: [Int: () -> Void] = [:]
    private var transactionCount = 0
    private var lastEnd = Date.distantPast
    /// The activity that was asked for last, unless it is over.
    private var current: Grant?

    /// - Parameters:
    ///   - pause: How long an activity lasts after a transaction, in seconds.
    ///   - begin: Asks the system for an activity.
    init(pause: TimeInterval = 1, begin: @escaping Begin) {
        self.pause = pause
        self.begin = begin
    }

    /// That of the system; nil where processes are not suspended.
    private static let system: WriteActivity? = {
        #if canImport(ObjectiveC) && !os(macOS)
        return WriteActivity { reason, body in
            ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: body)
        }
        #else
        return nil
        #endif
    }()

    /// The activity for writing a file; nil if the process may be suspended while it writes.
    static func system(forFileAt url: URL) -> WriteActivity? {
        isShared(url, home: URL(fileURLWithPath: NSHomeDirectory())) ? system : nil
    }

    /// Whether other processes may wait for a file's lock: the app's own container is not the file's.
    static func isShared(_ file: URL, home: URL) -> Bool {
        let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
        return !folder.pathComponents.starts(with: home.resolvingSymlinksInPath().pathComponents)
    }

    /// Runs a transaction.
    ///
    /// - Parameters:
    ///   - interrupt: Called on another thread, perhaps repeatedly, if there is no more time: makes the transaction
    ///     fail.
    ///   - body: The transaction.
    func run<T>(interrupt: @escaping @Sendable () -> Void, _ body: () throws -> T) rethrows -> T {
        let (number, request) = note(interrupt)
        if let request {
            nonisolated(unsafe) let grant = request
            begin("A transaction of SMStore") { [self] isExpired in
                if isExpired { expire(grant) } else { hold(grant) }
            }
        }
        defer { end(number) }
        return try body()
    }

    /// Notes that a transaction begins.
    ///
    /// - Returns: Its number, and the activity that is to be asked for.
    private func note(_ interrupt: @escaping () -> Void) -> (number: Int, request: Grant?) {
        condition.lock()
        defer { condition.unlock() }
        transactionCount += 1
        transactions[transactionCount] = interrupt
        if let current, current.isGranted || -current.requested.timeIntervalSinceNow < pause {
            return (transactionCount, nil)
        }
        let request = Grant()
        current = request
        return (transactionCount, request)
    }

    private func end(_ number: Int) {
        condition.lock()
        transactions[number] = nil
        lastEnd = Date()
        condition.broadcast()
        condition.unlock()
    }

    /// Returns when an activity that was granted is no longer needed.
    private func hold(_ grant: Grant) {
        condition.lock()
        defer { condition.unlock() }
        guard current === grant, !grant.isDenied else { return }
        grant.isGranted = true
        while current === grant {
            guard transactions.isEmpty else {
                condition.wait()
                continue
            }
            let end = lastEnd.addingTimeInterval(pause)
            if end <= Date() {
                current = nil
            } else {
                _ = condition.wait(until: end)
            }
        }
        while let interrupted = grant.interrupted, !interrupted.isDisjoint(with: transactions.keys)
        {
            condition.wait()
        }
    }

    /// Makes the transactions fail that rely on an activity whose time is over.
    private func expire(_ grant: Grant) {
        condition.lock()
        defer { condition.unlock() }
        guard current === grant else { return }
        guard grant.isGranted else {
            // It stays the current one for a while, so that not each transaction asks again.
            grant.isDenied = true
            return
        }
        current = nil
        let interrupted = Set(transactions.keys)
        grant.interrupted = interrupted
        condition.broadcast()
        // What is interrupted may be between two statements.
        while !interrupted.isDisjoint(with: transactions.keys) {
            for number in interrupted { transactions[number]?() }
            _ = condition.wait(until: Date(timeIntervalSinceNow: 0.01))
        }
    }
}
