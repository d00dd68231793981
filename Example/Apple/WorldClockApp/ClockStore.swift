// Part of an app for iOS and macOS, whose Xcode project is described by ../project.yml.

import CloudKit
import Combine
import CoreData
import Seam3
import SwiftUI
import WorldClock

/// The app's store, and what the views show of its sync.
@MainActor
final class ClockStore: ObservableObject {
    enum Phase {
        case opening
        case failed(String)
        case open(CoreDataStack)
    }

    private static let containerIdentifier = "iCloud.org.example.WorldClock"

    @Published private(set) var phase = Phase.opening
    /// What the views show of the sync, once the store is open.
    @Published private var monitor: SMSyncMonitor?
    /// A problem to show to the user: CloudKit cannot be used, or a save has failed.
    @Published private(set) var problem: String?
    /// The conflicts that the user has not looked at.
    @Published private(set) var conflicts: [ClockConflict] = []

    /// The state of the store's sync.
    var status: SMSyncStatus? { monitor?.status }
    /// The progress of the running sync; nil if none is running.
    var progress: Progress? { monitor?.progress }
    /// What the last sync did.
    var summary: SMSyncSummary? { monitor?.lastSummary }

    /// The store, once it is open.
    var store: SMStore? {
        if case .open(let stack) = phase { return stack.store }
        return nil
    }

    private lazy var opening = Task { await openStore() }

    /// Opens the store, unless it is open, and returns when that is done.
    func open() async { await opening.value }

    /// Opens the store, and syncs for the first time.
    private func openStore() async {
        do {
            let url = NSPersistentContainer.defaultDirectoryURL()
                .appendingPathComponent("WorldClock.sqlite")
            let stack = try await CoreDataStack(
                url: url, cloud: CKContainer(identifier: Self.containerIdentifier))
            stack.reportConflicts { [weak self] conflict in
                Task { @MainActor in self?.note(conflict) }
            }
            phase = .open(stack)
            follow(stack.store)
            verifyAccount(stack.store)
            Task { await importTimeZones(into: stack) }
        } catch {
            phase = .failed("\(error)")
        }
    }

    private func importTimeZones(into stack: CoreDataStack) async {
        do {
            _ = try await stack.importTimeZones(TimeZoneData()) { _, _ in }
        } catch {
            show(error)
        }
    }

    /// Syncs at the user's request.
    func synchronize() {
        store?.triggerSync()
    }

    /// Cancels the running sync.
    func cancel() {
        progress?.cancel()
    }

    // MARK: - Following

    private func verifyAccount(_ store: SMStore) {
        store.verifyCloudKitConnectionAndUser { [weak self] status, user, error in
            Task { @MainActor in
                guard status == .available, user != nil else {
                    self?.problem =
                        error?.localizedDescription ?? "Sign in to iCloud to sync."
                    return
                }
                self?.problem = nil
                store.triggerSync()
            }
        }
    }

    private func follow(_ store: SMStore) {
        let monitor = SMSyncMonitor(store)
        self.monitor = monitor
        Task { [weak self] in
            for await _ in monitor.changes { self?.objectWillChange.send() }
        }
    }

    // MARK: - Conflicts

    private func note(_ conflict: ClockConflict) {
        conflicts.removeAll { $0.id == conflict.id }
        conflicts.append(conflict)
    }

    /// Keeps a conflict's resolution: the other device's version has won.
    func acceptTheirs(_ conflict: ClockConflict) {
        conflicts.removeAll { $0.id == conflict.id }
    }

    /// Gives the clock this device's version after all.
    func takeMine(_ conflict: ClockConflict) async {
        guard case .open(let stack) = phase else { return }
        do {
            try await stack.takeMine(conflict)
            conflicts.removeAll { $0.id == conflict.id }
        } catch {
            // The conflict stays in the list, and the user may choose again.
            show(error)
        }
    }

    // MARK: - Saving

    /// Saves what the views have changed, and undoes what cannot be saved.
    func save(_ context: NSManagedObjectContext) {
        do {
            if context.hasChanges { try context.save() }
        } catch {
            context.rollback()
            show(error)
        }
    }

    /// Shows a failure to the user.
    func show(_ error: any Error) {
        problem = error.localizedDescription
    }
}
