import FoundationGaps

/// The requests of a coordinator to a store, whichever of Apple's two base classes it derives from.
protocol RowStore: NSPersistentStore {
    /// Answers a fetch, a save or another request.
    func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any

    /// The values of an object.
    func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode

    /// The values of an object in the form that objects use.
    func row(of objectID: NSManagedObjectID, in context: NSManagedObjectContext) throws -> Row

    /// The destination of a to-one relationship, or the destinations of a to-many.
    func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any

    /// Permanent IDs for new objects, in their order.
    func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID]

    /// The versions of objects' rows; nil for objects that are gone.
    func versions(
        of objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext
    ) throws -> [UInt64?]

    /// A context begins to use IDs.
    func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID])

    /// A context no longer uses IDs.
    func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID])
}

extension RowStore {
    func row(of objectID: NSManagedObjectID, in context: NSManagedObjectContext) throws -> Row {
        try newValuesForObject(with: objectID, with: context).row
    }
}
