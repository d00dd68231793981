/// A value as a type that is its very own; nil for values of other types, also of subclasses.
///
/// Linux-only. Values of attributes are nearly always of the one type that their attribute is kept
/// in. `as?` on an `Any` looks for bridging and walks up classes, which can take a hundred times as
/// long as everything else that reading a value needs; this compares two pointers. Where the answer
/// is nil, `as?` still has to be asked.
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
    // Safe because the types are the same, and with them the layout.
    Swift.type(of: value) == type ? unsafeBitCast(value, to: type) : nil
}
