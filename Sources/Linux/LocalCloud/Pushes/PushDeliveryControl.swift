import CloudKitService
import Foundation

/// Lets a test decide when the devices of this cloud instance get their pushes, and which.
///
/// Real pushes may be late, come once for several changes, or never. Each method applies from the next
/// push on; by default each push is delivered at once.
public final class PushDeliveryControl: @unchecked Sendable {
    private struct Held {
        var payload: PushPayload
        var deliver: @Sendable (PushPayload) -> Void
        var recipient: Int
    }

    // Unchecked because the following are touched under `lock` only.
    private let lock = NSLock()
    private var isHolding = false
    private var isLosing = false
    private var losses = 0
    private var held: [Held] = []
    private var arrival = 0

    init() {}

    /// The pushes that are held back, oldest first.
    public var heldPushes: [PushPayload] { lock.withLock { held.map(\.payload) } }

    /// Holds pushes back from now on.
    public func hold() { lock.withLock { isHolding = true } }

    /// Delivers what is held back, and does not hold back any more.
    public func release() {
        lock.withLock { isHolding = false }
        deliverHeld()
    }

    /// Delivers pushes that are held back, oldest first, and goes on holding.
    ///
    /// - Parameter count: How many. Nil: all.
    public func deliverHeld(_ count: Int? = nil) {
        let ready = lock.withLock {
            let ready = Array(held.prefix(count ?? held.count))
            held.removeFirst(ready.count)
            return ready
        }
        for push in ready { push.deliver(push.payload) }
    }

    /// Replaces pushes that are held back for the same subscription and device by the last of them,
    /// as Apple's service does for a device that was offline.
    public func mergeHeld() {
        lock.withLock {
            var seen: Set<String> = []
            held = held.reversed().filter { push in
                let change = push.payload.ck.qry ?? push.payload.ck.fet ?? push.payload.ck.met
                return seen.insert("\(push.recipient) \(change?.sid ?? "")").inserted
            }.reversed()
        }
    }

    /// Loses what is held back.
    public func dropHeld() { lock.withLock { held = [] } }

    /// Loses the next pushes.
    ///
    /// - Parameter count: How many.
    public func loseNext(_ count: Int = 1) { lock.withLock { losses += count } }

    /// Loses all pushes, until this is called again with `false`.
    public func loseAll(_ isLosing: Bool = true) { lock.withLock { self.isLosing = isLosing } }

    func makeRecipient() -> Int {
        lock.withLock {
            arrival += 1
            return arrival
        }
    }

    func deliver(
        _ payloads: [PushPayload], to recipient: Int,
        _ deliver: @escaping @Sendable (PushPayload) -> Void
    ) {
        let ready = lock.withLock {
            payloads.filter { payload in
                if isLosing { return false }
                if losses > 0 {
                    losses -= 1
                    return false
                }
                if isHolding {
                    held.append(Held(payload: payload, deliver: deliver, recipient: recipient))
                }
                return !isHolding
            }
        }
        for payload in ready { deliver(payload) }
    }
}
