import FoundationGaps

/// The kinds of results of a fetch. An option set, as on Apple's systems.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    /// The bits of the type.
    public let rawValue: UInt

    /// Creates a type from its bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Managed objects; the default.
    public static let managedObjectResultType = NSFetchRequestResultType([])

    /// The IDs of managed objects.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)

    /// Dictionaries of the values in the store.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)

    /// One number: the count of matching objects.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// The contents of a fetch request, independent of its result type.
struct FetchCriteria {
    var entity: NSEntityDescription?
    var entityName: String?
    var predicate: NSPredicate?
    var sortDescriptors: [NSSortDescriptor]?
    var fetchLimit = 0
    var fetchOffset = 0
    var fetchBatchSize = 0
    var resultType = NSFetchRequestResultType.managedObjectResultType
    var includesSubentities = true
    var includesPropertyValues = true
    var includesPendingChanges = true
    var returnsObjectsAsFaults = true
    var returnsDistinctResults = false
    var shouldRefreshRefetchedObjects = false
    var relationshipKeyPathsForPrefetching: [String]?
    var propertiesToFetch: [Any]?
    var propertiesToGroupBy: [Any]?
    var havingPredicate: NSPredicate?
}

/// Describes which objects to fetch, in what form and order.
///
/// Its result type is not constrained to `NSFetchRequestResult`, because a Swift protocol does not
/// conform to itself and `NSFetchRequest<any NSFetchRequestResult>` must exist. Stores always get a
/// copy with that type, whatever the caller's type is.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
    var criteria = FetchCriteria()

    /// Creates a request without an entity.
    public override init() {
        super.init()
    }

    /// Creates a request for an entity by its name, which is looked up when the request runs.
    public convenience init(entityName: String) {
        self.init()
        criteria.entityName = entityName
    }

    /// Always `.fetchRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// The entity of the objects. If only its name was given, reading it before the request has run
    /// stops the process.
    open var entity: NSEntityDescription? {
        get {
            if criteria.entity == nil, let name = criteria.entityName {
                raise(
                    .objectInaccessible,
                    "This fetch request (\(ObjectIdentifier(self))) was created with a string name "
                        + "(\(name)), and cannot respond to -entity until used by an "
                        + "NSManagedObjectContext")
            }
            return criteria.entity
        }
        set { criteria.entity = newValue }
    }

    /// The name of the entity.
    open var entityName: String? { criteria.entity?.name ?? criteria.entityName }

    /// The condition for the objects; nil for all.
    open var predicate: NSPredicate? {
        get { criteria.predicate }
        set { criteria.predicate = newValue }
    }

    /// The order of the results; nil for any order.
    open var sortDescriptors: [NSSortDescriptor]? {
        get { criteria.sortDescriptors }
        set { criteria.sortDescriptors = newValue }
    }

    /// The maximum number of results; 0 for no limit.
    open var fetchLimit: Int {
        get { criteria.fetchLimit }
        set { criteria.fetchLimit = newValue }
    }

    /// How many matching objects to skip.
    open var fetchOffset: Int {
        get { criteria.fetchOffset }
        set { criteria.fetchOffset = newValue }
    }

    /// How many objects' values to read at a time; 0 for all at once. Only objects are fetched in
    /// batches: the values of a batch are read when the first of its objects is used.
    open var fetchBatchSize: Int {
        get { criteria.fetchBatchSize }
        set { criteria.fetchBatchSize = newValue }
    }

    /// The kind of the results; by default managed objects.
    open var resultType: NSFetchRequestResultType {
        get { criteria.resultType }
        set { criteria.resultType = newValue }
    }

    /// Whether the results include objects of subentities; `true` by default.
    open var includesSubentities: Bool {
        get { criteria.includesSubentities }
        set { criteria.includesSubentities = newValue }
    }

    /// Whether the store should read the objects' values along with their IDs; `true` by default.
    open var includesPropertyValues: Bool {
        get { criteria.includesPropertyValues }
        set { criteria.includesPropertyValues = newValue }
    }

    /// Whether the context's unsaved changes count; `true` by default.
    open var includesPendingChanges: Bool {
        get { criteria.includesPendingChanges }
        set { criteria.includesPendingChanges = newValue }
    }

    /// Whether objects may be returned without their values; `true` by default.
    open var returnsObjectsAsFaults: Bool {
        get { criteria.returnsObjectsAsFaults }
        set { criteria.returnsObjectsAsFaults = newValue }
    }

    /// Whether equal dictionaries are returned only once; `false` by default.
    open var returnsDistinctResults: Bool {
        get { criteria.returnsDistinctResults }
        set { criteria.returnsDistinctResults = newValue }
    }

    /// Whether objects that the context already knows get the store's current values.
    open var shouldRefreshRefetchedObjects: Bool {
        get { criteria.shouldRefreshRefetchedObjects }
        set { criteria.shouldRefreshRefetchedObjects = newValue }
    }

    /// The key paths of relationships whose destinations are read together with the results, so
    /// that following them does not access the store.
    open var relationshipKeyPathsForPrefetching: [String]? {
        get { criteria.relationshipKeyPathsForPrefetching }
        set { criteria.relationshipKeyPathsForPrefetching = newValue }
    }

    /// The properties, or their names, in dictionary results; nil for all attributes.
    open var propertiesToFetch: [Any]? {
        get { criteria.propertiesToFetch }
        set { criteria.propertiesToFetch = newValue }
    }

    /// The properties, or their names, that dictionary results are grouped by.
    open var propertiesToGroupBy: [Any]? {
        get { criteria.propertiesToGroupBy }
        set { criteria.propertiesToGroupBy = newValue }
    }

    /// The condition for the groups of a grouped fetch; nil for all.
    open var havingPredicate: NSPredicate? {
        get { criteria.havingPredicate }
        set { criteria.havingPredicate = newValue }
    }

    /// Runs the request in the context whose `perform` block is running.
    ///
    /// Outside of such a block it stops the process with Apple's text.
    open func execute() throws -> [ResultType] {
        guard let context = ContextStack.current else {
            raise(
                .internalInconsistency,
                "-[NSFetchRequest execute] called outside of the block of a context")
        }
        return try context.fetchResults(of: self)
    }

    /// A copy of the same result type.
    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(as: ResultType.self)
    }

    /// A copy with another result type.
    final func copied<Other>(as type: Other.Type) -> NSFetchRequest<Other> {
        let copy = NSFetchRequest<Other>()
        copy.criteria = criteria
        copy.affectedStores = affectedStores
        return copy
    }
}

/// A fetch request of any result type, for code that gets it as a plain request.
protocol ErasableFetchRequest: NSPersistentStoreRequest {
    var criteria: FetchCriteria { get set }

    /// The copy that stores get.
    func erased() -> NSFetchRequest<any NSFetchRequestResult>
}

extension NSFetchRequest: ErasableFetchRequest {
    /// Whether there can be more results than fit in one batch.
    final var isInBatches: Bool {
        fetchBatchSize > 0 && includesPropertyValues
            && (fetchLimit <= 0 || fetchLimit > fetchBatchSize)
    }

    final func erased() -> NSFetchRequest<any NSFetchRequestResult> {
        copied(as: (any NSFetchRequestResult).self)
    }
}
