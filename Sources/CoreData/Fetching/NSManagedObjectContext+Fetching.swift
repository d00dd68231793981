import FoundationGaps

extension NSManagedObjectContext {
    /// Fetches objects, IDs, dictionaries or a count, as the request says.
    ///
    /// - Throws: Whatever a store throws.
    public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T]
    where T: NSFetchRequestResult {
        try fetchResults(of: request)
    }

    /// Fetches objects, IDs, dictionaries or a count, as the request says.
    ///
    /// - Throws: Whatever a store throws.
    public func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        assertOnQueue()
        return try results(of: resolved(request))
    }

    /// How many objects match a request, limit and offset included.
    ///
    /// - Throws: Whatever a store throws.
    public func count<T>(for request: NSFetchRequest<T>) throws -> Int
    where T: NSFetchRequestResult {
        try countResults(of: request)
    }

    /// How many objects match a request, limit and offset included.
    ///
    /// - Throws: Whatever a store throws.
    public func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        try countResults(of: request)
    }

    func fetchResults<T>(of request: NSFetchRequest<T>) throws -> [T] {
        assertOnQueue()
        return try results(of: resolved(request)).map { result in
            guard let result = result as? T else {
                raise(
                    .invalidArgument,
                    "A fetch of \(T.self) returned a value of type \(type(of: result)).")
            }
            return result
        }
    }

    private func countResults<T>(of request: NSFetchRequest<T>) throws -> Int {
        assertOnQueue()
        let request = resolved(request)
        request.resultType = .countResultType
        let count = try results(of: request).first as? NSNumber
        return count?.intValue ?? 0
    }

    /// A copy of a request for the stores, with the entity of this context's model.
    ///
    /// A request that was made with a name learns its entity by it, as on Apple's systems.
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

    /// The results of a request that may be changed: what the stores or the parent have, with
    /// this context's unsaved changes on top.
    func results(of request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        guard let source else {
            raise(.internalInconsistency, "A fetch needs a persistent store coordinator.")
        }
        unregisterDeallocatedObjects()
        if request.includesPendingChanges { processPendingChanges() }
        return try collectingRegistrations {
            let overlay = PendingChangesOverlay(of: self, for: request)
            let results =
                try overlay?.results(from: source)
                ?? source.results(of: request, in: self)
            if request.resultType == .managedObjectResultType {
                try prepare(results, of: request)
            }
            return results
        }
    }

    /// Reads values where the request wants them at once.
    private func prepare(
        _ results: [Any], of request: NSFetchRequest<any NSFetchRequestResult>
    ) throws {
        guard !request.returnsObjectsAsFaults || request.shouldRefreshRefetchedObjects else {
            return
        }
        for case let object as NSManagedObject in results {
            if object.isFault {
                if !request.returnsObjectsAsFaults { object.fireFault() }
            } else if request.shouldRefreshRefetchedObjects {
                refreshKeepingChanges(object)
            }
        }
    }

    // MARK: - Other requests

    /// Hands a request of any kind to the stores.
    ///
    /// A save request saves the context, a fetch request returns an asynchronous result, batch
    /// requests and requests that only a store knows return what the store does.
    ///
    /// - Throws: Whatever a store throws.
    public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        assertOnQueue()
        if let request = request as? any AsynchronousFetching {
            return try request.start(in: self)
        }
        if request is NSSaveChangesRequest {
            try save()
            return NSPersistentStoreResult()
        }
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
