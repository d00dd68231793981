import Foundation

/// Wakes whoever waits for a change: in this instance by a call, in other instances and processes by a
/// message through the cloud's directory: a datagram to the socket that each of them has there, or on
/// Apple's systems a write to a file that each of them watches.
///
/// A signal says only what to look at; the news itself is in a file. So nothing is lost when a
/// socket's queue is full: its owner has not yet looked and will find all.
final class ChangeSignal: @unchecked Sendable {
    /// The topic of the accounts. Other topics are the keys of stores.
    static let accountsTopic = "accounts"

    typealias Observer = @Sendable () -> Void

    // Unchecked because `observers` and `channel` are touched under `lock` only.
    private let lock = NSLock()
    private var observers: [Int: (topic: String, call: Observer)] = [:]
    private var nextObserver = 0
    private var channel: SystemSignalChannel?
    private let listeners: URL?

    init(directory: URL?) {
        listeners = directory?.appendingPathComponent("Listeners", isDirectory: true)
    }

    /// Calls a closure after each signal of a topic, from now on.
    ///
    /// - Returns: What ends it.
    func observe(_ topic: String, _ call: @escaping Observer) throws -> Int {
        try lock.locked {
            if let listeners, channel == nil {
                channel = try SystemSignalChannel(directory: listeners) { [weak self] topic in
                    self?.callObservers(of: topic)
                }
            }
            let channel: (any SignalChannel)? = channel
            try channel?.listen(to: topic)
            nextObserver += 1
            observers[nextObserver] = (topic, call)
            return nextObserver
        }
    }

    /// Ends an observation.
    func end(_ observer: Int) {
        lock.locked {
            observers[observer] = nil
            if observers.isEmpty { channel = nil }
        }
    }

    /// Sends a signal.
    func post(topic: String) {
        callObservers(of: topic)
        if let listeners {
            SystemSignalChannel.send(
                topic, to: listeners, except: lock.locked { channel?.name })
        }
    }

    private func callObservers(of topic: String) {
        let calls = lock.locked {
            observers.values.filter { $0.topic == topic }.map(\.call)
        }
        for call in calls { call() }
    }
}
