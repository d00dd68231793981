/// Writes the classes and extensions that Xcode would generate from a model.
struct ClassWriter {
    let resolver: TypeResolver
    let entities: [ModelEntity]
    /// The declarations in the target's sources.
    let declarations: SourceDeclarations

    /// The generated classes, in the form of declarations in the sources.
    static func generatedTypes(
        of entities: [ModelEntity], module: String
    ) -> [TypeDeclaration] {
        entities.compactMap { entity in
            guard entity.generation == .class, let name = entity.className(in: module) else {
                return nil
            }
            return TypeDeclaration(
                kind: .class, path: [name], inherited: [], aliased: nil, isGeneric: false,
                isFilePrivate: false, file: entity.file, line: entity.line)
        }
    }

    /// The entities without the code generation that the target's sources replace: a written class takes
    /// the place of the generated one, as if the entity's Codegen were 'Manual/None'.
    ///
    /// - Returns: The entities, and a warning for each such class.
    static func entities(
        _ entities: [ModelEntity], beside declarations: SourceDeclarations, module: String
    ) -> ([ModelEntity], [Diagnostic]) {
        let classes = Set(declarations.types.filter { $0.kind == .class }.map(\.name))
        var warnings: [Diagnostic] = []
        let remaining = entities.map { entity in
            guard entity.generation == .class, let name = entity.className(in: module),
                classes.contains(name)
            else { return entity }
            warnings.append(
                Diagnostic(
                    severity: .warning, file: entity.file, line: entity.line,
                    message: "the class '\(name)' of entity '\(entity.name)' is not generated, "
                        + "because the target declares it; for Xcode, set the entity's Codegen "
                        + "to 'Category/Extension' or 'Manual/None'"))
            var written = entity
            written.generation = nil
            return written
        }
        return (remaining, warnings)
    }

    /// The contradictions between the model and the sources.
    func problems() -> [Diagnostic] {
        let classes = Set(declarations.types.filter { $0.kind == .class }.map(\.name))
        return entities.compactMap { entity in
            guard entity.generation == .category, let name = entity.className(in: resolver.module),
                !classes.contains(name)
            else { return nil }
            return Diagnostic(
                file: entity.file, line: entity.line,
                message: "entity '\(entity.name)' has an extension of class '\(name)' generated, "
                    + "but the target does not declare that class")
        }
    }

    /// The classes and extensions of all entities.
    func write() -> String {
        entities.map { entity in
            guard let generation = entity.generation,
                let name = entity.className(in: resolver.module)
            else { return "" }
            return write(entity, as: name, generation)
        }.joined()
    }

    private func write(
        _ entity: ModelEntity, as name: String, _ generation: ModelEntity.Generation
    ) -> String {
        let members = properties(of: entity) + accessors(of: entity)
        let head =
            generation == .class
            ? "public class \(name): \(superclass(of: entity))" : "extension \(name)"
        var output = "\n\(head) {\n" + members.joined(separator: "\n") + "}\n"
        output += """

            extension \(name) {
                @nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)> {
                    NSFetchRequest<\(name)>(entityName: "\(entity.name)")
                }
            }

            """
        if needsIdentity(entity, name) { output += "\nextension \(name): Identifiable {}\n" }
        return output
    }

    // MARK: - Inheritance

    private func parent(of entity: ModelEntity) -> ModelEntity? {
        entities.first { $0.name == entity.parent && $0.file == entity.file }
    }

    private func className(of entity: ModelEntity?) -> String {
        entity?.className(in: resolver.module) ?? "NSManagedObject"
    }

    private func superclass(of entity: ModelEntity) -> String {
        className(of: parent(of: entity))
    }

    /// Whether to make the class identifiable here, because neither the sources nor a superclass
    /// does.
    private func needsIdentity(_ entity: ModelEntity, _ name: String) -> Bool {
        var ancestor: ModelEntity? = entity
        var remaining = entities.count
        while let current = ancestor, remaining > 0 {
            let name = className(of: current)
            if isDeclaredIdentifiable(name) { return false }
            if current.name != entity.name, current.generation != nil, name != "NSManagedObject" {
                return false
            }
            ancestor = parent(of: current)
            remaining -= 1
        }
        return true
    }

    private func isDeclaredIdentifiable(_ name: String) -> Bool {
        let inherited =
            declarations.types.filter { $0.name == name }.flatMap(\.inherited)
            + declarations.extensions.filter { $0.path == [name] }.flatMap(\.inherited)
        return inherited.contains { type in
            if case .named(let path, _) = type { path.last == "Identifiable" } else { false }
        }
    }

    // MARK: - Properties

    private func properties(of entity: ModelEntity) -> [String] {
        var properties = entity.attributes.map { ($0.name, type(of: $0)) }
        properties += entity.relationships.map { relationship in
            if relationship.isToMany {
                let collection = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
                return (relationship.name, .optional(.class("Foundation", collection)))
            }
            return (relationship.name, .optional(destination(relationship.destination, of: entity)))
        }
        properties += entity.fetchedProperties.map {
            ($0.name, .optional(.array(destination($0.destination, of: entity))))
        }
        return properties.map { name, type in
            let access = ManagedAccess(to: type, resolver)
            return """
                    public var \(name.quotedIfKeyword): \(access.spelling) {
                        get { \(access.getter(forKey: name)) }
                        set { \(access.setter(forKey: name)) }
                    }

                """
        }
    }

    /// The type of an attribute in code that Xcode generates.
    private func type(of attribute: ModelEntity.Attribute) -> ManagedType {
        let isScalar = attribute.usesScalar
        let number: ManagedType = .optional(.class("Foundation", "NSNumber"))
        switch attribute.type {
        case "Integer 16": return isScalar ? .struct("Swift", "Int16") : number
        case "Integer 32": return isScalar ? .struct("Swift", "Int32") : number
        case "Integer 64": return isScalar ? .struct("Swift", "Int64") : number
        case "Double": return isScalar ? .shorthand(.double) : number
        case "Float": return isScalar ? .shorthand(.float) : number
        case "Boolean": return isScalar ? .shorthand(.bool) : number
        case "Date":
            return isScalar
                ? .shorthand(.double) : .optional(.struct("FoundationEssentials", "Date"))
        case "Decimal": return .optional(.class("Foundation", "NSDecimalNumber"))
        case "String": return .optional(.shorthand(.string))
        case "Binary": return .optional(.struct("FoundationEssentials", "Data"))
        case "UUID": return .optional(.struct("FoundationEssentials", "UUID"))
        case "URI": return .optional(.struct("FoundationEssentials", "URL"))
        case "Composite": return .optional(.dictionary(.shorthand(.string), .any))
        default: return .optional(customType(of: attribute))
        }
    }

    /// The class of a transformable attribute; the model may name one of any module.
    private func customType(of attribute: ModelEntity.Attribute) -> ManagedType {
        guard let name = attribute.customClass else { return .class("Foundation", "NSObject") }
        if let tokens = try? SourceLexer.tokens(of: Array(name.utf8), file: "") {
            var parser = TypeSyntaxParser(tokens, at: 0)
            if let type = try? resolver.type(parser.parse(), from: []) { return type.unwrapped }
        }
        return .nominal(module: resolver.module, path: [.init(name: name, kind: .class)])
    }

    private func destination(_ name: String?, of entity: ModelEntity) -> ManagedType {
        let destination = entities.first { $0.name == name && $0.file == entity.file }
        let className = className(of: destination)
        return className == "NSManagedObject"
            ? .class("CoreData", className) : .class(resolver.module, className)
    }

    // MARK: - To-many accessors

    private func accessors(of entity: ModelEntity) -> [String] {
        entity.relationships.filter(\.isToMany).map { relationship in
            let member = destination(relationship.destination, of: entity)
                .spelling(in: resolver.module)
            let name = relationship.name.uppercasedFirst
            let key = "forKey: \"\(relationship.name)\""
            guard relationship.isOrdered else { return Self.unordered(name, member, key) }
            return Self.ordered(name, member, key)
        }
    }

    private static func unordered(_ name: String, _ member: String, _ key: String) -> String {
        """
            public func addTo\(name)(_ value: \(member)) { _addManagedMembers([value], \(key)) }

            public func removeFrom\(name)(_ value: \(member)) {
                _removeManagedMembers([value], \(key))
            }

            public func addTo\(name)(_ values: NSSet) {
                _addManagedMembers(values.allObjects, \(key))
            }

            public func removeFrom\(name)(_ values: NSSet) {
                _removeManagedMembers(values.allObjects, \(key))
            }

        """
    }

    private static func ordered(_ name: String, _ member: String, _ key: String) -> String {
        """
            public func insertInto\(name)(_ value: \(member), at idx: Int) {
                _insertManagedMembers([value], at: IndexSet(integer: idx), \(key))
            }

            public func removeFrom\(name)(at idx: Int) {
                _removeManagedMembers(at: IndexSet(integer: idx), \(key))
            }

            public func insertInto\(name)(_ values: [\(member)], at indexes: NSIndexSet) {
                _insertManagedMembers(values, at: indexes._bridgeToSwift(), \(key))
            }

            public func removeFrom\(name)(at indexes: NSIndexSet) {
                _removeManagedMembers(at: indexes._bridgeToSwift(), \(key))
            }

            public func replace\(name)(at idx: Int, with value: \(member)) {
                _replaceManagedMembers(at: IndexSet(integer: idx), with: [value], \(key))
            }

            public func replace\(name)(at indexes: NSIndexSet, with values: [\(member)]) {
                _replaceManagedMembers(at: indexes._bridgeToSwift(), with: values, \(key))
            }

            public func addTo\(name)(_ value: \(member)) { _addManagedMembers([value], \(key)) }

            public func removeFrom\(name)(_ value: \(member)) {
                _removeManagedMembers([value], \(key))
            }

            public func addTo\(name)(_ values: NSOrderedSet) {
                _addManagedMembers(values.array, \(key))
            }

            public func removeFrom\(name)(_ values: NSOrderedSet) {
                _removeManagedMembers(values.array, \(key))
            }

        """
    }
}

extension String {
    /// The name in a form that is valid in a declaration.
    fileprivate var quotedIfKeyword: String {
        let keywords: Set = [
            "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
            "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
            "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
            "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat",
            "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
            "throw", "throws", "true", "try", "typealias", "var", "where", "while",
        ]
        return keywords.contains(self) ? "`\(self)`" : self
    }
}
