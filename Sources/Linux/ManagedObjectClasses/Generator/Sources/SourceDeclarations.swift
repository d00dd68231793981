/// Who can name a declaration.
enum AccessLevel: String {
    case `public`, package, `internal`
    /// `private` and `fileprivate`, whose difference no other file sees.
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
    /// The names of the types around it and its own.
    var path: [String]
    /// What follows the colon: a class's superclass and an enumeration's raw type come first.
    var inherited: [TypeSyntax]
    /// What a type alias stands for.
    var aliased: TypeSyntax?
    var isGeneric: Bool
    /// Whether other files cannot name it.
    var isFilePrivate: Bool
    var file: String
    var line: Int

    var name: String { path.joined(separator: ".") }
}

/// What an extension adds to the list of protocols.
struct ExtensionDeclaration {
    var path: [String]
    var inherited: [TypeSyntax]
}

/// `@NSManaged var name: Type`.
struct ManagedProperty {
    /// The class as it is written around the property, with the types around the class.
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
        /// What a call writes before the colon; nil for an underscore.
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

/// What the tool needs to know of a target's sources.
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
