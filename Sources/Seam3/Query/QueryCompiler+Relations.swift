import CoreData

/// `==`, `!=`, `<`, `<=`, `>`, `>=`.
///
/// Equality is SQL's `IS`, which is two-valued, considers NULL equal to NULL, and uses indexes like
/// `=`. An ordering comparison with nil is false, except nil `<=` nil and nil `>=` nil.
extension QueryCompiler {
    func relation(
        _ left: QueryOperand, _ type: Operator, _ right: QueryOperand, _ options: Options
    ) throws -> SQL {
        switch (left, right) {
        case (.constant(let left), .constant(let right)):
            return constantCondition(left, type, right, options)
        case (.scalar(let sql, let kind), .constant(let value)):
            return try relation(
                sql, kind, type, affine(QueryConstant(value), to: sql, kind), options)
        case (.constant(let value), .scalar(let sql, let kind)):
            return try relation(
                sql, kind, type.flipped, affine(QueryConstant(value), to: sql, kind), options)
        case (.scalar(let left, let leftKind), .scalar(let right, let rightKind)):
            if leftKind == .string, rightKind == .string, !options.isEmpty {
                return matchFunction(left, type, right, options)
            }
            return try relation(left, leftKind, type, right, rightKind)
        case (.object(let source), .constant(let value)):
            return relation(source, type, QueryConstant(value))
        case (.constant(let value), .object(let source)):
            return relation(source, type.flipped, QueryConstant(value))
        case (.object(let left), .object(let right)):
            return type.relation(
                equal: "\(left.key) IS \(right.key)",
                bothNull: "(\(left.key) IS NULL AND \(right.key) IS NULL)")
        case (.object(let source), .scalar(let sql, _)),
            (.scalar(let sql, _), .object(let source)):
            return type.unrelated(bothNull: "(\(source.key) IS NULL AND \(sql) IS NULL)")
        default:
            throw Inexpressible("a comparison of collections")
        }
    }

    /// A constant with the affinity of the column it is compared with; computed expressions have no
    /// affinity.
    func affine(
        _ constant: QueryConstant, to sql: SQL, _ kind: ValueKind
    ) -> QueryConstant {
        sql.isColumn ? kind.affine(constant) : constant
    }

    // MARK: - Objects

    private func relation(_ source: RowSource, _ type: Operator, _ constant: QueryConstant) -> SQL {
        switch constant {
        case .null:
            return type.relation(equal: "\(source.key) IS NULL", bothNull: "\(source.key) IS NULL")
        case .object(let objectID):
            guard let key = keyOf(objectID) else { return type.unrelated(bothNull: .zero) }
            return type.relation(equal: isKey(source, "IS \(bind: .integer(key))"), bothNull: .zero)
        default:
            return type.unrelated(bothNull: .zero)
        }
    }

    /// Whether a source's object meets a condition on its `pk`.
    ///
    /// A `pk` is unique in the whole store, so no object of another entity can match. Through a
    /// relationship, the condition is on the referring column, whose index finds the rows; the
    /// destination must be present as well.
    func isKey(_ source: RowSource, _ condition: SQL) -> SQL {
        guard let reference = source.reference else { return "\(source.key) \(condition)" }
        return "(\(reference) \(condition) AND \(source.key) IS NOT NULL)"
    }

    // MARK: - A value with a constant

    private func relation(
        _ sql: SQL, _ kind: ValueKind, _ type: Operator, _ constant: QueryConstant,
        _ options: Options
    ) throws -> SQL {
        switch constant {
        case .null:
            return type.relation(equal: "\(sql) IS NULL", bothNull: "\(sql) IS NULL")
        case .collection, .other:
            // A transformed value may be anything, even a collection.
            if kind == .opaque { throw Inexpressible("a comparison of a transformed value") }
            return type.unrelated(bothNull: .zero)
        case .string(let text) where kind == .string && !options.isEmpty:
            return matchFunction(sql, type, "\(bind: .text(text))", options)
        default:
            break
        }
        if kind == .opaque { throw Inexpressible("a comparison of a transformed value") }
        if kind == .number, constant.dependsOnTypeOfNumber {
            return try byType(of: sql) { try relation(sql, $0, type, constant, options) }
        }
        guard let value = kind.comparable(constant) else {
            return type.unrelated(bothNull: .zero)
        }
        if kind == .data, type.symbol != nil { return .zero }
        let sql = Self.converted(sql, kind, toCompareWith: constant) ?? sql
        guard let symbol = type.symbol else {
            // If NULL never meets the condition, an outer join becomes an inner one, and SQLite may
            // start with the joined table.
            if type == .equalTo, sql.isJoined {
                return "(\(sql) = \(bind: value) AND \(sql) IS NOT NULL)"
            }
            return type == .equalTo ? "\(sql) IS \(bind: value)" : "\(sql) IS NOT \(bind: value)"
        }
        // NaN is stored as text, which SQLite sorts after all numbers.
        let number: SQL =
            kind == .double && type.isGreater ? " AND \(sql) < ''" : ""
        // Only a column has an index for the range; a computed expression is evaluated only once.
        return sql.isColumn
            ? "(\(sql) \(verbatim: symbol) \(bind: value)\(number) AND \(sql) IS NOT NULL)"
            : "COALESCE(\(sql) \(verbatim: symbol) \(bind: value)\(number), 0)"
    }

    // MARK: - A value with a value

    private func relation(
        _ left: SQL, _ leftKind: ValueKind, _ type: Operator, _ right: SQL, _ rightKind: ValueKind
    ) throws -> SQL {
        if leftKind == .opaque || rightKind == .opaque {
            throw Inexpressible("a comparison of transformed values")
        }
        if leftKind == .number {
            return try byType(of: left) { try relation(left, $0, type, right, rightKind) }
        }
        if rightKind == .number {
            return try byType(of: right) { try relation(left, leftKind, type, right, $0) }
        }
        let bothNull: SQL = "(\(left) IS NULL AND \(right) IS NULL)"
        guard let (first, second) = Self.comparable(left, leftKind, right, rightKind) else {
            return type.unrelated(bothNull: bothNull)
        }
        // See above: the guards keep NaN from being equal to itself or greater than a number.
        let numbers = [(first, leftKind), (second, rightKind)]
            .filter { $0.1 == .double }
            .map { value, _ -> SQL in " AND COALESCE(\(value) < '', 1)" }
            .joined(separator: "")
        let equal: SQL =
            numbers.text.isEmpty
            ? "\(first) IS \(second)" : "(\(first) IS \(second)\(numbers))"
        guard let symbol = type.symbol else {
            return type.relation(equal: equal, bothNull: bothNull)
        }
        if leftKind == .data { return type.unrelated(bothNull: bothNull) }
        let otherwise: SQL = type.includesEqual ? bothNull : .zero
        return
            "(COALESCE(\(first) \(verbatim: symbol) \(second), \(otherwise))\(numbers))"
    }

    /// Two expressions in forms that SQL compares by value, or nil if their kinds are never equal.
    private static func comparable(
        _ left: SQL, _ leftKind: ValueKind, _ right: SQL, _ rightKind: ValueKind
    ) -> (SQL, SQL)? {
        switch (leftKind, rightKind) {
        case (.decimal, .double): return (real(left), right)
        case (.double, .decimal): return (left, real(right))
        case (.double, _) where rightKind.isWhole: return (left, double(right))
        case (_, .double) where leftKind.isWhole: return (double(left), right)
        case (.decimal, _) where rightKind.isWhole: return (left, decimal(right))
        case (_, .decimal) where leftKind.isWhole: return (decimal(left), right)
        default:
            return leftKind == rightKind || leftKind.isNumber && rightKind.isNumber
                ? (left, right) : nil
        }
    }

    /// A decimal or an integer in the form in which it is compared with a constant in memory; nil
    /// if the unchanged form gives the same result in SQL.
    static func converted(
        _ sql: SQL, _ kind: ValueKind, toCompareWith constant: QueryConstant
    ) -> SQL? {
        switch constant {
        case .double where kind == .decimal:
            return real(sql)
        case .double(let number) where kind.isWhole:
            // Below this, an integer and its nearest double are on the same side of the constant.
            return number.magnitude >= 0x1p53 ? double(sql) : nil
        case .decimal where kind.isWhole:
            guard case .text = kind.comparable(constant) else { return nil }
            return decimal(sql)
        default:
            return nil
        }
    }

    /// A condition on a ``ValueKind/number``: the condition for doubles if the value is a double,
    /// and the one for integers otherwise.
    private func byType(of sql: SQL, _ condition: (ValueKind) throws -> SQL) rethrows -> SQL {
        "CASE typeof(\(sql)) WHEN 'real' THEN \(try condition(.double))"
            + " ELSE \(try condition(.integer)) END"
    }

    /// A decimal as a double.
    private static func real(_ sql: SQL) -> SQL {
        "\(verbatim: QueryFunctions.real)(\(sql))"
    }

    /// An integer as a double. SQL compares the two exactly; evaluation in memory and Apple's
    /// numbers compare them as doubles.
    private static func double(_ sql: SQL) -> SQL {
        "CAST(\(sql) AS REAL)"
    }

    /// An integer as a decimal.
    private static func decimal(_ sql: SQL) -> SQL {
        collated("CAST(\(sql) AS TEXT)", .decimal)
    }
}

extension NSComparisonPredicate.Operator {
    /// The operator with its sides exchanged.
    fileprivate var flipped: NSComparisonPredicate.Operator {
        switch self {
        case .lessThan: return .greaterThan
        case .lessThanOrEqualTo: return .greaterThanOrEqualTo
        case .greaterThan: return .lessThan
        case .greaterThanOrEqualTo: return .lessThanOrEqualTo
        default: return self
        }
    }

    /// The SQL operator of an order; nil for equality.
    fileprivate var symbol: String? {
        switch self {
        case .lessThan: return "<"
        case .lessThanOrEqualTo: return "<="
        case .greaterThan: return ">"
        case .greaterThanOrEqualTo: return ">="
        default: return nil
        }
    }

    fileprivate var isGreater: Bool { self == .greaterThan || self == .greaterThanOrEqualTo }

    fileprivate var includesEqual: Bool {
        self == .lessThanOrEqualTo || self == .greaterThanOrEqualTo
    }

    /// The result for two values that may be equal but have no order, given whether they are equal
    /// and whether both are nil.
    fileprivate func relation(equal: SQL, bothNull: SQL) -> SQL {
        switch self {
        case .equalTo: return equal
        case .notEqualTo: return "NOT \(equal)"
        default: return includesEqual ? bothNull : .zero
        }
    }

    /// The result for two values whose kinds are never equal.
    fileprivate func unrelated(bothNull: SQL) -> SQL {
        relation(equal: bothNull, bothNull: bothNull)
    }
}
