import Foundation

/// Wakes whoever waits for a change: in this instance by a call, in other instances and processes by a
/// datagram to the socket that each of them has in the cloud's directory.
///
/// A signal says only what to look at; the news itself is in a file. So nothing is lost when a
/// socket's queue is full: its owner has not yet looked and will find all.
final class ChangeSignal: @unchecked Sendable {
    /// The topic of the accounts. Other topics are the keys of stores.
    static let accountsTopic = "accounts"

    typealias Observer = @Sendable () -> Void

    // Unchecked because `observers` and `socket` are touched under `lock` only.
    private let lock = NSLock()
    private var observers: [Int: (topic: String, call: Observer)] = [:]
    private var nextObserver = 0
    private var socket: SignalSocket?
    private let sockets: URL?

    init(directory: URL?) {
        sockets = directory?.appendingPathComponent("Listeners", isDirectory: true)
    }

    /// Calls a closure after each signal of a topic, from now on.
    ///
    /// - Returns: What ends it.
    func observe(_ topic: String, _ call: @escaping Observer) throws -> Int {
        try lock.withLock {
            if let sockets, socket == nil {
                socket = try SignalSocket(directory: sockets) { [weak self] topic in
                    self?.callObservers(of: topic)
                }
            }
            nextObserver += 1
            observers[nextObserver] = (topic, call)
            return nextObserver
        }
    }

    /// Ends an observation.
    func end(_ observer: Int) {
        lock.withLock {
            observers[observer] = nil
            if observers.isEmpty { socket = nil }
        }
    }

    /// Sends a signal.
    func post(topic: String) {
        callObservers(of: topic)
        if let sockets {
            SignalSocket.send(topic, to: sockets, except: lock.withLock { socket?.name })
        }
    }

    private func callObservers(of topic: String) {
        let calls = lock.withLock {
            observers.values.filter { $0.topic == topic }.map(\.call)
        }
        for call in calls { call() }
    }
}
