import FoundationGaps

/// A change of a relationship between `willChangeValue` and `didChangeValue`, whose inverse is updated
/// when it ends.
struct AnnouncedChange {
    /// The number of announcements that have not ended: one accessor may call another.
    var depth = 1
    /// The destination before, or what was added to and removed from a to-many relationship since.
    ///
    /// Those who change a long relationship one by one do not have it compared as a whole.
    var change: RelationshipValue
}

extension NSManagedObject {
    /// Begins a change that `willChangeValue(forKey:)` announces.
    final func noteUpcomingChange(forKey key: String) {
        guard let index = layout.indexByName[key] else { return }
        recordOldValue(at: index)
        let position = layout.relationshipPositions[index]
        guard position >= 0 else { return }
        resolve(at: position)
        if let contextReference { beginEvent(contextReference.eventNumber) }
        let values = makeValuesBeforeEvent()
        if values.announced[index] == nil {
            values.announced[index] = AnnouncedChange(change: unchanged(at: position))
        } else {
            values.announced[index]?.depth += 1
        }
    }

    /// Ends a change: updates the inverse, and marks the object as changed.
    final func noteFinishedChange(forKey key: String) {
        guard let index = layout.indexByName[key] else {
            if !Self.contextShouldIgnoreUnmodeledPropertyChanges { context?.noteChange(of: self) }
            return
        }
        if let change = takeAnnouncedChange(at: index) { keepInverse(at: index, after: change) }
        markChanged(at: index)
    }

    private func takeAnnouncedChange(at index: Int) -> RelationshipValue? {
        guard let values = valuesBeforeEvent, let announced = values.announced[index] else {
            return nil
        }
        values.announced[index] =
            announced.depth == 1
            ? nil
            : AnnouncedChange(
                depth: announced.depth - 1,
                change: unchanged(at: layout.relationshipPositions[index]))
        return announced.change
    }

    /// The beginning of a change of a relationship.
    private func unchanged(at position: Int) -> RelationshipValue {
        layout.relationships[position].isToMany
            ? .pending(PendingMembers()) : relationships[position]
    }

    /// Adds to the announced change of a to-many relationship, if there is one.
    private func noteAnnounced(_ changes: PendingMembers, at index: Int) {
        guard let values = valuesBeforeEvent,
            case .pending(var announced)? = values.announced[index]?.change
        else { return }
        values.announced[index]?.change = .unresolved
        announced.compose(changes)
        values.announced[index]?.change = .pending(announced)
    }

    /// Updates the inverse of a relationship whose primitive value was changed.
    private func keepInverse(at index: Int, after change: RelationshipValue) {
        let position = layout.relationshipPositions[index]
        let relationship = layout.relationships[position]
        guard let inverse = relationship.inverseRelationship else { return }
        if case .pending(let changes) = change {
            for member in changes.removed { member.dropInverse(inverse, of: self) }
            for member in changes.added {
                requireSameContext(as: member, for: relationship)
                member.addInverse(inverse, of: self)
            }
        } else {
            let before = object(in: change)
            let after = destination(at: position)
            guard before !== after else { return }
            if let after { requireSameContext(as: after, for: relationship) }
            before?.dropInverse(inverse, of: self)
            after?.addInverse(inverse, of: self)
        }
    }

    private func object(in value: RelationshipValue) -> NSManagedObject? {
        switch value {
        case .object(let object): object
        case .identifier(let objectID): context?.object(with: objectID)
        default: nil
        }
    }
}

// MARK: - Primitive values

extension NSManagedObject {
    /// The current value of a property as `primitiveValue(forKey:)` returns it: a to-many relationship
    /// can be changed through it.
    final func primitiveValue(at index: Int) -> Any? {
        let position = layout.relationshipPositions[index]
        guard position >= 0 else { return attributes[index].object }
        let relationship = layout.relationships[position]
        guard relationship.isToMany else { return destination(at: position) }
        return relationship.isOrdered
            ? RelationshipOrderedSet.set(of: self, at: index, isPrimitive: true)
            : RelationshipSet(of: self, at: index, isPrimitive: true)
    }

    /// Stores a value as `setPrimitiveValue(_:forKey:)` does: nothing is marked as changed, and no
    /// inverse is updated.
    final func storePrimitive(_ value: Any?, at index: Int) {
        let position = layout.relationshipPositions[index]
        guard position >= 0 else {
            state.insert(.primitivelyChanged)
            attributes[index] = layout.attribute(at: index).requireAttributeValue(of: value)
            return
        }
        let relationship = layout.relationships[position]
        if relationship.isToMany {
            storePrimitiveMembers(requireMembers(value, for: relationship), at: index)
        } else {
            let destination = requireDestination(value, for: relationship)
            notePrimitiveChange(at: index)
            relationships[position] = destination.map { .object($0) } ?? .none
        }
    }

    /// Replaces the destinations of a to-many relationship in its primitive value.
    final func storePrimitiveMembers(_ members: ObjectSet, at index: Int) {
        let position = layout.relationshipPositions[index]
        notePrimitiveChange(at: index)
        if isAnnounced(at: index) {
            noteAnnounced(PendingMembers(from: self.members(at: position), to: members), at: index)
        }
        relationships[position] = .members(members)
    }

    /// Adds a destination to the primitive value of a to-many relationship.
    final func addPrimitiveMember(
        _ member: NSManagedObject, at index: Int, position place: Int? = nil
    ) {
        let position = layout.relationshipPositions[index]
        guard !members(at: position).contains(member) else { return }
        notePrimitiveChange(at: index)
        changeMembers(at: position) { members in
            if let place { members.insert(member, at: place) } else { members.append(member) }
        }
        noteAnnounced(PendingMembers(adding: member), at: index)
    }

    /// Removes a destination from the primitive value of a to-many relationship.
    final func removePrimitiveMember(_ member: NSManagedObject, at index: Int) {
        let position = layout.relationshipPositions[index]
        guard members(at: position).contains(member) else { return }
        notePrimitiveChange(at: index)
        let keepsOrder = layout.relationships[position].isOrdered
        changeMembers(at: position) { $0.remove(member, keepingOrder: keepsOrder) }
        noteAnnounced(PendingMembers(removing: member), at: index)
    }

    private func isAnnounced(at index: Int) -> Bool {
        valuesBeforeEvent?.announced[index] != nil
    }

    /// Records that a primitive value is about to change. An announced change has its old value recorded,
    /// also in the event that has begun since.
    private func notePrimitiveChange(at index: Int) {
        if isAnnounced(at: index) {
            recordOldValue(at: index)
        } else {
            state.insert(.primitivelyChanged)
        }
    }
}
