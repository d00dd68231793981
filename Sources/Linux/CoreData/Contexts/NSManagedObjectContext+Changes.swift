import FoundationGaps

/// Inserting and deleting objects, and the effects.
extension NSManagedObjectContext {
    // MARK: - Inserting

    /// Inserts an object that was created without a context.
    public func insert(_ object: NSManagedObject) {
        insertNew(object)
    }

    /// Registers a new object with its defaults, and awakes it.
    func insertNew(_ object: NSManagedObject) {
        assertOnQueue()
        if object.contextReference === reference {
            if object.state.contains(.deleted) { undelete(object) }
            return
        }
        guard object.context == nil else {
            raise(
                .invalidArgument,
                "An NSManagedObject may only be inserted in one context.")
        }
        registerNew(object)
        object.state.insert(.inserted)
        inserted.appendNew(object)
        event.noteInsertion(of: object)
        scheduleProcessing()
        object.awakeFromInsert()
    }

    /// Counts an object as inserted without awaking it, because it is the copy of a saved one.
    func takeCopy(_ object: NSManagedObject) {
        object.state.insert(.inserted)
        inserted.append(object)
        event.noteInsertion(of: object)
    }

    /// Chooses the store that a new object is saved to.
    ///
    /// - Parameters:
    ///   - object: A managed object that has not been saved yet.
    ///   - store: One of the coordinator's stores.
    public func assign(_ object: Any, to store: NSPersistentStore) {
        guard let object = object as? NSManagedObject else {
            raise(.invalidArgument, "Can't assign an object to a store; not an NSManagedObject.")
        }
        guard let coordinator = persistentStoreCoordinator,
            coordinator.persistentStores.contains(where: { $0 === store }),
            coordinator.keeps(store, objectsOf: object.entity)
        else {
            raise(
                .invalidArgument,
                "Can't assign an object to a store that does not contain the object's entity.")
        }
        guard object.objectID.isTemporaryID else {
            if object.objectID.persistentStore === store { return }
            raise(
                .invalidArgument,
                "Can't reassign an object to a different store once it has been saved.")
        }
        assignedStores[ObjectIdentifier(object)] = store
    }

    // MARK: - Changing

    /// Records that a value of an object was set.
    func noteChange(of object: NSManagedObject) {
        guard object.state.isDisjoint(with: [.deleted, .vanished]) else { return }
        if object.state.contains(.inserted) {
            if !event.hasInserted(object) { event.noteUpdate(of: object) }
        } else {
            if !object.state.contains(.updated) {
                object.state.insert(.updated)
                updated.appendNew(object)
            }
            event.noteUpdate(of: object)
        }
        scheduleProcessing()
    }

    /// Makes the next save check that nobody else has changed the object, and increases its
    /// version.
    public func detectConflicts(for object: NSManagedObject) {
        assertOnQueue()
        guard object.context === self else {
            raise(
                .invalidArgument,
                "An NSManagedObjectContext cannot detect conflicts for objects in other contexts.")
        }
        guard !object.state.contains(.inserted) else { return }
        object.fireFault()
        locked.append(object)
    }

    // MARK: - Deleting

    /// Marks an object for deletion by the next save.
    func deleteObject(_ object: NSManagedObject) {
        assertOnQueue()
        guard object.context === self else {
            raise(
                .invalidArgument,
                "An NSManagedObjectContext cannot delete objects in other contexts.")
        }
        object.prepareForDeletion()
        markDeleted(object)
        if !propagatesDeletesAtEndOfEvent { propagateDeletions() }
        scheduleProcessing()
    }

    /// Moves an object to the deleted ones.
    func markDeleted(_ object: NSManagedObject) {
        guard object.state.isDisjoint(with: [.deleted, .vanished]) else { return }
        object.state.insert(.deleted)
        unpropagatedDeletions.append(object)
        if object.state.contains(.inserted) {
            object.state.remove(.inserted)
            inserted.remove(object, keepingOrder: inserted.count < 64)
            annihilated.append(object)
            if !event.dropInsertion(of: object) { event.deleted.append(object) }
            event.dropUpdate(of: object)
        } else {
            if object.state.contains(.updated) {
                object.state.remove(.updated)
                updated.remove(object)
                event.dropUpdate(of: object)
            }
            deleted.appendNew(object)
            event.deleted.append(object)
        }
    }

    /// Undoes a deletion that was not saved.
    func undelete(_ object: NSManagedObject) {
        object.state.subtract([.deleted, .deletionPropagated])
        deleted.remove(object)
        event.deleted.remove(object)
        if annihilated.remove(object) {
            object.state.insert(.inserted)
            inserted.append(object)
        }
        event.noteInsertion(of: object)
    }

    /// Runs the delete rules of every deleted object whose rules have not run.
    ///
    /// - Parameter kept: Objects that no rule deletes.
    func propagateDeletions(keeping kept: ObjectSet = ObjectSet()) {
        while let object = unpropagatedDeletions.popLast() {
            guard object.state.contains(.deleted), !object.state.contains(.deletionPropagated)
            else { continue }
            object.state.insert(.deletionPropagated)
            object.fireFault()
            if object.state.contains(.vanished) { continue }
            // Once the deletion is saved, no store has the destinations that an undo restores.
            if reference.recordsUndo { object.resolveRelationships() }
            for relationship in object.layout.relationships {
                propagateDeletion(of: object, along: relationship, keeping: kept)
            }
        }
        guard !annihilated.isEmpty else { return }
        for object in annihilated {
            noteDeparture(of: object)
            object.state.subtract([.deleted, .deletionPropagated])
        }
        unregister(annihilated.objects)
        annihilated.removeAll()
    }

    private func propagateDeletion(
        of object: NSManagedObject, along relationship: NSRelationshipDescription,
        keeping kept: ObjectSet
    ) {
        let position = object.layout.relationshipPositions[relationship.valueIndex]
        let rule = relationship.deleteRule
        guard rule == .cascadeDeleteRule || rule == .nullifyDeleteRule else { return }
        guard rule == .cascadeDeleteRule || relationship.inverseRelationship != nil else { return }
        for destination in object.destinations(at: position) where !destination.isDeleted {
            if rule == .cascadeDeleteRule, !kept.contains(destination) {
                destination.prepareForDeletion()
                markDeleted(destination)
            } else if let inverse = relationship.inverseRelationship {
                destination.dropInverse(inverse, of: object)
            }
        }
    }

    // MARK: - Processing

    /// Runs delete rules and posts `NSManagedObjectContextObjectsDidChange` for what happened.
    ///
    /// It is called automatically at the end of `perform` blocks and of the main queue's turns, and
    /// before fetches and saves.
    public func processPendingChanges() {
        assertOnQueue()
        finishEvent(registeringUndo: !isReplaying)
    }

    /// Processes the changes of the current event.
    ///
    /// - Parameter registersUndo: Whether the event can be undone.
    func finishEvent(registeringUndo registersUndo: Bool) {
        propagateDeletions()
        fireFaultsWithChanges()
        guard !event.isEmpty else { return }
        let past = takeEvent()
        if registersUndo { registerUndo(of: past) }
        let outerNumber = postedEventNumber
        postedEventNumber = past.number
        defer { postedEventNumber = outerNumber }
        postObjectsDidChange(past)
    }

    /// Removes an object from all change sets.
    func dropFromChanges(_ object: NSManagedObject) {
        object.state.subtract([.inserted, .updated, .deleted, .deletionPropagated, .locked])
        object.changedProperties.removeAll()
        object.changesOfFault = nil
        object.forgetOldValues()
        inserted.remove(object)
        updated.remove(object)
        deleted.remove(object)
        locked.remove(object)
        annihilated.remove(object)
    }

    /// Undoes everything since the last save, and removes all actions that `undo()` could undo.
    public func rollback() {
        assertOnQueue()
        let wasReplaying = isReplaying
        isReplaying = true
        defer { isReplaying = wasReplaying }
        undoManager?.removeAllActions(withTarget: self)
        propagateDeletions()
        let dropped = inserted
        let reverted = updated.objects + deleted.objects
        for object in dropped { dropFromChanges(object) }
        unregister(dropped.objects)
        for object in reverted {
            dropFromChanges(object)
            revert(object)
        }
        forgetChanges()
        guard !dropped.isEmpty || !reverted.isEmpty else { return }
        event.refreshed = ObjectSet(reverted)
        event.deleted = dropped
        processPendingChanges()
    }

    /// Restores an object's committed values.
    private func revert(_ object: NSManagedObject) {
        guard let committed = object.committed else { return object.dropValues() }
        object.materialize(committed)
        object.awake(fromSnapshotEvents: .rollback)
    }
}

extension NSEntityDescription {
    /// The entity of a name in the model of a context.
    public class func entity(
        forEntityName entityName: String, in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        guard let coordinator = context.persistentStoreCoordinator else {
            raise(
                .invalidArgument,
                "+entityForName: nil is not a legal NSPersistentStoreCoordinator for searching "
                    + "for entity name '\(entityName)'")
        }
        return coordinator.entity(named: entityName)
    }

    /// Creates an object of the entity's class and inserts it.
    public class func insertNewObject(
        forEntityName entityName: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        guard let entity = entity(forEntityName: entityName, in: context) else {
            raise(
                .internalInconsistency,
                "+entityForName: could not locate an entity named '\(entityName)' in this model.")
        }
        let object = context.makeObject(of: entity)
        context.insertNew(object)
        return object
    }
}
