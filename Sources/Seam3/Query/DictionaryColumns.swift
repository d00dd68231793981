import CoreData

/// The columns of a fetch that returns dictionaries.
struct DictionaryColumns {
    private struct Column {
        let name: String
        let operand: QueryOperand
        /// The numeric type that the app requests for an expression; nil for the expression's own.
        let kind: AttributeKind?
    }

    private let columns: [Column]
    /// The columns' names as keys, created once instead of for each dictionary; nil if a name
    /// occurs twice.
    private let keys: [NSString]?

    /// Compiles the properties that a request fetches: its `propertiesToFetch`, or all attributes.
    ///
    /// - Throws: ``Inexpressible`` for an expression that SQL cannot express.
    init(_ properties: [Any]?, compiler: QueryCompiler) throws {
        var compiler = compiler
        compiler.aggregatesRows = true
        let entity = compiler.source.entity
        columns = try Self.properties(properties, of: entity).map { property in
            if let computed = property as? NSExpressionDescription,
                let expression = computed.expression
            {
                return Column(
                    name: computed.name, operand: try compiler.operand(expression),
                    kind: AttributeKind(computed.expressionResultType))
            }
            let name = Self.name(of: property)
            return Column(name: name, operand: try compiler.operand(keyPath: name), kind: nil)
        }
        keys =
            Set(columns.map(\.name)).count == columns.count
            ? columns.map { NSString(string: $0.name) } : nil
        for column in columns {
            if case .scalar(_, .opaque) = column.operand {
                throw Inexpressible("a transformed value as a column")
            }
            guard case .members = column.operand else { continue }
            fatalError(
                "NSInvalidArgumentException: Invalid to many relationship \(column.name) passed to"
                    + " setPropertiesToFetch:")
        }
    }

    /// The properties that a request fetches: those it names, or all attributes, with a composite
    /// one as a whole.
    static func properties(_ properties: [Any]?, of entity: EntitySchema) -> [Any] {
        if let properties, !properties.isEmpty { return properties }
        var seen: Set<String> = []
        return entity.attributes.map(\.root.name).filter { seen.insert($0).inserted }
    }

    /// The name of a property, or the key path, given as a string or as a description.
    static func name(of property: Any) -> String {
        (property as? NSPropertyDescription)?.name ?? property as? String ?? "\(property)"
    }

    /// The computed columns, by the names that sort descriptors may use for them.
    var named: [String: QueryOperand] {
        Dictionary(columns.map { ($0.name, $0.operand) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: - SQL

    /// The list after SELECT. An object takes two columns, for its number and its entity.
    func selectList() throws -> SQL {
        try columns.map { try Self.expression($0.operand) }.joined(separator: ", ")
    }

    private static func expression(_ operand: QueryOperand) throws -> SQL {
        switch operand {
        case .scalar(let sql, _):
            return sql
        case .object(let source):
            return "\(source.key), \(source.entityNumber)"
        case .constant(let value):
            return "\(bind: ValueKind.bound(QueryConstant(value))?.0 ?? .null)"
        case .members, .list:
            throw Inexpressible("a collection as the column of a dictionary")
        }
    }

    /// The expressions after GROUP BY.
    static func groups(_ properties: [Any]?, compiler: QueryCompiler) throws -> [SQL] {
        try (properties ?? []).map { property in
            switch try compiler.operand(keyPath: name(of: property)) {
            case .scalar(let sql, _): return sql
            case .object(let source): return source.key
            default: throw Inexpressible("grouping by \(property)")
            }
        }
    }

    // MARK: - Reading

    /// The dictionary of the current row; nil values have no key.
    ///
    /// - Parameters:
    ///   - statement: The statement, whose columns are those of ``selectList()``.
    ///   - objectID: Makes the ID of the object with a key and an entity's number.
    func dictionary(
        _ statement: SQLiteStatement, objectID: (Int64, Int64) -> NSManagedObjectID?
    ) -> NSDictionary {
        var values: [Any] = []
        values.reserveCapacity(columns.count)
        // The places of the values, once one is missing.
        var places: [Int]?
        var index = 0
        for (place, column) in columns.enumerated() {
            let value: Any?
            switch column.operand {
            case .object:
                value =
                    statement.isNull(at: index)
                    ? nil
                    : objectID(statement.integer(at: index), statement.integer(at: index + 1))
                index += 2
            case .scalar(_, let kind):
                value = kind.value(statement.value(at: index)).map {
                    Self.converted($0, to: column.kind)
                }
                index += 1
            case .constant(let constant):
                value = constant
                index += 1
            case .members, .list:
                value = nil
            }
            guard let value else {
                if places == nil { places = Array(0..<place) }
                continue
            }
            values.append(value)
            places?.append(place)
        }
        return dictionary(values, at: places)
    }

    /// - Parameter places: The columns of the values; nil for all.
    private func dictionary(_ values: [Any], at places: [Int]?) -> NSDictionary {
        guard let keys else {
            let pairs = zip(places ?? Array(columns.indices), values).map { (columns[$0].name, $1) }
            return NSDictionary(
                dictionary: Dictionary(pairs, uniquingKeysWith: { _, last in last }))
        }
        return NSDictionary(values, forSharedKeys: places.map { $0.map { keys[$0] } } ?? keys)
    }

    /// A number in the type that the expression's description requests.
    private static func converted(_ value: Any, to kind: AttributeKind?) -> Any {
        guard let kind, let number = value as? NSNumber else { return value }
        switch kind {
        case .integer16, .integer32, .integer64: return NSNumber(value: number.int64Value)
        case .double: return NSNumber(value: number.doubleValue)
        case .float: return NSNumber(value: number.floatValue)
        case .decimal: return NSDecimalNumber(decimal: number.decimalValue)
        case .boolean: return NSNumber(value: number.boolValue)
        case .date: return Date(timeIntervalSinceReferenceDate: number.doubleValue)
        case .string, .binaryData, .uuid, .uri, .transformable: return value
        }
    }
}
