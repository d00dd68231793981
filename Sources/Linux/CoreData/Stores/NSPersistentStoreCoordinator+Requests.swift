import FoundationGaps

/// Passing requests to stores.
extension NSPersistentStoreCoordinator {
    /// Passes a request to the stores that it concerns.
    ///
    /// - Returns: The store's result; for several stores one result that covers what all of them did.
    /// - Throws: Errors of a store; `CocoaError.persistentStoreUnsupportedRequestType` if no store
    ///   can answer.
    public func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
    ) throws -> Any {
        if let fetch = request as? any ErasableFetchRequest {
            let erased = fetch.erased()
            if erased.criteria.entity == nil {
                erased.entity = erased.entityName.flatMap(entity(named:))
            }
            return try results(of: erased, in: context).results
        }
        switch request {
        case let batch as NSBatchUpdateRequest: batch.resolve(entity(named: batch.entityName))
        case let batch as NSBatchDeleteRequest: batch.resolve(entity(of: batch.fetchRequest))
        default: break
        }
        return try locked {
            let stores = stores(for: request)
            guard !stores.isEmpty else {
                throw CocoaError(
                    .persistentStoreOperation,
                    userInfo: [NSLocalizedDescriptionKey: "No store is concerned by \(request)."])
            }
            if let request = request as? NSPersistentHistoryChangeRequest {
                return try history(request, of: stores, with: context)
            }
            let results = try stores.map { try rowStore($0).execute(request, with: context) }
            if results.count == 1 { return results[0] }
            if let result = Self.combinedBatchResult(results) { return result }
            let combined = results.compactMap { $0 as? [Any] }
            return combined.count == results.count ? combined.flatMap { $0 } : results[0]
        }
    }

    private func stores(for request: NSPersistentStoreRequest) -> [NSPersistentStore] {
        let candidates = request.affectedStores ?? persistentStores
        guard let entity = entity(of: request) else { return candidates }
        let keepers = candidates.filter { keeps($0, objectsOf: entity) }
        // Like a new object, it goes to one store.
        guard request is NSBatchInsertRequest else { return keepers }
        return (keepers.first { !$0.isReadOnly } ?? keepers.first).map { [$0] } ?? []
    }

    private func entity(of request: NSPersistentStoreRequest) -> NSEntityDescription? {
        switch request {
        case let fetch as any ErasableFetchRequest:
            fetch.criteria.entity.map(own) ?? fetch.criteria.entityName.flatMap(entity(named:))
        case let batch as NSBatchInsertRequest: entity(named: batch.entityName)
        case let batch as NSBatchUpdateRequest: entity(named: batch.entityName)
        case let batch as NSBatchDeleteRequest: entity(of: batch.fetchRequest)
        default: nil
        }
    }

    func rowStore(_ store: NSPersistentStore) throws -> any RowStore {
        guard let store = store as? any RowStore else {
            throw CocoaError(
                .persistentStoreUnsupportedRequestType,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "\(store) is neither an NSIncrementalStore nor an NSAtomicStore.",
                    NSAffectedStoresErrorKey: [store],
                ])
        }
        return store
    }

    // MARK: - Saving

    /// Asks the stores for permanent IDs, in the order of the objects.
    func permanentIDs(
        for objects: [NSManagedObject], assignedTo assigned: [ObjectIdentifier: NSPersistentStore]
    ) throws -> [NSManagedObjectID] {
        try locked {
            let groups = try groupedByStore(objects, assignedTo: assigned)
            var objectIDs: [NSManagedObjectID?] = Array(repeating: nil, count: objects.count)
            for (store, indexes) in groups {
                let permanent = try rowStore(store).obtainPermanentIDs(
                    for: groups.count == 1 ? objects : indexes.map { objects[$0] })
                guard permanent.count == indexes.count else {
                    raise(
                        .internalInconsistency,
                        "obtainPermanentIDs(for:) returned \(permanent.count) IDs for "
                            + "\(indexes.count) objects.")
                }
                for (index, objectID) in zip(indexes, permanent) {
                    requirePermanent(objectID, for: objects[index].entity)
                    objectIDs[index] = objectID
                }
            }
            return objectIDs.compactMap { $0 }
        }
    }

    /// The stores that objects are saved to, with the indexes of their objects.
    private func groupedByStore(
        _ objects: [NSManagedObject], assignedTo assigned: [ObjectIdentifier: NSPersistentStore]
    ) throws -> [(store: NSPersistentStore, indexes: [Int])] {
        var groups: [(store: NSPersistentStore, indexes: [Int])] = []
        // Objects of one entity are often consecutive, and are all in the same store.
        var last: (entity: NSEntityDescription, group: Int)?
        for (index, object) in objects.enumerated() {
            if assigned.isEmpty, let last, last.entity === object.entity {
                groups[last.group].indexes.append(index)
                continue
            }
            let store = try assigned[ObjectIdentifier(object)] ?? store(for: object)
            let group = groups.firstIndex { $0.store === store } ?? groups.count
            if group == groups.count { groups.append((store, [])) }
            groups[group].indexes.append(index)
            last = (object.entity, group)
        }
        return groups
    }

    /// Stops the process if a store has given an object an ID that is none of its entity.
    private func requirePermanent(
        _ objectID: NSManagedObjectID, for entity: NSEntityDescription
    ) {
        let isOwn = objectID.entity === entity || objectID.entity.name == entity.name
        guard objectID.isTemporaryID || !isOwn else { return }
        raise(
            .internalInconsistency,
            "obtainPermanentIDs(for:) returned \(objectID) for an object of the "
                + "entity \(entity.name ?? "").")
    }

    /// The store for a new object that was not assigned to one.
    private func store(for object: NSManagedObject) throws -> NSPersistentStore {
        let writable = persistentStores.first {
            !$0.isReadOnly && keeps($0, objectsOf: object.entity)
        }
        guard let writable else {
            let isReadOnly = persistentStores.contains { keeps($0, objectsOf: object.entity) }
            throw CocoaError(
                .persistentStoreOperation,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "No store \(isReadOnly ? "that can be written " : "")keeps objects of the "
                        + "entity \(object.entity.name ?? "").",
                    NSAffectedObjectsErrorKey: [object],
                ])
        }
        return writable
    }
}

// MARK: - Rows

extension NSPersistentStoreCoordinator: RowSource {
    func row(of objectID: NSManagedObjectID, in context: NSManagedObjectContext) throws -> Row {
        try locked {
            let store = try store(of: objectID)
            var row = try store.row(of: objectID, in: context)
            let layout = objectID.entity.layout
            for position in layout.toOnePositions {
                guard case .unresolved = row.relationships[position] else { continue }
                let relationship = layout.relationships[position]
                let value = try store.newValue(
                    forRelationship: relationship, forObjectWith: objectID, with: context)
                switch value {
                case let destination as NSManagedObjectID:
                    row.relationships[position] = .identifier(destination)
                case is NSNull: row.relationships[position] = .none
                default: raise(.invalidArgument, Self.wrongValue(value, of: relationship))
                }
            }
            return row
        }
    }

    func versions(
        of objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext
    ) throws -> [UInt64?] {
        let reference = objectIDs.first?.storeReference
        return try locked {
            guard objectIDs.allSatisfy({ $0.storeReference === reference }) else {
                return try objectIDs.flatMap { try versions(of: [$0], in: context) }
            }
            guard let store = rowStore(of: reference) else {
                return objectIDs.map { _ in nil }
            }
            return try store.versions(of: objectIDs, in: context)
        }
    }

    func destinationIDs(
        of relationship: NSRelationshipDescription, from objectID: NSManagedObjectID,
        in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        if objectID.isTemporaryID || relationship.isTransient { return [] }
        let value = try locked {
            try store(of: objectID).newValue(
                forRelationship: relationship, forObjectWith: objectID, with: context)
        }
        switch value {
        case let objectIDs as [NSManagedObjectID]: return objectIDs
        case let objectIDs as Set<NSManagedObjectID>: return Array(objectIDs)
        case let objectIDs as NSOrderedSet:
            if let objectIDs = objectIDs.array as? [NSManagedObjectID] { return objectIDs }
        case let objectIDs as NSSet:
            if let objectIDs = objectIDs.allObjects as? [NSManagedObjectID] { return objectIDs }
        default: break
        }
        raise(.invalidArgument, Self.wrongValue(value, of: relationship))
    }

    private static func wrongValue(
        _ value: Any, of relationship: NSRelationshipDescription
    ) -> String {
        let expected =
            relationship.isToMany
            ? "a collection of NSManagedObjectIDs" : "an NSManagedObjectID or NSNull"
        return "newValue(forRelationship:forObjectWith:with:) returned a value of type "
            + "\(type(of: value)) for '\(relationship.name)', and not \(expected)."
    }

    private func store(of objectID: NSManagedObjectID) throws -> any RowStore {
        guard let store = rowStore(of: objectID.storeReference) else {
            throw NSManagedObjectContext.missingRowError(objectID)
        }
        return store
    }

    func didRegister(_ objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext?) {
        forEachStore(of: objectIDs) { $0.managedObjectContextDidRegisterObjects(with: $1) }
    }

    func didUnregister(_ objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext?) {
        forEachStore(of: objectIDs) { $0.managedObjectContextDidUnregisterObjects(with: $1) }
    }

    private func forEachStore(
        of objectIDs: [NSManagedObjectID],
        _ body: (any RowStore, [NSManagedObjectID]) -> Void
    ) {
        locked {
            for store in rowStores {
                let reference = store.reference
                let isOwn = { (objectID: NSManagedObjectID) in
                    objectID.storeReference === reference
                }
                let own = objectIDs.allSatisfy(isOwn) ? objectIDs : objectIDs.filter(isOwn)
                if !own.isEmpty { body(store, own) }
            }
        }
    }

    // MARK: - Fetching

    func readsRelationshipsAhead(
        for request: NSFetchRequest<any NSFetchRequestResult>
    ) -> Bool {
        locked { stores(for: request).allSatisfy { $0 is any RowCachingStore } }
    }

    /// Fetches the objects of rows, so that a store can read and cache them at once. A store with
    /// everything in memory does not benefit from that.
    func prepareRows(
        of objectIDs: [NSManagedObjectID], as request: NSFetchRequest<any NSFetchRequestResult>,
        in context: NSManagedObjectContext
    ) {
        locked {
            for store in stores(for: request)
            where !(store is InMemoryStore || store is NSAtomicStore) {
                let own = objectIDs.filter { $0.storeReference === store.reference }
                guard !own.isEmpty else { continue }
                let rows = NSFetchRequest<any NSFetchRequestResult>()
                rows.entity = request.entity
                rows.includesSubentities = request.includesSubentities
                rows.predicate = NSPredicate(format: "SELF IN %@", own)
                rows.includesPendingChanges = false
                rows.returnsObjectsAsFaults = false
                if store is any RowCachingStore {
                    rows.relationshipKeyPathsForPrefetching =
                        request.relationshipKeyPathsForPrefetching
                }
                // If the fetch fails, the store is asked for single rows, which then report the
                // actual error.
                do { _ = try results(of: rows, from: store, in: context) } catch { continue }
            }
        }
    }

    func results(
        of request: NSFetchRequest<any NSFetchRequestResult>, in context: NSManagedObjectContext
    ) throws -> ResultArray {
        try locked {
            let stores = stores(for: request)
            guard stores.count > 1 else {
                guard let store = stores.first else { return ResultArray([Any]()) }
                return try results(of: request, from: store, in: context)
            }
            return ResultArray(try combinedResults(of: request, from: stores, in: context))
        }
    }

    private func results(
        of request: NSFetchRequest<any NSFetchRequestResult>, from store: NSPersistentStore,
        in context: NSManagedObjectContext
    ) throws -> ResultArray {
        let isHandedWhole =
            context.fetchesAsynchronously && alternatives.contains(.asynchronousRequests)
        let fetch = request.erased()
        let result = try rowStore(store).execute(
            isHandedWhole ? NSAsynchronousFetchRequest(fetchRequest: fetch) : fetch, with: context)
        if let results = ResultArray(returned: result) { return results }
        throw CocoaError(
            .persistentStoreUnsupportedRequestType,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "A fetch returned \(type(of: result)) instead of an array.",
                NSAffectedStoresErrorKey: [store],
            ])
    }

    /// The results of several stores in one order, with limit and offset applied to the whole.
    private func combinedResults(
        of request: NSFetchRequest<any NSFetchRequestResult>, from stores: [NSPersistentStore],
        in context: NSManagedObjectContext
    ) throws -> [Any] {
        let part = request.erased()
        part.fetchOffset = 0
        part.fetchLimit =
            request.fetchLimit > 0
            ? request.fetchLimit.addingWithinBounds(max(0, request.fetchOffset)) : 0
        if request.resultType == .countResultType {
            let counts = try stores.flatMap {
                try results(of: part, from: $0, in: context).results
            }
            let sum = counts.compactMap { ($0 as? NSNumber)?.intValue }.reduce(0, +)
            let rest = max(0, sum - max(0, request.fetchOffset))
            let count = request.fetchLimit > 0 ? min(rest, request.fetchLimit) : rest
            return [NSNumber(value: count)]
        }
        var all = try stores.flatMap { try results(of: part, from: $0, in: context).results }
        if let descriptors = request.sortDescriptors, !descriptors.isEmpty {
            all = sorted(all, by: ObjectSort(descriptors), in: context)
        }
        let rest = all.dropFirst(max(0, request.fetchOffset))
        return request.fetchLimit > 0 ? Array(rest.prefix(request.fetchLimit)) : Array(rest)
    }

    private func sorted(
        _ results: [Any], by sort: ObjectSort, in context: NSManagedObjectContext
    ) -> [Any] {
        guard results.first is NSManagedObjectID else { return sort.sorted(results) }
        let objects = results.compactMap { $0 as? NSManagedObjectID }.map(context.object(with:))
        return sort.sorted(objects).map(\.objectID)
    }
}
