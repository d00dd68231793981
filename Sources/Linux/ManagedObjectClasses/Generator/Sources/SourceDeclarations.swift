/// The access level of a declaration.
enum AccessLevel: String {
    case `public`, package, `internal`
    /// `private` and `fileprivate`, which are the same for other files.
    case filePrivate

    init?(modifier: String) {
        switch modifier {
        case "public", "open": self = .public
        case "package": self = .package
        case "internal": self = .internal
        case "private", "fileprivate": self = .filePrivate
        default: return nil
        }
    }
}

/// A type that the target declares.
struct TypeDeclaration {
    enum Kind: String {
        case `class`, `struct`, `enum`, actor, `protocol`, `typealias`
    }

    var kind: Kind
    /// The names of the enclosing types and of the type itself.
    var path: [String]
    /// The types after the colon: a class's superclass and an enumeration's raw type come first.
    var inherited: [TypeSyntax]
    /// The type that a type alias stands for.
    var aliased: TypeSyntax?
    var isGeneric: Bool
    /// Whether the type is private to its file.
    var isFilePrivate: Bool
    var file: String
    var line: Int

    var name: String { path.joined(separator: ".") }
}

/// The protocols that an extension adds.
struct ExtensionDeclaration {
    var path: [String]
    var inherited: [TypeSyntax]
}

/// `@NSManaged var name: Type`.
struct ManagedProperty {
    /// The class in whose declaration or extension the property is written, with its enclosing
    /// types.
    var owner: [String]
    var name: String
    var type: TypeSyntax
    var access: AccessLevel
    var file: String
    var line: Int
}

/// `@NSManaged func name(label parameter: Type, …)`.
struct ManagedMethod {
    struct Parameter {
        /// The argument label; nil for an underscore.
        var label: String?
        var type: TypeSyntax
    }

    var owner: [String]
    var name: String
    var parameters: [Parameter]
    /// Whether it returns a value, throws or suspends.
    var hasEffectsOrResult: Bool
    var access: AccessLevel
    var file: String
    var line: Int

    /// The name in the form `insertIntoClocks(_:at:)`.
    var fullName: String {
        name + "(" + parameters.map { ($0.label ?? "_") + ":" }.joined() + ")"
    }
}

/// The declarations in a target's sources that the tool needs.
struct SourceDeclarations {
    var types: [TypeDeclaration] = []
    var extensions: [ExtensionDeclaration] = []
    var properties: [ManagedProperty] = []
    var methods: [ManagedMethod] = []

    mutating func merge(_ other: SourceDeclarations) {
        types += other.types
        extensions += other.extensions
        properties += other.properties
        methods += other.methods
    }
}
