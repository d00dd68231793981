import CoreData

extension QueryCompiler {
    /// The number of values up to which a list is bound value by value instead of as one JSON
    /// array. Short lists are faster to look up that way; for long ones, each length would need its
    /// own statement.
    private static let longestList = 8

    /// Whether an operand is an element of a collection, or a substring of a string.
    func membership(
        of value: QueryOperand, in collection: QueryOperand, _ options: Options
    ) throws -> SQL {
        if case .scalar = collection { return try match(value, .in, collection, options) }
        guard let elements = collection.elements else {
            guard case .constant(let constant) = collection else {
                throw Inexpressible("IN a value that is not a collection")
            }
            guard constant is String else { return .zero }
            return try match(value, .in, collection, options)
        }
        switch value {
        case .object(let source):
            if case .constant = collection { return membership(of: source, in: elements) }
        case .scalar(let sql, let kind) where kind != .opaque && kind != .number:
            if case .constant = collection, options.isEmpty || kind != .string {
                return membership(of: sql, kind, in: elements)
            }
        default:
            break
        }
        if elements.isEmpty { return .zero }
        guard elements.count <= 50 else {
            throw Inexpressible("a long list of values that are compared one by one")
        }
        return Self.any(try elements.map { try relation(value, .equalTo, $0, options) })
    }

    private func membership(of source: RowSource, in elements: [QueryOperand]) -> SQL {
        var keys: [SQLiteValue] = []
        var includesNull = false
        for case .constant(let element) in elements {
            switch QueryConstant(element) {
            case .object(let objectID): keyOf(objectID).map { keys.append(.integer($0)) }
            case .null: includesNull = true
            default: break
            }
        }
        let isThere = keys.isEmpty ? .zero : isKey(source, Self.inList(keys, .integer))
        return includesNull ? "(\(isThere) OR \(source.key) IS NULL)" : isThere
    }

    private func membership(
        of sql: SQL, _ kind: ValueKind, in elements: [QueryOperand]
    ) -> SQL {
        var values: [SQLiteValue] = []
        var conditions: [SQL] = []
        var includesNull = false
        for case .constant(let element) in elements {
            let constant = affine(QueryConstant(element), to: sql, kind)
            if case .null = constant { includesNull = true }
            guard let value = kind.comparable(constant) else { continue }
            if let converted = Self.converted(sql, kind, toCompareWith: constant) {
                conditions.append("\(converted) IS \(bind: value)")
            } else {
                values.append(value)
            }
        }
        if !values.isEmpty {
            conditions.append("(\(sql) \(Self.inList(values, kind)) AND \(sql) IS NOT NULL)")
        }
        if includesNull { conditions.append("\(sql) IS NULL") }
        return conditions.isEmpty ? .zero : Self.any(conditions)
    }

    /// `= ?`, or `IN` with the values.
    private static func inList(_ values: [SQLiteValue], _ kind: ValueKind) -> SQL {
        if values.count == 1 { return "= \(bind: values[0])" }
        if values.count <= longestList {
            let list = values.map { value -> SQL in "\(bind: value)" }
            return "IN (\(list.joined(separator: ", ")))"
        }
        return "IN (SELECT \(ListParameter(values).select))"
    }
}
