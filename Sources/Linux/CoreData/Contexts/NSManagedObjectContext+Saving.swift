import FoundationGaps

/// The changes of one save.
struct ContextChanges {
    var inserted = ObjectSet()
    var updated = ObjectSet()
    var deleted = ObjectSet()
    var locked = ObjectSet()
}

extension NSManagedObjectContext {
    /// Saves all changes; see `save()`.
    func saveChanges() throws {
        assertOnQueue()
        followStoreMoves()
        unregisterDeallocatedObjects()
        processPendingChanges()
        post(.NSManagedObjectContextWillSave)
        processPendingChanges()
        guard hasChanges || !locked.isEmpty else {
            if parent == nil { try coordinatorForSaving().saveNothing(in: self) }
            mergedDeletions = []
            announce(currentChanges)
            return
        }
        updated.orderByMemory()
        sendWillSave(to: [inserted, updated, deleted])
        try validateChanges { currentChanges }
        if let parent {
            try save(to: parent)
        } else {
            try saveToStores()
        }
    }

    private func coordinatorForSaving() throws -> NSPersistentStoreCoordinator {
        guard let coordinator = persistentStoreCoordinator else {
            raise(
                .internalInconsistency,
                "Cannot save objects with references outside of their own stores: the context "
                    + "has no persistent store coordinator.")
        }
        guard !coordinator.persistentStores.isEmpty else {
            raise(
                .internalInconsistency,
                "This NSPersistentStoreCoordinator has no persistent stores (unknown).  It "
                    + "cannot perform a save operation.")
        }
        return coordinator
    }

    // MARK: - Before

    private static let preparationLimit = 1000

    /// Sends `willSave()` to changed objects, and again to those that it changed.
    private func sendWillSave(to objects: [ObjectSet]) {
        var round = objects
        var rounds = 0
        while round.contains(where: { !$0.isEmpty }) {
            for objects in round where objects.overriddenMethods.contains(.willSave) {
                for object in objects where object.contextReference != nil { object.willSave() }
            }
            let dirtied = event
            processPendingChanges()
            round = [dirtied.inserted, dirtied.updated, dirtied.deleted]
            rounds += 1
            requireEndOfPreparation(after: rounds)
        }
    }

    private func requireEndOfPreparation(after rounds: Int) {
        guard rounds > Self.preparationLimit else { return }
        raise(
            .internalInconsistency,
            "Failed to process pending changes before save.  The context is still dirty "
                + "after 1000 attempts.  Typically this recursive dirtying is caused by "
                + "a bad validation method, -willSave, or notification handler.")
    }

    /// Validates changes, and repeats that as long as validation itself changes something.
    private func validateChanges(_ changes: () -> ContextChanges) throws {
        var rounds = 0
        repeat {
            processPendingChanges()
            try validateOnce(changes())
            rounds += 1
            requireEndOfPreparation(after: rounds)
        } while !event.isEmpty
    }

    private func validateOnce(_ changes: ContextChanges) throws {
        var failures: [any Error] = []
        for object in changes.inserted {
            do { try object.validateForInsert() } catch { failures.append(error) }
        }
        for object in changes.updated {
            do { try object.validateForUpdate() } catch { failures.append(error) }
        }
        for object in changes.deleted {
            do { try object.validateForDelete() } catch { failures.append(error) }
        }
        try NSManagedObject.throwErrors(failures)
    }

    /// Prepares the merge policy's results of constraint conflicts for the save: objects that took
    /// the values of others are notified and validated like all others.
    private func prepareResolvedObjects() throws {
        let resolved = resolvedObjects.objects.filter { $0.contextReference === reference }
        resolvedObjects.removeAll()
        guard !resolved.isEmpty else { return }
        sendWillSave(to: [ObjectSet(resolved)])
        try validateChanges {
            ContextChanges(
                inserted: ObjectSet(resolved.filter(inserted.contains)),
                updated: ObjectSet(resolved.filter(updated.contains)),
                deleted: ObjectSet(resolved.filter(deleted.contains)), locked: ObjectSet())
        }
        try obtainPermanentIDs(for: inserted.objects)
    }

    // MARK: - To the stores

    /// Gives objects permanent IDs before they are saved.
    ///
    /// An object that a child context has saved gets the same permanent ID as in the parent, which
    /// obtains one if necessary.
    ///
    /// - Throws: Whatever the store throws; a store error if no store accepts an object.
    public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        assertOnQueue()
        var temporary = objects.filter {
            $0.storedObjectID?.isTemporaryID ?? true && $0.contextReference === reference
        }
        if let parent, !temporary.isEmpty { try takePermanentIDs(of: &temporary, from: parent) }
        guard !temporary.isEmpty else { return }
        let permanent = try coordinatorForSaving().permanentIDs(
            for: temporary, assignedTo: assignedStores)
        if let first = permanent.first { registry.reserve(permanent.count, like: first) }
        for (object, objectID) in zip(temporary, permanent) {
            rename(object, to: objectID)
        }
    }

    /// Gives objects the permanent IDs that a parent has for them.
    ///
    /// - Parameter objects: The objects; those that the parent does not have remain.
    private func takePermanentIDs(
        of objects: inout [NSManagedObject], from parent: NSManagedObjectContext
    ) throws {
        let temporaryIDs = objects.map(\.objectID)
        let permanentIDs = try parent.runAndWait {
            try temporaryIDs.map { try parent.permanentID(ofInsertion: $0) }
        }
        collectingRegistrations {
            for case let (object, objectID?) in zip(objects, permanentIDs) {
                rename(object, to: objectID)
                if !object.state.contains(.inserted) { noteKnownToStore(object) }
            }
        }
        objects = zip(objects, permanentIDs).filter { $1 == nil }.map(\.0)
    }

    /// The permanent ID of an object that a child has inserted, obtained now if necessary; nil for
    /// an object that no child has saved.
    private func permanentID(
        ofInsertion temporaryID: NSManagedObjectID
    ) throws -> NSManagedObjectID? {
        guard let objectID = permanentIDsByTemporaryID[.init(temporaryID)] else { return nil }
        guard objectID.isTemporaryID else { return objectID }
        if let object = registeredObject(for: objectID) {
            try obtainPermanentIDs(for: [object])
            return object.objectID
        }
        return try parent.flatMap { parent in
            try parent.runAndWait { try parent.permanentID(ofInsertion: objectID) }
        }
    }

    private static let resolutionLimit = 10

    private func saveToStores() throws {
        let coordinator = try coordinatorForSaving()
        try obtainPermanentIDs(for: inserted.objects)
        // A merge policy would take the objects for deleted ones.
        try coordinator.requireReachableStores(of: currentChanges)
        var saved = ContextChanges()
        do {
            try saveResolvingConflicts(to: coordinator, saved: &saved)
        } catch {
            guard !saved.isEmpty else { throw error }
            coordinator.propagate(announce(saved), from: self)
            throw currentChanges.incompleteSaveError(
                in: coordinator.persistentStores, because: error)
        }
        coordinator.propagate(announce(saved), from: self)
    }

    /// - Parameter saved: Receives what has been saved, also if the rest is refused: it must not be saved
    ///   again.
    private func saveResolvingConflicts(
        to coordinator: NSPersistentStoreCoordinator, saved: inout ContextChanges
    ) throws {
        defer { resolvedObjects.removeAll() }
        var attempts = 0
        var count = inserted.count
        while true {
            // Merging a new object into another is progress.
            attempts = inserted.count < count ? 1 : attempts + 1
            count = inserted.count
            do {
                try checkConflicts(with: coordinator)
                let changes = currentChanges
                try coordinator.save(changes, in: self)
                finishSave(changes)
                saved.append(changes)
                return
            } catch {
                var reason = error
                if let incomplete = error as? IncompleteSave {
                    finishSave(incomplete.saved)
                    saved.append(incomplete.saved)
                    reason = incomplete.reason
                }
                guard let reason = reason as? CocoaError, attempts < Self.resolutionLimit else {
                    throw reason
                }
                try resolve(reason)
                try prepareResolvedObjects()
            }
        }
    }

    /// Saves copies of objects, without validating and announcing what was validated and announced as the
    /// originals.
    func saveInsertions() throws {
        let coordinator = try coordinatorForSaving()
        try obtainPermanentIDs(for: inserted.objects)
        let saved = currentChanges
        guard !saved.inserted.isEmpty else { return }
        try coordinator.save(saved, in: self)
        finishSave(saved)
    }

    private var currentChanges: ContextChanges {
        ContextChanges(inserted: inserted, updated: updated, deleted: deleted, locked: locked)
    }

    /// Makes the saved values the committed state.
    func finishSave(_ saved: ContextChanges) {
        readAhead.removeRows()
        inserted.subtract(saved.inserted)
        updated.subtract(saved.updated)
        deleted.subtract(saved.deleted)
        locked.subtract(saved.locked)
        mergedDeletions = []
        assignedStores = [:]
        let lockedOnly = saved.locked.filter { !$0.hasChanges }
        var returned: [NSManagedObject] = []
        collectingRegistrations {
            for object in saved.inserted {
                if object.state.contains(.returning) { returned.append(object) }
                object.state.subtract(.unsaved)
                object.commit(version: 1)
                noteKnownToStore(object)
            }
            for object in saved.updated { countUp(object) }
            for object in lockedOnly { countUp(object) }
            for object in saved.deleted { object.state.subtract(.unsaved) }
            unregister(saved.deleted.objects)
        }
        if parent == nil, !returned.isEmpty { readVersions(of: returned) }
    }

    /// Reads the versions of objects that were inserted again. Those of new objects are known to be 1.
    private func readVersions(of objects: [NSManagedObject]) {
        let versions = try? source?.versions(of: objects.map(\.objectID), in: self)
        for (object, version) in zip(objects, versions ?? []) {
            if let version { object.committed?.version = version }
        }
    }

    /// Makes an object's current values the committed ones, with the next version.
    private func countUp(_ object: NSManagedObject) {
        object.state.subtract(.unsaved)
        guard object.committed != nil else { return }
        object.commit(version: object.committedVersion + 1)
        object.state.insert(.versionAssumed)
    }

    /// Notifies the objects and all observers that a save is done.
    ///
    /// - Returns: The IDs of the saved objects, as in the notification.
    @discardableResult
    func announce(_ saved: ContextChanges) -> [AnyHashable: Any] {
        for objects in [saved.inserted, saved.updated, saved.deleted]
        where objects.overriddenMethods.contains(.didSave) {
            for object in objects { object.didSave() }
        }
        var userInfo = saved.userInfo
        if parent == nil {
            // Apple spells out no constant for this key.
            userInfo["newChangeToken"] =
                persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
        }
        post(.NSManagedObjectContextDidSave, userInfo)
        let userInfoIDs = saved.userInfoIDs
        post(.NSManagedObjectContextDidSaveObjectIDs, userInfoIDs)
        mergeIntoChildren(userInfoIDs)
        return userInfoIDs
    }
}

extension ContextChanges {
    /// The user info of `NSManagedObjectContextDidSave`.
    var userInfo: [AnyHashable: Any] {
        [
            NSInsertedObjectsKey: inserted.asNativeSet,
            NSUpdatedObjectsKey: updated.asNativeSet,
            NSDeletedObjectsKey: deleted.asNativeSet,
        ]
    }

    /// The user info of `NSManagedObjectContextDidSaveObjectIDs`.
    var userInfoIDs: [AnyHashable: Any] {
        [
            NSInsertedObjectIDsKey: inserted.objectIDs,
            NSUpdatedObjectIDsKey: updated.objectIDs,
            NSDeletedObjectIDsKey: deleted.objectIDs,
        ]
    }
}
