import CloudKit
import CoreData

#if canImport(Network)
import Network
#endif

/// An event of the system that is a reason to sync.
enum SystemEvent: Sendable {
    /// The app, or the one that an extension belongs to, has become active.
    case activated
    /// The network is available again.
    case networkReturned
    /// Somebody has signed in or out, or the account is available again.
    case accountChanged
}

/// Observes the system until it is deallocated. Linux reports neither activations nor the network.
final class SystemEvents: @unchecked Sendable {
    // Unchecked because nothing changes after the initializer; the monitor has a queue of its own.

    /// The names of the notifications for an app that becomes active. They are spelled out because
    /// extensions and tools lack parts of UIKit and AppKit.
    private static let activations = [
        // What Apple's frameworks do here is an assumption: SM-8.
        "UIApplicationDidBecomeActiveNotification", "NSApplicationDidBecomeActiveNotification",
        "NSExtensionHostDidBecomeActiveNotification", "WKApplicationDidBecomeActiveNotification",
        // The device was unlocked, which an app may learn of in the background.
        "UIApplicationProtectedDataDidBecomeAvailable",
    ]

    private let center: NotificationCenter
    private var observers: [any NSObjectProtocol] = []
    #if canImport(Network)
    private let monitor = NWPathMonitor()
    #endif

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - center: Where the system posts its notifications.
    ///   - container: Gives the container in use; nil as long as none is.
    ///   - report: Called on any queue with each event.
    init(
        center: NotificationCenter = .default,
        container: @escaping @Sendable () -> (any SMCloudContainer)?,
        report: @escaping @Sendable (SystemEvent) -> Void
    ) {
        self.center = center
        for name in Self.activations {
            observers.append(
                center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) {
                    _ in report(.activated)
                })
        }
        observers.append(
            center.addObserver(forName: .CKAccountChanged, object: nil, queue: nil) { note in
                if container()?.isConcerned(by: note) == true { report(.accountChanged) }
            })
        listenToNetwork(report)
    }

    deinit {
        for observer in observers { center.removeObserver(observer) }
        #if canImport(Network)
        monitor.cancel()
        #endif
    }

    private func listenToNetwork(_ report: @escaping @Sendable (SystemEvent) -> Void) {
        #if canImport(Network)
        // The monitor's queue is serial, so nobody else touches this.
        nonisolated(unsafe) var wasMissing = false
        monitor.pathUpdateHandler = { path in
            let isMissing = path.status != .satisfied
            if wasMissing, !isMissing { report(.networkReturned) }
            wasMissing = isMissing
        }
        monitor.start(queue: DispatchQueue(label: "Seam3.network"))
        #endif
    }
}
