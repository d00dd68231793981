import CoreData

#if canImport(Combine)
import Combine
#endif

/// The state of a store's sync for a user interface: state, progress, pending changes, last error.
/// With Combine it is an `ObservableObject`:
///
///     struct SyncLabel: View {
///         @ObservedObject var monitor: SMSyncMonitor
///
///         var body: some View {
///             if let progress = monitor.progress {
///                 ProgressView(progress)
///             } else {
///                 Text("\(monitor.pendingChangeCount) changes wait")
///             }
///         }
///     }
///
/// It follows the store's syncs and the saves of the app's contexts, and does not retain the store.
@MainActor
public final class SMSyncMonitor {
    /// All published values together: they change once for each event.
    private struct Snapshot {
        var status: SMSyncStatus?
        var progress: Progress?
        var summary: SMSyncSummary?
        var error: (any Error)?
        var conflictCount = 0
    }

    #if canImport(Combine)
    @Published private var snapshot = Snapshot()
    #else
    private var snapshot = Snapshot()
    #endif

    private weak var store: SMStore?
    private var following: Task<Void, Never>?
    private var saves: SaveObserver?
    private var readers: [UUID: AsyncStream<Void>.Continuation] = [:]
    /// What is to be shown with the status that is being read, and with the next one.
    private var updates: [(inout Snapshot) -> Void] = []
    private var waitingUpdates: [(inout Snapshot) -> Void] = []
    private var isReading = false

    /// Creates a monitor that follows a store.
    ///
    /// The status is nil until it has been read for the first time, right after that.
    ///
    /// - Parameter store: The store. If it is not open, the values are nil until it has been opened
    ///   and ``refresh()`` is called.
    public init(_ store: SMStore) {
        self.store = store
        refresh()
        let events = store.events
        following = Task { [weak self] in
            for await event in events { self?.show(event) }
        }
        saves = SaveObserver(of: store) { [weak self] in
            Task { @MainActor in self?.refresh() }
        }
    }

    deinit {
        following?.cancel()
        for reader in readers.values { reader.finish() }
    }

    // MARK: - What is shown

    /// What the store is doing; nil while it is not open.
    public var state: SMSyncStatus.State? { snapshot.status?.state }
    /// The current status of the store's sync; nil while the store is not open.
    public var status: SMSyncStatus? { snapshot.status }
    /// Whether the store is syncing now.
    public var isSyncing: Bool { snapshot.progress != nil }
    /// The progress of the running sync, in records; nil if none is running. It can be canceled.
    public var progress: Progress? { snapshot.progress }
    /// How many local changes the server has not acknowledged.
    public var pendingChangeCount: Int { snapshot.status?.pendingChangeCount ?? 0 }
    /// When the store last synced without an error.
    public var lastSuccess: Date? { snapshot.status?.lastSuccess }
    /// The error of the last sync; nil if it succeeded.
    public var lastError: (any Error)? { snapshot.error }
    /// The summary of the last sync that succeeded since the monitor was created.
    public var lastSummary: SMSyncSummary? { snapshot.summary }
    /// How many conflicts the policy has resolved since the monitor was created.
    public var conflictCount: Int { snapshot.conflictCount }

    /// Yields an element after each change of the values, for interfaces without SwiftUI. Each
    /// access returns a new stream, which ends with the monitor.
    public var changes: AsyncStream<Void> {
        let (stream, reader) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        readers[id] = reader
        reader.onTermination = { [weak self] _ in
            Task { @MainActor in self?.readers[id] = nil }
        }
        return stream
    }

    /// Reads the store's status again, without waiting for it. Needed only after changes that the
    /// monitor does not observe, such as a batch request.
    public func refresh() {
        update { _ in }
    }

    // MARK: - Following

    private func show(_ event: SMSyncEvent) {
        update { snapshot in
            guard event.kind == .sync, event.endDate != nil else { return }
            snapshot.error = event.error
            snapshot.conflictCount += event.summary.conflictCount
            if event.succeeded { snapshot.summary = event.summary }
        }
    }

    /// Changes the values once the status has been read. The file is read on a queue of its own: the store may be busy,
    /// and the main thread must not wait for it.
    private func update(_ body: @escaping (inout Snapshot) -> Void) {
        waitingUpdates.append(body)
        guard !isReading else { return }
        isReading = true
        Task { [weak self] in
            while let reader = self?.nextReader() {
                let status = await reader.status()
                self?.show(status)
            }
        }
    }

    /// What reads the status for the updates that wait; nil if there are none. Those that are added while it reads wait
    /// for the next one.
    private func nextReader() -> StatusReader? {
        (updates, waitingUpdates) = (waitingUpdates, [])
        isReading = !updates.isEmpty
        return isReading ? StatusReader(store: store) : nil
    }

    private func show(_ status: SMSyncStatus?) {
        var new = snapshot
        for update in updates { update(&new) }
        new.progress = store?.syncProgress
        new.status = status
        snapshot = new
        for reader in readers.values { reader.yield() }
    }
}

/// Reads a store's status on a queue of its own. It does not keep the store alive.
private final class StatusReader: @unchecked Sendable {
    // Unchecked because a weak reference is atomic, and it is set once.

    private weak var store: SMStore?
    private static let queue = DispatchQueue(label: "SMSyncMonitor", qos: .userInitiated)

    init(store: SMStore?) {
        self.store = store
    }

    func status() async -> SMSyncStatus? {
        await withCheckedContinuation { continuation in
            Self.queue.async {
                let status = try? self.store?.syncStatus()
                continuation.resume(returning: status)
            }
        }
    }
}

#if canImport(Combine)
extension SMSyncMonitor: ObservableObject {}
#endif

/// Reports the saves to a store's coordinator while it exists.
private final class SaveObserver {
    private let observer: any NSObjectProtocol

    /// - Parameter report: Called on the queue of the context that has saved.
    init(of store: SMStore, report: @escaping @Sendable () -> Void) {
        observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
        ) { [weak store] note in
            let context = note.object as? NSManagedObjectContext
            guard let coordinator = store?.persistentStoreCoordinator,
                context?.persistentStoreCoordinator === coordinator
            else { return }
            report()
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(observer)
    }
}
