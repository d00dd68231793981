extension PredicateParser {
    /// An expression with all its operators.
    mutating func expression() throws(PredicateFormatError) -> ExpressionSyntax {
        try requireExpression(operand())
    }

    /// An expression, or a predicate in parentheses.
    mutating func operand() throws(PredicateFormatError) -> Node {
        let outerLength = chainLength
        defer { chainLength = outerLength }
        if case .variable(let name) = current, following == .sign(.assign) {
            advance()
            advance()
            try enter()
            defer { leave() }
            return .expression(.assignment(name, try expression()))
        }
        return try binary(minimumPrecedence: 1)
    }

    /// Operators by precedence climbing: each recursion reads operators that bind at least as
    /// tightly.
    private mutating func binary(
        minimumPrecedence: Int
    ) throws(PredicateFormatError) -> Node {
        var left = try unary()
        while let infix = infixOperator, infix.precedence >= minimumPrecedence {
            let leftExpression = try requireExpression(left)
            advance()
            try extendChain()
            try enter()
            let tighter = infix.isRightAssociative ? infix.precedence : infix.precedence + 1
            let right = try requireExpression(binary(minimumPrecedence: tighter))
            leave()
            left = .expression(infix.combine(leftExpression, right))
        }
        return left
    }

    private var infixOperator: InfixOperator? {
        switch current {
        case .sign(let sign): InfixOperator.signs[sign]
        default: current.keyword.flatMap { InfixOperator.words[$0] }
        }
    }

    private mutating func unary() throws(PredicateFormatError) -> Node {
        if accept(.minus) {
            try enter()
            defer { leave() }
            return .expression(Self.negated(try requireExpression(unary())))
        }
        if accept(.bitwiseNot) {
            try enter()
            defer { leave() }
            return .expression(.function("onesComplement:", [try requireExpression(unary())]))
        }
        return try postfix()
    }

    private static func negated(_ expression: ExpressionSyntax) -> ExpressionSyntax {
        switch expression {
        case .integer(let value): .integer(-value)
        case .double(let value): .double(-value)
        default: .function("from:subtract:", [.integer(0), expression])
        }
    }

    /// An atom followed by keys and indexes.
    private mutating func postfix() throws(PredicateFormatError) -> Node {
        try enter()
        defer { leave() }
        var node = try atom()
        while true {
            if accept(.period) {
                try extendChain()
                let part = try keyPathPart()
                node = .expression(try requireExpression(node).appending(part))
            } else if current == .sign(.leftBracket) {
                let collection = try requireExpression(node)
                advance()
                try extendChain()
                node = .expression(.element(collection, try element()))
                try expect(.rightBracket)
            } else {
                return node
            }
        }
    }

    private mutating func keyPathPart() throws(PredicateFormatError) -> ExpressionSyntax.KeyPathPart
    {
        switch current {
        case .identifier(let name, _), .operatorKey(let name):
            advance()
            return .key(name)
        case .keyPathArgument:
            advance()
            return .argument(nextArgument())
        default:
            throw .unparsable("a key")
        }
    }

    private mutating func element() throws(PredicateFormatError) -> ExpressionSyntax.ElementSyntax {
        if following == .sign(.rightBracket), let word = current.keyword,
            let symbol = IndexSymbol(rawValue: word)
        {
            advance()
            return .symbol(symbol)
        }
        return .expression(try expression())
    }
}

// MARK: - Atoms

extension PredicateParser {
    private mutating func atom() throws(PredicateFormatError) -> Node {
        let token = current
        advance()
        switch token {
        case .integer(let value): return .expression(.integer(value))
        case .double(let value): return .expression(.double(value))
        case .string(let value): return .expression(.string(value))
        case .variable(let name): return .expression(.variable(name))
        case .valueArgument: return .expression(.argument(nextArgument()))
        case .keyPathArgument: return .expression(.keyPath([.argument(nextArgument())]))
        case .operatorKey(let key): return .expression(.keyPath([.key(key)]))
        case .sign(.leftParenthesis):
            let node = try disjunction()
            try expect(.rightParenthesis)
            return node
        case .sign(.leftBrace):
            return .expression(.aggregate(try list(endingWith: .rightBrace)))
        case .identifier(let name, let isEscaped):
            if !isEscaped, let expression = try keywordAtom(name.uppercased()) {
                return .expression(expression)
            }
            return .expression(try keyOrFunction(name, isEscaped: isEscaped))
        case .sign, .end:
            throw .unparsable("an expression")
        }
    }

    /// An atom that starts with a keyword, or nil if the word is not a keyword.
    private mutating func keywordAtom(
        _ word: String
    ) throws(PredicateFormatError) -> ExpressionSyntax? {
        switch word {
        case "NULL", "NIL": return .null
        case "TRUE", "YES": return .boolean(true)
        case "FALSE", "NO": return .boolean(false)
        case "SELF": return .evaluatedObject
        case "ANYKEY": return .anyKey
        case "SUBQUERY": return try subquery()
        case "TERNARY": return try conditional()
        case "CAST": return try cast()
        case "FUNCTION": return try targetedFunction()
        case "FETCH": return try fetch()
        case _ where PredicateKeyword.reserved.contains(word):
            throw .unparsable("an expression")
        default: return nil
        }
    }

    /// A key, or a call: `name(…)`, `name:(…)`, `first:second:(…)`.
    private mutating func keyOrFunction(
        _ name: String, isEscaped: Bool
    ) throws(PredicateFormatError) -> ExpressionSyntax {
        var selector = name
        while current == .sign(.colon) {
            advance()
            selector += ":"
            if case .identifier(let next, _) = current, following == .sign(.colon) {
                advance()
                selector += next
            }
        }
        guard !isEscaped, current == .sign(.leftParenthesis) else {
            guard selector == name else { throw .unparsable("a function's arguments") }
            return .keyPath([.key(name)])
        }
        advance()
        let arguments = try list(endingWith: .rightParenthesis)
        guard let function = PredicateFunction.canonicalName(of: selector) else {
            throw .unknownFunction(selector)
        }
        return .function(function, arguments)
    }

    private mutating func list(
        endingWith end: PredicateToken.Sign
    ) throws(PredicateFormatError) -> [ExpressionSyntax] {
        if accept(end) { return [] }
        var elements = [try expression()]
        while accept(.comma) {
            elements.append(try expression())
        }
        try expect(end)
        return elements
    }

    private mutating func subquery() throws(PredicateFormatError) -> ExpressionSyntax {
        try expect(.leftParenthesis)
        let collection = try expression()
        try expect(.comma)
        guard case .variable(let variable) = current else { throw .unparsable("a variable") }
        advance()
        try expect(.comma)
        let predicate = try requirePredicate(disjunction())
        try expect(.rightParenthesis)
        return .subquery(collection, variable: variable, predicate)
    }

    private mutating func conditional() throws(PredicateFormatError) -> ExpressionSyntax {
        try expect(.leftParenthesis)
        let predicate = try requirePredicate(disjunction())
        try expect(.comma)
        let trueExpression = try expression()
        try expect(.comma)
        let falseExpression = try expression()
        try expect(.rightParenthesis)
        return .conditional(predicate, trueExpression, falseExpression)
    }

    private mutating func cast() throws(PredicateFormatError) -> ExpressionSyntax {
        try expect(.leftParenthesis)
        let arguments = try list(endingWith: .rightParenthesis)
        guard arguments.count == 2 else { throw .unparsable("two arguments") }
        return .function(PredicateFunction.cast, arguments)
    }

    private mutating func fetch() throws(PredicateFormatError) -> ExpressionSyntax {
        try expect(.leftParenthesis)
        let arguments = try list(endingWith: .rightParenthesis)
        guard arguments.count == 3 else { throw .unparsable("three arguments") }
        return .targetedFunction(arguments[1], MethodCall.fetch, [arguments[0], arguments[2]])
    }

    private mutating func targetedFunction() throws(PredicateFormatError) -> ExpressionSyntax {
        try expect(.leftParenthesis)
        let target = try expression()
        try expect(.comma)
        guard case .string(let name) = current else { throw .unparsable("a selector") }
        advance()
        let arguments: [ExpressionSyntax]
        if accept(.comma) {
            arguments = try list(endingWith: .rightParenthesis)
        } else {
            try expect(.rightParenthesis)
            arguments = []
        }
        return .targetedFunction(target, name, arguments)
    }
}

extension ExpressionSyntax {
    /// The expression followed by one more key.
    fileprivate func appending(_ part: KeyPathPart) -> ExpressionSyntax {
        switch self {
        case .keyPath(let parts): .keyPath(parts + [part])
        case .evaluatedObject: .keyPath([part])
        case .path(let operand, let parts): .path(operand, parts + [part])
        default: .path(self, [part])
        }
    }
}

/// An operator between two expressions.
private struct InfixOperator {
    let precedence: Int
    var isRightAssociative = false
    let combine: @Sendable (ExpressionSyntax, ExpressionSyntax) -> ExpressionSyntax

    private static func function(_ name: String, _ precedence: Int) -> InfixOperator {
        InfixOperator(precedence: precedence, isRightAssociative: name == "raise:toPower:") {
            .function(name, [$0, $1])
        }
    }

    private static func set(_ operation: SetOperation) -> InfixOperator {
        InfixOperator(precedence: 1) { .set(operation, $0, $1) }
    }

    static let signs: [PredicateToken.Sign: InfixOperator] = [
        .bitwiseOr: function("bitwiseOr:with:", 2),
        .bitwiseXor: function("bitwiseXor:with:", 3),
        .bitwiseAnd: function("bitwiseAnd:with:", 4),
        .shiftLeft: function("leftshift:by:", 5),
        .shiftRight: function("rightshift:by:", 5),
        .plus: function("add:to:", 6),
        .minus: function("from:subtract:", 6),
        .times: function("multiply:by:", 7),
        .divide: function("divide:by:", 7),
        .power: function("raise:toPower:", 8),
    ]

    static let words: [String: InfixOperator] = [
        "UNION": set(.union), "INTERSECT": set(.intersect), "MINUS": set(.minus),
    ]
}
