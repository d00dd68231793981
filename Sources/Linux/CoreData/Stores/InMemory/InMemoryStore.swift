import FoundationGaps

/// The store for `NSInMemoryStoreType`: objects exist as long as the store does.
///
/// The coordinator calls a store on one thread at a time, so no further locking is needed.
final class InMemoryStore: NSIncrementalStore {
    let table = InMemoryTable()
    /// The values under the uniqueness constraints of the model.
    var uniqueValues = UniqueValues()
    private var lastReference: Int64 = 0

    /// The history of saves; nil unless the store was added with `NSPersistentHistoryTrackingKey`.
    private(set) lazy var history: InMemoryHistory? =
        isSet(NSPersistentHistoryTrackingKey) ? InMemoryHistory(storeID: identifier) : nil

    private func isSet(_ option: String) -> Bool {
        (options?[option] as? NSNumber)?.boolValue ?? false
    }

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: type]
    }

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        switch request {
        case let request as NSFetchRequest<any NSFetchRequestResult>:
            return try InMemoryFetch(
                request, for: context, in: table.rows(of:includingSubentities:)
            ).results()
        case let request as NSSaveChangesRequest:
            try save(request, for: context)
            noteSave(request, by: context)
            return [Any]()
        case let request as NSPersistentHistoryChangeRequest where history != nil:
            return try history?.result(of: request) ?? NSPersistentHistoryResult()
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

    /// Records a save, and posts a notification if the options ask for it.
    private func noteSave(_ request: NSSaveChangesRequest, by context: NSManagedObjectContext?) {
        let sets = [request.inserted, request.updated, request.deleted]
        guard sets.contains(where: { $0?.isEmpty == false }) else { return }
        history?.record(request, by: context)
        guard isSet(NSPersistentStoreRemoteChangeNotificationPostOptionKey),
            let coordinator = persistentStoreCoordinator
        else { return }
        var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: identifier ?? ""]
        if let url { userInfo[NSPersistentStoreURLKey] = url }
        if let history {
            userInfo[NSPersistentHistoryTokenKey] = InMemoryHistoryToken(
                positions: [history.storeID: history.lastNumber])
        }
        // Its contents are immutable, and nobody else has it.
        nonisolated(unsafe) let notified = userInfo
        Self.notificationQueue.async {
            NotificationCenter.default.post(
                name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: notified)
        }
    }

    /// The queue on which notifications of saves are posted, which is not one of the app's.
    private static let notificationQueue = DispatchQueue(label: "NSPersistentStoreRemoteChange")

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
