/// Whether two values of any type are equal, as Apple's `isEqual(_:)` compares the objects that they
/// are bridged to. Values of types that cannot be compared count as different.
///
/// Linux-only. Here, a dictionary or an array of `Any` is neither hashable nor equatable.
public func _areEqual(_ left: Any?, _ right: Any?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    if let left = left as? AnyHashable, let right = right as? AnyHashable, left == right {
        return true
    }
    if let left = left as? [AnyHashable: Any], let right = right as? [AnyHashable: Any] {
        return left.count == right.count
            && left.allSatisfy { key, value in
                right[key].map { _areEqual(value, $0) } ?? false
            }
    }
    if let left = left as? [Any], let right = right as? [Any] {
        return left.elementsEqual(right) { _areEqual($0, $1) }
    }
    if let left = left as? any Equatable { return areEqual(left, right) }
    return false
}

private func areEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    left == right as? Value
}
