import CoreData

/// Records the notifications of one context.
///
/// Unchecked because the list is guarded by the lock.
final class NotificationRecorder: @unchecked Sendable {
    private struct Posted: @unchecked Sendable {
        // Unchecked because a notification is immutable, and read after it was posted.
        let notification: Notification
    }

    // An NSLock, because the thread sanitizer does not understand Mutex on Linux.
    private let lock = NSLock()
    private var posted: [Posted] = []
    private var observers: [any NSObjectProtocol] = []

    init(_ object: AnyObject, _ names: [Notification.Name]) {
        for name in names {
            observers.append(
                NotificationCenter.default.addObserver(
                    forName: name, object: object, queue: nil
                ) { [weak self] notification in
                    let posted = Posted(notification: notification)
                    self?.append(posted)
                })
        }
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    private func append(_ notification: Posted) {
        lock.lock()
        defer { lock.unlock() }
        posted.append(notification)
    }

    var all: [Notification] {
        lock.lock()
        defer { lock.unlock() }
        return posted.map(\.notification)
    }
    var names: [Notification.Name] { all.map(\.name) }
    var last: Notification? { all.last }

    /// The objects under a key of the last notification.
    func objects(_ key: String) -> Set<NSManagedObject>? {
        last?.userInfo?[key] as? Set<NSManagedObject>
    }

    /// The IDs under a key of the last notification.
    func objectIDs(_ key: String) -> Set<NSManagedObjectID>? {
        last?.userInfo?[key] as? Set<NSManagedObjectID>
    }
}
