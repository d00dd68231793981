import CoreData

/// Whether passes may begin, and how many have not ended. A store needs to know this at once when
/// it is removed, and cannot wait for the engine, which may be busy.
final class PassGate: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private let lock = NSLock()
    private var passCount = 0
    private var isShut = false

    /// Whether the gate is closed, so that no further pass may begin.
    var isClosed: Bool { lock.locked { isShut } }

    /// Counts a pass that will run.
    func enter() {
        lock.locked { passCount += 1 }
    }

    /// Counts a pass that has ended.
    func leave() {
        lock.locked { passCount -= 1 }
    }

    /// Closes the gate, so that no further pass begins.
    ///
    /// - Returns: Whether all passes have ended.
    @discardableResult
    func close() -> Bool {
        lock.locked {
            isShut = true
            return passCount == 0
        }
    }
}
