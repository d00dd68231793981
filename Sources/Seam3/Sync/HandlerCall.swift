import CoreData

/// A call of one of the app's handlers, for which a pass waits. A sync that the handler waits for would wait for that pass
/// in turn, for good.
final class HandlerCall: @unchecked Sendable {
    // Unchecked because the lock guards the mutable state.

    /// The call that the current task belongs to. Tasks that a handler starts belong to it, too.
    @TaskLocal static var current: HandlerCall?

    private let lock = NSLock()
    private let gate: PassGate
    private var hasEnded = false

    private init(of gate: PassGate) {
        self.gate = gate
    }

    /// Whether the call has not ended, and is one of the engine with the gate.
    func isRunning(for gate: PassGate) -> Bool {
        lock.locked { !hasEnded && self.gate === gate }
    }

    private func end() {
        lock.locked { hasEnded = true }
    }

    /// Calls a handler.
    ///
    /// - Parameter gate: The gate of the engine whose pass waits for the handler.
    static func run<T: Sendable>(of gate: PassGate, _ handler: @Sendable () async -> T) async -> T {
        let call = HandlerCall(of: gate)
        defer { call.end() }
        return await $current.withValue(call) { await handler() }
    }
}
