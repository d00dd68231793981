import CoreData

/// The first of several results, for the task that awaits it. Later ones are ignored.
final class FirstResult<Value>: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private let lock = NSLock()
    private var result: Result<Value, any Error>?
    private var continuation: CheckedContinuation<Value, any Error>?

    /// Ends the wait, unless it has ended.
    func resume(with result: Result<Value, any Error>) {
        let waiting = lock.locked { () -> CheckedContinuation<Value, any Error>? in
            guard self.result == nil else { return nil }
            self.result = result
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(with: result)
    }

    /// The result, as soon as there is one, whether the task is canceled or not. To be called once.
    func value() async throws -> Value {
        // The thread sanitizer does not see the handover of a value by a continuation that is
        // resumed before its task awaits it. It does see a lock that both sides have held.
        defer { lock.locked {} }
        return try await withCheckedThrowingContinuation { continuation in
            let known = lock.locked { () -> Result<Value, any Error>? in
                if result == nil { self.continuation = continuation }
                return result
            }
            if let known { continuation.resume(with: known) }
        }
    }

    /// The result of some work, which a canceled task does not wait for, even if the work ignores the cancellation.
    static func of(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let first = FirstResult()
        let task = Task {
            do {
                first.resume(with: .success(try await work()))
            } catch {
                first.resume(with: .failure(error))
            }
        }
        return try await withTaskCancellationHandler {
            try await first.value()
        } onCancel: {
            task.cancel()
            first.resume(with: .failure(CancellationError()))
        }
    }
}
