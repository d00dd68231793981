/// Casts a value to exactly its own type; nil for values of other types, subclasses included.
///
/// Linux-only. Nearly all values of attributes have the type in which their attribute is stored.
/// For an `Any`, `as?` considers bridging and superclasses, which can take a hundred times as long
/// as the rest of reading a value; this compares two pointers. If the result is nil, use `as?`.
///
/// - Parameters:
///   - value: The value.
///   - type: The type that it may have.
@inlinable
public func _exactly<Wanted>(_ value: Any, _ type: Wanted.Type) -> Wanted? {
    _opened(value, type)
}

@inlinable
func _opened<Value, Wanted>(_ value: Value, _ type: Wanted.Type) -> Wanted? {
    // Safe because the types, and therefore the layouts, are the same.
    Swift.type(of: value) == type ? unsafeBitCast(value, to: type) : nil
}
