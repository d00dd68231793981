import CoreData

#if canImport(Combine)
import Combine
#endif

/// What an interface shows of a store's sync: the state, the progress, the changes that wait, the last
/// error. With Combine it is an `ObservableObject`:
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
/// It follows the store's syncs and the saves of the application's contexts, and does not keep the store
/// alive.
@MainActor
public final class SMSyncMonitor {
    /// What is shown, as one value: it changes once for each event.
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

    /// Begins to follow a store.
    ///
    /// - Parameter store: The store. If it is not open, the monitor shows nothing until it is and
    ///   ``refresh()`` is called.
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

    /// What the store is about; nil as long as it is not open.
    public var state: SMSyncStatus.State? { snapshot.status?.state }
    /// Where the store's sync stands; nil as long as the store is not open.
    public var status: SMSyncStatus? { snapshot.status }
    /// Whether the store syncs now.
    public var isSyncing: Bool { snapshot.progress != nil }
    /// The progress of the sync that runs, in records; nil if none runs. It can be canceled.
    public var progress: Progress? { snapshot.progress }
    /// How many local changes the server has not acknowledged.
    public var pendingChangeCount: Int { snapshot.status?.pendingChangeCount ?? 0 }
    /// When the store last synced without an error.
    public var lastSuccess: Date? { snapshot.status?.lastSuccess }
    /// What the last sync failed with; nil if it did not.
    public var lastError: (any Error)? { snapshot.error }
    /// What the last sync did that has ended without an error since the monitor was made.
    public var lastSummary: SMSyncSummary? { snapshot.summary }
    /// How many conflicts the policy has resolved since the monitor was made.
    public var conflictCount: Int { snapshot.conflictCount }

    /// An element for each change of what is shown, for interfaces without SwiftUI. Each call gives a stream
    /// of its own, which ends with the monitor.
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

    /// Looks at the store again. Needed only after something of which the monitor does not learn, such as
    /// a batch request.
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

    private func update(_ body: (inout Snapshot) -> Void) {
        var new = snapshot
        body(&new)
        new.progress = store?.syncProgress
        new.status = try? store?.syncStatus()
        snapshot = new
        for reader in readers.values { reader.yield() }
    }
}

#if canImport(Combine)
extension SMSyncMonitor: ObservableObject {}
#endif

/// Tells of the saves to a store's coordinator, as long as it lives.
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
