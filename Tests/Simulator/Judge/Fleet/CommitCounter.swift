import Foundation

/// Counts the commits of a file.
final class CommitCounter: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private let lock = NSLock()
    private var remaining = 0
    private var body: @Sendable () -> Void = {}

    func start(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        lock.withLock {
            remaining = count
            self.body = body
        }
    }

    func note() {
        let due = lock.withLock { () -> (@Sendable () -> Void)? in
            guard remaining > 0 else { return nil }
            remaining -= 1
            return remaining == 0 ? body : nil
        }
        due?()
    }
}
