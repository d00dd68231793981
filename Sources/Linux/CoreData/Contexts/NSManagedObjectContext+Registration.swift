import FoundationGaps

/// Uniquing: one object for each ID.
extension NSManagedObjectContext {
    /// The object with an ID; a new fault if none is registered.
    ///
    /// It never fails. Whether the row exists shows when the object is used.
    public func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        assertOnQueue()
        if let object = liveObject(for: objectID) { return object }
        guard isReachable(objectID) else {
            raise(
                .invalidArgument,
                "Object's persistent store is not reachable from this NSManagedObjectContext's "
                    + "coordinator")
        }
        let object = makeObject(of: objectID.entity)
        object.dropValues()
        register(object, as: objectID)
        return object
    }

    /// Whether an ID's store may be one of the coordinator's, and not that of another coordinator.
    private func isReachable(_ objectID: NSManagedObjectID) -> Bool {
        guard let reference = objectID.storeReference, reference !== reachableStore else {
            return true
        }
        guard let coordinator = reference.store?.persistentStoreCoordinator,
            let own = persistentStoreCoordinator
        else { return true }
        guard coordinator === own else { return false }
        reachableStore = reference
        return true
    }

    /// The registered object with an ID.
    public func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        assertOnQueue()
        return liveObject(for: objectID)
    }

    /// The object with an ID, with its values in memory.
    ///
    /// - Throws: `CocoaError.managedObjectReferentialIntegrity` (133000) if there is no such row
    ///   in the coordinator's stores, and whatever the store throws.
    public func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        assertOnQueue()
        guard isReachable(objectID) else { throw Self.missingRowError(objectID) }
        let object = object(with: objectID)
        if object.isFault {
            try fulfill(object)
        }
        if object.state.contains(.vanished) {
            throw Self.missingRowError(objectID)
        }
        return object
    }

    static func missingRowError(_ objectID: NSManagedObjectID) -> CocoaError {
        CocoaError(
            .managedObjectReferentialIntegrity,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "Attempt to access an object not found in store: \(objectID)",
                NSAffectedObjectsErrorKey: [objectID],
            ])
    }

    private func liveObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        if let object = registry.object(for: objectID) { return object }
        guard objectID.isTemporaryID else { return nil }
        if hasUnindexedInsertions {
            indexInsertions()
            return liveObject(for: objectID)
        }
        guard
            let permanentID = permanentIDsByTemporaryID[.init(objectID)],
            !permanentID.isTemporaryID
        else { return nil }
        return object(with: permanentID)
    }

    /// Reserves space for objects that are about to be requested by their IDs, one after the other.
    ///
    /// Linux-only, for stores: a context that knows how many objects a fetch has found need not
    /// grow its tables repeatedly.
    ///
    /// - Parameter count: The expected number; a wrong one does no harm.
    public func expectObjects(_ count: Int) {
        newlyRegistered.reserveCapacity(newlyRegistered.count + count)
    }

    /// An object of an entity's class that is in no context yet.
    func makeObject(of entity: NSEntityDescription) -> NSManagedObject {
        entity.layout.objectClass(of: entity).init(_entity: entity)
    }

    /// Registers an object under an ID.
    func register(_ object: NSManagedObject, as objectID: NSManagedObjectID) {
        object.contextReference = reference
        object.identify(as: objectID)
        if retainsRegisteredObjects { retainedObjects[.init(objectID)] = object }
        let isReplaced = registry.enter(object, as: objectID)
        guard !objectID.isTemporaryID else { return }
        object.state.insert(.knownToStore)
        // Where an object with this ID has died and was not forgotten yet, the store knows it.
        if !isReplaced { announceRegistration(of: objectID) }
    }

    /// Adds a new object. The registry gets it only when an object is looked up by a temporary ID:
    /// most new objects are saved before, and until then the context keeps them alive.
    func registerNew(_ object: NSManagedObject) {
        guard object.storedObjectID?.isTemporaryID ?? true, !retainsRegisteredObjects else {
            return register(object, as: object.objectID)
        }
        if object.contextReference != nil {
            // Its context is gone, and with it the record of known IDs.
            object.state.remove(.knownToStore)
            object.endEvent()
        }
        object.contextReference = reference
        object.state.insert(.unindexed)
        hasUnindexedInsertions = true
    }

    /// Enters the new objects that are missing in the registry.
    func indexInsertions() {
        guard hasUnindexedInsertions else { return }
        hasUnindexedInsertions = false
        for object in inserted where object.state.contains(.unindexed) {
            object.state.remove(.unindexed)
            registry.enter(object, as: object.objectID)
        }
    }

    /// Tells the store that a saved object's ID is in use, now or together with others.
    func noteKnownToStore(_ object: NSManagedObject) {
        guard !object.state.contains(.knownToStore), !object.objectID.isTemporaryID else { return }
        object.state.insert(.knownToStore)
        announceRegistration(of: object.objectID)
    }

    private func announceRegistration(of objectID: NSManagedObjectID) {
        newlyRegistered.append(objectID)
        if registrationDepth == 0 { flushRegistrations() }
    }

    /// Collects registrations during a block, and tells the stores about all of them after it.
    func collectingRegistrations<T>(_ block: () throws -> T) rethrows -> T {
        registrationDepth += 1
        defer {
            registrationDepth -= 1
            if registrationDepth == 0 { flushRegistrations() }
        }
        return try block()
    }

    private func flushRegistrations() {
        guard !newlyRegistered.isEmpty else { return }
        let objectIDs = newlyRegistered
        newlyRegistered = []
        source?.didRegister(objectIDs, in: self)
    }

    /// Changes the ID of an object when it gets a permanent one.
    func rename(_ object: NSManagedObject, to objectID: NSManagedObjectID) {
        let isIndexed = !object.state.contains(.unindexed)
        object.state.remove(.unindexed)
        if let oldID = object.storedObjectID {
            if isIndexed { registry.remove(oldID) }
            let old = NSManagedObjectID.Key(oldID)
            if !retainedObjects.isEmpty { retainedObjects[old] = nil }
            if permanentIDsByTemporaryID[old] != nil { permanentIDsByTemporaryID[old] = objectID }
        }
        registry.enter(object, as: objectID)
        if retainsRegisteredObjects { retainedObjects[.init(objectID)] = object }
        object.identify(as: objectID)
    }

    /// Removes objects from the context.
    func unregister(_ objects: [NSManagedObject]) {
        var known: [NSManagedObjectID] = []
        for object in objects {
            let key = NSManagedObjectID.Key(object.objectID)
            retainedObjects[key] = nil
            readAhead.remove(key)
            object.contextReference = nil
            object.forgetOldValues()
            registry.remove(key.objectID)
            if object.state.contains(.knownToStore) { known.append(object.objectID) }
            object.state.subtract([.knownToStore, .unindexed])
        }
        if !known.isEmpty { source?.didUnregister(known, in: self) }
    }

    /// Unregisters the objects that were released, and notifies the stores.
    func unregisterDeallocatedObjects() {
        let objectIDs = reference.takeDeallocated()
        guard !objectIDs.isEmpty else { return }
        let known = objectIDs.filter { objectID in
            guard registry.removeDead(objectID) else { return false }
            if !readAhead.isEmpty { readAhead.remove(.init(objectID)) }
            return !objectID.isTemporaryID
        }
        if !known.isEmpty { source?.didUnregister(known, in: self) }
    }

    /// Releases every object, discards every change, and notifies the stores.
    ///
    /// Objects that are still held no longer belong to a context.
    public func reset() {
        assertOnQueue()
        undoManager?.removeAllActions(withTarget: self)
        let (objects, known) = takeRegistered()
        retainedObjects = [:]
        readAhead.removeAll()
        forgetChanges()
        let invalidated = objects.map(\.objectID)
        for object in objects {
            object.contextReference = nil
            object.dropValues()
            object.state = .fault
        }
        if !known.isEmpty { source?.didUnregister(known, in: self) }
        postInvalidatedAll(invalidated)
    }

    /// Empties the registry.
    ///
    /// - Returns: The objects that are alive, and the IDs that the store knows are in use.
    func takeRegistered() -> (objects: [NSManagedObject], known: [NSManagedObjectID]) {
        indexInsertions()
        let objects = registry.objects
        // Only saved objects can be deallocated while they are registered.
        let dead = registry.deadIDs.filter { !$0.isTemporaryID }
        let known = objects.filter { $0.state.contains(.knownToStore) }.map(\.objectID) + dead
        registry.removeAll()
        return (objects, known)
    }

    /// Discards insertions, changes and deletions.
    func forgetChanges() {
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        locked.removeAll()
        annihilated.removeAll()
        faultsWithChanges = []
        unpropagatedDeletions = []
        mergedDeletions = []
        _ = takeEvent()
        assignedStores = [:]
    }

    /// The entity that the context's model has for a class.
    func requireEntity(for type: NSManagedObject.Type) -> NSEntityDescription {
        if let entity = entitiesByClass[ObjectIdentifier(type)] { return entity }
        if let entity = persistentStoreCoordinator?.managedObjectModel.entity(for: type) {
            entitiesByClass[ObjectIdentifier(type)] = entity
            return entity
        }
        // An override of `entity()` takes precedence over the models.
        let entity = type.entity()
        guard entity.name != nil else {
            raise(
                .invalidArgument,
                "An NSManagedObject of class '\(type)' must have a valid NSEntityDescription.")
        }
        return entity
    }
}

/// Firing faults.
extension NSManagedObjectContext {
    /// Reads the values of a fault that is being used.
    func fulfillFault(_ object: NSManagedObject) {
        do {
            try fulfill(object)
        } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
            if followStoreMoves() { return fulfillFault(object) }
            let description = object.objectID.description
            if shouldHandleInaccessibleFault(
                object, for: object.objectID, triggeredByProperty: nil)
            {
                return noteMissingRow(of: object)
            }
            raise(
                .objectInaccessible,
                "CoreData could not fulfill a fault for '\(description)'")
        } catch {
            let alternatives = persistentStoreCoordinator?.alternatives ?? []
            if alternatives.contains(.deletedUnreadFaults),
                shouldHandleInaccessibleFault(
                    object, for: object.objectID, triggeredByProperty: nil)
            {
                return deleteUnread(object)
            }
            raise(
                .objectInaccessible,
                "CoreData could not fulfill a fault for '\(object.objectID)': \(error)")
        }
    }

    /// Whether an object whose row is gone counts as deleted, with nil for all values. The default
    /// is `shouldDeleteInaccessibleFaults`.
    public func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID,
        triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }

    /// Reads the values of a fault.
    func fulfill(_ object: NSManagedObject) throws {
        guard let source else { throw Self.missingRowError(object.objectID) }
        let row = try collectingRegistrations {
            try takeRowReadAhead(for: object.objectID)
                ?? currentRow(of: object.objectID, from: source)
        }
        // The store may have fired the fault itself in the meantime.
        guard object.isFault else { return }
        object.materialize(row)
        object.awakeFromFetch()
    }

    /// Treats an object whose row is gone as deleted.
    func noteMissingRow(of object: NSManagedObject) {
        dropFromChanges(object)
        object.becomeEmpty()
        object.state.insert(.vanished)
    }

    /// Deletes an object whose values were not read, without delete rules.
    private func deleteUnread(_ object: NSManagedObject) {
        dropFromChanges(object)
        object.becomeEmpty()
        object.state.formUnion([.deleted, .deletionPropagated])
        deleted.appendNew(object)
        event.deleted.append(object)
    }

    /// Reads the destinations of a to-many relationship.
    func destinationIDs(of object: NSManagedObject, at position: Int) -> [NSManagedObjectID] {
        let relationship = object.layout.relationships[position]
        do {
            guard let source else { return [] }
            return try collectingRegistrations {
                try source.destinationIDs(of: relationship, from: object.objectID, in: self)
            }
        } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
            return []
        } catch {
            raise(
                .objectInaccessible,
                "CoreData could not fulfill the relationship fault '\(relationship.name)' of "
                    + "'\(object.objectID)': \(error)")
        }
    }
}
