import FoundationGaps

/// The source of a context's objects: a coordinator's stores, or a parent context.
///
/// It is called on the context's queue.
protocol RowSource: AnyObject {
    /// The values of an object.
    ///
    /// - Throws: `CocoaError.managedObjectReferentialIntegrity` if there is no such row.
    func row(of objectID: NSManagedObjectID, in context: NSManagedObjectContext) throws -> Row

    /// The versions of objects, which count their saves, for use without the rest of their rows.
    /// Nil for objects that are gone.
    func versions(
        of objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext
    ) throws -> [UInt64?]

    /// The destinations of a to-many relationship.
    func destinationIDs(
        of relationship: NSRelationshipDescription, from objectID: NSManagedObjectID,
        in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID]

    /// The results of a fetch: objects of the context, IDs, dictionaries or one number.
    func results(
        of request: NSFetchRequest<any NSFetchRequestResult>, in context: NSManagedObjectContext
    ) throws -> ResultArray

    /// Whether the source itself keeps the rows and destinations of the
    /// `relationshipKeyPathsForPrefetching` of a fetch.
    func readsRelationshipsAhead(
        for request: NSFetchRequest<any NSFetchRequestResult>
    ) -> Bool

    /// Announces that rows will be read one after the other, so that the source can read them at
    /// once.
    ///
    /// - Parameter request: The fetch whose results they belong to.
    func prepareRows(
        of objectIDs: [NSManagedObjectID], as request: NSFetchRequest<any NSFetchRequestResult>,
        in context: NSManagedObjectContext
    )

    /// Records that a context uses IDs.
    func didRegister(_ objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext?)

    /// Records that a context no longer uses IDs.
    func didUnregister(_ objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext?)
}

/// A parent context as the source of its children.
final class ParentContextSource: RowSource {
    let parent: NSManagedObjectContext

    init(_ parent: NSManagedObjectContext) {
        self.parent = parent
    }

    func row(of objectID: NSManagedObjectID, in context: NSManagedObjectContext) throws -> Row {
        try parent.runAndWait {
            let object = try parent.existingObject(with: objectID)
            guard !object.isDeleted else {
                throw NSManagedObjectContext.missingRowError(objectID)
            }
            return object.rowForChildren
        }
    }

    /// A child never conflicts with its parent through versions.
    func versions(
        of objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext
    ) throws -> [UInt64?] {
        try objectIDs.map { try row(of: $0, in: context).version }
    }

    func destinationIDs(
        of relationship: NSRelationshipDescription, from objectID: NSManagedObjectID,
        in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        // Transient relationships belong to the parent alone.
        if relationship.isTransient { return [] }
        return try parent.runAndWait {
            try parent.existingObject(with: objectID)
                .objectIDs(forRelationshipNamed: relationship.name)
        }
    }

    func results(
        of request: NSFetchRequest<any NSFetchRequestResult>, in context: NSManagedObjectContext
    ) throws -> ResultArray {
        let wantsObjects = request.resultType == .managedObjectResultType
        // The parent's pending changes count as saved for its children.
        let request = request.erased()
        request.includesPendingChanges = true
        let results = try parent.runAndWait {
            let results = try parent.results(of: request)
            return wantsObjects ? ResultArray(results.objects.map(\.objectID)) : results
        }
        guard wantsObjects else { return results }
        return ResultArray(results.typed(NSManagedObjectID.self).map(context.object(with:)))
    }

    /// The parent does so for its own objects.
    func readsRelationshipsAhead(
        for request: NSFetchRequest<any NSFetchRequestResult>
    ) -> Bool { false }

    func prepareRows(
        of objectIDs: [NSManagedObjectID], as request: NSFetchRequest<any NSFetchRequestResult>,
        in context: NSManagedObjectContext
    ) {
        let request = request.erased()
        parent.runAndWait {
            let faults = objectIDs.filter { parent.registeredObject(for: $0)?.isFault ?? true }
            parent.source?.prepareRows(of: faults, as: request, in: parent)
        }
    }

    // The parent decides itself how long it keeps objects that its children use.
    func didRegister(_ objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext?) {}
    func didUnregister(_ objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext?) {}
}
