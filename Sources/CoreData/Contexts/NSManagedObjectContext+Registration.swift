import FoundationGaps

/// Uniquing: one object for each ID.
extension NSManagedObjectContext {
    /// The object with an ID, made as a fault if the context does not know it.
    ///
    /// It never fails; whether there is such a row shows when the object is used.
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

    /// Whether an ID's store may be one of the coordinator's: it is not that of another one.
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

    /// The object with an ID if the context knows it.
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
        if let object = registry[.init(objectID)]?.object { return object }
        guard objectID.isTemporaryID,
            let permanentID = permanentIDsByTemporaryID[.init(objectID)],
            !permanentID.isTemporaryID
        else { return nil }
        return object(with: permanentID)
    }

    /// An object of an entity's class that is in no context yet.
    func makeObject(of entity: NSEntityDescription) -> NSManagedObject {
        entity.layout.objectClass(of: entity).init(_entity: entity)
    }

    /// Takes an object in under an ID.
    func register(_ object: NSManagedObject, as objectID: NSManagedObjectID) {
        object.context = self
        object.identify(as: objectID)
        let key = NSManagedObjectID.Key(objectID)
        let isPermanent = !objectID.isTemporaryID
        let former = registry.updateValue(
            RegistryEntry(object: object, isKnownToStore: isPermanent), forKey: key)
        if retainsRegisteredObjects { retainedObjects[key] = object }
        if isPermanent, former?.isKnownToStore != true { announceRegistration(of: objectID) }
    }

    /// Tells the store that an ID is in use, now or together with others.
    func noteKnownToStore(_ objectID: NSManagedObjectID) {
        let key = NSManagedObjectID.Key(objectID)
        guard registry[key]?.isKnownToStore == false else { return }
        registry[key]?.isKnownToStore = true
        announceRegistration(of: objectID)
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

    /// Changes the ID of an object, once it has a permanent one.
    func rename(_ object: NSManagedObject, to objectID: NSManagedObjectID) {
        let old = NSManagedObjectID.Key(object.objectID)
        registry[old] = nil
        registry[.init(objectID)] = RegistryEntry(object: object, isKnownToStore: false)
        if retainsRegisteredObjects {
            retainedObjects[old] = nil
            retainedObjects[.init(objectID)] = object
        }
        if permanentIDsByTemporaryID[old] != nil {
            permanentIDsByTemporaryID[old] = objectID
        }
        object.identify(as: objectID)
    }

    /// Lets objects go: they are no longer in the context.
    func unregister(_ objects: [NSManagedObject]) {
        var known: [NSManagedObjectID] = []
        for object in objects {
            let key = NSManagedObjectID.Key(object.objectID)
            retainedObjects[key] = nil
            readAhead.remove(key)
            object.context = nil
            object.event = nil
            if registry.removeValue(forKey: key)?.isKnownToStore == true {
                known.append(object.objectID)
            }
        }
        if !known.isEmpty { source?.didUnregister(known, in: self) }
    }

    /// Notes that an object was released, on whatever thread.
    func noteDeallocation(of objectID: NSManagedObjectID) {
        deallocated.withLock { $0.append(objectID) }
    }

    /// Forgets the objects that were released, and tells the stores.
    func unregisterDeallocatedObjects() {
        let objectIDs = deallocated.withLock { noted in
            let objectIDs = noted
            noted = []
            return objectIDs
        }
        var unregistered: [NSManagedObjectID] = []
        for objectID in objectIDs {
            let key = NSManagedObjectID.Key(objectID)
            guard let entry = registry[key], entry.object == nil else { continue }
            registry[key] = nil
            readAhead.remove(key)
            if entry.isKnownToStore { unregistered.append(objectID) }
        }
        if !unregistered.isEmpty { source?.didUnregister(unregistered, in: self) }
    }

    /// Forgets every object and every change, and tells the stores.
    ///
    /// Objects that are still held belong to no context any more.
    public func reset() {
        assertOnQueue()
        var known: [NSManagedObjectID] = []
        var objects: [NSManagedObject] = []
        for (key, entry) in registry {
            if entry.isKnownToStore { known.append(key.objectID) }
            if let object = entry.object { objects.append(object) }
        }
        registry = [:]
        retainedObjects = [:]
        readAhead.removeAll()
        forgetChanges()
        for object in objects {
            object.context = nil
            object.dropValues()
            object.state = .fault
        }
        if !known.isEmpty { source?.didUnregister(known, in: self) }
        postInvalidatedAll()
    }

    /// Forgets what was inserted, changed and deleted.
    func forgetChanges() {
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        locked.removeAll()
        annihilated.removeAll()
        unpropagatedDeletions = []
        event = ContextEvent()
        assignedStores = [:]
    }

    /// The entity that the context's model has for a class.
    func requireEntity(for type: NSManagedObject.Type) -> NSEntityDescription {
        if let entity = entitiesByClass[ObjectIdentifier(type)] { return entity }
        if let entity = persistentStoreCoordinator?.managedObjectModel.entity(for: type) {
            entitiesByClass[ObjectIdentifier(type)] = entity
            return entity
        }
        return type.entity()
    }
}

/// Firing faults.
extension NSManagedObjectContext {
    /// Reads the values of a fault that is being used.
    func fulfillFault(_ object: NSManagedObject) {
        do {
            try fulfill(object)
        } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
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
            raise(
                .objectInaccessible,
                "CoreData could not fulfill a fault for '\(object.objectID)': \(error)")
        }
    }

    /// Whether an object whose row is gone counts as deleted, with nil for all values; what
    /// `shouldDeleteInaccessibleFaults` says, unless a subclass decides otherwise.
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
                ?? source.row(of: object.objectID, in: self)
        }
        // The store may have fired the fault itself meanwhile.
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

    /// Asks for the destinations of a to-many relationship.
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
