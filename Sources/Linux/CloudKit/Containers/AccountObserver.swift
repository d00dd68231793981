import CloudKitService

/// Posts `CKAccountChanged` while a container exists.
final class AccountObserver: Sendable {
    private let connection: ServiceConnection
    private let observation = Locked<Task<Void, Never>?>(nil)

    init(connection: ServiceConnection) {
        self.connection = connection
    }

    deinit {
        observation.withLock { $0 }?.cancel()
    }

    /// Starts observing for a container, without retaining it.
    func start(for container: CKContainer) {
        let connection = connection
        connection.register { [weak self, weak container] in
            let context = connection.context(for: .private)
            // A service that cannot report changes now returns the same error for requests.
            guard let changes = try? await connection.service.accountChanges(in: context) else {
                return
            }
            let task = Task { [weak container] in
                for await _ in changes {
                    guard let container else { return }
                    container.pushReceiver.accountDidChange()
                    NotificationCenter.default.post(name: .CKAccountChanged, object: container)
                }
            }
            if let self {
                self.observation.withLock { $0 = task }
            } else {
                task.cancel()
            }
        }
    }
}
