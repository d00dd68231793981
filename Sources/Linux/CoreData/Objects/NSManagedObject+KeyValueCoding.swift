import FoundationGaps

extension NSManagedObject: _KeyValueCoding {
    /// `value(forKey:)`, for predicates, expressions and sort descriptors.
    public func _value(forKey key: String) -> Any? { value(forKey: key) }

    /// The object's ID: predicates compare objects and IDs by it.
    public var _comparisonIdentity: AnyObject { objectID }

    /// The key of the modeled property that a Swift key path reads.
    public static func _key(for keyPath: AnyKeyPath) -> String? {
        guard let type = Swift.type(of: keyPath).rootType as? NSManagedObject.Type,
            type != NSManagedObject.self
        else { return nil }
        return KeyPathProbe.key(for: keyPath, in: type, EntityRegistry.shared.entity(for: type))
    }
}

extension AnyKeyPath {
    /// The key for a key path into a managed object class, or the name of the stored property of a final
    /// class; nil for others. Builders of predicates and models ask for it by this name.
    ///
    /// Linux-only: the standard library's property of this name is nil without an Objective-C runtime.
    public var _kvcKeyPathString: String? {
        _key(for: self) ?? storedPropertyName(of: self)
    }
}

extension NSManagedObject {
    /// The value at a path of keys.
    final func pathValue(_ keyPath: String) -> Any? {
        guard let dot = keyPath.firstIndex(of: ".") else { return value(forKey: keyPath) }
        let rest = String(keyPath[keyPath.index(after: dot)...])
        // Operators may occur anywhere in a path.
        guard !keyPath.contains("@"),
            let relationship = entity.relationshipsByName[String(keyPath[..<dot])]
        else { return NSExpression(forKeyPath: keyPath).expressionValue(with: self, context: nil) }
        switch value(forKey: relationship.name) {
        case let object as NSManagedObject: return object.value(forKeyPath: rest)
        case let members as NSOrderedSet:
            return NSOrderedSet(array: Self.values(of: members.array, rest))
        case let members as NSSet: return NSSet(array: Self.values(of: members.allObjects, rest))
        default: return nil
        }
    }

    /// The values of members at a path; nil is omitted from those of a set.
    private static func values(of members: [Any], _ keyPath: String) -> [Any] {
        members.compactMap { ($0 as? NSManagedObject)?.value(forKeyPath: keyPath) }
    }

    /// Sets the last key of a path on the object that the rest leads to. Keys after a composite
    /// attribute lead to one of its elements.
    final func setPathValue(_ value: Any?, _ keyPath: String) {
        guard let dot = keyPath.firstIndex(of: ".") else { return setValue(value, forKey: keyPath) }
        let key = String(keyPath[..<dot])
        let rest = keyPath[keyPath.index(after: dot)...]
        let target = self.value(forKey: key)
        if entity.attributesByName[key]?.attributeType == .compositeAttributeType {
            var elements = target as? [String: Any] ?? [:]
            elements.setValue(value, atPath: rest)
            setValue(elements, forKey: key)
        } else {
            (target as? NSManagedObject)?.setValue(value, forKeyPath: String(rest))
        }
    }

    /// The values of several properties by name; `NSNull` for nil.
    public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        var values: [String: Any] = [:]
        for key in keys { values[key] = value(forKey: key) ?? NSNull() }
        return values
    }

    /// Sets several properties by name; `NSNull` stands for nil.
    public final func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues {
            setValue(value is NSNull ? nil : value, forKey: key)
        }
    }
}

extension [String: Any] {
    /// Sets the element at a path of names, and removes it for nil. Missing dictionaries on the way
    /// are created.
    fileprivate mutating func setValue(_ value: Any?, atPath path: Substring) {
        guard let dot = path.firstIndex(of: ".") else {
            self[String(path)] = value
            return
        }
        let name = String(path[..<dot])
        var elements = self[name] as? [String: Any] ?? [:]
        elements.setValue(value, atPath: path[path.index(after: dot)...])
        self[name] = elements
    }
}

/// How an ordered relationship is about to change.
public enum NSKeyValueChange: UInt, Sendable {
    /// All objects are replaced.
    case setting = 1
    /// Objects are inserted at the indexes.
    case insertion = 2
    /// The objects at the indexes are removed.
    case removal = 3
    /// The objects at the indexes are replaced.
    case replacement = 4
}

/// How a to-many relationship is about to change.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    /// Objects are added.
    case union = 1
    /// Objects are removed.
    case minus = 2
    /// Objects other than the given ones are removed.
    case intersect = 3
    /// All objects are replaced.
    case set = 4
}
