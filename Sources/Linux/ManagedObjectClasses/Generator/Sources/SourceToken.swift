/// A token of Swift source. Comments and white space are removed, literals are opaque.
struct SourceToken {
    enum Kind {
        /// A name or a keyword; a name in backticks is stored without them.
        case word
        /// One character of an operator or of punctuation.
        case symbol
        /// A string, number or regular expression.
        case literal
        /// `#if`, `#elseif`, `#else`, `#endif`, or another name after a number sign.
        case directive
    }

    var kind: Kind
    var text: String
    var line: Int

    /// Whether it was written in backticks and is therefore not a keyword.
    var isQuoted = false

    /// Whether it is in an `#if` that only the compiler can decide.
    var isUncertain = false

    func isWord(_ word: String) -> Bool { kind == .word && !isQuoted && text == word }

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
}
