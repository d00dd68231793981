/// A value as a type that is its very own; nil for values of other types, also of subclasses.
///
/// Values of attributes are nearly always of the one type that their attribute is kept in. `as?` on
/// an `Any` looks for bridging and walks up classes, which takes ten times as long as everything
/// else that reading a value needs; this compares two pointers. Ask `as?` where the answer is nil.
@inline(__always)
func exactly<Wanted>(_ value: Any, _ type: Wanted.Type) -> Wanted? {
    opened(value, type)
}

private func opened<Value, Wanted>(_ value: Value, _ type: Wanted.Type) -> Wanted? {
    // Safe because the types are the same, and with them the layout.
    Swift.type(of: value) == type ? unsafeBitCast(value, to: type) : nil
}
