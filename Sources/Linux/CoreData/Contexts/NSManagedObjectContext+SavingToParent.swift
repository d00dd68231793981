import FoundationGaps

/// A child context's save: its changes become unsaved changes of the parent.
extension NSManagedObjectContext {
    /// One object's changes in a form that belongs to no context.
    ///
    /// Unchecked because it is created on one queue and passed to another, once.
    private struct ObjectChange: @unchecked Sendable {
        let objectID: NSManagedObjectID
        let attributes: [(index: Int, value: AttributeValue)]
        let destinations: [(index: Int, objectID: NSManagedObjectID?)]
        let members: [(index: Int, objectIDs: [NSManagedObjectID])]
    }

    func save(to parent: NSManagedObjectContext) throws {
        let insertedIDs = inserted.map(\.objectID)
        let deletedIDs = deleted.map(\.objectID)
        let changes = (inserted.objects + updated.objects).map(change)
        let saved = ContextChanges(
            inserted: inserted, updated: updated, deleted: deleted, locked: locked)
        let savedIDs = saved.userInfoIDs
        let originals = try originals(of: updated.objects, in: parent)
        defer { withExtendedLifetime(originals) {} }
        parent.runAndWait {
            for objectID in insertedIDs { parent.takeInsertion(objectID) }
            for change in changes { parent.apply(change) }
            for objectID in deletedIDs { parent.deleteObject(parent.object(with: objectID)) }
            parent.processPendingChanges()
            parent.noteSave(of: self, changes.map(\.objectID))
            parent.mergeIntoChildren(savedIDs, except: self)
        }
        // The objects keep their temporary IDs, and from here on only the registry knows them.
        indexInsertions()
        finishSave(saved)
        announce(saved)
    }

    /// Records what a child has just saved, if an older save waits to be merged into that child.
    private func noteSave(of child: NSManagedObjectContext, _ objectIDs: [NSManagedObjectID]) {
        child.awaitedMerges.withLock { awaited in
            if !awaited.isEmpty { awaited.noteOwnSave(presentRows(of: objectIDs)) }
        }
    }

    /// The parent's objects for changed ones. An object that the parent has deleted in the meantime
    /// is a conflict with the version 0; if the object wins, the parent undoes a deletion that it
    /// has not saved.
    ///
    /// - Throws: `CocoaError.managedObjectMerge` unless the merge policy resolves the conflict.
    private func originals(
        of objects: [NSManagedObject], in parent: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let type = (mergePolicy as? NSMergePolicy ?? .error).mergeType
        let parentWins =
            type == .rollbackMergePolicyType || type == .mergeByPropertyStoreTrumpMergePolicyType
        let objectIDs = objects.map(\.objectID)
        let originals = parent.runAndWait {
            objectIDs.map { objectID in
                let original = parent.object(with: objectID)
                original.fireFault()
                let objectWins = !parentWins && type != .errorMergePolicyType
                if objectWins, original.state.contains(.deleted) { parent.undelete(original) }
                return original
            }
        }
        let lost = zip(objects, originals).filter { $1.isDeleted }.map(\.0)
        guard !lost.isEmpty, !parentWins else { return originals }
        let conflicts = lost.map { object in
            NSMergeConflict(
                source: object, newVersion: 0, oldVersion: Int(object.committed?.version ?? 0),
                cachedSnapshot: nil, persistedSnapshot: nil)
        }
        throw CocoaError(
            .managedObjectMerge, userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
    }

    /// The changes of an object; all its values if it is new.
    private func change(of object: NSManagedObject) -> ObjectChange {
        let layout = object.layout
        let isNew = object.state.contains(.inserted)
        var attributes: [(Int, AttributeValue)] = []
        var destinations: [(Int, NSManagedObjectID?)] = []
        var members: [(Int, [NSManagedObjectID])] = []
        for property in layout.properties {
            let index = property.valueIndex
            guard isNew || !object.isCommitted(at: index) else { continue }
            let position = layout.relationshipPositions[index]
            if position < 0 {
                attributes.append((index, object.attributes[index]))
            } else if layout.relationships[position].isToMany {
                members.append((index, object.members(at: position).map(\.objectID)))
            } else {
                destinations.append((index, object.relationships[position].destinationID))
            }
        }
        return ObjectChange(
            objectID: object.objectID, attributes: attributes, destinations: destinations,
            members: members)
    }

    /// Creates the object that a child inserted, under the child's ID.
    private func takeInsertion(_ objectID: NSManagedObjectID) {
        let object = makeObject(of: objectID.entity)
        register(object, as: objectID)
        if objectID.isTemporaryID { permanentIDsByTemporaryID[.init(objectID)] = objectID }
        takeCopy(object)
    }

    private func apply(_ change: ObjectChange) {
        let object = object(with: change.objectID)
        object.fireFault()
        guard !object.isDeleted else { return }
        for (index, value) in change.attributes {
            object.recordOldValue(at: index)
            object.attributes[index] = value
            object.markChanged(at: index)
        }
        for (index, objectID) in change.destinations {
            object.setDestination(objectID.map { self.object(with: $0) }, at: index)
        }
        for (index, objectIDs) in change.members {
            object.setMembers(ObjectSet(objectIDs.map { self.object(with: $0) }), at: index)
        }
    }
}
