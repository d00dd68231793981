import CoreData

/// Pushes in the order of their arrival, passed from the callback that receives them to the task
/// that handles them.
final class PushQueue: @unchecked Sendable {
    // Unchecked because the lock guards the payloads, which hold property-list values only.

    /// An element for each push that arrives.
    let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    private let lock = NSLock()
    private var payloads: [[AnyHashable: Any]] = []

    init() {
        (arrivals, arrived) = AsyncStream.makeStream()
    }

    /// Adds a push.
    func put(_ userInfo: [AnyHashable: Any]) {
        lock.withLock { payloads.append(userInfo) }
        arrived.yield()
    }

    /// Ends `arrivals`.
    func finish() {
        arrived.finish()
    }

    /// Removes the oldest push.
    func take() -> [AnyHashable: Any]? {
        lock.withLock { payloads.isEmpty ? nil : payloads.removeFirst() }
    }
}
