import FoundationGaps

/// Merging what others have saved.
extension NSManagedObjectContext {
    /// Merges the changes of another context's save.
    ///
    /// Changed objects are read again with the context's own changes kept on top, deleted ones
    /// count as deleted, and new ones are registered.
    ///
    /// An insertion that still has a temporary ID, as in the notification of another context's
    /// child, stops the process if the context has a coordinator and has not registered the object.
    ///
    /// - Parameter notification: A `NSManagedObjectContextDidSave` (or `…ObjectIDs`).
    public func mergeChanges(fromContextDidSave notification: Notification) {
        runAndWait {
            let changes = MergeableChanges(
                notification.userInfo ?? [:], in: persistentStoreCoordinator)
            let unknown = changes.inserted.first {
                !isKnown($0) && registeredObject(for: $0) == nil
            }
            if let unknown {
                raise(
                    .invalidArgument,
                    "cannot find data for a temporary oid: \(ObjectIdentifier(unknown)) "
                        + "<\(unknown)>")
            }
            merge(changes)
        }
    }

    /// Merges changes from any source, described by object IDs or their URIs.
    ///
    /// Changes are merged into parents before their children, even if the parents are not listed,
    /// because a child reads from its parent.
    ///
    /// - Parameters:
    ///   - changeNotificationData: Collections of IDs, objects or URIs under the keys of the
    ///     notifications.
    ///   - contexts: The contexts to merge into, each on its queue.
    public class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
        into contexts: [NSManagedObjectContext]
    ) {
        for context in withAncestors(contexts) {
            context.runAndWait {
                context.merge(
                    MergeableChanges(
                        changeNotificationData, in: context.persistentStoreCoordinator))
            }
        }
    }

    /// Contexts and their ancestors, each once, and parents before children.
    private class func withAncestors(
        _ contexts: [NSManagedObjectContext]
    ) -> [NSManagedObjectContext] {
        var result: [NSManagedObjectContext] = []
        func add(_ context: NSManagedObjectContext) {
            guard !result.contains(where: { $0 === context }) else { return }
            if let parent = context.parent { add(parent) }
            result.append(context)
        }
        for context in contexts { add(context) }
        return result
    }

    /// Merges the changes of another save later, on the context's queue, if the context merges
    /// automatically.
    ///
    /// Until then, further saves are added to the changes to be merged. The context is not kept
    /// alive: nobody would see its objects change.
    func mergeAutomatically(_ userInfo: [AnyHashable: Any]) {
        readAheadIsOutdated.withLock { $0 = true }
        guard automaticallyMergesChangesFromParent else { return }
        let changes = MergeableChanges(userInfo, in: nil)
        let isUnderWay = awaitedMerge.withLock { awaited in
            defer { awaited = awaited?.followed(by: changes) ?? changes }
            return awaited != nil
        }
        if isUnderWay { return }
        queue.async { [weak self] in self?.mergeAwaited() }
    }

    private func mergeAwaited() {
        let changes = awaitedMerge.withLock { awaited in
            defer { awaited = nil }
            return awaited
        }
        if let changes { runEvent { merge(changes) } }
    }

    func merge(_ changes: MergeableChanges) {
        guard !changes.isEmpty else { return }
        processPendingChanges()
        let wasReplaying = isReplaying
        isReplaying = true
        defer { isReplaying = wasReplaying }
        readAhead.removeRows()
        var refreshed = changes.refreshed
        collectingRegistrations {
            for objectID in changes.inserted where isKnown(objectID) {
                if changes.updated.contains(objectID), isPresent(objectID) { continue }
                let object = object(with: objectID)
                // An object that was gone is back, with new values.
                if object.state.contains(.vanished) { turnIntoFault(object) }
                event.noteInsertion(of: object)
            }
            for objectID in changes.updated.union(changes.refreshed) {
                guard let object = registeredObject(for: objectID) else { continue }
                refreshKeepingChanges(object)
                if object.state.contains(.vanished) {
                    event.deleted.append(object)
                } else {
                    event.refreshed.append(object)
                    refreshed.insert(objectID)
                }
            }
            var vanished = ObjectSet()
            for (object, isBack) in deletedObjects(of: changes) {
                if isBack {
                    refreshKeepingChanges(object)
                    event.refreshed.append(object)
                    continue
                }
                dropFromChanges(object)
                // Values that were read stay readable; others can no longer be read.
                if object.isFault { object.becomeEmpty() }
                object.state.insert(.vanished)
                event.deleted.append(object)
                noteMergedDeletion(of: object)
                vanished.append(object)
            }
            forgetReferences(to: vanished)
            for objectID in changes.invalidated {
                guard let object = registeredObject(for: objectID) else { continue }
                refresh(object, mergeChanges: false)
                event.refreshed.remove(object)
                event.invalidated.append(object)
            }
        }
        processPendingChanges()
        post(
            .NSManagedObjectContextDidMergeChangesObjectIDs, changes.userInfo(refreshed: refreshed))
    }

    /// Removes objects whose deletion was merged from those that refer to them.
    private func forgetReferences(to vanished: ObjectSet) {
        guard !vanished.isEmpty else { return }
        let objectIDs = Set(vanished.map(\.objectID))
        for object in registeredObjects
        where !object.isFault && object.state.isDisjoint(with: [.deleted, .vanished]) {
            if object.removeDestinations(vanished, objectIDs), !object.state.contains(.inserted) {
                event.refreshed.append(object)
            }
        }
    }

    /// The objects of deletions that are to be merged, and whether they have a row nevertheless: a
    /// deletion may be reported after a later insertion under the same ID, when a merge policy has
    /// restored the object.
    private func deletedObjects(
        of changes: MergeableChanges
    ) -> [(object: NSManagedObject, isBack: Bool)] {
        let objects = changes.deleted.compactMap { registeredObject(for: $0) }
        // A parent must not be asked: its queue may be waiting for this one.
        guard !objects.isEmpty, parent == nil, let source else {
            return objects.map { ($0, false) }
        }
        // A store that cannot answer does not contradict the deletion.
        let versions = try? source.versions(of: objects.map(\.objectID), in: self)
        return objects.enumerated().map { ($1, versions?[$0] != nil) }
    }

    /// Remembers an object whose deletion was merged, as long as anything else holds it.
    private func noteMergedDeletion(of object: NSManagedObject) {
        if mergedDeletions.count >= 64, mergedDeletions.count.nonzeroBitCount == 1 {
            mergedDeletions.removeAll { registry.object(for: $0.objectID) == nil }
        }
        mergedDeletions.append(.init(object.objectID))
    }

    /// Whether the context has an object whose deletion it has not merged.
    private func isPresent(_ objectID: NSManagedObjectID) -> Bool {
        registeredObject(for: objectID).map { !$0.state.contains(.vanished) } ?? false
    }

    /// Whether an ID is one that this context could fetch.
    private func isKnown(_ objectID: NSManagedObjectID) -> Bool {
        parent != nil || !objectID.isTemporaryID
    }
}

/// The changes of a save, by IDs.
struct MergeableChanges: Sendable {
    let inserted: Set<NSManagedObjectID>
    let updated: Set<NSManagedObjectID>
    let deleted: Set<NSManagedObjectID>
    let refreshed: Set<NSManagedObjectID>
    let invalidated: Set<NSManagedObjectID>

    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
            && invalidated.isEmpty
    }

    private init(
        inserted: Set<NSManagedObjectID>, updated: Set<NSManagedObjectID>,
        deleted: Set<NSManagedObjectID>, refreshed: Set<NSManagedObjectID>,
        invalidated: Set<NSManagedObjectID>
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.refreshed = refreshed
        self.invalidated = invalidated
    }

    /// The changes with other IDs.
    func map(_ objectID: (NSManagedObjectID) -> NSManagedObjectID) -> MergeableChanges {
        func map(_ objectIDs: Set<NSManagedObjectID>) -> Set<NSManagedObjectID> {
            Set(objectIDs.map(objectID))
        }
        return MergeableChanges(
            inserted: map(inserted), updated: map(updated), deleted: map(deleted),
            refreshed: map(refreshed), invalidated: map(invalidated))
    }

    /// Combines these changes with later ones. An insertion followed by a deletion is a deletion,
    /// and vice versa. For a context that has the object, the latter is an update.
    func followed(by later: MergeableChanges) -> MergeableChanges {
        MergeableChanges(
            inserted: inserted.subtracting(later.deleted).union(later.inserted),
            updated: updated.subtracting(later.deleted).union(later.updated)
                .union(deleted.intersection(later.inserted)),
            deleted: deleted.subtracting(later.inserted).union(later.deleted),
            refreshed: refreshed.subtracting(later.deleted).union(later.refreshed),
            invalidated: invalidated.union(later.invalidated))
    }

    /// Reads the objects, IDs or URIs of a notification.
    ///
    /// - Parameters:
    ///   - userInfo: The user info of the notification.
    ///   - coordinator: The coordinator that maps URIs to IDs.
    init(_ userInfo: [AnyHashable: Any], in coordinator: NSPersistentStoreCoordinator?) {
        func objectIDs(_ keys: String...) -> Set<NSManagedObjectID> {
            var found = Set<NSManagedObjectID>()
            for key in keys {
                for value in Self.elements(of: userInfo[key]) {
                    switch value {
                    case let object as NSManagedObject: found.insert(object.objectID)
                    case let objectID as NSManagedObjectID: found.insert(objectID)
                    case let url as URL:
                        let objectID = coordinator?.managedObjectID(forURIRepresentation: url)
                        if let objectID { found.insert(objectID) }
                    default: continue
                    }
                }
            }
            return found
        }
        inserted = objectIDs(NSInsertedObjectsKey, NSInsertedObjectIDsKey)
        updated = objectIDs(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
        deleted = objectIDs(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
        refreshed = objectIDs(NSRefreshedObjectsKey, NSRefreshedObjectIDsKey)
        invalidated = objectIDs(NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey)
    }

    private static func elements(of collection: Any?) -> [Any] {
        switch collection {
        case let set as Set<NSManagedObject>: Array(set)
        case let set as Set<NSManagedObjectID>: Array(set)
        case let array as [Any]: array
        case let set as NSSet: set.allObjects
        case let set as Set<AnyHashable>: set.map(\.base)
        default: []
        }
    }

    /// The user info of `NSManagedObjectContextDidMergeChangesObjectIDs`.
    ///
    /// - Parameter refreshed: The objects that were read again because of the changes.
    func userInfo(refreshed: Set<NSManagedObjectID>) -> [AnyHashable: Any] {
        var userInfo: [AnyHashable: Any] = [:]
        for (key, objectIDs) in [
            (NSInsertedObjectIDsKey, inserted), (NSUpdatedObjectIDsKey, updated),
            (NSDeletedObjectIDsKey, deleted), (NSRefreshedObjectIDsKey, refreshed),
            (NSInvalidatedObjectIDsKey, invalidated),
        ] where !objectIDs.isEmpty {
            userInfo[key] = objectIDs
        }
        return userInfo
    }
}
