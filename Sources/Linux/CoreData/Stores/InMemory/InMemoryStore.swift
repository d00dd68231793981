import FoundationGaps

/// The store behind `NSInMemoryStoreType`: objects live as long as the store does.
///
/// The coordinator calls a store on one thread at a time, which is all the locking there is.
final class InMemoryStore: NSIncrementalStore {
    let table = InMemoryTable()
    private var lastReference: Int64 = 0

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: type]
    }

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        switch request {
        case let request as NSFetchRequest<any NSFetchRequestResult>:
            return try InMemoryFetch(request, in: table).results(for: context)
        case let request as NSSaveChangesRequest:
            try save(request)
            return [Any]()
        default:
            throw CocoaError(
                .persistentStoreUnsupportedRequestType,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The in-memory store does not support requests of the class "
                        + "\(Swift.type(of: request))."
                ])
        }
    }

    override func obtainPermanentIDs(
        for array: [NSManagedObject]
    ) throws -> [NSManagedObjectID] {
        array.map { object in
            lastReference += 1
            return newObjectID(for: object.entity, decimalReference: lastReference)
        }
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        NSIncrementalStoreNode(objectID: objectID, row: try requireRow(objectID).values)
    }

    override func version(
        of objectID: NSManagedObjectID, in context: NSManagedObjectContext
    ) throws -> UInt64 {
        try requireRow(objectID).version
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        let row = try requireRow(objectID)
        let link = row.links[row.layout.relationshipPositions[relationship.valueIndex]]
        return relationship.isToMany ? link.objectIDs : link.objectIDs.first ?? NSNull()
    }

    private func requireRow(_ objectID: NSManagedObjectID) throws -> InMemoryRow {
        guard let row = table.row(objectID) else {
            throw CocoaError(
                .managedObjectReferentialIntegrity,
                userInfo: [NSAffectedObjectsErrorKey: [objectID]])
        }
        return row
    }
}
