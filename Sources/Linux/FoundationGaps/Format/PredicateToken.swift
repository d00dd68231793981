/// A word, symbol or literal of a predicate format string.
enum PredicateToken: Equatable {
    /// A key, a function's name or a keyword. An escaped one (`#size`) is never a keyword.
    case identifier(String, escaped: Bool)
    /// A key that starts with an at sign, which is included: `@count`.
    case operatorKey(String)
    /// `$name`, without the dollar sign.
    case variable(String)
    case string(String)
    case integer(Int64)
    case double(Double)
    /// `%@`, `%d` and the other conversions for a value.
    case valueArgument
    /// `%K`.
    case keyPathArgument
    case sign(Sign)
    case end

    /// Punctuation, and the operators that are not words.
    enum Sign: String, CaseIterable {
        case leftParenthesis = "("
        case rightParenthesis = ")"
        case leftBrace = "{"
        case rightBrace = "}"
        case leftBracket = "["
        case rightBracket = "]"
        case comma = ","
        case period = "."
        case colon = ":"
        case assign = ":="
        case equal = "=="
        case singleEqual = "="
        case notEqual = "!="
        case lessOrGreater = "<>"
        case less = "<"
        case lessOrEqual = "<="
        case equalOrLess = "=<"
        case greater = ">"
        case greaterOrEqual = ">="
        case equalOrGreater = "=>"
        case and = "&&"
        case or = "||"
        case not = "!"
        case plus = "+"
        case minus = "-"
        case power = "**"
        case times = "*"
        case divide = "/"
        case bitwiseAnd = "&"
        case bitwiseOr = "|"
        case bitwiseXor = "^"
        case bitwiseNot = "~"
        case shiftLeft = "<<"
        case shiftRight = ">>"
    }

    /// The word in capitals, if it may be a keyword.
    var keyword: String? {
        guard case .identifier(let name, escaped: false) = self else { return nil }
        return name.uppercased()
    }
}

/// The words that must be escaped with `#` to be used as keys.
enum PredicateKeyword {
    static let reserved: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS",
        "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO",
        "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TERNARY", "FUNCTION", "TRUEPREDICATE",
        "FALSEPREDICATE", "UTI-CONFORMS-TO", "UTI-EQUALS", "UNION", "INTERSECT", "MINUS",
    ]

    /// Reserved according to Apple's documentation, but accepted here as keys, because they have a
    /// meaning only in brackets. The printer escapes them nevertheless.
    static let reservedInBrackets: Set<String> = ["FIRST", "LAST", "SIZE", "CI", "CASEINSENSITIVE"]

    /// Whether a key of this name must be written with `#`.
    static func needsEscape(_ key: String) -> Bool {
        let word = key.uppercased()
        return reserved.contains(word) || reservedInBrackets.contains(word)
    }
}
