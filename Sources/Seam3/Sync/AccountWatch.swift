import CloudKit
import CoreData

/// Records whether the account may have changed since the watch was created.
final class AccountWatch: @unchecked Sendable {
    // Unchecked because the lock guards the mutable state; the observer is set once.

    private let lock = NSLock()
    private var isChanged = false
    private var observer: (any NSObjectProtocol)?

    /// Starts watching.
    ///
    /// - Parameter container: The container in use.
    init(_ container: any SMCloudContainer) {
        observer = NotificationCenter.default.addObserver(
            forName: .CKAccountChanged, object: nil, queue: nil
        ) { [weak self, weak container] notification in
            if container?.isConcerned(by: notification) != false { self?.note() }
        }
    }

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    private func note() { lock.locked { isChanged = true } }

    /// Whether the system has reported a change.
    var hasChanged: Bool { lock.locked { isChanged } }
}

/// The system has reported a change of the account since the pass began.
struct AccountNotice: Error {
    /// The error that the app gets.
    var told: SMStoreError { .accountUnavailable("it changed during the sync") }
}
