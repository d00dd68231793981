import CloudKitService
import Foundation

/// Lets a test decide when the devices of this cloud instance get their pushes, and which.
///
/// Real pushes may arrive late, once for several changes, or never. Each method applies from the
/// next push on; by default each push is delivered at once.
public final class PushDeliveryControl: @unchecked Sendable {
    private struct Held {
        var payload: PushPayload
        var deliver: @Sendable (PushPayload) -> Void
        var recipient: Int

        /// Identifies pushes that can replace each other.
        var subscription: String {
            let change = payload.ck.qry ?? payload.ck.fet ?? payload.ck.met
            return "\(recipient) \(change?.sid ?? "")"
        }
    }

    /// A push that a harsh cloud delivers later.
    private struct Late {
        var push: Held
        /// How many requests it still waits for.
        var requests: Int
        /// Whether the next push of its subscription replaces it.
        var isReplaceable: Bool
    }

    // Unchecked because the following are accessed only while `lock` is held.
    private let lock = NSLock()
    private var isHolding = false
    private var isLosing = false
    private var losses = 0
    private var held: [Held] = []
    private var late: [Late] = []
    private var lateObserver: (@Sendable (PushPayload) -> Void)?
    private var arrival = 0
    private let faults: FaultPlan

    init(faults: FaultPlan) { self.faults = faults }

    /// The pushes that are held back, oldest first.
    public var heldPushes: [PushPayload] { lock.locked { held.map(\.payload) } }

    /// The pushes that a harsh cloud delivers later, oldest first.
    public var latePushes: [PushPayload] { lock.locked { late.map(\.push.payload) } }

    /// Holds pushes back from now on.
    public func hold() { lock.locked { isHolding = true } }

    /// Delivers held pushes, and stops holding.
    public func release() {
        lock.locked { isHolding = false }
        deliverHeld()
    }

    /// Delivers held pushes, oldest first, and continues holding.
    ///
    /// - Parameter count: How many; nil for all.
    public func deliverHeld(_ count: Int? = nil) {
        let ready = lock.locked {
            let ready = Array(held.prefix(count ?? held.count))
            held.removeFirst(ready.count)
            return ready
        }
        for push in ready { push.deliver(push.payload) }
    }

    /// Replaces held pushes for the same subscription and device with the last of them, as Apple's
    /// service does for a device that was offline.
    public func mergeHeld() {
        lock.locked {
            var seen: Set<String> = []
            held = held.reversed().filter { seen.insert($0.subscription).inserted }.reversed()
        }
    }

    /// Drops held pushes.
    public func dropHeld() { lock.locked { held = [] } }

    /// Drops the next pushes.
    ///
    /// - Parameter count: How many.
    public func loseNext(_ count: Int = 1) { lock.locked { losses += count } }

    /// Drops all pushes, until this is called again with `false`.
    public func loseAll(_ isLosing: Bool = true) { lock.locked { self.isLosing = isLosing } }

    func makeRecipient() -> Int {
        lock.locked {
            arrival += 1
            return arrival
        }
    }

    /// Delivers pushes to a device, unless a test or the cloud's temper holds, merges or drops
    /// them.
    func deliver(
        _ payloads: [PushPayload], to recipient: Int, device: String,
        _ deliver: @escaping @Sendable (PushPayload) -> Void
    ) {
        let ready = lock.locked {
            payloads.filter { payload in
                if isLosing { return false }
                if losses > 0 {
                    losses -= 1
                    return false
                }
                let push = Held(payload: payload, deliver: deliver, recipient: recipient)
                if isHolding {
                    held.append(push)
                    return false
                }
                return isDeliveredNow(push, device: device)
            }
        }
        for payload in ready { deliver(payload) }
    }

    /// Reports each push that becomes late from now on.
    func observeLate(_ observer: @escaping @Sendable (PushPayload) -> Void) {
        lock.locked { lateObserver = observer }
    }

    /// Applies the cloud's temper, with the lock held.
    private func isDeliveredNow(_ push: Held, device: String) -> Bool {
        late.removeAll { $0.isReplaceable && $0.push.subscription == push.subscription }
        switch faults.delivery(toDevice: device) {
        case .now: return true
        case .never: return false
        case .late(let requests):
            late.append(Late(push: push, requests: requests, isReplaceable: false))
        case .withNext(let requests):
            late.append(Late(push: push, requests: requests, isReplaceable: true))
        }
        lateObserver?(push.payload)
        return false
    }

    /// Delivers pushes that have been late long enough. Called after each request.
    ///
    /// - Parameter all: Whether to deliver all late pushes.
    func deliverLate(all: Bool = false) {
        let due = lock.locked {
            guard !late.isEmpty else { return [Held]() }
            for index in late.indices { late[index].requests -= 1 }
            let due = late.filter { all || $0.requests <= 0 }.map(\.push)
            late.removeAll { all || $0.requests <= 0 }
            return due
        }
        for push in due { push.deliver(push.payload) }
    }
}
