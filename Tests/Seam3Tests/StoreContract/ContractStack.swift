import CloudKit
import CoreData
import LocalCloud
import Seam3

/// The stores that fulfill the contract: through Core Data, an app sees the same behavior.
enum ContractStore: String, CaseIterable, Sendable {
    case inMemory
    case seam3
    /// Core Data's own store, which exists on Apple's systems only.
    case sqlite

    static var allCases: [ContractStore] {
        #if canImport(ObjectiveC)
        return [.inMemory, .seam3, .sqlite]
        #else
        return [.inMemory, .seam3]
        #endif
    }
}

/// A coordinator with one store and a context. Everything goes through Core Data's public API.
final class ContractStack {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    private let directory: URL

    /// The other contexts, retained because an object without its context has no values.
    private var otherContexts: [NSManagedObjectContext] = []

    init(_ kind: ContractStore) throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("StoreContract-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: ContractModel.make())
        switch kind {
        case .inMemory:
            try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        case .sqlite:
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil,
                at: directory.appendingPathComponent("store.sqlite"))
        case .seam3:
            SMStore.registerStoreClass()
            let cloud = CloudPath.current.container(on: LocalCloud.inMemory())
            let store = try coordinator.addPersistentStore(
                ofType: SMStore.type, configurationName: nil,
                at: directory.appendingPathComponent("store.sqlite"),
                options: [SMStore.SMStoreContainerOption: cloud])
            (store as? SMStore)?.syncAutomatically = false
        }
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// Another context of the coordinator.
    func newContext(_ policy: NSMergePolicy = .error) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = policy
        otherContexts.append(context)
        return context
    }

    /// A child of the context.
    func newChild() -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        otherContexts.append(child)
        return child
    }

    /// A new item with values.
    @discardableResult
    func insert(_ name: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        insert("Item", name, values)
    }

    /// A new object with values.
    @discardableResult
    func insert(
        _ entity: String, _ name: String, _ values: [String: Any] = [:]
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func save() throws {
        try context.save()
    }
}

extension NSManagedObject {
    /// The value of the attribute that all entities of the contract have.
    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }

    /// The names of the objects in a to-many relationship, in its order or sorted.
    func names(_ relationship: String) -> [String] {
        switch value(forKey: relationship) {
        case let ordered as NSOrderedSet:
            ordered.array.compactMap { ($0 as? NSManagedObject)?.name }
        case let set as Set<NSManagedObject>: set.compactMap(\.name).sorted()
        case let object as NSManagedObject: [object.name].compactMap { $0 }
        default: []
        }
    }
}

extension NSManagedObjectContext {
    /// The objects of an entity that match a format, sorted by name.
    func all(_ entity: String = "Item", _ format: String? = nil, _ arguments: Any...) throws
        -> [NSManagedObject]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try fetch(request)
    }
}
