import CloudKit
import CoreData
import LocalCloud
import Seam3
import SeamSQLite

/// An application with its Core Data stack on a device, as its user has it.
final class SimulatedDevice {
    let number: Int
    let cloudContainer: CKContainer
    private let directory: URL
    /// Counts the crashes: each lifetime has a folder of its own, because what is left of a crashed
    /// process here may still close its files.
    private var lifetime = 0
    private let policy: SMSyncConflictResolutionPolicy
    private let model: NSManagedObjectModel
    private var container: NSPersistentContainer?
    private var context: NSManagedObjectContext?
    /// A look into the file beside Core Data.
    private var file: SQLiteConnection?

    static let containerIdentifier = "iCloud.seam3.simulation"
    private static let fileNames = ["Items.sqlite", "Items.sqlite-wal"]

    init(
        _ number: Int, on cloud: LocalCloud, in directory: URL,
        policy: SMSyncConflictResolutionPolicy, model: NSManagedObjectModel
    ) throws {
        self.number = number
        self.policy = policy
        self.model = model
        self.directory = directory.appendingPathComponent("device\(number)")
        cloudContainer = CKContainer(identifier: Self.containerIdentifier, service: cloud)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true)
        try open()
    }

    private var folder: URL { directory.appendingPathComponent("\(lifetime)") }
    private var nextFolder: URL { directory.appendingPathComponent("\(lifetime + 1)") }
    private var storeURL: URL { folder.appendingPathComponent(Self.fileNames[0]) }

    // MARK: - The process

    private func open() throws {
        SMStore.registerStoreClass()
        let container = NSPersistentContainer(name: "Items", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: storeURL)
        description.type = SMStore.type
        description.setOption(cloudContainer, forKey: SMStore.SMStoreContainerOption)
        description.setOption(
            NSNumber(value: policy.rawValue),
            forKey: SMStore.SMStoreSyncConflictResolutionPolicyOption)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        self.container = container
        let context = container.newBackgroundContext()
        context.automaticallyMergesChangesFromParent = true
        self.context = context
        let store = try self.store
        store.syncAutomatically = false
        store.recordConflictResolutionBlock = { server, client, _ in
            for field in Step.Field.allCases {
                let ours: String? = client[field.rawValue]
                let theirs: String? = server[field.rawValue]
                server[field.rawValue] = [ours, theirs].compactMap { $0 }.max()
            }
            return server
        }
    }

    private func close() throws {
        guard let coordinator = container?.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        file = nil
        context = nil
        container = nil
    }

    /// Ends the application in good order, and starts it again.
    func relaunch() throws {
        try close()
        try open()
    }

    /// Keeps the files as they are at this moment, for ``crash()``.
    func captureFiles() throws {
        try FileManager.default.createDirectory(
            at: nextFolder, withIntermediateDirectories: true)
        for name in Self.fileNames {
            let file = folder.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            try FileManager.default.copyItem(at: file, to: nextFolder.appendingPathComponent(name))
        }
    }

    /// Starts the application as if its process had ended when the files were captured.
    func crash() throws {
        try close()
        lifetime += 1
        try open()
    }

    // MARK: - The user

    var store: SMStore {
        get throws {
            guard
                let store = container?.persistentStoreCoordinator.persistentStores.first
                    as? SMStore
            else { throw SimulationError.broken("the store of device \(number) is not open") }
            return store
        }
    }

    private func perform<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        guard let context else {
            throw SimulationError.broken("device \(number) is not running")
        }
        return try withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            return try context.performAndWait { try body(context) }
        }
    }

    /// Creates an item.
    ///
    /// - Returns: The name of its record.
    func insert(title: String, parent: String?) throws -> String {
        let key = try perform { context in
            let item = NSEntityDescription.insertNewObject(
                forEntityName: ItemModel.entityName, into: context)
            item.setValue(title, forKey: Step.Field.title.rawValue)
            try item.setValue(parent.map { try self.item($0, in: context) }, forKey: "parent")
            try context.save()
            return try Self.key(of: item)
        }
        guard let name = try recordNames()[key] else {
            throw SimulationError.broken("the new item \(key) has no record name")
        }
        return name
    }

    /// Sets an attribute.
    func set(_ field: Step.Field, of name: String, to value: String?) throws {
        try perform { context in
            try item(name, in: context).setValue(value, forKey: field.rawValue)
            try context.save()
        }
    }

    /// Moves an item.
    func move(_ name: String, to parent: String?) throws {
        try perform { context in
            try item(name, in: context).setValue(
                parent.map { try self.item($0, in: context) }, forKey: "parent")
            try context.save()
        }
    }

    /// Deletes an item.
    func delete(_ name: String) throws {
        try perform { context in
            context.delete(try item(name, in: context))
            try context.save()
        }
    }

    /// All items as the application sees them, by the names of their records.
    func items() throws -> [String: Values] {
        let names = try recordNames()
        return try perform { context in
            var items: [String: Values] = [:]
            let request = NSFetchRequest<NSManagedObject>(entityName: ItemModel.entityName)
            for item in try context.fetch(request) {
                guard let name = names[try Self.key(of: item)] else {
                    throw SimulationError.broken("\(item.objectID) has no record name")
                }
                var values = Values()
                for field in Step.Field.allCases {
                    values[field.rawValue] = item.value(forKey: field.rawValue) as? String
                }
                if let parent = item.value(forKey: "parent") as? NSManagedObject {
                    values[Values.parent] = names[try Self.key(of: parent)]
                }
                items[name] = values
            }
            return items
        }
    }

    private func item(
        _ name: String, in context: NSManagedObjectContext
    ) throws -> NSManagedObject {
        let names = try recordNames()
        let request = NSFetchRequest<NSManagedObject>(entityName: ItemModel.entityName)
        for item in try context.fetch(request) where names[try Self.key(of: item)] == name {
            return item
        }
        throw SimulationError.broken("device \(number) has no item \(name)")
    }

    /// The number by which the file knows an object.
    private static func key(of object: NSManagedObject) throws -> Int64 {
        let last = object.objectID.uriRepresentation().lastPathComponent
        guard let key = Int64(last.drop { !$0.isNumber }) else {
            throw SimulationError.broken("\(object.objectID) has no number")
        }
        return key
    }

    /// The names of records by the numbers of objects, read from the file itself.
    private func recordNames() throws -> [Int64: String] {
        let connection =
            try file
            ?? SQLiteConnection(
                path: storeURL.path, options: SQLiteConnection.Options(readOnly: true))
        file = connection
        let pairs = try connection.rows("SELECT pk, record_name FROM sm_object") { row in
            (row.integer(at: 0), row.text(at: 1))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}

/// Why a simulation ended before its time.
enum SimulationError: Error, CustomStringConvertible {
    /// The simulation itself does not work.
    case broken(String)
    /// What is seen cannot come about by the rules.
    case violation(String)

    var description: String {
        switch self {
        case .broken(let text): return "The simulation is broken: \(text)"
        case .violation(let text): return text
        }
    }
}
