import Dispatch
import SeamSQLite

/// A connection that is opened on first use and used only on its own queue.
///
/// Statements block; the queue keeps them off the threads of Swift's concurrency.
final class SerialConnection: @unchecked Sendable {
    // Unchecked because `connection` is used on `queue` only.
    private let queue: DispatchQueue
    private let open: @Sendable () throws -> SQLiteConnection
    private var connection: SQLiteConnection?

    init(label: String, open: @escaping @Sendable () throws -> SQLiteConnection) {
        queue = DispatchQueue(label: label)
        self.open = open
    }

    func run<T: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(self.opened()) }) }
        }
    }

    private func opened() throws -> SQLiteConnection {
        if let connection { return connection }
        let connection = try open()
        self.connection = connection
        return connection
    }
}
