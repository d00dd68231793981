import CoreData
import Synchronization

/// Keeps the notifications that one context posts.
///
/// Unchecked because the list is guarded by a mutex.
final class NotificationRecorder: @unchecked Sendable {
    private struct Posted: @unchecked Sendable {
        // Unchecked because a notification is immutable, and read after it was posted.
        let notification: Notification
    }

    private let posted = Mutex<[Posted]>([])
    private var observers: [any NSObjectProtocol] = []

    init(_ object: AnyObject, _ names: [Notification.Name]) {
        for name in names {
            observers.append(
                NotificationCenter.default.addObserver(
                    forName: name, object: object, queue: nil
                ) { [weak self] notification in
                    let posted = Posted(notification: notification)
                    self?.posted.withLock { $0.append(posted) }
                })
        }
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    var all: [Notification] { posted.withLock { $0 }.map(\.notification) }
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
