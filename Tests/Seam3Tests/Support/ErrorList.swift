import CoreData
import Seam3

/// Errors that arrive on any thread.
final class ErrorList: @unchecked Sendable {
    // Unchecked because the lock guards all state.
    private let lock = NSLock()
    private var errors: [SMStoreError] = []

    var all: [SMStoreError] { lock.withLock { errors } }

    func add(_ error: SMStoreError?) {
        lock.withLock { errors += [error].compactMap { $0 } }
    }
}
