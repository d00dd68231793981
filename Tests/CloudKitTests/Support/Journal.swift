import CloudKit
import Synchronization

/// What the blocks of an operation were called with, in order.
final class Journal<Entry: Sendable>: Sendable {
    private let mutex = Mutex<[Entry]>([])

    var entries: [Entry] { mutex.withLock { $0 } }

    func note(_ entry: Entry) {
        mutex.withLock { $0.append(entry) }
    }
}

extension CKDatabase {
    /// Adds an operation and waits until it has finished.
    func run(_ operation: CKDatabaseOperation) async {
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            add(operation)
        }
    }
}
