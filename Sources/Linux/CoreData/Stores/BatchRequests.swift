import FoundationGaps

/// The kinds of results of a batch insertion.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case statusOnly = 0
    /// The IDs of the new objects.
    case objectIDs = 1
    /// How many objects were inserted.
    case count = 2
}

/// The kinds of results of a batch update.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case statusOnlyResultType = 0
    /// The IDs of the changed objects.
    case updatedObjectIDsResultType = 1
    /// How many objects were changed.
    case updatedObjectsCountResultType = 2
}

/// The kinds of results of a batch deletion.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case resultTypeStatusOnly = 0
    /// The IDs of the deleted objects.
    case resultTypeObjectIDs = 1
    /// How many objects were deleted.
    case resultTypeCount = 2
}

/// Inserts rows in a store without going through a context.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    private let storedEntity: NSEntityDescription?
    private let storedEntityName: String

    /// The values of the rows by attribute name.
    open var objectsToInsert: [[String: Any]]?

    /// Fills in one row at a time; returns true when there are no more.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

    /// Fills in one object at a time; returns true when there are no more.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?

    /// What the request returns; by default whether it succeeded.
    open var resultType: NSBatchInsertRequestResultType = .statusOnly

    /// Creates a request with the values of all rows.
    public init(entityName: String, objects dictionaries: [[String: Any]]) {
        storedEntity = nil
        storedEntityName = entityName
        objectsToInsert = dictionaries
        super.init()
    }

    /// Creates a request with the values of all rows.
    public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        storedEntity = entity
        storedEntityName = entity.name ?? ""
        objectsToInsert = dictionaries
        super.init()
    }

    private init(entity: NSEntityDescription?, name: String) {
        storedEntity = entity
        storedEntityName = name
        super.init()
    }

    /// Creates a request without an entity. Deprecated on Apple's systems.
    public override convenience init() {
        self.init(entity: nil, name: "")
    }

    /// Creates a request with a closure for one row at a time.
    public convenience init(
        entity: NSEntityDescription,
        dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity: entity, name: entity.name ?? "")
        dictionaryHandler = handler
    }

    /// Creates a request with a closure for one object at a time.
    public convenience init(
        entity: NSEntityDescription,
        managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity: entity, name: entity.name ?? "")
        managedObjectHandler = handler
    }

    /// Creates a request with a closure for one row at a time.
    public convenience init(
        entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity: nil, name: entityName)
        dictionaryHandler = handler
    }

    /// Creates a request with a closure for one object at a time.
    public convenience init(
        entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity: nil, name: entityName)
        managedObjectHandler = handler
    }

    /// The entity of the rows, if the request was created with it.
    open var entity: NSEntityDescription? { storedEntity }

    /// The name of the entity of the rows.
    open var entityName: String { storedEntityName }

    /// Always `.batchInsertRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }
}

/// Changes rows in a store without going through a context.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    private var storedEntity: NSEntityDescription?
    private let storedEntityName: String

    /// The condition for the objects; nil for all.
    open var predicate: NSPredicate?

    /// The new values by property or name: constants, or expressions of the old values.
    open var propertiesToUpdate: [AnyHashable: Any]?

    /// Whether objects of subentities are changed, too; `true` by default.
    open var includesSubentities: Bool = true

    /// What the request returns; by default whether it succeeded.
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

    /// Creates a request for an entity by its name.
    public init(entityName: String) {
        storedEntityName = entityName
        super.init()
    }

    /// Creates a request for an entity.
    public init(entity: NSEntityDescription) {
        storedEntity = entity
        storedEntityName = entity.name ?? ""
        super.init()
    }

    /// The entity; looked up when the request runs if only its name was given.
    open var entity: NSEntityDescription {
        guard let storedEntity else {
            raise(
                .objectInaccessible,
                "The batch update request for \(storedEntityName) has no entity before it runs.")
        }
        return storedEntity
    }

    /// The name of the entity.
    open var entityName: String { storedEntityName }

    /// Sets the entity for the name.
    final func resolve(_ entity: NSEntityDescription?) {
        if storedEntity == nil { storedEntity = entity }
    }

    /// Always `.batchUpdateRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }
}

/// Deletes rows in a store without going through a context.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    private let storedFetchRequest: NSFetchRequest<any NSFetchRequestResult>

    /// What the request returns; by default whether it succeeded.
    open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

    /// Creates a request that deletes the results of a fetch.
    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
        storedFetchRequest = fetch.erased()
        super.init()
        affectedStores = fetch.affectedStores
    }

    /// Creates a request that deletes objects by their IDs. IDs of entities without a common parent
    /// stop the process.
    public convenience init(objectIDs objects: [NSManagedObjectID]) {
        let fetch = NSFetchRequest<any NSFetchRequestResult>()
        let entities = Set(objects.map { $0.entity.root.name })
        guard entities.count <= 1 else {
            raise(.invalidArgument, "mismatched objectIDs in batch delete initializer")
        }
        fetch.entity = objects.first?.entity.root
        fetch.predicate = NSPredicate(format: "SELF IN %@", objects)
        self.init(fetchRequest: fetch)
    }

    /// A copy of the fetch request whose results are deleted.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
        storedFetchRequest.erased()
    }

    /// Sets the entity of the coordinator's model for the fetch request.
    final func resolve(_ entity: NSEntityDescription?) {
        storedFetchRequest.entity = entity
    }

    /// Always `.batchDeleteRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }
}

/// The result of a batch insertion. Store classes return a subclass.
open class NSBatchInsertResult: NSPersistentStoreResult {
    /// A Boolean, a number or the IDs, according to the request.
    open var result: Any? { nil }

    /// The kind of the result.
    open var resultType: NSBatchInsertRequestResultType { .statusOnly }
}

/// The result of a batch update. Store classes return a subclass.
open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// A Boolean, a number or the IDs, according to the request.
    open var result: Any? { nil }

    /// The kind of the result.
    open var resultType: NSBatchUpdateRequestResultType { .statusOnlyResultType }
}

/// The result of a batch deletion. Store classes return a subclass.
open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// A Boolean, a number or the IDs, according to the request.
    open var result: Any? { nil }

    /// The kind of the result.
    open var resultType: NSBatchDeleteRequestResultType { .resultTypeStatusOnly }
}
