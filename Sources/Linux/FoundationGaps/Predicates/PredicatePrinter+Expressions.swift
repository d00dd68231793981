extension PredicatePrinter {
    static func text(of expression: NSExpression) -> String {
        switch expression.form {
        case .constant(let value): text(ofConstant: value)
        case .evaluatedObject: "SELF"
        case .variable(let name): "$\(name)"
        case .assignment(let name, let value): "($\(name) := \(text(of: value)))"
        case .keyPath(let plan): text(ofKeyPath: plan.string)
        case .path(let operand, let plan): "\(operandText(operand)).\(text(ofKeyPath: plan.string))"
        case .indexSymbol(let symbol): symbol.rawValue
        case .function(let name, _, let arguments): text(ofFunction: name, arguments)
        case .targetedFunction(let context, MethodCall.fetch, let arguments):
            "FETCH(\(list([arguments[0], context] + arguments.dropFirst())))"
        case .targetedFunction(let target, let name, let arguments):
            "FUNCTION(\(list([target], then: quoted(name), arguments)))"
        case .aggregate(let elements): "{\(list(elements))}"
        case .set(let operation, let left, let right):
            "\(operandText(left)) \(operation.rawValue) \(operandText(right))"
        case .subquery(let collection, let variable, let predicate):
            "SUBQUERY(\(text(of: collection)), $\(variable), \(text(of: predicate)))"
        case .conditional(let predicate, let first, let second):
            "TERNARY(\(text(of: predicate)), \(text(of: first)), \(text(of: second)))"
        case .anyKey: "ANYKEY"
        case .block(_, let arguments): "BLOCK(\(list(arguments)))"
        case .custom: "CUSTOM(\(ObjectIdentifier(expression).hashValue))"
        }
    }

    private static func list(_ expressions: [NSExpression]) -> String {
        expressions.map(text).joined(separator: ", ")
    }

    private static func list(
        _ first: [NSExpression], then middle: String, _ last: [NSExpression]
    ) -> String {
        (first.map(text) + [middle] + last.map(text)).joined(separator: ", ")
    }

    private static func text(ofKeyPath path: String) -> String {
        path.split(separator: ".").enumerated().map { index, key in
            index == 0 && PredicateKeyword.needsEscape(String(key)) ? "#\(key)" : String(key)
        }.joined(separator: ".")
    }

    private static let infixSigns = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
        "raise:toPower:": "**", "bitwiseAnd:with:": "&", "bitwiseOr:with:": "|",
        "bitwiseXor:with:": "^", "leftshift:by:": "<<", "rightshift:by:": ">>",
    ]

    private static func text(ofFunction name: String, _ arguments: [NSExpression]) -> String {
        if let sign = infixSigns[name], arguments.count == 2 {
            return "\(operandText(arguments[0])) \(sign) \(operandText(arguments[1]))"
        }
        switch (name, arguments.count) {
        case (PredicateFunction.element, 2):
            return "\(operandText(arguments[0]))[\(text(of: arguments[1]))]"
        case (PredicateFunction.cast, _):
            return "CAST(\(list(arguments)))"
        default:
            let isSimple = name.firstIndex(of: ":") == name.index(before: name.endIndex)
            return "\(isSimple ? String(name.dropLast()) : name)(\(list(arguments)))"
        }
    }

    /// An expression as part of another one: in parentheses if it contains operators.
    private static func operandText(_ expression: NSExpression) -> String {
        switch expression.form {
        case .function(let name, _, _) where infixSigns[name] != nil: "(\(text(of: expression)))"
        case .set: "(\(text(of: expression)))"
        case .constant(let value) where isNegativeLiteral(value): "(\(text(of: expression)))"
        default: text(of: expression)
        }
    }

    /// Whether a constant prints with a minus sign in front.
    private static func isNegativeLiteral(_ value: Any?) -> Bool {
        switch PredicateValue(value) {
        case .integer(let number): number < 0
        case .double(let number): number < 0
        default: false
        }
    }
}

// MARK: - Constants

extension PredicatePrinter {
    private static func text(ofConstant value: Any?) -> String {
        switch PredicateValue(value) {
        case .null: value is NSNull ? "<null>" : "nil"
        case .integer(let number): String(number)
        case .double(let number): text(ofDouble: number)
        case .decimal(let number): "CAST(\"\(number)\", \"NSDecimalNumber\")"
        case .string(let text): quoted(text)
        case .date(let date):
            "CAST(\(text(ofDouble: date.timeIntervalSinceReferenceDate)), \"NSDate\")"
        case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
        case .url(let url): "CAST(\(quoted(url.absoluteString)), \"NSURL\")"
        case .data(let data): "CAST(\"\(data.base64EncodedString())\", \"NSData\")"
        case .collection(let elements, _):
            "{\(elements.map { text(ofConstant: $0) }.joined(separator: ", "))}"
        case .object(let object): "\(object)"
        }
    }

    /// The shortest digits that represent the same number, always with a decimal point or an
    /// exponent.
    private static func text(ofDouble number: Double) -> String {
        "\(number)"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}
