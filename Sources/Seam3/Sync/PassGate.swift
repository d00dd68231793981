import CoreData

/// Whether passes may begin, how many have not ended, and whether one waits for a handler of the app. A store needs to know
/// this at once when it is removed, and cannot wait for the engine, which may be busy.
final class PassGate: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private let lock = NSLock()
    private var passCount = 0
    private var handlerCallCount = 0
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

    /// Whether a pass waits for the response of one of the app's handlers. A sync that somebody waits for cannot end before
    /// that pass, and the handler may be the one who waits.
    var awaitsHandler: Bool { lock.locked { handlerCallCount > 0 } }

    /// Calls a handler, for whose response a pass waits.
    func asking<Response: Sendable>(
        _ handler: @Sendable () async -> Response
    ) async -> Response {
        lock.locked { handlerCallCount += 1 }
        defer { lock.locked { handlerCallCount -= 1 } }
        return await handler()
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
