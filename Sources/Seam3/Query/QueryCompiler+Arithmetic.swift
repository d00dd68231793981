import CoreData

/// `+`, `-`, `*`, `/` and CAST.
extension QueryCompiler {
    func arithmetic(
        _ name: String, _ left: (SQL, ValueKind?), _ right: (SQL, ValueKind?)
    ) throws -> QueryOperand {
        // What Apple's frameworks do here is an assumption: FG-7.
        // As in memory: a nil or non-numeric operand makes the result nil.
        guard let leftKind = left.1, let rightKind = right.1, leftKind.isNumber,
            rightKind.isNumber
        else { return .nothing }
        let sign = Self.sign(of: name)
        let operands = [(left.0, leftKind), (right.0, rightKind)]
        if leftKind.isWhole, rightKind.isWhole {
            // A divisor that has become a double may be 0.0, and division by it is defined in
            // memory.
            if name == "divide:by:", rightKind == .number { return call(name, operands, .number) }
            return .scalar("(\(left.0) \(verbatim: sign) \(right.0))", .number)
        }
        let isDecimal = leftKind != .double && rightKind != .double
        // SQL has no decimals, and evaluates a division by zero to NULL.
        if !isDecimal, name != "divide:by:", leftKind != .decimal, rightKind != .decimal,
            operands.allSatisfy({ $0.0.isCheap })
        {
            return .scalar(Self.realArithmetic(sign, operands), .double)
        }
        return call(name, operands, isDecimal ? .decimal : .double)
    }

    /// A sum, difference or product of doubles. NaN is stored as text, which sorts after all
    /// numbers; SQLite converts a NaN result to NULL.
    private static func realArithmetic(
        _ sign: String, _ operands: [(sql: SQL, kind: ValueKind)]
    ) -> SQL {
        let (left, right) = (operands[0].sql, operands[1].sql)
        let isText = operands.filter { $0.kind == .double }.map { value, _ -> SQL in
            "\(value) >= ''"
        }.joined(separator: " OR ")
        return
            "CASE WHEN \(left) IS NULL OR \(right) IS NULL THEN NULL WHEN \(isText) THEN 'nan'"
            + " ELSE COALESCE(\(left) \(verbatim: sign) \(right), 'nan') END"
    }

    private static func sign(of name: String) -> String {
        switch name {
        case "add:to:": return "+"
        case "from:subtract:": return "-"
        case "multiply:by:": return "*"
        default: return "/"
        }
    }

    /// A value cast to another type, if the column's value can be used unchanged.
    func cast(_ operand: QueryOperand, to type: QueryOperand) throws -> QueryOperand {
        guard case .scalar(let sql, let kind) = operand, case .constant(let type) = type else {
            throw Inexpressible("CAST")
        }
        switch (kind, type as? String) {
        case (.date, "NSNumber"):
            return .scalar(sql.asExpression, .double)
        case (.date, "NSDate"), (.string, "NSString"), (.uuid, "NSUUID"), (.url, "NSURL"),
            (.data, "NSData"), (.decimal, "NSDecimalNumber"):
            return operand
        case (_, "NSNumber") where kind.isNumber:
            return operand
        default:
            throw Inexpressible("CAST")
        }
    }
}
