/// A Swift type that is stored as an `NSNumber`, and its conversions.
struct NumberType {
    /// The Swift name.
    let name: String
    /// The property of `NSNumber` that returns it.
    let property: String

    /// The expression that reads a property, without creating an `NSNumber` if possible; its value
    /// is optional.
    func getter(forKey key: String) -> String {
        switch name {
        case "Bool": "_managedBool(forKey: \"\(key)\")"
        case "Double", "Float": "_managedFloatingPoint(forKey: \"\(key)\")"
        case _ where isAtMostInt64: "_managedInteger(forKey: \"\(key)\")"
        default: "_managedNumber(forKey: \"\(key)\")?.\(property)"
        }
    }

    /// The function that writes a property without creating an `NSNumber`, if there is one.
    var setter: String? {
        switch name {
        case "Bool", "Double", "Float": "_setManaged\(name)"
        case _ where isAtMostInt64: "_setManagedInteger"
        default: nil
        }
    }

    /// Whether the type is an integer whose values fit an `Int64`.
    private var isAtMostInt64: Bool {
        ["Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32"].contains(name)
    }

    /// The expression that converts an expression of this type to an `NSNumber`.
    func boxed(_ value: String) -> String {
        name == "Decimal" ? "NSDecimalNumber(decimal: \(value))" : "NSNumber(value: \(value))"
    }

    /// The value of a nil in the store, if the type is not optional.
    var zero: String { name == "Bool" ? "false" : "0" }

    /// Nil for a type that is not a number.
    init?(_ type: ManagedType) {
        switch type {
        case .shorthand(.int): self.init("Int", "intValue")
        case .shorthand(.uint): self.init("UInt", "uintValue")
        case .shorthand(.bool): self.init("Bool", "boolValue")
        case .shorthand(.double): self.init("Double", "doubleValue")
        case .shorthand(.float): self.init("Float", "floatValue")
        case .struct("FoundationEssentials", "Decimal"):
            self.init("Decimal", "decimalValue")
        case .nominal("Swift", let path):
            guard let name = path.last?.name, name.contains("Int") else { return nil }
            // `Int64` has `int64Value`, and `UInt64` has `uint64Value`.
            self.init(name, name.lowercased() + "Value")
        default: return nil
        }
    }

    private init(_ name: String, _ property: String) {
        self.name = name
        self.property = property
    }
}

extension String {
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

    var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
}
