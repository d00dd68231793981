import CloudKit
import CloudKitService

/// Posts `CKAccountChanged` while a container exists.
final class AccountObserver: @unchecked Sendable {
    // Unchecked because the lock guards the mutable state.

    private let connection: ServiceConnection
    private let lock = NSLock()
    private var observation: Task<Void, Never>?

    init(_ connection: ServiceConnection) {
        self.connection = connection
    }

    deinit {
        observation?.cancel()
    }

    /// Starts observing for a container, without retaining it.
    func start(for container: LocalContainer) {
        let connection = connection
        connection.register { [weak self, weak container] in
            // A service that cannot report changes now returns the same error for requests.
            guard
                let changes = try? await connection.service.accountChanges(in: connection.context)
            else { return }
            let task = Task { [weak container] in
                for await _ in changes {
                    guard let container else { return }
                    container.pushReceiver.accountDidChange()
                    NotificationCenter.default.post(name: .CKAccountChanged, object: container)
                }
            }
            guard let self else { return task.cancel() }
            self.lock.locked { self.observation = task }
        }
    }
}
