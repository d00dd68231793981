import CoreData

extension QueryCompiler {
    /// Compiles a function of the predicate language.
    func function(_ expression: NSExpression) throws -> QueryOperand {
        let name = expression.function
        let arguments = expression.arguments ?? []
        if name == "valueForKeyPath:" || name == "valueForKey:" {
            return try path(expression, arguments)
        }
        let operands = try arguments.map(operand)
        if operands.allSatisfy(\.isConstant) {
            // Random numbers differ between objects; all other functions of constants are the same
            // for all objects.
            guard !name.hasPrefix("random"), try isConstant(expression.operand) else {
                throw Inexpressible("the function \(name)")
            }
            if name == "modulus:by:", case .constant(let left)? = operands.first,
                case .constant(let right)? = operands.last
            {
                return .constant(PredicateCall.remainder(left, right))
            }
            return .constant(expression.expressionValue(with: nil, context: nil))
        }
        switch (name, operands.count) {
        case ("noindex:", 1):
            return operands[0]
        case ("add:to:", 2), ("from:subtract:", 2), ("multiply:by:", 2), ("divide:by:", 2):
            return try arithmetic(name, scalar(operands[0]), scalar(operands[1]))
        case ("modulus:by:", 2), ("bitwiseAnd:with:", 2), ("bitwiseOr:with:", 2),
            ("bitwiseXor:with:", 2), ("leftshift:by:", 2), ("rightshift:by:", 2):
            return try call(name, operands, takes: \.isNumber) { _ in .integer }
        case ("onesComplement:", 1):
            return try call(name, operands, takes: \.isNumber) { _ in .integer }
        case ("raise:toPower:", 2), ("sqrt:", 1), ("log:", 1), ("ln:", 1), ("exp:", 1):
            return try call(name, operands, takes: \.isNumber) { _ in .double }
        case ("floor:", 1), ("ceiling:", 1), ("trunc:", 1):
            return try call(name, operands, takes: \.isNumber) { $0.isWhole ? $0 : .double }
        case ("abs:", 1):
            return try call(name, operands, takes: \.isNumber) { $0.isWhole ? .number : $0 }
        case ("uppercase:", 1), ("lowercase:", 1), ("canonical:", 1):
            return try call(name, operands, takes: { $0 == .string }) { _ in .string }
        case ("length:", 1):
            return try call(name, operands, takes: { $0 == .string }) { _ in .integer }
        case ("castObject:toType:", 2):
            return try cast(operands[0], to: operands[1])
        case ("sum:", 1), ("average:", 1), ("min:", 1), ("max:", 1), ("count:", 1):
            return try statistic(name, operands[0])
        default:
            throw Inexpressible("the function \(name)")
        }
    }

    private func isConstant(_ target: NSExpression) throws -> Bool {
        try operand(target).isConstant
    }

    /// A key path that starts at a variable, a subquery or another expression.
    private func path(
        _ expression: NSExpression, _ arguments: [NSExpression]
    ) throws -> QueryOperand {
        guard let argument = arguments.first else { throw Inexpressible("\(expression)") }
        let path: String
        if let specified = argument.specifiedKeyPath {
            path = specified
        } else {
            guard case .constant(let value) = try operand(argument), let text = value as? String
            else { throw Inexpressible("\(expression)") }
            path = text
        }
        return try operand(
            path.components(separatedBy: ".")[...], from: try operand(expression.operand),
            path: path)
    }

    // MARK: - Calls

    /// A function that SQL lacks or defines differently. SQL calls the predicate language's own
    /// implementation in memory.
    private func call(
        _ name: String, _ operands: [QueryOperand], takes: (ValueKind) -> Bool,
        gives: (ValueKind) -> ValueKind
    ) throws -> QueryOperand {
        var arguments: [(SQL, ValueKind)] = []
        for operand in operands {
            let (sql, kind) = try scalar(operand)
            guard let kind, takes(kind) else { return .nothing }
            arguments.append((sql, kind))
        }
        return call(name, arguments, gives(arguments[0].1))
    }

    func call(
        _ name: String, _ arguments: [(SQL, ValueKind)], _ result: ValueKind
    ) -> QueryOperand {
        let kinds = arguments.map(\.1.rawValue).joined() + result.rawValue
        let values = arguments.map(\.0).joined(separator: ", ")
        let function: SQL = "\(bind: .text(name)), \(bind: .text(kinds))"
        let sql: SQL = "\(verbatim: QueryFunctions.call)(\(function), \(values))"
        return .scalar(Self.collated(sql, result), result)
    }
}

extension NSExpression {
    /// The key path that the expression is, as an argument of `valueForKeyPath:`; nil if it is none.
    var specifiedKeyPath: String? {
        // The type of a key path specifier, which Apple's parser and compiled mapping models have as the argument. It has
        // no public name.
        let keyPathSpecifier: UInt = 10
        let types = [keyPathSpecifier, UInt(ExpressionType.keyPath.rawValue)]
        return types.contains(UInt(expressionType.rawValue)) ? keyPath : nil
    }
}
