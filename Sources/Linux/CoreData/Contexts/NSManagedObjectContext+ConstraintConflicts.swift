import FoundationGaps

/// Merging objects that share the values of a uniqueness constraint.
extension NSManagedObjectContext {
    /// Resolves a conflict as a policy of the given type does.
    ///
    /// - Returns: False if it cannot be resolved.
    func resolve(_ conflict: NSConstraintConflict, by type: NSMergePolicyType) -> Bool {
        // An object that an earlier conflict of the same save has removed is no longer in the way.
        let objects = conflict.conflictingObjects.filter { $0.context === self && !$0.isDeleted }
        defer {
            propagateDeletions()
            for objects in [event.inserted, event.updated, event.deleted] {
                for object in objects { resolvedObjects.append(object) }
            }
            processWithoutUndo()
        }
        guard let saved = conflict.databaseObject else {
            resolve(among: objects, by: type, constraint: conflict.constraint)
            return true
        }
        let databaseObject = object(with: saved.objectID)
        guard !databaseObject.isDeleted else { return false }
        for object in objects where object !== databaseObject {
            if object.isInserted {
                merge(object, into: databaseObject, by: type)
            } else {
                resolve(object, against: databaseObject, by: type, constraint: conflict.constraint)
            }
        }
        return true
    }

    /// Processes what the resolution has changed. That is not the user's to undo, and an undo manager that does
    /// not group by event may have no open group.
    private func processWithoutUndo() {
        undoManager?.disableUndoRegistration()
        processPendingChanges()
        undoManager?.enableUndoRegistration()
    }

    /// Resolves a conflict among objects of the context: a saved one stays, or the first.
    private func resolve(
        among objects: [NSManagedObject], by type: NSMergePolicyType, constraint: [String]
    ) {
        guard let survivor = objects.first(where: { !$0.isInserted }) ?? objects.first else {
            return
        }
        for object in objects where object !== survivor {
            if object.isInserted {
                merge(object, into: survivor, by: type)
            } else {
                resolve(object, against: survivor, by: type, constraint: constraint)
            }
        }
    }

    /// Resolves a conflict between two saved objects, the first of which was changed.
    private func resolve(
        _ object: NSManagedObject, against other: NSManagedObject, by type: NSMergePolicyType,
        constraint: [String]
    ) {
        switch type {
        case .mergeByPropertyObjectTrumpMergePolicyType:
            object.uniteMembers(with: other)
            replaceOneWayReferences(to: other, by: object)
            deleteObject(other)
        case .mergeByPropertyStoreTrumpMergePolicyType:
            for case let index? in constraint.map({ object.layout.indexByName[$0] }) {
                guard let committed = object.committed, index < committed.attributes.count else {
                    continue
                }
                object.changeValue(at: index, to: committed.attributes[index].object)
            }
        case .overwriteMergePolicyType:
            replaceOneWayReferences(to: other, by: object)
            deleteObject(other)
        case .rollbackMergePolicyType, .errorMergePolicyType:
            refresh(object, mergeChanges: false)
        }
    }

    /// Has an object take over what a policy lets it of a new one, and removes the new one.
    private func merge(
        _ object: NSManagedObject, into survivor: NSManagedObject, by type: NSMergePolicyType
    ) {
        survivor.fireFault()
        switch type {
        case .mergeByPropertyObjectTrumpMergePolicyType:
            survivor.takeValues(of: object)
            survivor.uniteMembers(with: object)
        case .mergeByPropertyStoreTrumpMergePolicyType:
            survivor.uniteMembers(with: object)
        case .overwriteMergePolicyType:
            survivor.takeValues(of: object)
            survivor.takeMembers(of: object)
        case .rollbackMergePolicyType, .errorMergePolicyType:
            break
        }
        replaceOneWayReferences(to: object, by: survivor)
        deleteObject(object)
        propagateDeletions()
    }

    /// Has relationships without an inverse, which no delete rule reaches, lead to the object
    /// that stays.
    private func replaceOneWayReferences(
        to object: NSManagedObject, by survivor: NSManagedObject
    ) {
        for source in inserted.objects + updated.objects where source !== object {
            for relationship in source.layout.relationships
            where relationship.inverseRelationship == nil {
                source.replaceDestination(object, by: survivor, along: relationship)
            }
        }
    }
}

extension NSManagedObject {
    /// The persistent properties that this object and another have from the same entity. They
    /// have the same place in both.
    private func persistentProperties(sharedWith other: NSManagedObject) -> [NSPropertyDescription]
    {
        layout.persistentProperties.filter { property in
            property.valueIndex < other.layout.properties.count
                && other.layout.properties[property.valueIndex] === property
        }
    }

    /// Takes the attributes and to-one destinations of another object.
    fileprivate final func takeValues(of other: NSManagedObject) {
        for property in persistentProperties(sharedWith: other) {
            let index = property.valueIndex
            guard let relationship = property as? NSRelationshipDescription else {
                if !attributes[index].isEqual(to: other.attributes[index]) {
                    changeAttribute(at: index, to: other.attributes[index])
                }
                continue
            }
            guard !relationship.isToMany else { continue }
            let position = layout.relationshipPositions[index]
            let destination = other.destination(at: position)
            let own = destination === other ? self : destination
            if self.destination(at: position) !== own { setDestination(own, at: index) }
        }
    }

    /// Adds the destinations of another object's to-many relationships.
    fileprivate final func uniteMembers(with other: NSManagedObject) {
        forEachToMany(sharedWith: other) { own, members in
            let new = members.filter { !own.contains($0) }
            return new.isEmpty ? nil : ObjectSet(own.objects + new)
        }
    }

    /// Takes the destinations of another object's to-many relationships.
    fileprivate final func takeMembers(of other: NSManagedObject) {
        forEachToMany(sharedWith: other) { _, members in ObjectSet(members) }
    }

    /// Sets the to-many relationships to the result of `merge` for this object's and another's
    /// members; nil leaves a relationship unchanged.
    private func forEachToMany(
        sharedWith other: NSManagedObject,
        _ merge: (_ own: ObjectSet, _ members: [NSManagedObject]) -> ObjectSet?
    ) {
        other.fireFault()
        fireFault()
        for case let relationship as NSRelationshipDescription
            in persistentProperties(sharedWith: other) where relationship.isToMany
        {
            let position = layout.relationshipPositions[relationship.valueIndex]
            let members = other.members(at: position)
                .map { $0 === other ? self : $0 }
                .filter { !$0.isDeleted }
            if let merged = merge(self.members(at: position), members) {
                setMembers(merged, at: relationship.valueIndex)
            }
        }
    }

    /// Replaces one destination of a relationship with another.
    fileprivate final func replaceDestination(
        _ object: NSManagedObject, by replacement: NSManagedObject,
        along relationship: NSRelationshipDescription
    ) {
        let index = relationship.valueIndex
        let position = layout.relationshipPositions[index]
        if relationship.isToMany {
            guard case .members(let members) = relationships[position], members.contains(object)
            else { return }
            setMembers(ObjectSet(members.map { $0 === object ? replacement : $0 }), at: index)
        } else if destination(at: position) === object {
            setDestination(replacement, at: index)
        }
    }
}
