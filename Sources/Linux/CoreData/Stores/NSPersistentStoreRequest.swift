import FoundationGaps

/// The types of requests to a store.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// An `NSFetchRequest`.
    case fetchRequestType = 1
    /// An `NSSaveChangesRequest`.
    case saveRequestType = 2
    /// An `NSBatchInsertRequest`.
    case batchInsertRequestType = 5
    /// An `NSBatchUpdateRequest`.
    case batchUpdateRequestType = 6
    /// An `NSBatchDeleteRequest`.
    case batchDeleteRequestType = 7
}

/// A request that a coordinator passes to its stores; the base class of all requests.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores that the request goes to; nil for all that keep its entity.
    open var affectedStores: [NSPersistentStore]?

    /// The type of the request.
    open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Creates a request to all stores.
    public override init() {
        super.init()
    }

    /// A copy that can be changed without changing the original.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The result of a request; the base class of batch results and of asynchronous fetch results.
open class NSPersistentStoreResult: NSObject {
    /// Creates an empty result.
    public override init() {
        super.init()
    }
}

/// The result of a request that runs while its caller continues.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context that executes the request.
    open internal(set) var managedObjectContext: NSManagedObjectContext

    /// Why the request failed; nil while it runs and if it succeeded.
    open internal(set) var operationError: (any Error)?

    /// The progress of the request; nil if it is not reported.
    open internal(set) var progress: Progress?

    init(managedObjectContext: NSManagedObjectContext) {
        self.managedObjectContext = managedObjectContext
        super.init()
    }

    /// Cancels the request. A request that a store is already executing runs to its end.
    open func cancel() {
        progress?.cancel()
    }
}
