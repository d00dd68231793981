/// A Swift type that is kept as an `NSNumber`, and how it is taken out and put in.
struct NumberType {
    /// The Swift name.
    let name: String
    /// The property of `NSNumber` that reads it.
    let property: String

    /// The expression that makes an `NSNumber` of an expression of this type.
    func boxed(_ value: String) -> String {
        name == "Decimal" ? "NSDecimalNumber(decimal: \(value))" : "NSNumber(value: \(value))"
    }

    /// What a nil in the store reads as, where the type is not optional.
    var zero: String { name == "Bool" ? "false" : "0" }

    /// nil for a type that is no number.
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
