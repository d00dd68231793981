import CoreData

/// Whether passes may begin, and how many have not ended: what a store has to know at once when it is
/// removed, and cannot ask the engine, which may be busy.
final class PassGate: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private let lock = NSLock()
    private var passCount = 0
    private var isShut = false

    /// Whether no pass may begin any more.
    var isClosed: Bool { lock.locked { isShut } }

    /// Counts a pass that is going to run.
    func enter() {
        lock.locked { passCount += 1 }
    }

    /// Counts a pass that has ended.
    func leave() {
        lock.locked { passCount -= 1 }
    }

    /// Lets no pass begin any more.
    ///
    /// - Returns: Whether all have ended.
    @discardableResult
    func close() -> Bool {
        lock.locked {
            isShut = true
            return passCount == 0
        }
    }
}
