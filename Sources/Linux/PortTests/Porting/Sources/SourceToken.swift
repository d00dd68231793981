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

    /// The index of the angle bracket that closes the one at an index.
    func indexOfClosingBracket(from start: Int) -> Int? {
        var depth = 0
        for index in start..<Swift.max(start, count) {
            if self[index].isSymbol("<") { depth += 1 }
            if self[index].isSymbol(">") {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }

    /// The index of the bracket that opens the one at an index.
    private func indexOfOpeningBracket(from end: Int, _ open: String, _ close: String) -> Int? {
        var depth = 0
        for index in stride(from: end, through: 0, by: -1) {
            if self[index].isSymbol(close) { depth += 1 }
            if self[index].isSymbol(open) {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }

    /// The first token of names, calls, subscripts and generic arguments that end at an index:
    /// `Store.request(for: x)`.
    func startOfPostfixExpression(endingAt end: Int) -> Int? {
        let brackets = [")": "(", "]": "[", ">": "<"]
        var start = end
        while start >= 0 {
            if let open = brackets[token(at: start).text], token(at: start).kind == .symbol {
                guard let index = indexOfOpeningBracket(from: start, open, token(at: start).text)
                else { return nil }
                let previous = token(at: index - 1)
                let isCalled =
                    previous.range.upperBound == self[index].range.lowerBound
                    && (previous.kind == .word || brackets[previous.text] != nil)
                if !isCalled { return index }
                start = index - 1
            } else if token(at: start).kind == .word {
                guard token(at: start - 1).isSymbol(".") else { return start }
                start -= 2
            } else {
                return nil
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
