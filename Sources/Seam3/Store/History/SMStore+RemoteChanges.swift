import CoreData

/// `NSPersistentStoreRemoteChange`: changes of the file by any process.
extension SMStore {
    /// How often the file is checked for writes of other processes, in seconds.
    @nonobjc static let remoteChangeInterval: TimeInterval = 1

    @nonobjc var tellsOfRemoteChanges: Bool {
        isSet(NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    }

    /// Starts checking for writes of other processes, if the options ask for it. The history must
    /// be on, because it records what they have written.
    @nonobjc func watchForRemoteChanges() {
        guard tellsOfRemoteChanges, keepsHistory else { return }
        remoteChangeWatch = RemoteChangeWatch(interval: Self.remoteChangeInterval) { [weak self] in
            self?.lookForRemoteChanges()
        }
    }

    /// Merges the changes that others have written since the last check into the contexts.
    @nonobjc func lookForRemoteChanges() {
        do {
            guard let changes = try changesOfOthers() else { return }
            followers.merge(changes)
            postRemoteChange()
        } catch {
            StoreLog.error("Changes of another process could not be read: \(StoreLog.text(error))")
        }
    }

    /// Posts that the file was written, if the options ask for it.
    @nonobjc func postRemoteChange() {
        guard tellsOfRemoteChanges, let coordinator = persistentStoreCoordinator else { return }
        var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: identifier ?? ""]
        if let url { userInfo[NSPersistentStoreURLKey] = url }
        // Under the lock, so that no token is older than that of the previous notification.
        lock.locked {
            if keepsHistory, let number = try? database().history.lastNumber() {
                userInfo[NSPersistentHistoryTokenKey] = HistoryToken(
                    storeIdentifier: identifier, number: number)
            }
            // Its contents are immutable.
            nonisolated(unsafe) let notified = userInfo
            remoteChangeQueue.async {
                NotificationCenter.default.post(
                    name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: notified)
            }
        }
    }
}

/// Calls a closure at intervals until it is deallocated.
final class RemoteChangeWatch: @unchecked Sendable {
    // Unchecked because nothing changes after the initializer.

    private let timer: any DispatchSourceTimer

    init(interval: TimeInterval, look: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "SMStore.remoteChanges", qos: .utility)
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(
            deadline: .now() + interval, repeating: interval,
            leeway: .milliseconds(Int(interval * 100)))
        timer.setEventHandler(handler: look)
        timer.resume()
    }

    deinit {
        timer.cancel()
    }
}
