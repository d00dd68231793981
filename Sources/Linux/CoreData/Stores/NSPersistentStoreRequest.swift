import FoundationGaps

/// What a request asks of a store.
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

/// A request that a coordinator hands to its stores; the base of all of them.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores that the request goes to; nil for all that keep its entity.
    open var affectedStores: [NSPersistentStore]?

    /// What the request asks.
    open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Creates a request to all stores.
    public override init() {
        super.init()
    }

    /// A copy that can be changed without changing the original.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The result of a request; the base of the batch results and of the asynchronous fetch's.
open class NSPersistentStoreResult: NSObject {
    /// Creates an empty result.
    public override init() {
        super.init()
    }
}

/// The result of a request that runs on while its caller continues.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context that the request was given to.
    open internal(set) var managedObjectContext: NSManagedObjectContext

    /// Why the request failed; nil while it runs and when it succeeded.
    open internal(set) var operationError: (any Error)?

    /// How far the request is; nil if nobody counts.
    open internal(set) var progress: Progress?

    init(managedObjectContext: NSManagedObjectContext) {
        self.managedObjectContext = managedObjectContext
        super.init()
    }

    /// Asks the request to stop. A request that is already with the store runs to its end.
    open func cancel() {
        progress?.cancel()
    }
}
