import FoundationGaps

/// The undo action of an event: for each object its former place and values.
struct UndoStep {
    /// The relation of an object to its context.
    enum Place {
        /// It is not in the context.
        case outside
        /// It has not been saved yet.
        case inserted
        /// It was saved.
        case saved
        /// The next save deletes it.
        case deleted

        /// Whether the object is in the context, and the next save leaves it there.
        var isPresent: Bool { self == .inserted || self == .saved }
    }

    /// The value of one property.
    enum Value {
        case attribute(AttributeValue)
        case relationship(RelationshipValue)
        /// The members to add to and to remove from a to-many relationship that was not read.
        case members(PendingMembers)
    }

    /// The step of one object.
    struct Part {
        let object: NSManagedObject
        let place: Place
        let values: [(index: Int, value: Value)]
    }

    var parts: [Part] = []
}

extension PendingMembers {
    /// The changes that lead from later changes of the same members back to these.
    func inverse(of later: PendingMembers) -> PendingMembers {
        var changes = PendingMembers()
        for object in later.added where !added.contains(object) { changes.remove(object) }
        for object in removed where !later.removed.contains(object) { changes.remove(object) }
        for object in later.removed where !removed.contains(object) { changes.add(object) }
        for object in added where !later.added.contains(object) { changes.add(object) }
        return changes
    }
}

// MARK: - Reading and setting values

extension NSManagedObject {
    /// The value of a property before the event that has just ended, in a form that can be
    /// restored.
    final func valueBeforeEvent(at index: Int) -> UndoStep.Value? {
        let position = layout.relationshipPositions[index]
        guard position >= 0 else {
            let before = valuesBeforeEvent?.attributes ?? committed?.attributes
            return before.map { .attribute($0[index]) }
        }
        let before = valuesBeforeEvent?.relationships ?? committed?.relationships
        guard let before = before?[position] else { return nil }
        switch (before, relationships[position]) {
        case (.unresolved, .pending(let now)):
            return .members(PendingMembers().inverse(of: now))
        case (.pending(let then), .pending(let now)):
            return .members(then.inverse(of: now))
        case (.unresolved, .members(let now)):
            return members(PendingMembers(), before: now, at: position)
        case (.pending(let then), .unresolved):
            return .members(then.inverse(of: PendingMembers()))
        case (.pending(let then), .members(let now)):
            return members(then, before: now, at: position)
        case (.identifier(let objectID), _):
            // If the destination is deleted and comes back, it has to be the same object.
            guard let context else { return .relationship(before) }
            return .relationship(.object(context.object(with: objectID)))
        default:
            return .relationship(before)
        }
    }

    /// The earlier members of a relationship that has been read since.
    private func members(
        _ changes: PendingMembers, before now: ObjectSet, at position: Int
    ) -> UndoStep.Value {
        guard case .members(let saved)? = committed?.relationships[position] else {
            return .members(PendingMembers())
        }
        return .relationship(.members(changes.applied(to: saved)))
    }

    /// Whether a property is known to have a value already.
    final func has(_ value: UndoStep.Value, at index: Int) -> Bool {
        guard case .relationship(let value) = value else { return false }
        switch (value, relationships[layout.relationshipPositions[index]]) {
        case (.none, .none): return true
        case (.object(let one), .object(let other)): return one === other
        case (.members(let some), .members(let others)): return some.hasSameOrder(as: others)
        default: return false
        }
    }

    /// Restores an earlier value of a property, without changing its inverse, whose value is
    /// restored separately.
    final func restore(_ value: UndoStep.Value, at index: Int) {
        let position = layout.relationshipPositions[index]
        if case .relationship = value, layout.relationships[position].isToMany {
            // A redo needs the members that are replaced.
            resolve(at: position)
        }
        recordOldValue(at: index)
        switch value {
        case .attribute(let value):
            attributes[index] = value
        case .relationship(let value):
            relationships[position] = value
        case .members(let changes):
            change(at: position, by: changes)
        }
        markChanged(at: index)
    }

    private func change(at position: Int, by changes: PendingMembers) {
        var pending = PendingMembers()
        switch relationships[position] {
        case .members(let members):
            relationships[position] = .members(changes.applied(to: members))
            return
        case .pending(let known): pending = known
        default: break
        }
        pending.compose(changes) { isStoredMember($0, at: position) }
        relationships[position] = pending.isEmpty ? .unresolved : .pending(pending)
    }

    /// Whether the store has an object as a member of a to-many relationship, according to the inverse as it was read or
    /// saved last; nil if that is not known.
    private func isStoredMember(_ object: NSManagedObject, at position: Int) -> Bool? {
        guard !object.isFault, let inverse = layout.relationships[position].inverseRelationship,
            let index = object.layout.indexByName[inverse.name]
        else { return nil }
        guard let committed = object.committed else { return false }
        switch committed.relationships[object.layout.relationshipPositions[index]] {
        case .none: return false
        case .identifier(let objectID): return objectID.isSame(as: self.objectID)
        case .object(let destination): return destination === self
        case .members(let members): return members.contains(self)
        case .unresolved, .pending: return nil
        }
    }

    /// Whether every property that was set has the last saved value again.
    final var isBackAtCommitted: Bool {
        committed != nil && !state.contains(.primitivelyChanged)
            && layout.properties.allSatisfy { property in
                !changedProperties.contains(property.valueIndex)
                    || isCommitted(at: property.valueIndex)
            }
    }
}
