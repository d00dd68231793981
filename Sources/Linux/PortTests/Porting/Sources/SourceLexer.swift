/// Splits Swift source into tokens with their places.
///
/// It knows enough of the language to distinguish code from the contents of comments and literals:
/// nested comments, raw and multi-line strings, interpolations, regular expressions.
struct SourceLexer {
    /// A comment or a literal without an end.
    struct Unterminated: Error, Equatable {
        var what: String
        var line: Int
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var tokens: [SourceToken] = []

    /// The tokens of a source in UTF-8.
    ///
    /// - Throws: ``Unterminated``.
    static func tokens(of bytes: [UInt8]) throws -> [SourceToken] {
        var lexer = SourceLexer(bytes: bytes)
        if bytes.starts(with: Array("#!".utf8)) { lexer.skipLine() }
        while lexer.position < bytes.count {
            try lexer.readCode()
            // A parenthesis that closes nothing.
            if lexer.position < bytes.count {
                lexer.append(.symbol, from: lexer.position, count: 1)
            }
        }
        return lexer.tokens
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    // MARK: - Characters

    private func at(_ character: Unicode.Scalar, _ offset: Int = 0) -> Bool {
        position + offset < bytes.count && bytes[position + offset] == UInt8(ascii: character)
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where position < bytes.count {
            if at("\n") { line += 1 }
            position += 1
        }
    }

    private mutating func skipLine() {
        while position < bytes.count, !at("\n") { advance() }
    }

    private func count(of character: Unicode.Scalar, from offset: Int = 0) -> Int {
        var count = 0
        while at(character, offset + count) { count += 1 }
        return count
    }

    private func isWord(at index: Int) -> Bool {
        guard index < bytes.count else { return false }
        switch bytes[index] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            return true
        default: return isDigit(at: index)
        }
    }

    private func isDigit(at index: Int) -> Bool {
        index < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
    }

    // MARK: - Tokens

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Appends what was read since a position.
    private mutating func append(_ kind: SourceToken.Kind, from start: Int, line: Int) {
        let range = start..<position
        tokens.append(SourceToken(kind: kind, text: text(range), range: range, line: line))
    }

    /// Reads and appends the next bytes of a line.
    private mutating func append(_ kind: SourceToken.Kind, from start: Int, count: Int) {
        let line = line
        advance(count)
        append(kind, from: start, line: line)
    }

    /// Reads code up to the end, or up to a parenthesis that it does not open.
    private mutating func readCode() throws {
        var depth = 0
        while position < bytes.count {
            if at(" ") || at("\t") || at("\n") || at("\r") {
                advance()
            } else if at("/"), at("/", 1) {
                skipLine()
            } else if at("/"), at("*", 1) {
                try skipComment()
            } else if at("/"), startsRegularExpression {
                try readRegularExpression(pounds: 0)
            } else if at("\"") {
                try readString(pounds: 0)
            } else if at("#") {
                try readPound()
            } else if at("`") {
                readQuotedWord()
            } else if isDigit(at: position) {
                readNumber()
            } else if isWord(at: position) {
                readWord()
            } else {
                if at(")"), depth == 0 { return }
                depth += at("(") ? 1 : at(")") ? -1 : 0
                append(.symbol, from: position, count: 1)
            }
        }
    }

    private mutating func readWord() {
        let start = position
        while isWord(at: position) { advance() }
        append(.word, from: start, line: line)
    }

    private mutating func readQuotedWord() {
        let start = position
        advance()
        while position < bytes.count, !at("`"), !at("\n") { advance() }
        let name = start + 1..<position
        if at("`") { advance() }
        tokens.append(
            SourceToken(
                kind: .word, text: text(name), range: start..<position, line: line, isQuoted: true))
    }

    private mutating func readNumber() {
        let start = position
        while isWord(at: position) || (at(".") && isDigit(at: position + 1)) { advance() }
        append(.literal, from: start, line: line)
    }

    private mutating func readPound() throws {
        let pounds = count(of: "#")
        if at("\"", pounds) {
            try readString(pounds: pounds)
        } else if at("/", pounds) {
            try readRegularExpression(pounds: pounds)
        } else {
            let start = position
            advance(pounds)
            while isWord(at: position) { advance() }
            append(.directive, from: start, line: line)
        }
    }

    // MARK: - Comments and literals

    private mutating func skipComment() throws {
        let start = line
        var depth = 0
        repeat {
            guard position < bytes.count else { throw Unterminated(what: "comment", line: start) }
            if at("/"), at("*", 1) {
                depth += 1
                advance(2)
            } else if at("*"), at("/", 1) {
                depth -= 1
                advance(2)
            } else {
                advance()
            }
        } while depth > 0
    }

    /// Reads a string from its first number sign or quotation mark. The code of an interpolation
    /// becomes tokens, because it may contain what has to be rewritten.
    private mutating func readString(pounds: Int) throws {
        let startLine = line
        var start = position
        var segmentLine = line
        advance(pounds)
        let isMultiline = at("\"", 1) && at("\"", 2)
        let quotes = isMultiline ? 3 : 1
        advance(quotes)
        while position < bytes.count {
            if !isMultiline, at("\n") { break }
            if at("\\"), count(of: "#", from: 1) >= pounds {
                guard at("(", 1 + pounds) else {
                    advance(2 + pounds)
                    continue
                }
                append(.literal, from: start, line: segmentLine)
                append(.interpolationStart, from: position, count: 2 + pounds)
                try readCode()
                guard position < bytes.count else { break }
                append(.interpolationEnd, from: position, count: 1)
                start = position
                segmentLine = line
            } else if count(of: "\"") >= quotes, count(of: "#", from: quotes) >= pounds {
                advance(quotes + pounds)
                append(.literal, from: start, line: segmentLine)
                return
            } else {
                advance()
            }
        }
        throw Unterminated(what: "string", line: startLine)
    }

    /// Whether a slash begins a regular expression instead of being a division: it is in the place
    /// of an operand, is not followed by a space, and has a counterpart on the same line.
    private var startsRegularExpression: Bool {
        if at(" ", 1) || at("\t", 1) || at("\n", 1) || at("=", 1) { return false }
        if let last = tokens.last {
            switch last.kind {
            case .literal, .interpolationEnd: return false
            case .word:
                let keywords: Set = ["return", "case", "in", "try", "await", "where", "if", "else"]
                guard keywords.contains(last.text) else { return false }
            case .symbol:
                guard "=(,:[{&|?!;".contains(last.text) else { return false }
            case .directive, .interpolationStart: break
            }
        }
        var offset = 1
        while position + offset < bytes.count, !at("\n", offset) {
            if at("/", offset) { return true }
            offset += at("\\", offset) ? 2 : 1
        }
        return false
    }

    private mutating func readRegularExpression(pounds: Int) throws {
        let start = position
        let startLine = line
        advance(pounds + 1)
        while !(at("/") && count(of: "#", from: 1) >= pounds) {
            guard position < bytes.count else {
                throw Unterminated(what: "regular expression", line: startLine)
            }
            advance(at("\\") ? 2 : 1)
        }
        advance(pounds + 1)
        append(.literal, from: start, line: startLine)
    }
}
