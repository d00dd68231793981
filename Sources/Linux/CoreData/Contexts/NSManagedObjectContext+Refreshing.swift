import FoundationGaps

extension NSManagedObjectContext {
    /// Reads an object's values again.
    ///
    /// - Parameters:
    ///   - object: An object of the context.
    ///   - flag: Whether changes are kept on top of the new values. If false they are lost, and
    ///     the object becomes a fault; one that was never saved is no longer inserted then, and
    ///     has no values. If true, nothing happens to such an object.
    public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        assertOnQueue()
        guard object.context === self || object.context == nil else {
            raise(
                .invalidArgument,
                "An NSManagedObjectContext cannot refresh objects in other contexts.")
        }
        guard object.context === self else { return }
        if object.state.contains(.inserted) {
            guard !flag else { return }
            // From here on only the registry knows the object.
            indexInsertions()
            event.dropInsertion(of: object)
            event.dropUpdate(of: object)
        }
        readAhead.rows[.init(object.objectID)] = nil
        object.fetchedPropertyValues = nil
        if flag {
            refreshKeepingChanges(object)
        } else {
            turnIntoFault(object)
        }
        event.refreshed.append(object)
        scheduleProcessing()
    }

    /// Refreshes every registered object, keeping changes.
    public func refreshAllObjects() {
        assertOnQueue()
        readAhead.removeRows()
        for object in registeredObjects where !object.state.contains(.inserted) {
            refresh(object, mergeChanges: object.hasChanges)
        }
    }

    func turnIntoFault(_ object: NSManagedObject) {
        dropFromChanges(object)
        guard !object.isFault else { return }
        object.willTurnIntoFault()
        object.dropValues()
        object.state.subtract([.vanished, .locked, .versionAssumed])
        object.didTurnIntoFault()
    }

    /// Reads the store's current values, and keeps the changes on top of them.
    func refreshKeepingChanges(_ object: NSManagedObject) {
        guard !object.isFault, !object.state.contains(.inserted) else { return }
        do {
            guard let source else { return }
            let row = try collectingRegistrations {
                try currentRow(of: object.objectID, from: source)
            }
            object.rebase(on: row) { mine, _ in mine ? .mine : .theirs }
            object.state.remove(.versionAssumed)
            object.awake(fromSnapshotEvents: .refresh)
        } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
            dropFromChanges(object)
            object.state.insert(.vanished)
        } catch {
            raise(
                .objectInaccessible,
                "CoreData could not fulfill a fault for '\(object.objectID)': \(error)")
        }
    }
}
