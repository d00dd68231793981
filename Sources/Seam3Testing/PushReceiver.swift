import CloudKit
import CloudKitService

/// Delivers the pushes for a device to a handler.
final class PushReceiver: @unchecked Sendable {
    // Unchecked because the lock guards the mutable state.

    typealias Handler = @Sendable ([AnyHashable: Any]) -> Void

    private let connection: ServiceConnection
    private let lock = NSLock()
    private var currentHandler: Handler?
    private var isRegistered = false
    private var failure: (any Error)?
    private var delivery: Task<Void, Never>?

    init(_ connection: ServiceConnection) {
        self.connection = connection
    }

    deinit {
        delivery?.cancel()
    }

    /// The handler for the pushes. Setting the first handler registers the device.
    var handler: Handler? {
        get { lock.locked { currentHandler } }
        set {
            lock.locked { currentHandler = newValue }
            if newValue != nil { registerIfNeeded() }
        }
    }

    /// Registers the device, unless it is registered, and waits until pushes can arrive.
    func register() async throws {
        registerIfNeeded()
        await connection.becomeReady()
        if let failure = lock.locked({ failure }) { throw failure }
    }

    /// Retries a registration that may have failed because there was no account.
    func accountDidChange() {
        if handler != nil { registerIfNeeded() }
    }

    private func registerIfNeeded() {
        let mustRegister = lock.locked {
            defer { isRegistered = true }
            return !isRegistered
        }
        guard mustRegister else { return }
        connection.register { [weak self, connection] in
            do {
                let pushes = try await connection.service.pushes(in: connection.context)
                let delivery = Task { [weak self] in
                    for await push in pushes { self?.handler?(push.userInfo) }
                }
                guard let self else { return delivery.cancel() }
                self.note(delivery, nil)
            } catch let error as CloudKitServiceError {
                self?.note(nil, CKError(serviceError: error))
            } catch {
                self?.note(nil, error)
            }
        }
    }

    private func note(_ delivery: Task<Void, Never>?, _ failure: (any Error)?) {
        lock.locked {
            self.delivery = delivery
            self.failure = failure
            isRegistered = failure == nil
        }
    }
}
