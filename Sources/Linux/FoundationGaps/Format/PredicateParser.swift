/// Converts tokens to a parse tree, by recursive descent without backtracking.
///
/// Parentheses may enclose a predicate or an expression. The parser therefore reads a ``Node``,
/// which is either, and the adjacent operator determines which of the two it must be.
struct PredicateParser {
    /// The result of parsing a piece of text.
    enum Node {
        case predicate(PredicateSyntax)
        case expression(ExpressionSyntax)
    }

    /// The maximum nesting depth of parentheses, functions and negations. It keeps malicious text
    /// from exhausting the stack.
    static let depthLimit = 200

    /// The maximum number of consecutive operators, keys and indexes in one side of a comparison,
    /// because `a + a + …` is nested in the tree as well.
    static let chainLimit = 500

    private let tokens: [PredicateToken]
    private var position = 0
    private var depth = 0
    var chainLength = 0
    private var argumentCount = 0

    private init(_ format: String) throws(PredicateFormatError) {
        tokens = try PredicateLexer.tokens(of: format)
    }

    /// Parses a whole format string as a predicate.
    static func predicate(_ format: String) throws(PredicateFormatError) -> PredicateSyntax {
        var parser = try PredicateParser(format)
        let predicate = try parser.requirePredicate(parser.disjunction())
        try parser.expectEnd()
        return predicate
    }

    /// Parses a whole format string as an expression.
    static func expression(_ format: String) throws(PredicateFormatError) -> ExpressionSyntax {
        var parser = try PredicateParser(format)
        let expression = try parser.expression()
        try parser.expectEnd()
        return expression
    }
}

// MARK: - Tokens

extension PredicateParser {
    var current: PredicateToken { tokens[position] }

    var following: PredicateToken {
        position + 1 < tokens.count ? tokens[position + 1] : .end
    }

    mutating func advance() {
        if position < tokens.count - 1 { position += 1 }
    }

    /// Consumes a symbol if it is the current token.
    mutating func accept(_ sign: PredicateToken.Sign) -> Bool {
        guard current == .sign(sign) else { return false }
        advance()
        return true
    }

    /// Consumes a keyword if it is the current token.
    mutating func accept(keyword: String) -> Bool {
        guard current.keyword == keyword else { return false }
        advance()
        return true
    }

    mutating func expect(_ sign: PredicateToken.Sign) throws(PredicateFormatError) {
        guard accept(sign) else { throw .unparsable("'\(sign.rawValue)'") }
    }

    private func expectEnd() throws(PredicateFormatError) {
        guard current == .end else { throw .unparsable("the end") }
    }

    /// The position of the next argument, in the order of the format.
    mutating func nextArgument() -> Int {
        defer { argumentCount += 1 }
        return argumentCount
    }

    mutating func enter() throws(PredicateFormatError) {
        depth += 1
        guard depth <= Self.depthLimit else { throw .unparsable("less nesting") }
    }

    mutating func leave() {
        depth -= 1
    }

    mutating func extendChain() throws(PredicateFormatError) {
        chainLength += 1
        guard chainLength <= Self.chainLimit else { throw .unparsable("fewer operators") }
    }

    func requirePredicate(_ node: Node) throws(PredicateFormatError) -> PredicateSyntax {
        guard case .predicate(let predicate) = node else { throw .unparsable("a predicate") }
        return predicate
    }

    func requireExpression(_ node: Node) throws(PredicateFormatError) -> ExpressionSyntax {
        guard case .expression(let expression) = node else { throw .unparsable("an expression") }
        return expression
    }
}

// MARK: - Predicates

extension PredicateParser {
    /// `a OR b OR c`, and everything that binds more tightly.
    mutating func disjunction() throws(PredicateFormatError) -> Node {
        let first = try conjunction()
        guard isOr else { return first }
        var parts = [try requirePredicate(first)]
        while isOr {
            advance()
            parts.append(try requirePredicate(conjunction()))
        }
        return .predicate(.or(parts))
    }

    private mutating func conjunction() throws(PredicateFormatError) -> Node {
        let first = try negation()
        guard isAnd else { return first }
        var parts = [try requirePredicate(first)]
        while isAnd {
            advance()
            parts.append(try requirePredicate(negation()))
        }
        return .predicate(.and(parts))
    }

    private var isOr: Bool { current == .sign(.or) || current.keyword == "OR" }

    private var isAnd: Bool { current == .sign(.and) || current.keyword == "AND" }

    private mutating func negation() throws(PredicateFormatError) -> Node {
        guard current == .sign(.not) || current.keyword == "NOT" else { return try comparison() }
        advance()
        try enter()
        defer { leave() }
        return .predicate(.not(try requirePredicate(negation())))
    }

    private mutating func comparison() throws(PredicateFormatError) -> Node {
        switch current.keyword {
        case "TRUEPREDICATE":
            advance()
            return .predicate(.constant(true))
        case "FALSEPREDICATE":
            advance()
            return .predicate(.constant(false))
        case "ANY", "SOME":
            advance()
            return .predicate(try modifiedComparison(.any))
        case "ALL":
            advance()
            return .predicate(try modifiedComparison(.all))
        case "NONE":
            advance()
            return .predicate(.not(try modifiedComparison(.any)))
        default:
            break
        }
        let left = try operand()
        guard case .expression(let expression) = left,
            let comparison = try comparison(of: expression, modifier: .direct)
        else { return left }
        return .predicate(comparison)
    }

    private mutating func modifiedComparison(
        _ modifier: NSComparisonPredicate.Modifier
    ) throws(PredicateFormatError) -> PredicateSyntax {
        guard let comparison = try comparison(of: expression(), modifier: modifier) else {
            throw .unparsable("an operator")
        }
        return comparison
    }

    /// The comparison that starts with an expression, or nil if no operator follows it.
    private mutating func comparison(
        of left: ExpressionSyntax, modifier: NSComparisonPredicate.Modifier
    ) throws(PredicateFormatError) -> PredicateSyntax? {
        var isNegated = false
        if current.keyword == "NOT", following.keyword == "IN" {
            advance()
            isNegated = true
        }
        guard let type = comparisonOperator else { return nil }
        advance()
        let options = try comparisonOptions()
        let comparison = PredicateSyntax.comparison(
            ComparisonSyntax(
                modifier: modifier, left: left, type: type, options: options,
                right: try expression()))
        return isNegated ? .not(comparison) : comparison
    }

    private var comparisonOperator: NSComparisonPredicate.Operator? {
        switch current {
        case .sign(.equal), .sign(.singleEqual): .equalTo
        case .sign(.notEqual), .sign(.lessOrGreater): .notEqualTo
        case .sign(.less): .lessThan
        case .sign(.lessOrEqual), .sign(.equalOrLess): .lessThanOrEqualTo
        case .sign(.greater): .greaterThan
        case .sign(.greaterOrEqual), .sign(.equalOrGreater): .greaterThanOrEqualTo
        default:
            switch current.keyword {
            case "IN": .in
            case "BETWEEN": .between
            case "CONTAINS": .contains
            case "BEGINSWITH": .beginsWith
            case "ENDSWITH": .endsWith
            case "LIKE": .like
            case "MATCHES": .matches
            case "UTI-EQUALS": .equalTo
            case "UTI-CONFORMS-TO": .like
            default: nil
            }
        }
    }

    private mutating func comparisonOptions()
        throws(PredicateFormatError) -> NSComparisonPredicate.Options
    {
        guard current == .sign(.leftBracket),
            case .identifier(let letters, escaped: false) = following
        else { return [] }
        var options: NSComparisonPredicate.Options = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "n": options.insert(.normalized)
            case "l": options.insert(._localeSensitive)
            default: throw .unparsable("comparison options")
            }
        }
        advance()
        advance()
        try expect(.rightBracket)
        return options
    }
}
