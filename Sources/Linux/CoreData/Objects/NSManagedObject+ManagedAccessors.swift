import FoundationGaps

// Called by the accessors that the plugin ManagedObjectClasses generates for `@NSManaged` members.
// Linux-only: on Apple's systems the Objective-C runtime asks Core Data for them. They bypass
// `value(forKey:)`, which a subclass may override to call its own properties.

extension NSManagedObject {
    /// The value of a number's property, for a getter of any numeric type; a date counts in
    /// seconds since 2001.
    public final func _managedNumber(forKey key: String) -> NSNumber? {
        guard let value = managedValue(forKey: key, as: NSNumber.self) else { return nil }
        if let number = _exactly(value, NSNumber.self) { return number }
        switch value {
        case let number as NSNumber: return number
        case let date as Date: return NSNumber(value: date.timeIntervalSinceReferenceDate)
        default: raiseWrongType(value, NSNumber.self, key)
        }
    }

    /// The value of a property whose type is an object or bridges to one.
    public final func _managedObject<Value>(forKey key: String) -> Value? {
        guard let value = managedValue(forKey: key, as: Value.self) else { return nil }
        guard let object = _exactly(value, Value.self) ?? value as? Value else {
            // A sample need not have the type that a transformer produces.
            if state.contains(.probe) { return nil }
            raiseWrongType(value, Value.self, key)
        }
        return object
    }

    /// The value of a property that its class declares as not optional.
    public final func _requiredManagedObject<Value>(forKey key: String) -> Value {
        guard let value: Value = _managedObject(forKey: key) else {
            raise(
                .internalInconsistency,
                "The property '\(key)' of \(type(of: self)) is nil, but its type \(Value.self) is "
                    + "not optional.")
        }
        return value
    }

    /// The value of a property as an enumeration with a raw type; nil in the store counts as 0.
    ///
    /// - Parameter make: The enumeration's `init(rawValue:)`.
    public final func _managedEnumeration<Value>(
        forKey key: String, _ make: (NSNumber) -> Value?
    ) -> Value {
        let number = _managedNumber(forKey: key) ?? 0
        // A sample need not be one of the cases.
        let cases = state.contains(.probe) ? (-1...255).lazy.map { NSNumber(value: $0) } : nil
        guard let value = make(number) ?? cases?.compactMap(make).first else {
            raise(
                .internalInconsistency,
                "The property '\(key)' of \(type(of: self)) has the value \(number), which "
                    + "\(Value.self) has no case for.")
        }
        return value
    }

    /// The set or ordered set that changes the primitive value of a to-many relationship.
    public final func _primitiveManagedMembers<Value>(forKey key: String) -> Value? {
        assertOnQueue()
        guard !state.contains(.probe), let index = layout.indexByName[key] else {
            return _managedObject(forKey: key)
        }
        fireFault()
        guard let value = primitiveValue(at: index) else { return nil }
        guard let members = value as? Value else { raiseWrongType(value, Value.self, key) }
        return members
    }

    /// Sets a property like its dynamic setter on Apple's systems.
    public final func _setManagedValue(_ value: Any?, forKey key: String) {
        assertOnQueue()
        guard let index = layout.indexByName[key] else {
            return setValue(value, forUndefinedKey: key)
        }
        fireFault()
        changeValue(at: index, to: acceptableValue(value, at: index))
    }

    /// Sets the primitive value of a property: nothing is marked as changed, and no inverse is
    /// updated.
    public final func _setPrimitiveManagedValue(_ value: Any?, forKey key: String) {
        guard let index = layout.indexByName[key] else {
            return setValue(value, forUndefinedKey: key)
        }
        fireFault()
        storePrimitive(acceptableValue(value, at: index), at: index)
    }

    /// - Parameter type: The type of the accessor.
    private func managedValue(forKey key: String, as type: Any.Type) -> Any? {
        assertOnQueue()
        if state.contains(.probe) { return KeyPathProbe.sample(of: self, forKey: key, as: type) }
        guard let index = layout.indexByName[key] else { return unmodeledValue(forKey: key) }
        fireFault()
        return storedValue(at: index)
    }

    /// A property of type `TimeInterval` may stand for a date.
    private func acceptableValue(_ value: Any?, at index: Int) -> Any? {
        guard layout.relationshipPositions[index] < 0,
            layout.attribute(at: index).attributeType == .dateAttributeType,
            let number = value as? NSNumber
        else { return value }
        return Date(timeIntervalSinceReferenceDate: number.doubleValue)
    }

    private func raiseWrongType(_ value: Any, _ type: Any.Type, _ key: String) -> Never {
        raise(
            .invalidArgument,
            "The property '\(key)' of \(Swift.type(of: self)) is declared as \(type), but its "
                + "value is of type \(Swift.type(of: value)).")
    }
}

// MARK: - To-many accessors

extension NSManagedObject {
    /// Adds objects to a to-many relationship, at the end of an ordered one.
    public final func _addManagedMembers(_ members: [Any], forKey key: String) {
        let index = requireToMany(key)
        for member in requireObjects(members, key) { addMember(member, at: index) }
    }

    /// Removes objects from a to-many relationship.
    public final func _removeManagedMembers(_ members: [Any], forKey key: String) {
        let index = requireToMany(key)
        for member in requireObjects(members, key) { removeMember(member, at: index) }
    }

    /// Inserts objects into an ordered relationship, so that they end up at the given indexes.
    public final func _insertManagedMembers(
        _ members: [Any], at indexes: IndexSet, forKey key: String
    ) {
        let index = requireToMany(key)
        for (place, member) in zip(indexes, requireObjects(members, key)) {
            addMember(member, at: index, position: place)
        }
    }

    /// Removes the objects at the given indexes from an ordered relationship.
    public final func _removeManagedMembers(at indexes: IndexSet, forKey key: String) {
        let index = requireToMany(key)
        let objects = members(at: layout.relationshipPositions[index]).objects
        for place in indexes { removeMember(objects[place], at: index) }
    }

    /// Replaces the objects at the given indexes of an ordered relationship.
    public final func _replaceManagedMembers(
        at indexes: IndexSet, with members: [Any], forKey key: String
    ) {
        let index = requireToMany(key)
        var objects = self.members(at: layout.relationshipPositions[index]).objects
        for (place, member) in zip(indexes, requireObjects(members, key)) {
            objects[place] = member
        }
        setMembers(ObjectSet(objects), at: index)
    }

    private func requireToMany(_ key: String) -> Int {
        assertOnQueue()
        let isOrdered = layout.relationshipsByName[key]?.isOrdered ?? false
        let index = requireToMany(key, ordered: isOrdered)
        fireFault()
        return index
    }

    private func requireObjects(_ members: [Any], _ key: String) -> [NSManagedObject] {
        guard let objects = members as? [NSManagedObject] else {
            raise(
                .invalidArgument,
                "The relationship '\(key)' of \(type(of: self)) holds managed objects only.")
        }
        return objects
    }
}
