import FoundationGaps

// Called by the accessors that the plugin ManagedObjectClasses generates for `@NSManaged` numbers
// and strings. They pass the value on as the object stores it: creating an `NSNumber` takes longer
// than everything else. Values that are stored in another form are read like any other property.

extension NSManagedObject {
    /// The value of a number's property as an integer, truncated to its bits if too large; nil for
    /// nil.
    @inlinable
    public final func _managedInteger<Integer: FixedWidthInteger>(
        forKey key: String
    ) -> Integer? {
        _managedInt64(forKey: key).map { Integer(truncatingIfNeeded: $0) }
    }

    /// The value of a number's property as a floating-point number; nil for nil.
    @inlinable
    public final func _managedFloatingPoint<Number: BinaryFloatingPoint>(
        forKey key: String
    ) -> Number? {
        _managedDouble(forKey: key).map { Number($0) }
    }

    /// The value of a number's property as a 64-bit integer; nil for nil.
    public final func _managedInt64(forKey key: String) -> Int64? {
        switch keptAttribute(forKey: key) {
        case .integer(let value)?: value
        default: _managedNumber(forKey: key)?.int64Value
        }
    }

    /// The value of a number's property as a double; nil for nil. A date counts in seconds since
    /// 2001.
    public final func _managedDouble(forKey key: String) -> Double? {
        switch keptAttribute(forKey: key) {
        case .double(let value)?: value
        case .date(let date)?: date.timeIntervalSinceReferenceDate
        default: _managedNumber(forKey: key)?.doubleValue
        }
    }

    /// The value of a number's property as a Boolean; nil for nil.
    public final func _managedBool(forKey key: String) -> Bool? {
        switch keptAttribute(forKey: key) {
        case .boolean(let value)?: value
        default: _managedNumber(forKey: key)?.boolValue
        }
    }

    /// The value of a string's property; nil for nil.
    public final func _managedString(forKey key: String) -> String? {
        switch keptAttribute(forKey: key) {
        case .string(let string)?: string
        default: _managedObject(forKey: key)
        }
    }

    /// Sets a property to an integer, as its dynamic setter does on Apple's systems.
    @inlinable
    public final func _setManagedInteger(_ value: some FixedWidthInteger, forKey key: String) {
        _setManagedInt64(Int64(truncatingIfNeeded: value), forKey: key)
    }

    /// Sets a property to a 64-bit integer, as its dynamic setter does on Apple's systems.
    public final func _setManagedInt64(_ value: Int64, forKey key: String) {
        if !setNumber(.integer(value), forKey: key) {
            _setManagedValue(NSNumber(value: value), forKey: key)
        }
    }

    /// Sets a property to a double, as its dynamic setter does on Apple's systems.
    public final func _setManagedDouble(_ value: Double, forKey key: String) {
        if !setNumber(.double(value), forKey: key) {
            _setManagedValue(NSNumber(value: value), forKey: key)
        }
    }

    /// Sets a property to a float, as its dynamic setter does on Apple's systems.
    public final func _setManagedFloat(_ value: Float, forKey key: String) {
        if !setNumber(.float(value), forKey: key) {
            _setManagedValue(NSNumber(value: value), forKey: key)
        }
    }

    /// Sets a property to a Boolean, as its dynamic setter does on Apple's systems.
    public final func _setManagedBool(_ value: Bool, forKey key: String) {
        if !setNumber(.boolean(value), forKey: key) {
            _setManagedValue(NSNumber(value: value), forKey: key)
        }
    }

    /// Sets a property to a string, as its dynamic setter does on Apple's systems.
    public final func _setManagedString(_ value: String?, forKey key: String) {
        let isSet = setAttribute(value.map { .string($0) } ?? .none, forKey: key) {
            $0.attributeType == .stringAttributeType
        }
        if !isSet { _setManagedValue(value, forKey: key) }
    }

    /// The value of an attribute as the object stores it; nil for any other key.
    @inline(__always)
    private func keptAttribute(forKey key: String) -> AttributeValue? {
        assertOnQueue()
        guard let index = layout.indexByName[key], layout.relationshipPositions[index] < 0,
            !state.contains(.probe)
        else { return nil }
        fireFault()
        return attributes[index]
    }

    /// Sets an attribute that holds numbers.
    ///
    /// - Returns: Whether an attribute has the name.
    private func setNumber(_ value: AttributeValue, forKey key: String) -> Bool {
        setAttribute(value, forKey: key, where: \.holdsNumbers)
    }

    /// Sets an attribute that can hold values of a kind.
    ///
    /// - Returns: Whether an attribute has the name.
    @inline(__always)
    private func setAttribute(
        _ value: AttributeValue, forKey key: String,
        where holdsKind: (NSAttributeDescription) -> Bool
    ) -> Bool {
        assertOnQueue()
        guard let index = layout.indexByName[key], layout.relationshipPositions[index] < 0,
            holdsKind(layout.attribute(at: index))
        else { return false }
        fireFault()
        changeAttribute(at: index, to: value)
        return true
    }
}
