import FoundationGaps

/// Relationships and their inverses. Everything here is called on the context's queue, with the
/// object's values in memory.
extension NSManagedObject {
    // MARK: - Reading

    /// The destination of a to-one relationship.
    final func destination(at position: Int) -> NSManagedObject? {
        switch relationships[position] {
        case .object(let object): return object
        case .identifier(let objectID):
            guard let object = context?.object(with: objectID) else { return nil }
            relationships[position] = .object(object)
            return object
        default: return nil
        }
    }

    /// The destinations of a to-many relationship, read from the store if need be.
    final func members(at position: Int) -> ObjectSet {
        resolve(at: position)
        guard case .members(let members) = relationships[position] else { return ObjectSet() }
        return members
    }

    /// Reads the destinations of a to-many relationship from the store, once.
    final func resolve(at position: Int) {
        switch relationships[position] {
        case .unresolved:
            let members = committedMembers(at: position)
            relationships[position] = .members(members)
        case .pending(let changes):
            let members = committedMembers(at: position)
            relationships[position] = .members(changes.applied(to: members))
        default: break
        }
    }

    /// All destinations of a relationship, whether it is to-many or to-one.
    final func destinations(at position: Int) -> [NSManagedObject] {
        layout.relationships[position].isToMany
            ? members(at: position).objects : [destination(at: position)].compactMap { $0 }
    }

    /// Makes the destinations of all relationships known.
    final func resolveRelationships() {
        for (position, relationship) in layout.relationships.enumerated() {
            if relationship.isToMany {
                resolve(at: position)
            } else {
                _ = destination(at: position)
            }
        }
    }

    /// Makes an object that comes back the destination instead of the one that was requested by its ID
    /// meanwhile.
    final func replaceDestination(_ standIn: NSManagedObject, by object: NSManagedObject) {
        for position in relationships.indices {
            if let value = relationships[position].replacing(standIn, by: object) {
                relationships[position] = value
            }
            if let value = committed?.relationships[position].replacing(standIn, by: object) {
                committed?.relationships[position] = value
            }
        }
    }

    /// Removes destinations whose deletion somebody else has saved. That is no change of this object.
    ///
    /// - Returns: Whether it had any of them.
    final func removeDestinations(
        _ objects: ObjectSet, _ objectIDs: Set<NSManagedObjectID>
    ) -> Bool {
        var hadAny = false
        for (position, relationship) in layout.relationships.enumerated() {
            let rule = relationship.inverseRelationship?.deleteRule ?? .noActionDeleteRule
            guard rule != .noActionDeleteRule else { continue }
            if let rest = relationships[position].removing(objects, objectIDs) {
                relationships[position] = rest
                hadAny = true
            }
            if let rest = committed?.relationships[position].removing(objects, objectIDs) {
                committed?.relationships[position] = rest
            }
        }
        return hadAny
    }

    /// The destinations of a to-many relationship in the store.
    private func committedMembers(at position: Int) -> ObjectSet {
        if case .members(let members)? = committed?.relationships[position] { return members }
        guard let context else { return ObjectSet() }
        let objectIDs = context.destinationIDs(of: self, at: position)
        let members = ObjectSet(objectIDs.map { context.object(with: $0) })
        committed?.relationships[position] = .members(members)
        return members
    }

    // MARK: - Setting

    /// Sets a to-one relationship and its inverse.
    final func setDestination(_ destination: NSManagedObject?, at index: Int) {
        let position = layout.relationshipPositions[index]
        let relationship = layout.relationships[position]
        if let destination { requireSameContext(as: destination, for: relationship) }
        let old = self.destination(at: position)
        recordOldValue(at: index)
        relationships[position] = destination.map { .object($0) } ?? .none
        markChanged(at: index)
        guard old !== destination, let inverse = relationship.inverseRelationship else { return }
        old?.dropInverse(inverse, of: self)
        destination?.addInverse(inverse, of: self)
    }

    /// Replaces the destinations of a to-many relationship and updates their inverses.
    final func setMembers(_ members: ObjectSet, at index: Int) {
        let position = layout.relationshipPositions[index]
        let relationship = layout.relationships[position]
        for member in members { requireSameContext(as: member, for: relationship) }
        let old = self.members(at: position)
        recordOldValue(at: index)
        relationships[position] = .members(members)
        markChanged(at: index)
        guard let inverse = relationship.inverseRelationship else { return }
        for member in old where !members.contains(member) {
            member.dropInverse(inverse, of: self)
        }
        for member in members where !old.contains(member) {
            member.addInverse(inverse, of: self)
        }
    }

    /// Adds a destination to a to-many relationship, at the end or at a position.
    final func addMember(_ member: NSManagedObject, at index: Int, position place: Int? = nil) {
        let position = layout.relationshipPositions[index]
        let relationship = layout.relationships[position]
        requireKind(of: member, for: relationship)
        requireSameContext(as: member, for: relationship)
        guard !members(at: position).contains(member) else { return }
        recordOldValue(at: index)
        changeMembers(at: position) { members in
            if let place { members.insert(member, at: place) } else { members.append(member) }
        }
        markChanged(at: index)
        if let inverse = relationship.inverseRelationship {
            member.addInverse(inverse, of: self)
        }
    }

    /// Removes a destination from a to-many relationship.
    final func removeMember(_ member: NSManagedObject, at index: Int) {
        let position = layout.relationshipPositions[index]
        let relationship = layout.relationships[position]
        guard members(at: position).contains(member) else { return }
        recordOldValue(at: index)
        changeMembers(at: position) { $0.remove(member, keepingOrder: relationship.isOrdered) }
        markChanged(at: index)
        if let inverse = relationship.inverseRelationship {
            member.dropInverse(inverse, of: self)
        }
    }

    /// Changes a resolved to-many relationship in place, so that a long list is not copied.
    final func changeMembers(at position: Int, _ change: (inout ObjectSet) -> Void) {
        resolve(at: position)
        guard case .members(var members) = relationships[position] else { return }
        relationships[position] = .unresolved
        change(&members)
        relationships[position] = .members(members)
    }

    // MARK: - Inverses

    /// Updates the inverse of another object's relationship that now leads here.
    final func addInverse(_ inverse: NSRelationshipDescription, of source: NSManagedObject) {
        if isFault, noteChangeOfFault(inverse, { $0.add(source) }) { return }
        fireFault()
        guard let index = followableIndex(of: inverse) else { return }
        let position = layout.relationshipPositions[index]
        if inverse.isToMany {
            recordOldValue(at: index)
            changeMembersLazily(
                at: position, whenPending: { $0.add(source) }, else: { $0.append(source) })
        } else {
            let old = destination(at: position)
            guard old !== source else { return }
            recordOldValue(at: index)
            relationships[position] = .object(source)
            if let old, let relationship = inverse.inverseRelationship {
                old.dropInverse(relationship, of: self)
            }
        }
        markChanged(at: index)
    }

    /// Updates the inverse of another object's relationship that no longer leads here.
    final func dropInverse(_ inverse: NSRelationshipDescription, of source: NSManagedObject) {
        // An undo needs the place in the order, which no store has after a save.
        let readsOrder = inverse.isOrdered && contextReference?.recordsUndo == true
        if isFault, !readsOrder, noteChangeOfFault(inverse, { $0.remove(source) }) { return }
        fireFault()
        guard let index = followableIndex(of: inverse) else { return }
        let position = layout.relationshipPositions[index]
        if readsOrder { resolve(at: position) }
        if inverse.isToMany {
            recordOldValue(at: index)
            changeMembersLazily(
                at: position, whenPending: { $0.remove(source) },
                else: { $0.remove(source, keepingOrder: inverse.isOrdered) })
        } else {
            guard destination(at: position) === source else { return }
            recordOldValue(at: index)
            relationships[position] = .none
        }
        markChanged(at: index)
    }

    /// The index of an inverse, unless the object's row is missing.
    private func followableIndex(of inverse: NSRelationshipDescription) -> Int? {
        state.contains(.vanished) ? nil : layout.indexByName[inverse.name]
    }

    /// Changes a to-many relationship without reading its contents from the store.
    private func changeMembersLazily(
        at position: Int, whenPending: (inout PendingMembers) -> Void,
        else change: (inout ObjectSet) -> Void
    ) {
        switch relationships[position] {
        case .unresolved:
            var changes = PendingMembers()
            whenPending(&changes)
            relationships[position] = .pending(changes)
        case .pending(var changes):
            relationships[position] = .unresolved
            whenPending(&changes)
            relationships[position] = .pending(changes)
        default:
            changeMembers(at: position, change)
        }
    }

    // MARK: - Faults and IDs

    /// Whether the destinations of a relationship still have to be read.
    public final func hasFault(forRelationshipNamed key: String) -> Bool {
        guard !isFault else { return true }
        guard let index = layout.indexByName[key], layout.relationshipPositions[index] >= 0 else {
            return false
        }
        switch relationships[layout.relationshipPositions[index]] {
        case .unresolved, .pending: return true
        case .identifier(let objectID):
            return context?.registeredObject(for: objectID)?.isFault ?? true
        case .object(let object): return object.isFault
        case .none, .members: return false
        }
    }

    /// The IDs of the destinations of a relationship, in order if it is ordered.
    public final func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        fireFault()
        guard let index = layout.indexByName[key], layout.relationshipPositions[index] >= 0 else {
            return []
        }
        let position = layout.relationshipPositions[index]
        if layout.relationships[position].isToMany {
            return members(at: position).map(\.objectID)
        }
        return relationships[position].destinationID.map { [$0] } ?? []
    }
}

/// The values that a relationship accepts.
extension NSManagedObject {
    final func requireToMany(_ key: String, ordered: Bool) -> Int {
        guard let index = layout.indexByName[key],
            let relationship = layout.properties[index] as? NSRelationshipDescription,
            relationship.isToMany, relationship.isOrdered == ordered
        else {
            let kind = ordered ? "an ordered" : "an unordered"
            raise(
                .invalidArgument,
                "NSManagedObjects of entity '\(entity.name ?? "")' have \(kind) to-many "
                    + "relationship '\(key)' neither in their model nor elsewhere.")
        }
        return index
    }

    final func requireDestination(
        _ value: Any?, for relationship: NSRelationshipDescription
    ) -> NSManagedObject? {
        guard let value, !(value is NSNull) else { return nil }
        guard let object = value as? NSManagedObject else {
            raise(.invalidArgument, unacceptableTypeReason(value, relationship, kind: "to-one"))
        }
        requireKind(of: object, for: relationship)
        return object
    }

    final func requireMembers(
        _ value: Any?, for relationship: NSRelationshipDescription
    ) -> ObjectSet {
        guard let value, !(value is NSNull) else { return ObjectSet() }
        let objects: [NSManagedObject]?
        switch value {
        case let set as NSOrderedSet: objects = set.array as? [NSManagedObject]
        case let set as NSSet: objects = set.allObjects as? [NSManagedObject]
        case let set as Set<NSManagedObject>: objects = Array(set)
        case let array as [NSManagedObject]: objects = array
        default: objects = nil
        }
        guard let objects else {
            raise(.invalidArgument, unacceptableTypeReason(value, relationship, kind: "to-many"))
        }
        for object in objects { requireKind(of: object, for: relationship) }
        return ObjectSet(objects)
    }

    /// A new member of a to-many relationship, which has to be of its destination entity.
    final func requireMember(_ value: Any, at index: Int) -> NSManagedObject {
        let relationship = layout.relationships[layout.relationshipPositions[index]]
        guard let object = value as? NSManagedObject else {
            raise(.invalidArgument, unacceptableTypeReason(value, relationship, kind: "to-many"))
        }
        requireKind(of: object, for: relationship)
        requireSameContext(as: object, for: relationship)
        return object
    }

    final func requireKind(
        of object: NSManagedObject, for relationship: NSRelationshipDescription
    ) {
        guard let destination = relationship.destinationEntity,
            !object.entity.isKindOf(entity: destination)
        else { return }
        let kind = relationship.isToMany ? "to-many" : "to-one"
        raise(.invalidArgument, unacceptableTypeReason(object, relationship, kind: kind))
    }

    private func unacceptableTypeReason(
        _ value: Any, _ relationship: NSRelationshipDescription, kind: String
    ) -> String {
        "Unacceptable type of value for \(kind) relationship: property = "
            + "\"\(relationship.name)\"; desired type = "
            + "\(relationship.destinationEntity?.name ?? "NSManagedObject"); "
            + "given type = \(type(of: value)); value = \(value)."
    }

    final func requireSameContext(
        as other: NSManagedObject, for relationship: NSRelationshipDescription
    ) {
        guard contextReference !== other.contextReference, context !== other.context else { return }
        raise(
            .invalidArgument,
            "Illegal attempt to establish a relationship '\(relationship.name)' between objects "
                + "in different contexts (source = \(self) , destination = \(other))")
    }
}
