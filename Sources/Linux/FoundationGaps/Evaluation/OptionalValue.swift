/// Lets an optional be recognized inside an `Any`.
protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    var wrappedValue: Any? {
        switch self {
        case .some(let value): FoundationGaps.unwrapped(dynamicValue(value))
        case .none: nil
        }
    }
}

/// A value without optionals around it; `NSNull` becomes nil.
func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    let type = type(of: value)
    // Most values have one of these types; checking whether they are optionals would take longer.
    if type == String.self || type == Int.self || type == Bool.self || type == Double.self
        || type == Date.self
    {
        return value
    }
    if type is AnyClass { return value is NSNull ? nil : value }
    guard let optional = value as? any OptionalValue else { return value }
    return optional.wrappedValue
}

/// The elements of any collection, the values of a dictionary, or nil for anything else.
func elements(of value: Any?) -> [Any]? {
    guard let value = unwrapped(value) else { return nil }
    switch value {
    case let array as [Any]: return array.map(dynamicValue)
    case let set as NSSet: return set.allObjects
    case let set as Set<AnyHashable>: return set.map { dynamicValue($0) }
    case let set as NSOrderedSet: return set.array
    case let dictionary as [AnyHashable: Any]: return dictionary.values.map(dynamicValue)
    case let dictionary as NSDictionary: return dictionary.allValues
    default: return nil
    }
}
