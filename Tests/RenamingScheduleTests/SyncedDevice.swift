import CloudKit
import CoreData
import LocalCloud
import Seam3
import Seam3Testing

/// A device with the app in one of its versions.
final class SyncedDevice {
    let number: Int
    let plan: ModelPlan
    private let naming: RunNaming
    private let cloud: LocalCloud
    private let directory: URL
    private(set) var version = 0
    private var fileCount = 0
    private var file: URL
    private var container: NSPersistentContainer?
    /// The context with edits that have not been saved.
    private var held: NSManagedObjectContext?

    init(
        _ number: Int, _ plan: ModelPlan, _ naming: RunNaming, _ cloud: LocalCloud,
        in directory: URL
    ) {
        self.number = number
        self.plan = plan
        self.naming = naming
        self.cloud = cloud
        self.directory = directory
        file = directory.appendingPathComponent("device\(number).sqlite")
    }

    static let container = "iCloud.renaming"

    var identifier: String { "device\(number)" }
    var level: Int { plan.levels[version] }

    func name(_ role: String) -> String {
        plan.name(role, in: naming.version(forNamesOf: version))
    }

    func has(_ role: String) -> Bool { plan.has(role, level: level) }

    var store: SMStore {
        get throws {
            guard let container,
                let store = container.persistentStoreCoordinator.persistentStores.first as? SMStore
            else { throw RunFailure("the store of \(identifier) is not open") }
            return store
        }
    }

    private func model() -> NSManagedObjectModel {
        plan.model(
            version: version, namesOf: naming.version(forNamesOf: version),
            hasPolicies: hasPoliciesInModel)
    }

    /// Whether the policies of entities are in the model instead of the code.
    private var hasPoliciesInModel: Bool { number % 2 == 1 }

    // MARK: - Opening and migrating

    func open() throws {
        SMStore.registerStoreClass()
        let container = NSPersistentContainer(name: "App", managedObjectModel: model())
        let description = NSPersistentStoreDescription(url: file)
        description.type = SMStore.type
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        description.setOption(
            LocalContainer(
                identifier: Self.container, service: cloud, device: identifier),
            forKey: SMStore.SMStoreContainerOption)
        description.setOption(
            NSNumber(value: plan.policy.rawValue),
            forKey: SMStore.SMStoreSyncConflictResolutionPolicyOption)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        self.container = container
        configure(try store)
    }

    private func configure(_ store: SMStore) {
        store.syncAutomatically = false
        store.accountChangeHandler = { _ in .keepLocalData }
        store.zoneLossHandler = { loss in
            if case .recordsVanished = loss { return .removeLocalData }
            return .upload
        }
        if !hasPoliciesInModel {
            for (role, policy) in plan.entityPolicies {
                store.setSyncConflictResolutionPolicy(policy, forEntityNamed: name(role))
            }
        }
        // The greater value wins, so that all devices decide the same way.
        let prefix = plan.fieldNaming == .otherNames ? "f_" : ""
        store.recordConflictResolutionBlock = { server, client, _ in
            func takeGreater<Value: CKRecordValueProtocol & Comparable>(
                _ fields: [String], _ type: Value.Type
            ) {
                for field in fields.map({ prefix + $0 }) {
                    guard let ours = client[field] as? Value else { continue }
                    if let theirs = server[field] as? Value, theirs >= ours { continue }
                    server[field] = ours
                }
            }
            takeGreater(["title", "label", "color", "special", "extra"], String.self)
            takeGreater(["count", "size"], Int64.self)
            takeGreater(["amount"], Double.self)
            return server
        }
    }

    func close() throws {
        held = nil
        guard let container else { return }
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        self.container = nil
    }

    func relaunch() throws {
        try close()
        try open()
    }

    /// Installs a later version, as far as the run installs any.
    func migrate(to later: Int, _ way: VersionJump.Way) throws {
        if plan.identifiesPrevious, later > version + 1 { try migrate(to: later - 1, way) }
        try close()
        let (old, oldLevel) = (model(), level)
        if naming != .withoutMigrations { version = later }
        if way == .mappingModel, naming == .asPlanned || level != oldLevel {
            try mapFile(from: old, to: model())
        }
        try open()
    }

    /// Copies the file into one with another model, as an app does that has a mapping model.
    private func mapFile(
        from old: NSManagedObjectModel, to new: NSManagedObjectModel
    ) throws {
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: old, destinationModel: new)
        fileCount += 1
        let copy = directory.appendingPathComponent("device\(number)-\(fileCount).sqlite")
        try SMMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: file, sourceType: SMStore.type, options: nil, with: mapping,
            toDestinationURL: copy, destinationType: SMStore.type, destinationOptions: nil)
        try NSPersistentStoreCoordinator(managedObjectModel: new).destroyPersistentStore(
            at: file, ofType: SMStore.type, options: nil)
        file = copy
    }

    // MARK: - Syncing

    /// Returns "ok", or the error.
    func sync(complete: Bool = false) async -> String {
        do {
            try await store.sync(complete: complete)
            return "ok"
        } catch { return Self.text(error) }
    }

    /// An error without its message, which has names.
    static func text(_ error: any Error) -> String {
        if let error = error as? CKError { return "CKError \(error.code.rawValue)" }
        let error = error as NSError
        return "\(error.domain) \(error.code)"
    }

    // MARK: - Files

    /// The number of files of large values.
    var largeFileCount: Int {
        let name = file.deletingPathExtension().lastPathComponent
        let folder = directory.appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return paths.filter { $0.hasSuffix(".data") }.count
    }

    // MARK: - Contexts

    /// Runs a closure with a context of its own.
    func perform<Result>(
        _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        guard let container else { throw RunFailure("\(identifier) is closed") }
        return try Self.perform(body, in: container.newBackgroundContext())
    }

    /// Runs a closure with the context that stays open.
    func performHeld<Result>(
        _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        guard let container else { throw RunFailure("\(identifier) is closed") }
        let context = held ?? container.newBackgroundContext()
        if held == nil {
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        }
        held = context
        return try Self.perform(body, in: context)
    }

    var hasHeldEdits: Bool { held != nil }

    /// Closes the context that stayed open, with what has not been saved in it.
    func discardHeldEdits() { held = nil }

    private static func perform<Result>(
        _ body: (NSManagedObjectContext) throws -> Result, in context: NSManagedObjectContext
    ) throws -> Result {
        try withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            return try context.performAndWait { try body(context) }
        }
    }
}

/// A run has failed for a reason that is not an error of an edit or a pass.
struct RunFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
