import FoundationGaps

extension NSManagedObjectContext {
    /// Reads an object's values again.
    ///
    /// - Parameters:
    ///   - object: A saved object; for one that was never saved nothing happens.
    ///   - flag: Whether changes are kept on top of the new values. If false they are lost, and
    ///     the object becomes a fault.
    public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        assertOnQueue()
        guard object.context === self || object.context == nil else {
            raise(
                .invalidArgument,
                "An NSManagedObjectContext cannot refresh objects in other contexts.")
        }
        guard object.context === self, !object.state.contains(.inserted) else { return }
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

    /// Refreshes every object that the context knows, keeping changes.
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

    /// Takes the store's present values, and keeps the changes on top of them.
    func refreshKeepingChanges(_ object: NSManagedObject) {
        guard !object.isFault, !object.state.contains(.inserted) else { return }
        do {
            guard let source else { return }
            let row = try collectingRegistrations {
                try source.row(of: object.objectID, in: self)
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
