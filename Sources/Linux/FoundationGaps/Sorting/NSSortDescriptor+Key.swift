/// Adds the initializers of `NSSortDescriptor` that Foundation marks as unavailable on Linux. See
/// ``_FormatInitializablePredicate`` for the reason why it is a protocol.
public protocol _KeyInitializableSortDescriptor {}

extension NSSortDescriptor: _KeyInitializableSortDescriptor {}

extension _KeyInitializableSortDescriptor {
    /// Sorts by the value at a key path, nil first.
    ///
    /// - Parameters:
    ///   - key: A key path; nil means the objects themselves.
    ///   - ascending: Whether small values come first.
    public init(key: String?, ascending: Bool) {
        self.init(key: key, ascending: ascending, selector: nil)
    }

    /// Sorts by the value at a key path with a named comparison.
    ///
    /// - Parameters:
    ///   - key: A key path; nil means the objects themselves.
    ///   - ascending: Whether small values come first.
    ///   - selector: `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`,
    ///     `localizedCaseInsensitiveCompare:` or `localizedStandardCompare:`; others trap. Nil is
    ///     `compare:`.
    public init(key: String?, ascending: Bool, selector: Selector?) {
        let selector = selector ?? Selector(ValueOrder.standard.rawValue)
        guard let order = ValueOrder(rawValue: selector.description) else {
            _raise(
                invalidArgumentException,
                "-[NSObject \(selector)]: unrecognized selector sent to instance")
        }
        self = Self.descriptor(key, ascending, .selector(selector, order))
    }

    /// Sorts by the value at a key path with a closure.
    ///
    /// - Parameters:
    ///   - key: A key path; nil means the objects themselves.
    ///   - ascending: Whether small values come first.
    ///   - cmptr: Compares two values; nil is passed as `NSNull`.
    public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        self = Self.descriptor(key, ascending, .comparator(cmptr))
    }

    /// Sorts by the value at a Swift key path of any type, nil first.
    ///
    /// Foundation's own initializer supports only values that are comparable in Swift. Optional
    /// values, Booleans and everything else are compared as for a key, see `compare:`.
    ///
    /// - Parameters:
    ///   - keyPath: A key path.
    ///   - ascending: Whether small values come first.
    @_disfavoredOverload
    public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        if let key = _key(for: keyPath) {
            self.init(key: key, ascending: ascending)
            return
        }
        let descriptor = NSSortDescriptor(keyPath: keyPath, ascending: ascending) { left, right in
            ValueOrder.standard.order(PredicateValue(left), PredicateValue(right))
        }
        guard let result = descriptor as? Self else {
            _raise(invalidArgumentException, "\(Self.self) cannot be made from a key path")
        }
        self = result
    }

    private static func descriptor(
        _ key: String?, _ ascending: Bool, _ comparison: KeySortDescriptor.Comparison
    ) -> Self {
        let descriptor = KeySortDescriptor(key: key, ascending: ascending, comparison: comparison)
        guard let result = descriptor as? Self else {
            _raise(invalidArgumentException, "\(Self.self) cannot be made from a key")
        }
        return result
    }

    /// The key path for sorting.
    ///
    /// A descriptor for a Swift key path has a key if its root class knows the key, as managed
    /// object classes do.
    public var key: String? {
        switch self {
        case let descriptor as KeySortDescriptor: descriptor.path
        case let descriptor as NSSortDescriptor: _key(for: descriptor.keyPath)
        default: nil
        }
    }

    /// The comparison's selector, or nil for a closure.
    public var selector: Selector? {
        guard let descriptor = self as? KeySortDescriptor else {
            return Selector(ValueOrder.standard.rawValue)
        }
        guard case .selector(let selector, _) = descriptor.comparison else { return nil }
        return selector
    }

    /// Does nothing: sort descriptors cannot be decoded from archives here.
    public func allowEvaluation() {}
}

/// The key for a Swift key path, or nil if its root does not know it.
///
/// Linux-only: on Apple's systems a key path to an Objective-C property contains the property's
/// name.
public func _key(for keyPath: AnyKeyPath) -> String? {
    guard let root = type(of: keyPath).rootType as? any _KeyValueCoding.Type else { return nil }
    return root._key(for: keyPath)
}

/// The name of the stored property of an `NSObject` that a Swift key path reads, or nil if it reads something
/// else, or a property that a subclass can override.
///
/// On Apple's systems such a key path has its name as its key if the property is one of Objective-C,
/// which nothing tells here. Key-value coding does not reach the property, so it is a name and not a key to sort by.
package func storedPropertyName(of keyPath: AnyKeyPath) -> String? {
    guard let root = type(of: keyPath).rootType as? NSObject.Type else { return nil }
    // The description has the names of stored properties, and an address for computed ones.
    let description = keyPath.debugDescription
    let prefix = "\\\(root)."
    guard description.hasPrefix(prefix) else { return nil }
    let name = description.dropFirst(prefix.count)
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName && !name.isEmpty ? String(name) : nil
}
