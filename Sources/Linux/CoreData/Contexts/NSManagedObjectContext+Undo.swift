import FoundationGaps

/// Undo and redo.
///
/// Each event, that is what happened between two calls of `processPendingChanges()`, becomes one
/// action of the undo manager, which puts the events of one turn of the main queue in one group.
extension NSManagedObjectContext {
    /// Makes the undo manager undo its last group of changes. Without one nothing happens.
    public func undo() {
        assertOnQueue()
        processPendingChanges()
        undoManager?.undo()
    }

    /// Makes the undo manager redo the group that was undone last. Without one nothing happens.
    public func redo() {
        assertOnQueue()
        processPendingChanges()
        undoManager?.redo()
    }

    /// Observes when an undo manager needs all changes to be processed.
    func observeUndoManager() {
        if let undoObserver { NotificationCenter.default.removeObserver(undoObserver) }
        undoObserver = nil
        reference.recordsUndo = undoManager != nil
        guard let undoManager else { return }
        let reference = reference
        undoObserver = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: undoManager, queue: nil
        ) { _ in
            guard let context = reference.context, !context.isReplaying, !context.event.isEmpty
            else { return }
            context.processPendingChanges()
        }
    }

    // MARK: - Recording

    /// Registers the undo action of an event that has ended.
    func registerUndo(of past: ContextEvent) {
        guard let undoManager, undoManager.isUndoRegistrationEnabled else { return }
        var step = UndoStep()
        for object in past.inserted {
            let isNew = object.state.contains(.inserted)
            step.parts.append(.init(object: object, place: isNew ? .outside : .deleted, values: []))
        }
        for object in past.updated where !past.inserted.contains(object) {
            step.parts.append(part(of: object, place: place(of: object), in: past))
        }
        for object in past.deleted where object.contextReference === reference {
            step.parts.append(departure(of: object, in: past))
        }
        step.parts += past.departures
        if !step.parts.isEmpty { register(step, with: undoManager) }
    }

    /// Records what an undo restores of a deleted object, before the object leaves the context.
    func noteDeparture(of object: NSManagedObject) {
        // An object that was inserted in the same event does not come back.
        guard reference.recordsUndo, event.deleted.contains(object) else { return }
        event.departures.append(departure(of: object, in: event))
    }

    private func departure(
        of object: NSManagedObject, in event: ContextEvent
    ) -> UndoStep.Part {
        let wasSaved = object.committed != nil || !object.objectID.isTemporaryID
        return part(of: object, place: wasSaved ? .saved : .inserted, in: event, isWhole: true)
    }

    /// The part of an object in the undo of an event.
    ///
    /// - Parameter isWhole: Whether it has all relationships, not only the changed ones: those of an object
    ///   that is not in the context may change unnoticed.
    private func part(
        of object: NSManagedObject, place: UndoStep.Place, in event: ContextEvent,
        isWhole: Bool = false
    ) -> UndoStep.Part {
        guard !object.isFault else { return .init(object: object, place: place, values: []) }
        let isRecorded = object.eventNumber == event.number
        var values: [(index: Int, value: UndoStep.Value)] = []
        for property in object.layout.properties {
            let index = property.valueIndex
            let position = object.layout.relationshipPositions[index]
            if isRecorded, object.changedInEvent.contains(index) {
                if let value = object.valueBeforeEvent(at: index) { values.append((index, value)) }
            } else if isWhole, position >= 0 {
                values.append((index, .relationship(object.relationships[position])))
            }
        }
        return .init(object: object, place: place, values: values)
    }

    private func register(_ step: UndoStep, with undoManager: UndoManager) {
        // The action runs on the context's queue, where its objects belong.
        undoManager.registerUndo(withTarget: self) { context in
            if context.concurrencyType == .confinementConcurrencyType {
                context.replay(step)
            } else {
                context.runAndWait { context.replay(step) }
            }
        }
    }

    private func place(of object: NSManagedObject) -> UndoStep.Place {
        guard object.contextReference === reference else { return .outside }
        if object.state.contains(.deleted) { return .deleted }
        return object.state.contains(.inserted) ? .inserted : .saved
    }

    // MARK: - Replaying

    /// Undoes an event. That is an event itself, whose own undo is the redo.
    ///
    /// All objects are in their places before the first value is restored, because the values refer to
    /// them, and delete rules would change them.
    private func replay(_ step: UndoStep) {
        let wasReplaying = isReplaying
        isReplaying = true
        defer { isReplaying = wasReplaying }
        processPendingChanges()
        let parts = step.parts.filter { part in
            if part.object.isFault, part.object.contextReference === reference {
                part.object.fireFault()
            }
            return !part.object.state.contains(.vanished) && !part.object.isFault
        }
        let staying = parts.filter(\.place.isPresent)
        let kept = ObjectSet(staying.map(\.object))
        for object in kept { bringBack(object) }
        let leaving = ObjectSet(parts.filter { !$0.place.isPresent }.map(\.object))
        for object in leaving where place(of: object) == .saved {
            object.prepareForDeletion()
            markDeleted(object)
        }
        propagateDeletions(keeping: kept)
        for object in leaving where place(of: object) == .inserted {
            detach(object) { !kept.contains($0) && !leaving.contains($0) }
        }
        for part in staying { restore(part) }
        for object in leaving where place(of: object) == .inserted { withdraw(object) }
        finishEvent(registeringUndo: true)
    }

    private func restore(_ part: UndoStep.Part) {
        let object = part.object
        let values = part.values.filter { !object.has($0.value, at: $0.index) }
        guard !values.isEmpty, object.contextReference === reference else { return }
        for (index, value) in values { object.restore(value, at: index) }
        if object.state.contains(.updated), object.isBackAtCommitted {
            object.changedProperties.removeAll()
            object.state.remove(.updated)
            updated.remove(object)
        }
        object.awake(fromSnapshotEvents: .undoUpdate)
    }

    /// Undoes the deletion of an object.
    private func bringBack(_ object: NSManagedObject) {
        switch place(of: object) {
        case .outside:
            // A deletion that has been saved since can only be undone by a new object.
            object.committed = nil
            object.state.subtract(.unsaved)
            if !object.objectID.isTemporaryID,
                object.objectID.persistentStore?.persistentStoreCoordinator == nil
            {
                // Its store has been removed or replaced since.
                object.identify(as: NSManagedObjectID(temporaryFor: object.entity))
            }
            removeStandIn(for: object)
            registerNew(object)
            object.state.insert(.inserted)
            if !object.objectID.isTemporaryID { object.state.insert(.returning) }
            inserted.append(object)
            event.noteInsertion(of: object)
            object.awake(fromSnapshotEvents: .undoDeletion)
        case .deleted:
            undelete(object)
            if !object.changedProperties.isEmpty { noteChange(of: object) }
            object.awake(fromSnapshotEvents: .undoDeletion)
        case .inserted, .saved:
            break
        }
    }

    /// Removes the object that was requested by another's ID while that one was not in the context.
    private func removeStandIn(for object: NSManagedObject) {
        guard !object.objectID.isTemporaryID,
            let standIn = registeredObject(for: object.objectID), standIn !== object
        else { return }
        indexInsertions()
        for other in registry.objects where !other.isFault {
            other.replaceDestination(standIn, by: object)
        }
        dropFromChanges(standIn)
        unregister([standIn])
    }

    /// Undoes the insertion of an object that was not saved.
    private func withdraw(_ object: NSManagedObject) {
        event.dropUpdate(of: object)
        if !event.dropInsertion(of: object) { event.deleted.append(object) }
        noteDeparture(of: object)
        dropFromChanges(object)
        indexInsertions()
        unregister([object])
        object.awake(fromSnapshotEvents: .undoInsertion)
    }

    /// Removes an object from the relationships of others that have a property.
    private func detach(
        _ object: NSManagedObject, from isIncluded: (NSManagedObject) -> Bool
    ) {
        for (position, relationship) in object.layout.relationships.enumerated() {
            guard let inverse = relationship.inverseRelationship else { continue }
            for destination in object.destinations(at: position)
            where isIncluded(destination) && !destination.isDeleted {
                destination.dropInverse(inverse, of: object)
            }
        }
    }
}
