import Foundation

/// A gate at which requests wait until a test opens it.
public final class FaultGate: @unchecked Sendable {
    // Unchecked because the following are accessed only while `lock` is held.
    private let lock = NSLock()
    private var isOpen = false
    private var hasArrival = false
    private var requests: [CheckedContinuation<Void, Never>] = []
    private var observers: [CheckedContinuation<Void, Never>] = []

    /// Creates a closed gate.
    public init() {}

    /// Lets all requests through, those that wait and those that arrive later.
    public func open() {
        let waiting = lock.locked {
            isOpen = true
            defer { requests = [] }
            return requests
        }
        for request in waiting { request.resume() }
    }

    /// Returns as soon as a request has arrived at the gate.
    public func arrival() async {
        await withCheckedContinuation { continuation in
            let isLate = lock.locked {
                if !hasArrival { observers.append(continuation) }
                return hasArrival
            }
            if isLate { continuation.resume() }
        }
    }

    func pass() async {
        let arrived = lock.locked {
            hasArrival = true
            defer { observers = [] }
            return observers
        }
        for observer in arrived { observer.resume() }
        await withCheckedContinuation { continuation in
            let mayPass = lock.locked {
                if !isOpen { requests.append(continuation) }
                return isOpen
            }
            if mayPass { continuation.resume() }
        }
    }
}
