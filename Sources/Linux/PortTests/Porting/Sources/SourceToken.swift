/// A token of Swift source with its place. There are none for comments and white space.
struct SourceToken {
    enum Kind {
        /// A name or a keyword; a name in backticks is stored without them.
        case word
        /// One character of an operator or of punctuation.
        case symbol
        /// A number, a regular expression, or a string up to its end or its next interpolation.
        case literal
        /// A name with its number sign: `#if`, `#keyPath`.
        case directive
        /// The beginning and the end of an interpolation; its code is in between.
        case interpolationStart, interpolationEnd
    }

    var kind: Kind
    var text: String
    /// The bytes of the source that it consists of.
    var range: Range<Int>
    var line: Int

    /// Whether it was written in backticks and is therefore not a keyword.
    var isQuoted = false

    func isWord(_ word: String) -> Bool { kind == .word && !isQuoted && text == word }

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }

    func isDirective(_ name: String) -> Bool { kind == .directive && text == name }
}

extension Array<SourceToken> {
    /// The token at an index, or a symbol without text if there is none.
    func token(at index: Int) -> SourceToken {
        indices.contains(index)
            ? self[index] : SourceToken(kind: .symbol, text: "", range: 0..<0, line: 0)
    }

    /// The index of the parenthesis that closes the one at an index.
    func indexOfClosingParenthesis(from start: Int) -> Int? {
        var depth = 0
        for index in start..<Swift.max(start, count) {
            if self[index].isSymbol("(") { depth += 1 }
            if self[index].isSymbol(")") {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }

    /// Whether the innermost declaration around a token is an extension.
    func isInExtension(_ index: Int) -> Bool {
        var depth = 0
        for position in stride(from: index - 1, through: 0, by: -1) {
            if self[position].isSymbol("}") { depth += 1 }
            guard self[position].isSymbol("{") else { continue }
            if depth > 0 {
                depth -= 1
                continue
            }
            // The declaration that the innermost open brace belongs to.
            let declarations: Set = [
                "actor", "class", "enum", "extension", "func", "init", "protocol", "struct", "var",
            ]
            let keyword = self[..<position].last {
                $0.kind == .word && !$0.isQuoted && declarations.contains($0.text)
            }
            return keyword?.text == "extension"
        }
        return false
    }
}
