import CloudKit
import CoreData
import Seam3

// The functions of the manual's articles, word for word.

func synchronize(_ store: SMStore) async {
    do {
        let summary = try await store.sync()
        print("\(summary.insertedObjectCount) new, \(summary.conflictCount) conflicts")
    } catch {
        print("What was not acknowledged waits for the next sync: \(error)")
    }
}

final class PrintingLogger: SMLogDelegate {
    static let shared = PrintingLogger()

    func log(_ message: @autoclosure () -> String, type: SMLogType) {
        print(type, message())
    }
}

func printLog() {
    SMStore.logger = PrintingLogger.shared
}

func symbol(for clock: NSManagedObject, in store: SMStore) throws -> String {
    switch try store.syncState(of: clock.objectID) {
    case .synced: "checkmark.icloud"
    case .waiting: "icloud.and.arrow.up"
    case .refused: "exclamationmark.icloud"
    case .notSynced: "iphone"
    }
}

func explain(_ error: Error) -> String {
    switch error {
    case SMStoreError.accountUnavailable(let reason):
        return "iCloud cannot be used: \(reason). Changes are kept."
    case SMStoreError.accountChanged:
        return "Another user is signed in. Nothing was sent."
    case SMStoreError.zoneMissing:
        return "The data of this app was deleted in iCloud."
    case SMStoreError.changesNotAcknowledged(let count, _):
        return "\(count) changes could not be sent and wait."
    case let error as CKError where error.retryAfterSeconds != nil:
        return "iCloud is busy. The app will try again automatically."
    case let error as CKError where error.code == .quotaExceeded:
        return "The iCloud storage is full."
    default:
        return error.localizedDescription
    }
}

func examine(_ store: SMStore) throws {
    for violation in try store.checkInvariants() { print("Violated: \(violation)") }
    let statistics = try store.statistics()
    print("\(statistics.rowCount) objects in \(statistics.size) bytes")
    for (entity, changes) in statistics.pendingChanges {
        print("\(entity): \(changes.count) changes wait, \(changes.refused) were refused")
    }
}

func adoptOldFile(at url: URL, model: NSManagedObjectModel) throws {
    guard let adoption = try SMStore.adoptFile(at: url, model: model) else { return }
    print("\(adoption.objectCount) objects; the old file is \(adoption.originalURL.path)")
    for entry in adoption.leftOut { print(entry) }
}

func reportOldFile(at url: URL, model: NSManagedObjectModel) throws {
    let adoption = try SMStore.adoptFile(at: url, model: model, isDryRun: true)
    for entry in adoption?.report ?? [] { print(entry) }
}

func tellUserOfOldFile(_ description: NSPersistentStoreDescription) {
    if let user = UserDefaults.standard.string(forKey: "CloudKitUser") {
        description.setOption(user as NSString, forKey: SMStore.SMStoreAdoptionUserOption)
    }
}

func startWithTheirData(_ store: SMStore, _ context: NSManagedObjectContext) async throws {
    try store.resetBackingStore()
    await context.perform { context.reset() }
    try await store.sync()
}

func giveThemOurData(_ store: SMStore) async throws {
    try store.resetCloudFieldsInBackingStore()
    try await store.sync()
}

func deleteEverything(_ store: SMStore) async throws {
    try await store.deleteCloudData(then: .removeLocalData) { deletion in
        await ask("Delete \(deletion.objectCount) clocks in iCloud and on this device?")
    }
}

func followDeletions(_ store: SMStore) {
    store.zoneLossHandler = { loss in
        switch loss {
        case .deleted, .purged, .missing, .recordsVanished: return .removeLocalData
        case .encryptedDataReset: return .upload
        }
    }
}

/// Shows a question in an app.
func ask(_ question: String) async -> Bool { question.isEmpty }

/// Adds a store for objects that stay on the device.
func addLocalStore(to container: NSPersistentContainer, at url: URL) throws -> NSPersistentStore {
    let store = try container.persistentStoreCoordinator.addPersistentStore(
        ofType: SMStore.type, configurationName: nil, at: url)
    try SMStore.store(in: container, at: url).syncAutomatically = false
    return store
}

/// Adds a clock that is not synced.
func addLocalClock(
    _ label: String, to store: NSPersistentStore, in context: NSManagedObjectContext
) throws {
    let clock = NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
    clock.setValue(label, forKey: "label")
    context.assign(clock, to: store)
    try context.save()
}

/// Adds the tags that every user begins with, once.
func addDefaultTags(to container: NSPersistentContainer) throws {
    let coordinator = container.persistentStoreCoordinator
    let store = try SMStore.store(in: container)
    if coordinator.metadata(for: store)["HasDefaultTags"] != nil { return }
    let context = container.newBackgroundContext()
    context.transactionAuthor = SMStore.seedAuthor
    context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    try context.performAndWait {
        for name in ["Home", "Work"] {
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue(name, forKey: "name")
        }
        // The mark is written with the tags, or not at all.
        let metadata = coordinator.metadata(for: store)
        coordinator.setMetadata(
            metadata.merging(["HasDefaultTags": true]) { $1 }, for: store)
        try context.save()
    }
}

func follow(_ store: SMStore) async {
    for await event in store.events where event.kind == .sync {
        guard event.endDate != nil else {
            print("A sync begins")
            continue
        }
        print(event.error.map { "It failed: \($0)" } ?? "It ended: \(event.summary)")
    }
}

@MainActor
func show(_ store: SMStore) async {
    let monitor = SMSyncMonitor(store)
    for await _ in monitor.changes {
        print(monitor.isSyncing ? "Syncing" : "\(monitor.pendingChangeCount) changes wait")
    }
}
