/// Resolves the names in a target's sources.
struct TypeResolver {
    let module: String
    private let declarations: [String: [TypeDeclaration]]

    init(module: String, types: [TypeDeclaration]) {
        self.module = module
        declarations = Dictionary(grouping: types, by: \.name)
    }

    /// Why a type cannot be the type of a managed member, as the end of a sentence.
    struct Failure: Error {
        var reason: String
    }

    // MARK: - Declarations

    /// The declaration that a path refers to in the scope of a type.
    func declaration(of path: [String], from scope: [String]) -> TypeDeclaration? {
        if path.count > 1, path[0] == module, declarations[module] == nil {
            return declarations[path.dropFirst().joined(separator: ".")]?.first
        }
        for depth in stride(from: scope.count, through: 0, by: -1) {
            let name = (scope.prefix(depth) + path).joined(separator: ".")
            if let found = declarations[name]?.first { return found }
        }
        return nil
    }

    /// A declared type with the kinds of its enclosing types.
    func nominal(of declaration: TypeDeclaration) throws -> [ManagedType.Nominal] {
        try declaration.path.indices.map { index in
            let path = Array(declaration.path[...index])
            let outer = self.declaration(of: path, from: [])
            // A type may be declared in an extension of another module's type.
            guard let outer else {
                throw Failure(reason: "is declared in an extension of another module's type")
            }
            switch outer.kind {
            case .class: return .init(name: path[index], kind: .class)
            case .struct: return .init(name: path[index], kind: .struct)
            case .enum: return .init(name: path[index], kind: .enum)
            case .actor, .protocol, .typealias:
                throw Failure(reason: "is declared in the \(outer.kind) '\(outer.name)'")
            }
        }
    }

    // MARK: - Types

    /// The type that is written in a member of a class.
    func type(_ syntax: TypeSyntax, from scope: [String]) throws -> ManagedType {
        switch syntax {
        case .optional(let wrapped):
            let type = try type(wrapped, from: scope)
            if type.isOptional { throw Failure(reason: "is optional twice") }
            return .optional(type)
        case .array(let element):
            return .array(try type(element, from: scope))
        case .dictionary(let key, let value):
            return .dictionary(try type(key, from: scope), try type(value, from: scope))
        case .other:
            throw Failure(reason: "is none of the types that can be mapped")
        case .named(let path, let arguments):
            if let generic = try generic(path, arguments, from: scope) { return generic }
            guard arguments.isEmpty else {
                throw Failure(reason: "is none of the generic types that can be mapped")
            }
            return try named(path, from: scope)
        }
    }

    private func generic(
        _ path: [String], _ arguments: [TypeSyntax], from scope: [String]
    ) throws -> ManagedType? {
        guard !arguments.isEmpty, path.count == 1 || (path.count == 2 && path[0] == "Swift"),
            let name = path.last, declaration(of: path, from: scope) == nil
        else { return nil }
        switch (name, arguments.count) {
        case ("Optional", 1): return try type(.optional(arguments[0]), from: scope)
        case ("Array", 1): return try type(.array(arguments[0]), from: scope)
        case ("Set", 1): return .set(try type(arguments[0], from: scope))
        case ("Dictionary", 2):
            return try type(.dictionary(arguments[0], arguments[1]), from: scope)
        default: return nil
        }
    }

    private func named(_ path: [String], from scope: [String]) throws -> ManagedType {
        if let declaration = declaration(of: path, from: scope) {
            return try type(of: declaration)
        }
        let isQualified = path.count == 2 && KnownTypes.modules.contains(path[0])
        if path.count == 1 || isQualified, let name = path.last,
            let known = KnownTypes.type(named: name)
        {
            return known
        }
        throw Failure(
            reason: "is declared neither in this target nor among the types that can be mapped")
    }

    private func type(of declaration: TypeDeclaration) throws -> ManagedType {
        if declaration.isFilePrivate { throw Failure(reason: "is private to its file") }
        if declaration.isGeneric { throw Failure(reason: "is generic") }
        switch declaration.kind {
        case .class:
            return .nominal(module: module, path: try nominal(of: declaration))
        case .enum:
            guard rawType(of: declaration) != nil else {
                throw Failure(reason: "is an enumeration without an integer raw type")
            }
            return .nominal(module: module, path: try nominal(of: declaration))
        case .typealias:
            guard let aliased = declaration.aliased else { break }
            // Prevents infinite recursion for an alias that refers to itself.
            var others = declarations
            others[declaration.name] = nil
            return try TypeResolver(module: module, declarations: others)
                .type(aliased, from: declaration.path.dropLast())
        case .struct, .actor, .protocol:
            break
        }
        throw Failure(reason: "is a \(declaration.kind), which no attribute can hold")
    }

    private init(module: String, declarations: [String: [TypeDeclaration]]) {
        self.module = module
        self.declarations = declarations
    }

    // MARK: - Enumerations

    /// The raw type of an enumeration, if it is a number.
    func rawType(of declaration: TypeDeclaration) -> ManagedType? {
        guard let first = declaration.inherited.first,
            let type = try? type(first, from: declaration.path),
            NumberType(type) != nil
        else { return nil }
        return type
    }

    /// The raw type of a type of the target, if it is an enumeration.
    func rawType(of type: ManagedType) -> ManagedType? {
        guard case .nominal(module, let path) = type, path.last?.kind == .enum else { return nil }
        return declaration(of: path.map(\.name), from: []).flatMap(rawType(of:))
    }
}
