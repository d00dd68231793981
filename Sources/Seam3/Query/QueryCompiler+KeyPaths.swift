import CoreData

extension QueryCompiler {
    /// Compiles a key path that starts at SELF.
    func operand(keyPath: String) throws -> QueryOperand {
        let keys = keyPath.components(separatedBy: ".")
        if keys.count == 1, let column = namedColumns[keyPath] { return column }
        return try operand(keys[...], from: .object(source), path: keyPath)
    }

    /// Compiles a key path that starts at another operand.
    ///
    /// - Parameters:
    ///   - keys: The remaining keys of the path.
    ///   - start: The operand that they apply to.
    ///   - path: The whole path, for messages.
    func operand(
        _ keys: ArraySlice<String>, from start: QueryOperand, path: String
    ) throws -> QueryOperand {
        guard let key = keys.first else { return start }
        if let place = keys.firstIndex(where: { $0.hasPrefix("@") }) {
            let collection = try operand(keys[..<place], from: start, path: path)
            return try aggregate(
                keys[place], of: collection, argument: keys[(place + 1)...], path: path)
        }
        switch start {
        case .object(let source):
            if let (element, rest) = Self.element(keys, of: source.entity) {
                return try operand(rest, from: Self.column(element, in: source), path: path)
            }
            return try operand(
                keys.dropFirst(), from: value(of: key, in: source, path: path), path: path)
        case .members(let select, let element):
            return .members(select, try operand(keys, from: element, path: path))
        case .constant, .scalar, .list:
            throw Inexpressible("the key \(key) of a value")
        }
    }

    /// The element of a composite attribute that keys lead to, and the remaining keys.
    private static func element(
        _ keys: ArraySlice<String>, of entity: EntitySchema
    ) -> (AttributeColumn, ArraySlice<String>)? {
        guard let key = keys.first else { return nil }
        return entity.elements(ofAttribute: key).first { column in
            column.path.count > 1 && keys.starts(with: column.path)
        }.map { ($0, keys.dropFirst($0.path.count)) }
    }

    private static func column(_ attribute: AttributeColumn, in source: RowSource) -> QueryOperand {
        let column = source.column(attribute.column)
        return .scalar(
            attribute.isExternal ? "\(verbatim: QueryFunctions.data)(\(column))" : column,
            ValueKind(attribute.kind))
    }

    private func value(of key: String, in source: RowSource, path: String) throws -> QueryOperand {
        let entity = source.entity
        if let attribute = entity.attribute(named: key) {
            return Self.column(attribute, in: source)
        }
        if let toOne = entity.toOne(named: key) {
            let destination = try self.entity(toOne.destinationName)
            return .object(source.destination(of: toOne, entity: destination))
        }
        if let toMany = entity.toMany(named: key) {
            let select = source.members(
                of: toMany, entity: try self.entity(toMany.destinationName))
            return .members(select, .object(select.member))
        }
        if key == "self" || key == "SELF" || key == "objectID" { return .object(source) }
        if entity.description.propertiesByName[key] != nil || key == "entity" {
            throw Inexpressible("the property \(key), which is not stored")
        }
        // Apple's message contains the entity where the path starts.
        Self.raiseUnknownKeyPath(path, self.source.entity)
    }

    /// Stops the process like Apple's SQLite store: an unknown path is a mistake in the program.
    static func raiseUnknownKeyPath(_ path: String, _ entity: EntitySchema) -> Never {
        fatalError(
            "NSInvalidArgumentException: keypath \(path) not found in entity"
                + " <NSSQLEntity \(entity.name) id=\(entity.number)>")
    }

    // MARK: - Operators over collections

    /// The value of `@count`, `@sum` and other collection operators.
    func aggregate(
        _ name: String, of collection: QueryOperand, argument: ArraySlice<String>, path: String
    ) throws -> QueryOperand {
        guard case .members(let select, let element) = collection else {
            throw Inexpressible("\(name) of a value that is not a to-many relationship")
        }
        let values = try operand(argument, from: element, path: path)
        return try aggregate(name, select, values)
    }

    /// The value of a collection operator over the members of one to-many relationship.
    func aggregate(
        _ name: String, _ select: MemberSelect, _ value: QueryOperand
    ) throws -> QueryOperand {
        if name == "@count" {
            if case .members = value {
                throw Inexpressible("@count across two to-many relationships")
            }
            return .scalar(select.aggregate("COUNT(*)"), .integer)
        }
        guard case .scalar(let sql, let kind) = value else {
            throw Inexpressible("\(name) of \(value)")
        }
        let (function, resultKind) = try aggregateFunction(name, of: sql, kind)
        return .scalar(Self.collated(select.aggregate(function), resultKind), resultKind)
    }

    /// An expression with the collation of its kind. Only a bare column has a collation of its own.
    static func collated(_ sql: SQL, _ kind: ValueKind) -> SQL {
        kind == .decimal ? "(\(sql) COLLATE \(verbatim: DecimalCollation.name))" : sql
    }
}
