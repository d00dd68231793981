/// A type of a managed property or parameter, resolved to the module that declares it.
indirect enum ManagedType: Hashable, Sendable {
    /// `Int`, `String` and the other types for which mangling has a letter.
    case shorthand(Shorthand)
    /// A type in a module, perhaps inside other types.
    case nominal(module: String, path: [Nominal])
    case optional(ManagedType)
    case array(ManagedType)
    case set(ManagedType)
    case dictionary(ManagedType, ManagedType)
    case any
    case anyObject

    /// The types of the standard library with a letter of their own.
    enum Shorthand: String, Sendable {
        case int = "i"
        case uint = "u"
        case bool = "b"
        case double = "d"
        case float = "f"
        case string = "S"
    }

    /// One step of the path to a type.
    struct Nominal: Hashable, Sendable {
        var name: String
        var kind: Kind

        enum Kind: String, Sendable {
            case `class` = "C"
            case `struct` = "V"
            case `enum` = "O"
        }
    }

    /// The type without the optional around it.
    var unwrapped: ManagedType {
        if case .optional(let wrapped) = self { return wrapped }
        return self
    }

    var isOptional: Bool { self != unwrapped }

    static func `struct`(_ module: String, _ name: String) -> ManagedType {
        .nominal(module: module, path: [Nominal(name: name, kind: .struct)])
    }

    static func `class`(_ module: String, _ name: String) -> ManagedType {
        .nominal(module: module, path: [Nominal(name: name, kind: .class)])
    }
}
