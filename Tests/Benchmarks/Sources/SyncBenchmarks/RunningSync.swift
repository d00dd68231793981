import Foundation
import SyncedNotes

/// A sync that reports its end.
final class RunningSync: @unchecked Sendable {
    // Unchecked because the flag is behind a lock.

    private let lock = NSLock()
    private var ended = false

    var isOver: Bool { lock.withLock { ended } }

    func run(_ device: NoteStore) async throws {
        defer { lock.withLock { ended = true } }
        try await device.store.sync()
    }
}
