import Foundation

extension Thread {
    /// Runs what waits on a thread of its own, where waiting harms nobody.
    static func runBlocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result(catching: body)) }.start()
        }
    }
}
