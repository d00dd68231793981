import FoundationGaps

/// The requests of a coordinator to an atomic store, answered from its cache nodes.
extension NSAtomicStore: RowStore {
    func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        switch request {
        case let request as NSFetchRequest<any NSFetchRequestResult>:
            return try InMemoryFetch(
                request, for: context, in: nodes(of:includingSubentities:)
            ).results()
        case let request as NSSaveChangesRequest:
            try save(request)
            return [Any]()
        default:
            throw CocoaError(
                .persistentStoreUnsupportedRequestType,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "\(Swift.type(of: self)) does not execute \(request)."
                ])
        }
    }

    private func nodes(
        of entity: NSEntityDescription, includingSubentities: Bool
    ) -> [NSAtomicStoreCacheNode] {
        let names = Set((includingSubentities ? entity.hierarchy : [entity]).map(\.name))
        return entries.values
            .filter { names.contains($0.node.objectID.entity.name) }
            .sorted { $0.serial < $1.serial }
            .map(\.node)
    }

    // MARK: - Rows

    private func requireEntry(_ objectID: NSManagedObjectID) throws -> Entry {
        guard let entry = entries[NSManagedObjectID.Key(objectID)] else {
            throw CocoaError(
                .managedObjectReferentialIntegrity,
                userInfo: [NSAffectedObjectsErrorKey: [objectID]])
        }
        return entry
    }

    func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let entry = try requireEntry(objectID)
        var values: [String: Any] = [:]
        for property in objectID.entity.layout.properties where !property.isTransient {
            switch property {
            case let relationship as NSRelationshipDescription:
                guard !relationship.isToMany else { continue }
                values[relationship.name] =
                    destinationIDs(of: relationship, from: entry.node).first ?? NSNull()
            default:
                values[property.name] = entry.node.value(forKey: property.name)
            }
        }
        return NSIncrementalStoreNode(
            objectID: objectID, withValues: values, version: entry.version)
    }

    func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        let objectIDs = destinationIDs(of: relationship, from: try requireEntry(objectID).node)
        return relationship.isToMany ? objectIDs : objectIDs.first ?? NSNull()
    }

    private func destinationIDs(
        of relationship: NSRelationshipDescription, from node: NSAtomicStoreCacheNode
    ) -> [NSManagedObjectID] {
        node.destinations(of: relationship).map(\.objectID)
    }

    func versions(
        of objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext
    ) throws -> [UInt64?] {
        objectIDs.map { entries[NSManagedObjectID.Key($0)]?.version }
    }

    func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { objectID(for: $0.entity, withReferenceObject: newReferenceObject(for: $0)) }
    }

    // Everything is in memory, whatever contexts use it.
    func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}
    func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    // MARK: - Saving

    /// Updates the nodes and has the store write them; if that fails, the nodes are restored.
    private func save(_ request: NSSaveChangesRequest) throws {
        let updated = request.updated?.objects ?? []
        let deleted = request.deleted?.objects ?? []
        let former = entries
        let formerValues = updated.compactMap { object in
            cacheNode(for: object.objectID).map { ($0, $0.propertyCache?.mutableCopy()) }
        }
        for object in request.inserted?.objects ?? [] {
            register(newCacheNode(for: object))
            if object.state.contains(.returning) {
                entries[NSManagedObjectID.Key(object.objectID)]?.version = unreadVersion
            }
        }
        for object in updated {
            guard let node = cacheNode(for: object.objectID) else { continue }
            updateCacheNode(node, from: object)
        }
        let removed = deleted.compactMap { cacheNode(for: $0.objectID) }
        if !removed.isEmpty { willRemoveCacheNodes(Set(removed)) }
        for node in removed {
            let entry = entries.removeValue(forKey: NSManagedObjectID.Key(node.objectID))
            unreadVersion = max(unreadVersion, (entry?.version ?? 0) + 1)
        }
        do {
            try save()
        } catch {
            entries = former
            for (node, values) in formerValues {
                node.propertyCache = values as? NSMutableDictionary
            }
            throw error
        }
        let changed = updated.map(\.objectID) + (request.locked?.objects ?? []).map(\.objectID)
        for key in Set(changed.map(NSManagedObjectID.Key.init)) { entries[key]?.version += 1 }
    }
}
