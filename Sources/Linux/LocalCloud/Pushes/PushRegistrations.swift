import CloudKitService
import Foundation

/// The devices of this instance that receive pushes.
final class PushRegistrations: Sendable {
    private let stores: ContainerStores
    private let accounts: AccountStore
    private let signal: ChangeSignal
    private let control: PushDeliveryControl

    init(
        stores: ContainerStores, accounts: AccountStore, signal: ChangeSignal,
        control: PushDeliveryControl
    ) {
        self.stores = stores
        self.accounts = accounts
        self.signal = signal
        self.control = control
    }

    /// Registers a device. Pushes queued from now on arrive in the stream.
    func register(_ context: RequestContext) async throws -> AsyncStream<PushPayload> {
        let store = stores.store(
            container: context.container, environment: context.environment)
        let last = try await store.read(RequestSession.lastPush)
        let (stream, continuation) = AsyncStream<PushPayload>.makeStream()
        let recipient = control.makeRecipient()
        let reader = PushReader(
            context: context, store: store, accounts: accounts, last: last
        ) { [control] pushes in
            control.deliver(pushes, to: recipient, device: context.device) {
                continuation.yield($0)
            }
        }
        let observer = try signal.observe(store.key) { reader.wake() }
        continuation.onTermination = { [signal] _ in signal.end(observer) }
        // A push may have been queued in the meantime.
        reader.wake()
        return stream
    }
}

/// Reads the queue of pushes for one device, from where it last stopped.
private final class PushReader: @unchecked Sendable {
    private let context: RequestContext
    private let store: ContainerStore
    private let accounts: AccountStore
    private let deliver: @Sendable ([PushPayload]) -> Void
    // Unchecked because the following are accessed only while `lock` is held.
    private let lock = NSLock()
    private var last: Int64
    private var isReading = false
    private var isWokenAgain = false

    init(
        context: RequestContext, store: ContainerStore, accounts: AccountStore, last: Int64,
        deliver: @escaping @Sendable ([PushPayload]) -> Void
    ) {
        self.context = context
        self.store = store
        self.accounts = accounts
        self.last = last
        self.deliver = deliver
    }

    /// Reads new pushes, one read at a time, to keep their order.
    func wake() {
        let start = lock.locked {
            isWokenAgain = true
            if isReading { return false }
            isReading = true
            return true
        }
        if start { Task { await readAll() } }
    }

    private func readAll() async {
        while needsReading() {
            // A file that cannot be read now is read at the next signal: pushes are hints.
            guard
                let account = try? accounts.account(
                    container: context.container, device: context.device)
            else { continue }
            let (after, device) = (lock.locked { last }, context.device)
            guard
                let news = try? await store.read({
                    try RequestSession.pushes(
                        after: after, user: account.user, device: device, $0)
                })
            else { continue }
            lock.locked { last = max(last, news.last) }
            if account.status == .available, !news.pushes.isEmpty { deliver(news.pushes) }
        }
    }

    private func needsReading() -> Bool {
        lock.locked {
            isReading = isWokenAgain
            isWokenAgain = false
            return isReading
        }
    }
}
