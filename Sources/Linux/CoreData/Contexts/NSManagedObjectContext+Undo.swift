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
        guard let undoManager, !isReplaying, undoManager.isUndoRegistrationEnabled else { return }
        var step = UndoStep()
        for object in past.inserted {
            let isNew = object.state.contains(.inserted)
            step.parts.append(.init(object: object, place: isNew ? .outside : .deleted, values: []))
        }
        for object in past.updated where !past.inserted.contains(object) {
            step.parts.append(part(of: object, place: place(of: object), in: past))
        }
        for object in past.deleted {
            let wasSaved = object.committed != nil || !object.objectID.isTemporaryID
            step.parts.append(part(of: object, place: wasSaved ? .saved : .inserted, in: past))
        }
        if !step.parts.isEmpty { register(step, with: undoManager) }
    }

    private func part(
        of object: NSManagedObject, place: UndoStep.Place, in past: ContextEvent
    ) -> UndoStep.Part {
        guard object.eventNumber == past.number, !object.isFault else {
            return .init(object: object, place: place, values: [])
        }
        let values = object.layout.properties.compactMap { property in
            object.changedInEvent.contains(property.valueIndex)
                ? object.valueBeforeEvent(at: property.valueIndex)
                    .map { (index: property.valueIndex, value: $0) } : nil
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

    /// Undoes an event, and registers the redo.
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
        let inverse = parts.map { part in
            UndoStep.Part(
                object: part.object, place: place(of: part.object),
                values: part.values.map { index, value in
                    (index, part.object.presentValue(at: index, replacedBy: value))
                })
        }
        for part in parts where place(of: part.object) != part.place {
            move(part.object, to: part.place)
        }
        for part in parts { restore(part) }
        if let undoManager { register(UndoStep(parts: inverse.reversed()), with: undoManager) }
        processPendingChanges()
    }

    private func restore(_ part: UndoStep.Part) {
        let object = part.object
        guard !part.values.isEmpty, object.contextReference === reference else { return }
        for (index, value) in part.values { object.restore(value, at: index) }
        if object.state.contains(.updated), object.isBackAtCommitted {
            object.changedProperties.removeAll()
            object.state.remove(.updated)
            updated.remove(object)
        }
        object.awake(fromSnapshotEvents: .undoUpdate)
    }

    private func move(_ object: NSManagedObject, to place: UndoStep.Place) {
        switch (self.place(of: object), place) {
        case (.outside, .inserted), (.outside, .saved):
            // A deletion that has been saved since can only be undone by a new object.
            object.committed = nil
            object.state.subtract(.unsaved)
            registerNew(object)
            object.state.insert(.inserted)
            if !object.objectID.isTemporaryID { object.state.insert(.returning) }
            inserted.append(object)
            event.noteInsertion(of: object)
            object.awake(fromSnapshotEvents: .undoDeletion)
        case (.inserted, .outside), (.inserted, .deleted):
            event.dropUpdate(of: object)
            if !event.dropInsertion(of: object) { event.deleted.append(object) }
            dropFromChanges(object)
            indexInsertions()
            unregister([object])
            object.awake(fromSnapshotEvents: .undoInsertion)
        case (.saved, .outside), (.saved, .deleted):
            deleteObject(object)
            propagateDeletions()
        case (.deleted, .saved), (.deleted, .inserted):
            undelete(object)
            if !object.changedProperties.isEmpty { noteChange(of: object) }
            object.awake(fromSnapshotEvents: .undoDeletion)
        default:
            break
        }
    }
}
