import FoundationGaps

extension NSManagedObjectContext {
    /// Fetches objects, IDs, dictionaries or a count, according to the request.
    ///
    /// - Throws: Errors of a store; `CocoaError.coreData` (134060) if the predicate is nested more
    ///   than 1000 levels deep.
    public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T]
    where T: NSFetchRequestResult {
        try fetchResults(of: request)
    }

    /// Fetches objects, IDs, dictionaries or a count, according to the request, as values of the
    /// protocol.
    ///
    /// - Throws: The same errors as the generic form.
    @_disfavoredOverload
    public func fetch(
        _ request: NSFetchRequest<any NSFetchRequestResult>
    ) throws -> [any NSFetchRequestResult] {
        try fetchAny(request).map { result in
            guard let result = result as? any NSFetchRequestResult else {
                raise(
                    .invalidArgument,
                    "A fetch returned a value of type \(type(of: result)), which is no result.")
            }
            return result
        }
    }

    func fetchAny(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        assertOnQueue()
        return try results(of: resolved(request)).results
    }

    /// The number of objects that match a request, with its limit and offset.
    ///
    /// - Throws: Errors of a store.
    public func count<T>(for request: NSFetchRequest<T>) throws -> Int
    where T: NSFetchRequestResult {
        try countResults(of: request)
    }

    /// The number of objects that match a request, with its limit and offset.
    ///
    /// - Throws: Errors of a store.
    public func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        try countResults(of: request)
    }

    func fetchResults<T>(of request: NSFetchRequest<T>) throws -> [T] {
        assertOnQueue()
        return try results(of: resolved(request)).typed(T.self)
    }

    private func countResults<T>(of request: NSFetchRequest<T>) throws -> Int {
        assertOnQueue()
        let request = resolved(request)
        request.resultType = .countResultType
        let count = try results(of: request).results.first as? NSNumber
        return count?.intValue ?? 0
    }

    /// A copy of a request for the stores, with the entity of this context's model.
    ///
    /// As on Apple's systems, a request that was created with a name gets its entity this way.
    private func resolved<T>(
        _ request: NSFetchRequest<T>
    ) -> NSFetchRequest<any NSFetchRequestResult> {
        if request.criteria.entity == nil {
            guard let name = request.criteria.entityName else {
                raise(
                    .invalidArgument,
                    "executeFetchRequest:error: A fetch request must have an entity.")
            }
            guard let entity = NSEntityDescription.entity(forEntityName: name, in: self) else {
                raise(
                    .invalidArgument,
                    "NSFetchRequest could not locate an NSEntityDescription for entity name "
                        + "'\(name)'")
            }
            request.criteria.entity = entity
        }
        let resolved = request.erased()
        if let entity = resolved.entity, let coordinator = persistentStoreCoordinator {
            resolved.entity = coordinator.own(entity)
        }
        return resolved
    }

    // MARK: - Results

    /// The results of a request that may be modified: those of the stores or the parent, combined
    /// with this context's unsaved changes.
    func results(of request: NSFetchRequest<any NSFetchRequestResult>) throws -> ResultArray {
        guard let source else {
            raise(.internalInconsistency, "A fetch needs a persistent store coordinator.")
        }
        try request.requireShallowPredicate()
        followStoreMoves()
        unregisterDeallocatedObjects()
        if request.includesPendingChanges { processPendingChanges() }
        return try collectingRegistrations {
            guard request.resultType == .managedObjectResultType else {
                return try merged(request, from: source)
            }
            if request.isInBatches { return try resultsInBatches(of: request, from: source) }
            let results = try merged(request, from: source)
            let paths = request.relationshipKeyPathsForPrefetching ?? []
            guard
                !request.returnsObjectsAsFaults || request.shouldRefreshRefetchedObjects
                    || !paths.isEmpty
            else { return results }
            let objects = results.objects
            if request.shouldRefreshRefetchedObjects { refreshValues(of: objects) }
            if !paths.isEmpty { try prefetch(paths, for: objects, as: request) }
            if !request.returnsObjectsAsFaults {
                for object in objects { object.fireFault() }
            }
            return results
        }
    }

    /// The source's results, combined with this context's unsaved changes.
    private func merged(
        _ request: NSFetchRequest<any NSFetchRequestResult>, from source: any RowSource
    ) throws -> ResultArray {
        try PendingChangesOverlay(of: self, for: request)?.results(from: source)
            ?? source.results(of: request, in: self)
    }

    /// Objects whose rows are read in batches, when needed. The source is asked only for their IDs.
    private func resultsInBatches(
        of request: NSFetchRequest<any NSFetchRequestResult>, from source: any RowSource
    ) throws -> ResultArray {
        let identifiers = request.erased()
        identifiers.resultType = .managedObjectIDResultType
        identifiers.includesPropertyValues = false
        identifiers.fetchBatchSize = 0
        identifiers.relationshipKeyPathsForPrefetching = nil
        let objects = try merged(identifiers, from: source).results.compactMap { result in
            (result as? NSManagedObjectID).map { object(with: $0) }
        }
        if request.shouldRefreshRefetchedObjects { refreshValues(of: objects) }
        formBatches(of: objects, for: request)
        return ResultArray(objects)
    }

    /// Updates objects whose values are in memory to the source's current values.
    private func refreshValues(of objects: [NSManagedObject]) {
        for object in objects where !object.isFault { refreshKeepingChanges(object) }
    }

    // MARK: - Other requests

    /// Passes a request of any kind to the stores.
    ///
    /// A save request saves the context, a fetch request returns an asynchronous result, and batch
    /// requests and requests that only a store knows return the store's result.
    ///
    /// - Throws: Errors of a store.
    public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        assertOnQueue()
        if let request = request as? any AsynchronousFetching {
            return try request.start(in: self)
        }
        if request is NSSaveChangesRequest {
            try save()
            return NSPersistentStoreResult()
        }
        // The topmost context executes the request, because its author is the author of what the
        // store writes.
        if let parent { return try parent.runAndWait { try parent.execute(request) } }
        guard let coordinator = persistentStoreCoordinator else {
            raise(.internalInconsistency, "A request needs a persistent store coordinator.")
        }
        let result = try coordinator.execute(request, with: self)
        guard let result = result as? NSPersistentStoreResult else {
            throw CocoaError(
                .persistentStoreUnsupportedRequestType,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The store returned \(type(of: result)) and no NSPersistentStoreResult."
                ])
        }
        return result
    }
}
