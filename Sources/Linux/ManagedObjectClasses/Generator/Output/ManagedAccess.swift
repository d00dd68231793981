/// How the values of a type are read and written: expressions that use the API of the module
/// CoreData (`NSManagedObject+ManagedAccessors.swift`).
struct ManagedAccess {
    /// The type as written in the generated file.
    let spelling: String
    private let type: ManagedType
    private let rawType: ManagedType?

    init(to type: ManagedType, _ resolver: TypeResolver) {
        self.type = type
        spelling = type.spelling(in: resolver.module)
        rawType = resolver.rawType(of: type.unwrapped)
    }

    /// The expression that reads a property.
    func getter(forKey key: String, isPrimitive: Bool = false) -> String {
        if isPrimitive, let empty = emptyMutableMembers {
            let value = "_primitiveManagedMembers(forKey: \"\(key)\")"
            return type.isOptional ? value : "\(value) ?? \(empty)"
        }
        if let rawType, let number = NumberType(rawType) {
            let name = spelling.hasSuffix("?") ? String(spelling.dropLast()) : spelling
            let make = "{ \(name)(rawValue: $0.\(number.property)) }"
            return type.isOptional
                ? "_managedNumber(forKey: \"\(key)\").flatMap \(make)"
                : "_managedEnumeration(forKey: \"\(key)\") \(make)"
        }
        if let number = NumberType(type.unwrapped) {
            let value = number.getter(forKey: key)
            return type.isOptional ? value : "\(value) ?? \(number.zero)"
        }
        if case .shorthand(.string) = type.unwrapped {
            let value = "_managedString(forKey: \"\(key)\")"
            return type.isOptional ? value : "\(value) ?? \"\""
        }
        if type.isOptional { return "_managedObject(forKey: \"\(key)\")" }
        if let empty { return "_managedObject(forKey: \"\(key)\") ?? \(empty)" }
        return "_requiredManagedObject(forKey: \"\(key)\")"
    }

    /// The statement that writes a property.
    func setter(forKey key: String, isPrimitive: Bool = false) -> String {
        if !isPrimitive, !type.isOptional, let number = NumberType(rawType ?? type),
            let function = number.setter
        {
            let value = rawType == nil ? "newValue" : "newValue.rawValue"
            return "\(function)(\(value), forKey: \"\(key)\")"
        }
        if !isPrimitive, rawType == nil, case .shorthand(.string) = type.unwrapped {
            return "_setManagedString(newValue, forKey: \"\(key)\")"
        }
        let function = isPrimitive ? "_setPrimitiveManagedValue" : "_setManagedValue"
        return "\(function)(\(boxed), forKey: \"\(key)\")"
    }

    /// The new value as an object.
    private var boxed: String {
        let raw = rawType == nil ? "" : ".rawValue"
        guard let number = NumberType(rawType ?? type.unwrapped) else { return "newValue" }
        return type.isOptional
            ? "newValue.map { \(number.boxed("$0" + raw)) }" : number.boxed("newValue" + raw)
    }

    /// An empty collection of a type through which the primitive value of a to-many relationship is
    /// changed; nil for other types.
    private var emptyMutableMembers: String? {
        switch type.unwrapped {
        case .class("Foundation", "NSMutableSet"): "Foundation.NSMutableSet()"
        case .class("Foundation", "NSMutableOrderedSet"): "Foundation.NSMutableOrderedSet()"
        default: nil
        }
    }

    /// The value of nil for types that Foundation converts from a nil object to an empty value.
    private var empty: String? {
        switch type {
        case .array, .set: "[]"
        case .dictionary: "[:]"
        case .struct("FoundationEssentials", "Data"): "Foundation.Data()"
        default: nil
        }
    }
}

extension ManagedType {
    /// The type as written in a file of the given module.
    func spelling(in module: String) -> String {
        switch self {
        case .shorthand(let shorthand):
            switch shorthand {
            case .int: "Swift.Int"
            case .uint: "Swift.UInt"
            case .bool: "Swift.Bool"
            case .double: "Swift.Double"
            case .float: "Swift.Float"
            case .string: "Swift.String"
            }
        case .nominal(let owner, let path):
            Self.prefix(owner, in: module) + path.map(\.name).joined(separator: ".")
        case .optional(let wrapped): wrapped.spelling(in: module) + "?"
        case .array(let element): "[\(element.spelling(in: module))]"
        case .set(let element): "Swift.Set<\(element.spelling(in: module))>"
        case .dictionary(let key, let value):
            "[\(key.spelling(in: module)): \(value.spelling(in: module))]"
        case .any: "Any"
        case .anyObject: "AnyObject"
        }
    }

    private static func prefix(_ owner: String, in module: String) -> String {
        switch owner {
        // A module often contains a type of the same name, which would be found instead.
        case module: ""
        case "FoundationEssentials": "Foundation."
        default: owner + "."
        }
    }
}
