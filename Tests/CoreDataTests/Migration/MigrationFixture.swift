import CoreData
import Testing

/// Two versions of a model, a store of the first one, and the means to migrate it.
struct MigrationFixture {
    static let first = """
        <entity name='Artist'>
            <attribute name='name' attributeType='String'/>
            <attribute name='born' optional='YES' attributeType='Integer 16'/>
            <attribute name='note' optional='YES' attributeType='String'/>
            <relationship name='works' optional='YES' toMany='YES' destinationEntity='Work'
                inverseName='artist' inverseEntity='Work'/>
        </entity>
        <entity name='Work'>
            <attribute name='title' optional='YES' attributeType='String'/>
            <attribute name='year' optional='YES' attributeType='Integer 16'/>
            <relationship name='artist' optional='YES' maxCount='1' destinationEntity='Artist'
                inverseName='works' inverseEntity='Artist'/>
        </entity>
        <entity name='Tag'><attribute name='label' optional='YES' attributeType='String'/></entity>
        """

    /// The second version renames, widens and adds attributes, makes some required, removes others,
    /// moves an entity to a new parent, turns a to-one relationship into a to-many, and an
    /// unordered one into an ordered one.
    static let second = """
        <entity name='Maker' elementID='Artist'>
            <attribute name='fullName' elementID='name' attributeType='String'/>
            <attribute name='born' optional='YES' attributeType='Integer 32'/>
            <attribute name='country' attributeType='String' defaultValueString='unknown'/>
            <relationship name='works' optional='YES' toMany='YES' ordered='YES'
                destinationEntity='Work' inverseName='makers' inverseEntity='Work'/>
        </entity>
        <entity name='Item' isAbstract='YES'>
            <attribute name='title' optional='YES' attributeType='String'/>
        </entity>
        <entity name='Work' parentEntity='Item'>
            <attribute name='year' attributeType='Integer 16' defaultValueString='1900'/>
            <relationship name='makers' elementID='artist' optional='YES' toMany='YES'
                destinationEntity='Maker' inverseName='works' inverseEntity='Maker'/>
        </entity>
        <entity name='Room'><attribute name='number' optional='YES' attributeType='Integer 16'/></entity>
        """

    let directory: TemporaryDirectory
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel

    init(_ first: String = Self.first, _ second: String = Self.second) throws {
        try self.init(makeModel(first), makeModel(second))
    }

    init(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) throws {
        _ = PropertyListStore.register
        directory = try TemporaryDirectory()
        self.source = source
        self.destination = destination
    }

    var sourceURL: URL { directory.url.appendingPathComponent("source.plist") }
    var destinationURL: URL { directory.url.appendingPathComponent("destination.plist") }

    func inferred() throws -> NSMappingModel {
        try NSMappingModel.inferredMappingModel(
            forSourceModel: source, destinationModel: destination)
    }

    /// A context on a store of a model.
    static func context(
        _ model: NSManagedObjectModel, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectContext {
        _ = PropertyListStore.register
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: PropertyListStore.storeType, configurationName: nil, at: url,
            options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Writes two artists, the first with two works, and a work and a tag on their own.
    func fillSource() throws {
        try Self.fill(Self.context(source, at: sourceURL))
    }

    static func fill(_ context: NSManagedObjectContext) throws {
        func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            return object
        }
        let ada = insert("Artist", ["name": "Ada", "born": 1815, "note": "gone"])
        _ = insert("Artist", ["name": "Bob"])
        for (title, year) in [("Engine", 1843), ("Notes", 1842)] {
            insert("Work", ["title": title, "year": year]).setValue(ada, forKey: "artist")
        }
        _ = insert("Work", ["title": "Lost"])
        _ = insert("Tag", ["label": "old"])
        if let store = context.persistentStoreCoordinator?.persistentStores.first {
            store.metadata["app"] = "kept"
        }
        try context.save()
    }

    /// Migrates the source to the destination.
    func migrate(
        _ mappings: NSMappingModel, with manager: NSMigrationManager? = nil
    ) throws {
        let manager =
            manager ?? NSMigrationManager(sourceModel: source, destinationModel: destination)
        try manager.migrateStore(
            from: sourceURL, sourceType: PropertyListStore.storeType, options: nil,
            with: mappings, toDestinationURL: destinationURL,
            destinationType: PropertyListStore.storeType, destinationOptions: nil)
    }

    /// The objects of an entity in the destination, by the value of a string attribute.
    func migrated(_ entity: String, by key: String) throws -> [String: NSManagedObject] {
        try Self.objects(entity, by: key, in: Self.context(destination, at: destinationURL))
    }

    static func objects(
        _ entity: String, by key: String, in context: NSManagedObjectContext
    ) throws -> [String: NSManagedObject] {
        // The objects keep their context only weakly.
        context.retainsRegisteredObjects = true
        Self.contexts.withLock { $0.append(context) }
        let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
        return Dictionary(
            objects.map { ("\($0.value(forKey: key) ?? "nil")", $0) }, uniquingKeysWith: { $1 })
    }

    private static let contexts = ContextBox()
}

/// Keeps the contexts of the tests alive.
///
/// Unchecked because the lock guards the array.
private final class ContextBox: @unchecked Sendable {
    private let lock = NSLock()
    private var contexts: [NSManagedObjectContext] = []

    func withLock(_ body: (inout [NSManagedObjectContext]) -> Void) {
        lock.lock()
        defer { lock.unlock() }
        body(&contexts)
    }
}
