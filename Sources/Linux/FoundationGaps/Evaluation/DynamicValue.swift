/// A value without the existential containers around it and around the members of a collection.
///
/// A cast of `[any CVarArg]` to `[Any]` leaves each member in its container, in a second one. The
/// type of such a member is the protocol: it is neither found by its own type nor equal to the
/// value in it. Apple's systems know no such members, because they bridge each to an object.
func dynamicValue(_ value: Any) -> Any {
    _openExistential(value, do: contents)
}

private func contents<Value>(_ value: Value) -> Any {
    // Before the cast, because a cast that fails takes a hundred times as long.
    if needsNoContainer(Value.self) { return value }
    if let container = value as? any ValueContainer { return container.dynamicContents }
    let type = Swift.type(of: value as Any)
    guard type != Value.self else { return value }
    func cast<Contents>(to type: Contents.Type) -> Any { value as? Contents ?? value }
    return _openExistential(type, do: cast)
}

/// A value type that may contain existential containers.
private protocol ValueContainer {
    /// The dynamic value, or the same collection of dynamic values.
    var dynamicContents: Any { get }
}

extension Array: ValueContainer {
    fileprivate var dynamicContents: Any {
        needsNoContainer(Element.self) ? self : map { contents($0) }
    }
}

extension Dictionary: ValueContainer {
    fileprivate var dynamicContents: Any {
        needsNoContainer(Value.self) ? self : mapValues { contents($0) }
    }
}

extension AnyHashable: ValueContainer {
    fileprivate var dynamicContents: Any { contents(base) }
}

extension Optional: ValueContainer {
    fileprivate var dynamicContents: Any { map { contents($0) } ?? NSNull() }
}

/// Whether values of a type need no container: objects, and the most frequent value types.
private func needsNoContainer(_ type: Any.Type) -> Bool {
    type == String.self || type == Int.self || type == Int64.self || type == Double.self
        || type == UUID.self || type == Date.self || type is AnyClass
}
