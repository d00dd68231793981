import Foundation

/// Notifies observers of changes. Observers in this instance are called directly. Other instances
/// and processes get a message through the cloud's directory: a datagram to each one's socket or,
/// on Apple's systems, a write to a file that each one watches.
///
/// A signal only says what to check; the change itself is in a file. Nothing is lost when a
/// socket's queue is full, because its owner will then find all changes when it checks.
final class ChangeSignal: @unchecked Sendable {
    /// The topic of the accounts. Other topics are the keys of stores.
    static let accountsTopic = "accounts"

    typealias Observer = @Sendable () -> Void

    // Unchecked because `observers` and `channel` are accessed only while `lock` is held.
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
    /// - Returns: A token for ending the observation.
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
