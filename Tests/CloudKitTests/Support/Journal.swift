import CloudKit

/// The arguments with which an operation's blocks were called, in order.
final class Journal<Entry: Sendable>: @unchecked Sendable {
    // Unchecked because `storage` is accessed only while `lock` is held.
    private let lock = NSLock()
    private var storage: [Entry] = []

    var entries: [Entry] { lock.withLock { storage } }

    func note(_ entry: Entry) {
        lock.withLock { storage.append(entry) }
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
