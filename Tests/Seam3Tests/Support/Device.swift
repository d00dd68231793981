import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

/// A simulated device: an app's Core Data stack on `SMStore` in its own directory, with a CloudKit
/// container on a cloud that it shares with other devices.
///
/// Everything uses public API, on the queue of one background context.
final class Device {
    let name: String
    let cloud: LocalCloud
    let directory: URL
    let cloudContainer: any TestContainer
    private(set) var container: NSPersistentContainer
    private(set) var context: NSManagedObjectContext
    private let options: [String: NSObject]

    /// The device's name on the server.
    static let containerIdentifier = "iCloud.seam3.tests"

    /// - Parameters:
    ///   - name: Its name.
    ///   - cloud: The cloud.
    ///   - policy: The policy for conflicts.
    ///   - model: The model.
    ///   - path: The connection to the cloud.
    ///   - file: A file that is there before the store is opened for the first time.
    ///   - options: Further options of the store.
    init(
        _ name: String = "device", on cloud: LocalCloud,
        policy: SMSyncConflictResolutionPolicy = .serverRecordWins,
        model: NSManagedObjectModel = ClockModel.make(), path: CloudPath = .current,
        file: URL? = nil, options: [String: NSObject] = [:]
    ) throws {
        self.name = name
        self.cloud = cloud
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("Seam3Tests-\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        if let file {
            try FileManager.default.copyItem(
                at: file, to: directory.appendingPathComponent("Clocks.sqlite"))
        }
        HarshCloud.apply(to: cloud)
        cloudContainer = path.container(
            on: cloud, device: DeviceNames.shared.next(name, on: cloud))
        var own: [String: NSObject] = [
            SMStore.SMStoreContainerOption: cloudContainer,
            SMStore.SMStoreSyncConflictResolutionPolicyOption: NSNumber(value: policy.rawValue),
        ]
        // Lets every device take small steps, for a run by hand.
        let limit = ProcessInfo.processInfo.environment["SEAM_STEP_LIMIT"].flatMap { Int($0) }
        if let limit { own["Seam3StepLimit"] = NSNumber(value: limit) }
        self.options = own.merging(options) { _, given in given }
        container = try Self.open(at: directory, options: self.options, model: model)
        context = container.newBackgroundContext()
        configure()
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    private static func open(
        at directory: URL, options: [String: NSObject], model: NSManagedObjectModel,
        migrates: Bool = true
    ) throws -> NSPersistentContainer {
        SMStore.registerStoreClass()
        let container = NSPersistentContainer(name: "Clocks", managedObjectModel: model)
        let description = NSPersistentStoreDescription(
            url: directory.appendingPathComponent("Clocks.sqlite"))
        description.type = SMStore.type
        description.shouldMigrateStoreAutomatically = migrates
        for (key, option) in options { description.setOption(option, forKey: key) }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    private func configure() {
        context.automaticallyMergesChangesFromParent = true
        store.syncAutomatically = false
    }

    var store: SMStore {
        guard let store = container.persistentStoreCoordinator.persistentStores.first as? SMStore
        else { fatalError("the store of \(name) is not open") }
        return store
    }

    /// Closes the store and opens it again, as a new process would. If the model is another one, the store is migrated;
    /// see ``MigrationKind``.
    func relaunch(
        model: NSManagedObjectModel = ClockModel.make(), migrates: Bool = true
    ) throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let old = coordinator.managedObjectModel
        if MigrationKind.current == .mapped, migrates, old !== model,
            let mappings = try? NSMappingModel.inferredMappingModel(
                forSourceModel: old, destinationModel: model)
        {
            try map(by: SMMigrationManager(sourceModel: old, destinationModel: model), mappings)
        } else {
            try open(model: model, migrates: migrates)
        }
    }

    /// Opens the closed store.
    func open(model: NSManagedObjectModel, migrates: Bool = true) throws {
        container = try Self.open(
            at: directory, options: options, model: model, migrates: migrates)
        context = container.newBackgroundContext()
        configure()
    }

    /// Opens the store's file a second time, like another process.
    func anotherContainer(model: NSManagedObjectModel) throws -> NSPersistentContainer {
        let container = try Self.open(at: directory, options: options, model: model)
        for case let store as SMStore in container.persistentStoreCoordinator.persistentStores {
            store.syncAutomatically = false
        }
        return container
    }

    // MARK: - Objects

    /// Runs a closure on the context's queue, and saves.
    @discardableResult
    func edit<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        try withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            let context = context
            return try context.performAndWait {
                let result = try body(context)
                try context.save()
                return result
            }
        }
    }

    /// Runs a closure on the context's queue.
    func read<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        try withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            let context = context
            return try context.performAndWait { try body(context) }
        }
    }

    @discardableResult
    func add(_ entity: String, _ values: [String: Any]) throws -> NSManagedObjectID {
        try edit { context in
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            try context.obtainPermanentIDs(for: [object])
            return object.objectID
        }
    }

    /// Deletes all objects of an entity.
    func deleteAll(_ entity: String) throws {
        try edit { context in
            for object in try Self.all(entity, in: context) { context.delete(object) }
        }
    }

    /// Sets values of the clock with a label.
    func change(_ label: String, _ values: [String: Any?]) throws {
        try edit { context in
            let clock = try Self.clock(label, in: context)
            for (key, value) in values { clock.setValue(value, forKey: key) }
        }
    }

    /// Deletes the clock with a label.
    func delete(_ label: String) throws {
        try edit { context in context.delete(try Self.clock(label, in: context)) }
    }

    /// Sets a relationship of the clock with a label to the object with a name, or to nil.
    func relate(_ label: String, _ relationship: String, to name: String?) throws {
        try edit { context in
            let clock = try Self.clock(label, in: context)
            let entity = relationship == "timeZone" ? "Zone" : "Folder"
            let target = try name.map { name in
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = NSPredicate(format: "name == %@", name)
                return try #require(try context.fetch(request).first)
            }
            clock.setValue(target, forKey: relationship)
        }
    }

    static func clock(_ label: String, in context: NSManagedObjectContext) throws -> NSManagedObject
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
        request.predicate = NSPredicate(format: "label == %@", label)
        return try #require(try context.fetch(request).first)
    }

    /// The value of a property of the clock with a label.
    func value<T>(_ key: String, of label: String, as type: T.Type = T.self) throws -> T? {
        try read { context in try Self.clock(label, in: context).value(forKey: key) as? T }
    }

    /// Whether a property of the clock with a label is nil.
    func hasNoValue(_ key: String, of label: String) throws -> Bool {
        try read { context in try Self.clock(label, in: context).value(forKey: key) == nil }
    }

    /// Every object with all its values and relationships, as sorted lines, which are the same on
    /// two devices with the same data.
    func table() throws -> [String] {
        try read { context in
            var lines: [String] = []
            for entity in ["Zone", "Folder", "Clock"] {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                for object in try context.fetch(request) { lines.append(Self.line(object)) }
            }
            return lines.sorted()
        }
    }

    private static func line(_ object: NSManagedObject) -> String {
        var parts = [object.entity.name ?? ""]
        for name in object.entity.attributesByName.keys.sorted() {
            let value = object.value(forKey: name)
            switch value {
            case let date as Date:
                parts.append("\(name)=\((date.timeIntervalSince1970 * 1000).rounded())")
            case let data as Data: parts.append("\(name)=\(data.base64EncodedString())")
            case let value?: parts.append("\(name)=\(value)")
            case nil: parts.append("\(name)=nil")
            }
        }
        for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }
        ) {
            let names: [String]
            if relationship.isToMany {
                let members = object.value(forKey: name) as? Set<NSManagedObject> ?? []
                names = members.map { $0.value(forKey: "label") as? String ?? "?" }.sorted()
            } else {
                let target = object.value(forKey: name) as? NSManagedObject
                names = target.map { [$0.value(forKey: "name") as? String ?? "?"] } ?? []
            }
            parts.append("\(name)=[\(names.joined(separator: ","))]")
        }
        return parts.joined(separator: " ")
    }
}

extension Device {
    /// Syncs devices one after the other, twice, so that all waiting changes reach all devices.
    static func settle(_ devices: Device...) async throws {
        for _ in 1...2 {
            for device in devices { try await device.store.sync() }
        }
    }
}

/// Expects that devices have the same data, and that no changes wait.
func expectAgreement(
    _ devices: Device..., sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let tables = try devices.map { try $0.table() }
    for table in tables.dropFirst() {
        #expect(table == tables[0], sourceLocation: sourceLocation)
    }
    for device in devices {
        #expect(
            try device.store.syncStatus().pendingChangeCount == 0, sourceLocation: sourceLocation)
    }
}
