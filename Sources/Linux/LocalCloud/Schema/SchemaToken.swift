/// A keyword, a name or a symbol of CloudKit's schema language.
struct SchemaToken {
    let text: String
    let isQuoted: Bool
    let line: Int

    /// The text, if the token is a word and not a symbol.
    var word: String? { text.first.map(Self.isOfWord) == true && !isQuoted ? text : nil }

    private static func isOfWord(_ character: Character) -> Bool {
        character == "_" || (character.isASCII && (character.isLetter || character.isNumber))
    }

    /// The tokens of a text, without its comments.
    ///
    /// - Throws: ``SchemaParser/Failure``.
    static func all(of text: String) throws -> [SchemaToken] {
        var tokens: [SchemaToken] = []
        var rest = text[...]
        var line = 1
        while let character = rest.first {
            if character.isNewline {
                line += 1
                rest.removeFirst()
            } else if character.isWhitespace {
                rest.removeFirst()
            } else if rest.hasPrefix("//") || rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                line += try skipComment(&rest, line)
            } else if character == "\"" {
                tokens.append(try quotedName(&rest, line))
            } else if isOfWord(character) {
                let word = rest.prefix(while: isOfWord)
                tokens.append(SchemaToken(text: String(word), isQuoted: false, line: line))
                rest = rest.dropFirst(word.count)
            } else if "(),;<>".contains(character) {
                tokens.append(SchemaToken(text: String(character), isQuoted: false, line: line))
                rest.removeFirst()
            } else {
                throw SchemaParser.Failure(line: line, reason: "“\(character)” is not a token")
            }
        }
        return tokens
    }

    /// Skips a comment.
    ///
    /// - Returns: The number of line breaks in it.
    private static func skipComment(_ rest: inout Substring, _ line: Int) throws -> Int {
        guard let end = rest.dropFirst(2).range(of: "*/") else {
            throw SchemaParser.Failure(line: line, reason: "the comment has no end")
        }
        let lines = rest[..<end.upperBound].filter(\.isNewline).count
        rest = rest[end.upperBound...]
        return lines
    }

    private static func quotedName(_ rest: inout Substring, _ line: Int) throws -> SchemaToken {
        let name = rest.dropFirst().prefix { $0 != "\"" && !$0.isNewline }
        guard rest.dropFirst(name.count + 1).first == "\"", !name.isEmpty else {
            throw SchemaParser.Failure(line: line, reason: "the quoted name has no end")
        }
        rest = rest.dropFirst(name.count + 2)
        return SchemaToken(text: String(name), isQuoted: true, line: line)
    }
}
