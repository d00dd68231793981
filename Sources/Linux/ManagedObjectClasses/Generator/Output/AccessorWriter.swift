/// Writes the accessors of `@NSManaged` members: methods with the symbols that the compiler leaves
/// undefined.
struct AccessorWriter {
    let resolver: TypeResolver
    let keys: ModelKeys
    private(set) var problems: [Diagnostic] = []

    init(resolver: TypeResolver, keys: ModelKeys) {
        self.resolver = resolver
        self.keys = keys
    }

    /// The extensions with the accessors of all members of a target.
    mutating func write(_ declarations: SourceDeclarations) -> String {
        var output = ""
        for property in declarations.properties {
            do {
                output += try write(property)
            } catch let problem as Diagnostic {
                problems.append(problem)
            } catch {}
        }
        for method in declarations.methods {
            do {
                output += try write(method)
            } catch let problem as Diagnostic {
                problems.append(problem)
            } catch {}
        }
        return output
    }

    // MARK: - Properties

    private func write(_ property: ManagedProperty) throws -> String {
        let member = "@NSManaged var \(property.name)"
        let owner: TypeDeclaration
        let nominalOwner: [ManagedType.Nominal]
        do {
            owner = try self.owner(
                property.owner, of: member, file: property.file, line: property.line)
            nominalOwner = try nominal(owner)
        } catch var problem as Diagnostic {
            let declaration = resolver.declaration(of: property.owner, from: [])
            guard declaration?.kind ?? .class == .class else { throw problem }
            problem.message += ". Write instead:\n" + Self.computed(property)
            throw problem
        }
        let type: ManagedType
        do {
            type = try resolver.type(property.type, from: owner.path)
        } catch let failure as TypeResolver.Failure {
            throw Diagnostic(
                file: property.file, line: property.line,
                message: Self.advice(on: property, in: owner.name, failure))
        }
        let access = ManagedAccess(to: type, resolver)
        let symbols = Mangler.accessors(
            of: property.name, type: type, in: nominalOwner, module: resolver.module,
            discriminator: discriminator(of: property.file, property.access))
        let key = keys.propertyKey(property.name)
        let name = "_managed_\(owner.path.joined(separator: "_"))_\(property.name)"
        let setter = access.setter(forKey: key.name, isPrimitive: key.isPrimitive)
        return """

            extension \(owner.name) {
                @_silgen_name("\(symbols.getter)")
                \(modifier(property.access)) func \(name)_getter() -> \(access.spelling) {
                    \(access.getter(forKey: key.name, isPrimitive: key.isPrimitive))
                }

                @_silgen_name("\(symbols.setter)")
                \(modifier(property.access)) func \(name)_setter(_ newValue: __owned \(access.spelling)) {
                    \(setter)
                }
            }

            """
    }

    /// The advice for a type that is not in the table.
    private static func advice(
        on property: ManagedProperty, in owner: String, _ failure: TypeResolver.Failure
    ) -> String {
        """
        property '\(property.name)' of class '\(owner)' cannot be '@NSManaged' on Linux: its type \
        '\(property.type)' \(failure.reason). Write instead:
        \(computed(property))
        """
    }

    /// The property in a form that an app can write itself.
    private static func computed(_ property: ManagedProperty) -> String {
        let type = property.type
        let isOptional = if case .optional = type { true } else { false }
        let cast = isOptional ? "as? \(String(describing: type).dropLast())" : "as! \(type)"
        return """
                var \(property.name): \(type) {
                    get { value(forKey: "\(property.name)") \(cast) }
                    set { setValue(newValue, forKey: "\(property.name)") }
                }
            """
    }

    // MARK: - Methods

    private func write(_ method: ManagedMethod) throws -> String {
        let member = "@NSManaged func \(method.fullName)"
        let owner = try owner(method.owner, of: member, file: method.file, line: method.line)
        let types: [ManagedType]
        do {
            types = try method.parameters.map { try resolver.type($0.type, from: owner.path) }
        } catch let failure as TypeResolver.Failure {
            throw refusal(of: method, in: owner, "one of its types " + failure.reason)
        }
        guard !method.hasEffectsOrResult,
            let accessor = ToManyAccessor(method, types: types, keys: keys)
        else { throw refusal(of: method, in: owner, "it is no accessor of a to-many relationship") }
        let parameters = zip(method.parameters, types).map { (label: $0.label, type: $1) }
        let symbol = Mangler.method(
            method.name, parameters: parameters, in: try nominal(owner), module: resolver.module,
            discriminator: discriminator(of: method.file, method.access))
        let list = types.enumerated().map { index, type in
            "_ _\(index): \(type.spelling(in: resolver.module))"
        }
        let name = "_managed_\(owner.path.joined(separator: "_"))_\(method.name)"
        return """

            extension \(owner.name) {
                @_silgen_name("\(symbol)")
                \(methodModifiers(method.access)) func \(name)(\(list.joined(separator: ", "))) {
                    \(accessor.body(["_0", "_1"]))
                }
            }

            """
    }

    private func refusal(
        of method: ManagedMethod, in owner: TypeDeclaration, _ reason: String
    ) -> Diagnostic {
        Diagnostic(
            file: method.file, line: method.line,
            message: """
                method '\(method.fullName)' of class '\(owner.name)' cannot be '@NSManaged' on \
                Linux: \(reason). Write it with 'mutableSetValue(forKey:)' or \
                'mutableOrderedSetValue(forKey:)' instead
                """)
    }

    /// The access level of an accessor, on which the linkage that the compiler expects depends.
    private func modifier(_ access: AccessLevel) -> String {
        access == .filePrivate ? "internal" : access.rawValue
    }

    /// The modifiers of a method. Other modules know that managed methods are dynamic. With
    /// optimization, the compiler requires the definitions in this module to be dynamic, too.
    private func methodModifiers(_ access: AccessLevel) -> String {
        switch access {
        case .public, .package: "\(access.rawValue) dynamic"
        case .internal, .filePrivate: modifier(access)
        }
    }

    // MARK: - Owners

    private func owner(
        _ path: [String], of member: String, file: String, line: Int
    ) throws -> TypeDeclaration {
        let name = path.joined(separator: ".")
        func failure(_ reason: String) -> Diagnostic {
            Diagnostic(file: file, line: line, message: "'\(member)' of '\(name)': \(reason)")
        }
        guard let owner = resolver.declaration(of: path, from: []) else {
            throw failure("no class of this target has that name, so it can have no accessors here")
        }
        guard owner.kind == .class else { throw failure("it is no class") }
        if owner.isGeneric { throw failure("the class is generic, which no entity's class can be") }
        if owner.isFilePrivate {
            throw failure(
                "the class is private to its file, where generated accessors cannot reach it; "
                    + "make it internal")
        }
        return owner
    }

    private func nominal(_ owner: TypeDeclaration) throws -> [ManagedType.Nominal] {
        do {
            return try resolver.nominal(of: owner)
        } catch let failure as TypeResolver.Failure {
            throw Diagnostic(
                file: owner.file, line: owner.line,
                message: "class '\(owner.name)' \(failure.reason), so it can have no accessors here"
            )
        }
    }

    /// The discriminator that the compiler adds to a name that is private to its file.
    private func discriminator(of file: String, _ access: AccessLevel) -> String? {
        guard access == .filePrivate else { return nil }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return "_" + MD5.hexadecimal((resolver.module + name).utf8)
    }
}
