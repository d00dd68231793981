// Linux only. On Apple's systems the system delivers pushes to the app's delegate.

import CloudKitService

/// Delivers the pushes for a device to a handler.
final class RemoteNotificationReceiver: Sendable {
    typealias Handler = @Sendable ([AnyHashable: Any]) -> Void

    private struct State: Sendable {
        var isRegistered = false
        var lastError: CKError?
        var delivery: Task<Void, Never>?
    }

    private let connection: ServiceConnection
    private let handlerBox = Locked<Handler?>(nil)
    private let state = Locked(State())

    init(connection: ServiceConnection) {
        self.connection = connection
    }

    deinit {
        state.withLock { $0.delivery }?.cancel()
    }

    /// The handler for the pushes. Setting the first handler registers the device.
    var handler: Handler? {
        get { handlerBox.value }
        set {
            handlerBox.withLock { $0 = newValue }
            if newValue != nil { registerIfNeeded() }
        }
    }

    /// Registers the device, unless it is registered, and waits until pushes can arrive.
    func register() async throws {
        registerIfNeeded()
        await connection.becomeReady()
        if let error = state.withLock({ $0.lastError }) { throw error }
    }

    /// Retries a registration that may have failed because there was no account.
    func accountDidChange() {
        guard handlerBox.value != nil else { return }
        registerIfNeeded()
    }

    private func registerIfNeeded() {
        let mustRegister = state.withLock { state in
            defer { state.isRegistered = true }
            return !state.isRegistered
        }
        guard mustRegister else { return }
        connection.register { [weak self, connection, handlerBox] in
            let context = connection.context(for: .private)
            let outcome: Result<Task<Void, Never>, CKError>
            do throws(CloudKitServiceError) {
                let pushes = try await connection.service.pushes(in: context)
                outcome = .success(
                    Task {
                        for await push in pushes { handlerBox.value?(push.userInfo) }
                    })
            } catch {
                outcome = .failure(CKError(error))
            }
            self?.registrationDidEnd(outcome)
            if self == nil { try? outcome.get().cancel() }
        }
    }

    private func registrationDidEnd(_ outcome: Result<Task<Void, Never>, CKError>) {
        state.withLock { state in
            switch outcome {
            case .success(let delivery):
                state.delivery = delivery
                state.lastError = nil
            case .failure(let error):
                state.isRegistered = false
                state.lastError = error
            }
        }
    }
}
