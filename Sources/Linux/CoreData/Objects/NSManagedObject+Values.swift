import FoundationGaps

/// Storing and reading values. Everything here is called on the context's queue.
extension NSManagedObject {
    /// Stops the process if the caller is not on the context's queue and checking is on.
    ///
    /// The setting is checked first, because loading a weak reference costs more than reading a
    /// value.
    @inline(__always)
    final func assertOnQueue() {
        if NSManagedObjectContext.checksQueues { context?.assertOnQueue() }
    }

    /// Reads the object's values if they are not in memory.
    final func fireFault() {
        guard state.contains(.fault) else { return }
        if let context {
            context.fulfillFault(self)
        } else {
            becomeEmpty()
        }
    }

    /// Takes the values of a row, without marking changes.
    final func materialize(_ row: Row) {
        attributes = row.attributes
        relationships = row.relationships
        committed = row
        changedProperties.removeAll()
        state.subtract([.fault, .primitivelyChanged])
        takeChangesOfFault()
    }

    /// Discards the values, which cannot be read again because the row is gone.
    final func becomeEmpty() {
        attributes = Array(repeating: .none, count: layout.properties.count)
        relationships = layout.initialRelationships
        committed = nil
        changedProperties.removeAll()
        changesOfFault = nil
        state.remove(.fault)
    }

    /// Drops the values; they are read again when they are needed.
    final func dropValues() {
        attributes = []
        relationships = []
        committed = nil
        changedProperties.removeAll()
        changesOfFault = nil
        fetchedPropertyValues = nil
        forgetOldValues()
        state.insert(.fault)
    }

    /// The current value of a property as key-value coding returns it.
    final func storedValue(at index: Int) -> Any? {
        let position = layout.relationshipPositions[index]
        return position < 0 ? attributes[index].object : relationshipValue(at: position)
    }

    /// The current value of a relationship as key-value coding returns it.
    final func relationshipValue(at position: Int) -> Any? {
        let relationship = layout.relationships[position]
        guard relationship.isToMany else { return destination(at: position) }
        let members = members(at: position)
        return relationship.isOrdered ? members.asOrderedSet : members.asSet
    }

    /// The value of a key outside the model, which a subclass computes or every object has.
    final func unmodeledValue(forKey key: String) -> Any? {
        switch key {
        case "self", "SELF": return self
        case "objectID": return objectID
        case "entity": return entity
        case "managedObjectContext": return managedObjectContext
        case "isFault": return NSNumber(value: isFault)
        case "isInserted", "inserted": return NSNumber(value: isInserted)
        case "isUpdated", "updated": return NSNumber(value: isUpdated)
        case "isDeleted", "deleted": return NSNumber(value: isDeleted)
        case "hasChanges": return NSNumber(value: hasChanges)
        default:
            return fetchedPropertyValue(forKey: key) ?? value(forUndefinedKey: key)
        }
    }

    final func undefinedKeyReason(_ selector: String, _ key: String) -> String {
        let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        return "[<\(type(of: self)) 0x\(address)> \(selector)]: the entity \(entity.name ?? "") "
            + "is not key value coding-compliant for the key \"\(key)\"."
    }

    // MARK: - Setting

    /// Sets a property as `setValue(_:forKey:)` does.
    final func changeValue(at index: Int, to value: Any?) {
        let position = layout.relationshipPositions[index]
        guard position < 0 else {
            let relationship = layout.relationships[position]
            if relationship.isToMany {
                setMembers(requireMembers(value, for: relationship), at: index)
            } else {
                setDestination(requireDestination(value, for: relationship), at: index)
            }
            return
        }
        changeAttribute(at: index, to: layout.attribute(at: index).requireAttributeValue(of: value))
    }

    /// Sets an attribute to a value that it can hold.
    final func changeAttribute(at index: Int, to value: AttributeValue) {
        recordOldValue(at: index)
        attributes[index] = value
        markChanged(at: index)
    }

    /// Marks a property and with it the object as changed.
    final func markChanged(at index: Int) {
        changedProperties.insert(index)
        if !isChangeNoted { context?.noteChange(of: self) }
    }

    /// Whether the context already knows that the object changed, since the last save and in the
    /// current event.
    private var isChangeNoted: Bool {
        guard eventNumber == contextReference?.eventNumber else { return false }
        if state.contains([.inserted, .insertedInEvent]) { return true }
        return state.contains(.updatedInEvent) && !state.isDisjoint(with: [.inserted, .updated])
    }
}
