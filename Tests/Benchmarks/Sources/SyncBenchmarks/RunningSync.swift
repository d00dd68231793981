import Foundation

/// A sync that reports its end.
final class RunningSync: @unchecked Sendable {
    // Unchecked because the flag is behind a lock.

    private let lock = NSLock()
    private var ended = false

    var isOver: Bool { lock.withLock { ended } }

    func run(_ sync: () async throws -> Void) async throws {
        defer { lock.withLock { ended = true } }
        try await sync()
    }
}
