import FoundationGaps

extension NSManagedObject {
    /// The current values of the persistent properties that were set since the last save and differ
    /// from it; `NSNull` for nil.
    ///
    /// A value that was set with `setPrimitiveValue(_:forKey:)` alone is listed for an unsaved
    /// object if it differs from the initial value.
    public func changedValues() -> [String: Any] {
        context?.assertOnQueue()
        guard !isFault else { return [:] }
        var values: [String: Any] = [:]
        for index in changedIndexes() {
            values[layout.properties[index].name] = storedValue(at: index) ?? NSNull()
        }
        return values
    }

    /// For each property that was set since the context last processed its changes, the value
    /// that it had before; `NSNull` for nil. Empty for an object that was not saved yet.
    public func changedValuesForCurrentEvent() -> [String: Any] {
        guard let (changed, before) = presentEvent else { return [:] }
        var values: [String: Any] = [:]
        for property in layout.properties where changed.contains(property.valueIndex) {
            let index = property.valueIndex
            let position = layout.relationshipPositions[index]
            values[property.name] =
                position < 0
                ? before.attributes[index].object ?? NSNull()
                : publicValue(before.relationships[position], at: position)
        }
        return values
    }

    /// The values of properties when the object was last saved or read; `NSNull` for nil. Empty for
    /// an object that was never saved.
    ///
    /// - Parameter keys: Names of properties; nil for all persistent ones.
    public func committedValues(forKeys keys: [String]?) -> [String: Any] {
        context?.assertOnQueue()
        fireFault()
        guard committed != nil else { return [:] }
        let indexes =
            keys?.compactMap { layout.indexByName[$0] }
            ?? layout.persistentProperties.map(\.valueIndex)
        let givesIDs =
            context?.persistentStoreCoordinator?.alternatives.contains(.committedObjectIDs) ?? false
        var values: [String: Any] = [:]
        for index in indexes {
            let value = committedValue(at: index)
            values[layout.properties[index].name] = givesIDs ? Self.objectIDs(for: value) : value
        }
        return values
    }

    /// A committed value with the IDs of objects instead of the objects.
    private static func objectIDs(for value: Any) -> Any {
        switch value {
        case let object as NSManagedObject: object.objectID
        case let objects as NSOrderedSet:
            objects.array.compactMap { ($0 as? NSManagedObject)?.objectID }
        case let objects as Set<NSManagedObject>: objects.map(\.objectID)
        default: value
        }
    }

    private func committedValue(at index: Int) -> Any {
        let position = layout.relationshipPositions[index]
        if position >= 0, committed != nil, layout.relationships[position].isToMany {
            resolve(at: position)
        }
        guard let committed else { return NSNull() }
        return position < 0
            ? committed.attributes[index].object ?? NSNull()
            : publicValue(committed.relationships[position], at: position)
    }

    /// The value of a relationship as the public dictionaries contain it.
    private func publicValue(_ value: RelationshipValue, at position: Int) -> Any {
        let relationship = layout.relationships[position]
        switch value {
        case .identifier(let objectID):
            return context.map { $0.object(with: objectID) } ?? NSNull()
        case .object(let object): return object
        case .members, .pending, .unresolved:
            guard let members = knownMembers(value, at: position) else { return NSNull() }
            return relationship.isOrdered ? members.asOrderedSet : members.asSet
        case .none: return NSNull()
        }
    }

    /// The members of a to-many relationship with a given value; nil if they would have to be read.
    private func knownMembers(_ value: RelationshipValue, at position: Int) -> ObjectSet? {
        if case .members(let members) = value { return members }
        guard case .members(let committed)? = committed?.relationships[position] else { return nil }
        if case .pending(let changes) = value { return changes.applied(to: committed) }
        return committed
    }

    /// The indexes of the persistent properties that were set and differ from the last save.
    final func changedIndexes() -> [Int] {
        let isPrimitive = state.contains([.inserted, .primitivelyChanged]) && !isFault
        guard !changedProperties.isEmpty || isPrimitive else { return [] }
        return layout.persistentProperties.map(\.valueIndex).filter { index in
            changedProperties.contains(index)
                ? !isCommitted(at: index) : isPrimitive && !isInitial(at: index)
        }
    }

    /// Whether a property has the initial value of new objects.
    private func isInitial(at index: Int) -> Bool {
        let position = layout.relationshipPositions[index]
        guard position >= 0 else {
            return attributes[index].isEqual(to: layout.initialValues[index])
        }
        switch relationships[position] {
        case .none, .unresolved: return true
        case .members(let members): return members.isEmpty
        case .identifier, .object, .pending: return false
        }
    }

    /// Whether a property has its last saved value.
    final func isCommitted(at index: Int) -> Bool {
        guard let committed else { return false }
        let position = layout.relationshipPositions[index]
        if position < 0 {
            return attributes[index].isEqual(to: committed.attributes[index])
        }
        switch (relationships[position], committed.relationships[position]) {
        case (.none, .none), (.unresolved, _): return true
        case (.members(let now), .members(let before)):
            return layout.relationships[position].isOrdered
                ? now.hasSameOrder(as: before) : now.hasSameMembers(as: before)
        case (let now, let before):
            guard let now = now.destinationID, let before = before.destinationID else {
                return false
            }
            return now.isSame(as: before)
        }
    }

    /// Makes the current values the committed ones, as after a save.
    final func commit(version: UInt64) {
        guard !isFault else { return }
        for relationship in layout.toManyRelationships
        where changedProperties.contains(relationship.valueIndex) {
            let position = layout.relationshipPositions[relationship.valueIndex]
            // The store has the changes now, and returns all members when it is read.
            if case .pending = relationships[position] { relationships[position] = .unresolved }
        }
        replaceCommitted(
            by: Row(attributes: attributes, relationships: relationships, version: version))
        changedProperties.removeAll()
        state.remove(.primitivelyChanged)
    }

    /// The values for a description; nil if the object is a fault, or its context is gone.
    ///
    /// A context that is released, on whichever thread, drops the values of its objects. So it is kept until they
    /// are read, and if it is gone already, they are not.
    final func describedValues() -> [String: Any]? {
        let context = self.context
        guard !isFault, context != nil || contextReference == nil else { return nil }
        return withExtendedLifetime(context) { valuesForDescription() }
    }

    private func valuesForDescription() -> [String: Any] {
        var values: [String: Any] = [:]
        for property in layout.properties {
            let (name, index) = (property.name, property.valueIndex)
            let position = layout.relationshipPositions[index]
            if position < 0 {
                values[name] = attributes[index].object ?? "nil"
            } else {
                switch relationships[position] {
                case .unresolved, .pending: values[name] = "<relationship fault>"
                case .none: values[name] = "nil"
                case .members(let members): values[name] = members.map(\.objectID)
                case .identifier(let objectID): values[name] = objectID
                case .object(let object): values[name] = object.objectID
                }
            }
        }
        return values
    }
}
