import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Seam3Testing

/// An app on one device: its processes, which start, end and are killed, and its contexts.
final class App {
    let number: Int
    /// The place of its file in the history, which changes if another file replaces it.
    var place: Int
    let name: String
    private(set) var version: ModelVersion
    private let wire: Wire
    private let service: any CloudKitService
    private let setting: Setting
    private let directory: URL
    /// Each lifetime has its own folder, because the remains of a killed process may still close
    /// its files.
    private var lifetime = 0
    /// The processes that have the file open: the app, and possibly its extension.
    private var processes: [NSPersistentContainer] = []
    private var current = 0
    private var commitWatch: Int?
    private let commits = CommitCounter()
    /// The user's screen; nil while the app is not running.
    private(set) var screen: Screen?
    /// Other contexts of the app, without changes: one that merges, and one that is refreshed.
    private(set) var onlookers: [Onlooker] = []
    /// Contexts with unsaved changes.
    var held: [Int: HeldChanges] = [:]
    /// The app's last snapshot of its objects.
    var seen = Snapshot() {
        didSet {
            isStale = false
            for number in held.keys { held[number]?.look(at: seen) }
        }
    }
    /// Whether the store may have changed since then.
    private(set) var isStale = true
    func invalidate() { isStale = true }
    /// Whether the device has synced with the account of the user who owns its data.
    var hasSynced = false
    /// The records that its file refuses and a pass has reported.
    var toldRefused: Set<String> = []
    /// Whether it reads the zone's changes from the beginning, and no pass has read all of them.
    var readsAgain = false
    /// Whether another user is signed in.
    var hasOtherUser = false
    /// The last backup of its file.
    var backup: Fleet.FileCopy?
    private let zoneLoss = ZoneLossChoice()

    /// From now on, records that were lost with their zone are sent again.
    func uploadVanishedRecords() { zoneLoss.uploadsVanished = true }
    var uploadsVanishedRecords: Bool { zoneLoss.uploadsVanished }

    private static let files = ["App.sqlite", "App.sqlite-wal", ".App_SUPPORT"]

    init(
        _ number: Int, on wire: Wire, by service: any CloudKitService, in directory: URL,
        _ setting: Setting
    ) throws {
        self.number = number
        place = number
        name = Self.name(number)
        self.wire = wire
        self.service = service
        self.setting = setting
        version = setting.version
        self.directory = directory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("important".utf8).write(to: canary)
        try open()
    }

    static func name(_ number: Int) -> String { "device\(number)" }

    deinit {
        if let commitWatch { CommitWatch.end(commitWatch) }
    }

    var folder: URL { directory.appendingPathComponent("\(lifetime)") }
    private var nextFolder: URL { directory.appendingPathComponent("\(lifetime + 1)") }
    var storeURL: URL { folder.appendingPathComponent(Self.files[0]) }
    /// The folder of the store's external data.
    var externalData: URL {
        let parent = folder.appendingPathComponent(".App_SUPPORT/_EXTERNAL_DATA")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        return names.first.map(parent.appendingPathComponent) ?? parent
    }
    /// A file of the app, next to the store's.
    var canary: URL { folder.appendingPathComponent("important.data") }

    var store: SMStore {
        get throws {
            guard processes.indices.contains(current),
                let store = Self.store(of: processes[current])
            else { throw Broken("the store of \(name) is not open") }
            return store
        }
    }

    var hasExtension: Bool { processes.count > 1 }

    /// Whether no record of the server is set aside except those that the file refuses.
    func hasFetchedAll(but refused: Int) throws -> Bool {
        try store.syncStatus().unfetchedRecords.count <= refused
    }

    private static func store(of container: NSPersistentContainer) -> SMStore? {
        container.persistentStoreCoordinator.persistentStores.first as? SMStore
    }

    // MARK: - The process

    private func open() throws {
        SMStore.registerStoreClass()
        isStale = true
        commitWatch = CommitWatch.begin(path: storeURL.path) { [commits] in commits.note() }
        processes = [try container(version)]
        current = 0
        screen = try Screen(
            processes[0], keepsHistory: keepsHistory,
            mergingFrom: keepsHistory ? nil : Self.store(of: processes[0]))
        onlookers = [true, false].map { Onlooker(processes[0], merges: $0) }
    }

    /// Whether the file has persistent history, which is the case on every second device.
    private var keepsHistory: Bool { number % 2 == 1 }

    /// Whether the entities' policies are in the model instead of the code.
    private var modelHasPolicies: Bool { number % 2 == 1 }

    private func container(_ version: ModelVersion) throws -> NSPersistentContainer {
        let model = version.make(policies: modelHasPolicies ? setting.entityPolicies : [:])
        let container = NSPersistentContainer(name: "App", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: storeURL)
        description.type = SMStore.type
        description.setOption(
            cloudContainer(), forKey: SMStore.SMStoreContainerOption)
        description.setOption(
            NSNumber(value: setting.policy.rawValue),
            forKey: SMStore.SMStoreSyncConflictResolutionPolicyOption)
        if let limit = setting.stepLimit {
            description.setOption(NSNumber(value: limit), forKey: "Seam3StepLimit")
        }
        if keepsHistory {
            for key in [
                NSPersistentHistoryTrackingKey,
                NSPersistentStoreRemoteChangeNotificationPostOptionKey,
            ] {
                description.setOption(true as NSNumber, forKey: key)
            }
        }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        if let store = Self.store(of: container) { configure(store) }
        return container
    }

    /// A `CKContainer` on Linux, unless the environment variable `SEAM_TEST_CLOUD` is `service`. On
    /// other systems a `CKContainer` always uses iCloud.
    private func cloudContainer() -> NSObject {
        #if os(Linux)
        if ProcessInfo.processInfo.environment["SEAM_TEST_CLOUD"] != "service" {
            return CKContainer(
                identifier: ServerReader.container, service: service,
                environment: setting.environment, device: name)
        }
        #endif
        return LocalContainer(
            identifier: ServerReader.container, service: service,
            environment: setting.environment, device: name)
    }

    private func configure(_ store: SMStore) {
        store.syncAutomatically = false
        if !modelHasPolicies {
            for (kind, policy) in setting.entityPolicies {
                store.setSyncConflictResolutionPolicy(policy, forEntityNamed: kind.entityName)
            }
        }
        // For each property the greater of the two texts wins, so all devices decide the same way.
        store.recordConflictResolutionBlock = { server, client, _ in
            for field in ["title", "note", "text", "x", "y", "extra"] {
                let ours: String? = client[field]
                let theirs: String? = server[field]
                guard ours != nil || theirs != nil else { continue }
                server[field] = [ours, theirs].compactMap { $0 }.max()
            }
            return server
        }
        store.zoneLossHandler = { [zoneLoss] loss in
            if case .recordsVanished = loss, !zoneLoss.uploadsVanished { return .removeLocalData }
            return .upload
        }
        store.accountChangeHandler = { _ in .keepLocalData }
    }

    /// Ends all processes.
    func close() throws {
        if let commitWatch { CommitWatch.end(commitWatch) }
        commitWatch = nil
        screen = nil
        onlookers = []
        held = [:]
        for container in processes {
            let coordinator = container.persistentStoreCoordinator
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
        processes = []
    }

    /// Quits the app and starts it again, possibly with another model.
    func relaunch(_ version: ModelVersion? = nil) throws {
        let former = self.version
        try close()
        try jump(180)
        self.version = version ?? former
        do {
            try open()
        } catch {
            if let commitWatch { CommitWatch.end(commitWatch) }
            self.version = former
            try open()
            throw error
        }
    }

    /// Switches to the device's other process, which is started if necessary.
    func switchProcess() throws {
        if processes.count < 2 { processes.append(try container(version)) }
        current = 1 - current
        isStale = true
    }

    // MARK: - Copies of the file

    /// Copies the app's files while it is not running.
    func copyFiles(to folder: URL) throws {
        try close()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in Self.files + ["important.data"] {
            let source = self.folder.appendingPathComponent(file)
            guard FileManager.default.fileExists(atPath: source.path) else { continue }
            try FileManager.default.copyItem(
                at: source, to: folder.appendingPathComponent(file))
        }
        try jump(180)
        try open()
    }

    /// Ends the app, and starts it again with copies of files.
    func replaceFiles(by copies: URL) throws {
        try close()
        lifetime += 1
        try FileManager.default.copyItem(at: copies, to: folder)
        try jump(180)
        try open()
    }

    /// Where a copy of the app's files goes.
    func folderOfCopy(_ number: Int) -> URL { directory.appendingPathComponent("copy\(number)") }

    // MARK: - Kills

    /// The process ends before one of the file's next commits.
    func killAtCommit(_ count: Int) {
        let (files, folder, next) = (Self.files + ["important.data"], folder, nextFolder)
        let (wire, name) = (wire, name)
        commits.start(count) {
            wire.cut(name)
            try? FileManager.default.createDirectory(at: next, withIntermediateDirectories: true)
            for file in files {
                try? FileManager.default.copyItem(
                    at: folder.appendingPathComponent(file), to: next.appendingPathComponent(file))
            }
        }
    }

    /// Whether the process has been killed and not started again.
    var isKilled: Bool { FileManager.default.fileExists(atPath: nextFolder.path) }

    /// Starts the app with the file as it was at the kill.
    func startAfterKill() throws {
        commits.start(0) {}
        try? close()
        lifetime += 1
        try jump(180)
        wire.mend(name)
        try open()
    }

    func disarm() { commits.start(0) {} }

    /// Advances the time, so that the lease of an ended process expires.
    ///
    /// The lease in the file has a date, which is moved back instead.
    func jump(_ seconds: Double) throws {
        try RawFile(storeURL).execute(
            "UPDATE sm_sync SET lease_expiry = lease_expiry - \(seconds)")
    }

    // MARK: - Contexts

    /// A temporary context.
    func makeContext() throws -> NSManagedObjectContext {
        guard processes.indices.contains(current) else { throw Broken("\(name) is closed") }
        return processes[current].newBackgroundContext()
    }

    /// Runs a closure on a context's queue.
    static func perform<T>(
        _ context: NSManagedObjectContext, _ body: (NSManagedObjectContext) throws -> T
    ) throws -> T {
        try withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            return try context.performAndWait { try body(context) }
        }
    }

    static func rollback(_ context: NSManagedObjectContext) {
        context.performAndWait { context.rollback() }
    }

    /// Merges the changes of the process's batch request into its contexts.
    func mergeBatch(_ ids: [NSManagedObjectID], asValuesFor key: String) {
        if current != 0 { return }
        screen?.merge(ids, asValuesFor: key)
        for onlooker in onlookers { onlooker.merge(ids, asValuesFor: key) }
        let contexts = held.values.filter(\.follows).map(\.context)
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: contexts)
    }

    /// Refreshes the objects of all contexts without changes.
    func refreshContexts() {
        screen?.refresh()
        for onlooker in onlookers { onlooker.refresh() }
    }

    /// Reads all objects again.
    func read() throws -> Snapshot {
        try Self.perform(try makeContext()) { try Snapshot(reading: $0) }
    }

    /// Lets contexts merge the store's changes.
    func settle() {
        screen?.settle()
        for changes in held.values { changes.context.performAndWait {} }
    }
}

/// The app's response to lost records. It is separate from the device, because the store retains it
/// and the device retains the store.
final class ZoneLossChoice: @unchecked Sendable {
    // Unchecked because it changes only while nothing syncs.

    var uploadsVanished = false
}

/// The side of a merge conflict that the app wants to win when it saves.
public enum Trump: String, Sendable, CaseIterable {
    case error, object, store, overwrite, rollback

    var policy: NSMergePolicy {
        switch self {
        case .error: return NSMergePolicy(merge: .errorMergePolicyType)
        case .object: return NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        case .store: return NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        case .overwrite: return NSMergePolicy(merge: .overwriteMergePolicyType)
        case .rollback: return NSMergePolicy(merge: .rollbackMergePolicyType)
        }
    }
}

/// The judge itself has failed.
struct Broken: Error, CustomStringConvertible {
    let description: String

    init(_ text: String) { description = "The judge is broken: \(text)" }
}
