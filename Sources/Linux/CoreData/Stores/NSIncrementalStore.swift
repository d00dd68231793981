import FoundationGaps

/// The base class of an app's stores that load and save objects individually.
///
/// A subclass overrides `loadMetadata()`, `execute(_:with:)`, `newValuesForObject(with:with:)`,
/// `newValue(forRelationship:forObjectWith:with:)` and `obtainPermanentIDs(for:)`. Its coordinator
/// never calls it from two threads at once, but from any thread on which a context is used.
open class NSIncrementalStore: NSPersistentStore, RowStore {
    /// The identifier of a new store; by default a UUID. A String, so that the URIs of its objects
    /// work.
    open class func identifierForNewStore(at storeURL: URL) -> Any {
        UUID().uuidString
    }

    /// Answers a fetch, a save or another request.
    ///
    /// - Parameters:
    ///   - request: An `NSFetchRequest<any NSFetchRequestResult>`, an `NSSaveChangesRequest`, or
    ///     a request of another class. It is a copy, which may be changed.
    ///   - context: The context that asks.
    /// - Returns: For a fetch an array of objects (from `context.object(with:)`), IDs or
    ///   dictionaries, or with one number for a count; for a save an empty array; for a batch
    ///   request its result.
    /// - Throws: An error for the context's caller. An unsupported request throws
    ///   `CocoaError.persistentStoreUnsupportedRequestType`, as this implementation does.
    open func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        throw CocoaError(
            .persistentStoreUnsupportedRequestType,
            userInfo: [
                NSLocalizedDescriptionKey: "\(Swift.type(of: self)) does not execute \(request)."
            ])
    }

    /// The values of an object.
    ///
    /// - Throws: `CocoaError.managedObjectReferentialIntegrity` if there is no such row.
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        raiseUnimplemented("newValuesForObject(with:with:)")
    }

    /// The store as a store with a row cache, without reference counting. Casting it for each row
    /// would take longer than the work with the row.
    private struct RowCaching {
        unowned(unsafe) let store: any RowCachingStore
    }

    private lazy var rowCaching = (self as? any RowCachingStore).map { RowCaching(store: $0) }

    final func row(
        of objectID: NSManagedObjectID, in context: NSManagedObjectContext
    ) throws -> Row {
        if let row = try rowCaching?.store.rowSnapshot(of: objectID) {
            return row.values.row(version: row.version)
        }
        return try newValuesForObject(with: objectID, with: context).row
    }

    /// The version of an object's row.
    ///
    /// - Throws: See `newValuesForObject(with:with:)`.
    func version(of objectID: NSManagedObjectID, in context: NSManagedObjectContext) throws
        -> UInt64
    {
        try newValuesForObject(with: objectID, with: context).version
    }

    /// The versions of objects' rows; nil for objects that are gone.
    final func versions(
        of objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext
    ) throws -> [UInt64?] {
        if let versions = try rowCaching?.store.rowVersions(of: objectIDs) { return versions }
        return try objectIDs.map { objectID in
            do {
                return try version(of: objectID, in: context)
            } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
                return nil
            }
        }
    }

    /// The destination of a to-one relationship (an ID or `NSNull`), or the IDs of a to-many's
    /// destinations, in order if the relationship is ordered.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        raiseUnimplemented("newValue(forRelationship:forObjectWith:with:)")
    }

    /// The permanent IDs for new objects, in their order.
    open func obtainPermanentIDs(
        for array: [NSManagedObject]
    ) throws -> [NSManagedObjectID] {
        raiseUnimplemented("obtainPermanentIDs(for:)")
    }

    /// Called when a context begins to use IDs. Count the calls for each ID.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Called when a context no longer uses IDs.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// The ID of an object of this store. Not to be overridden.
    ///
    /// - Parameters:
    ///   - entity: The object's own entity, not a parent of it.
    ///   - data: A String or a number that identifies the row.
    public final func newObjectID(
        for entity: NSEntityDescription, referenceObject data: Any
    ) -> NSManagedObjectID {
        makeObjectID(for: entity, referenceObject: data)
    }

    /// The reference object that was passed to `newObjectID(for:referenceObject:)` for an ID. Not
    /// to be overridden.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        requireReferenceObject(of: objectID)
    }
}
