/// Splits Swift source into tokens.
///
/// It knows enough of the language to distinguish code from the contents of comments and literals:
/// nested comments, raw and multi-line strings, interpolations, regular expressions.
struct SourceLexer {
    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line = 1
    private var tokens: [SourceToken] = []

    /// The tokens of a source in UTF-8.
    ///
    /// - Throws: A ``Diagnostic`` for a comment or string without an end.
    static func tokens(of bytes: [UInt8], file: String) throws -> [SourceToken] {
        var lexer = SourceLexer(bytes: bytes, file: file)
        if bytes.starts(with: [UInt8(ascii: "#"), UInt8(ascii: "!")]) { lexer.skipLine() }
        try lexer.readTokens { _ in false }
        return lexer.tokens
    }

    private init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    // MARK: - Characters

    private func byte(_ offset: Int = 0) -> UInt8 {
        let index = position + offset
        return index < bytes.count ? bytes[index] : 0
    }

    private func at(_ character: Unicode.Scalar, _ offset: Int = 0) -> Bool {
        byte(offset) == UInt8(ascii: character) && position + offset < bytes.count
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
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

    private static func isWordStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    // MARK: - Tokens

    /// Reads tokens up to the end, or to a symbol that the caller considers the end.
    private mutating func readTokens(until isEnd: (UInt8) -> Bool) throws {
        while position < bytes.count {
            let next = byte()
            if isEnd(next) { return }
            switch next {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                advance()
            case UInt8(ascii: "/") where at("/", 1):
                skipLine()
            case UInt8(ascii: "/") where at("*", 1):
                try skipComment()
            case UInt8(ascii: "/") where startsRegularExpression:
                skipRegularExpression()
            case UInt8(ascii: "\""):
                try skipString(pounds: 0)
            case UInt8(ascii: "#"):
                try readPound()
            case UInt8(ascii: "`"):
                readQuotedWord()
            case _ where Self.isWordStart(next):
                append(.word, readWord())
            case _ where Self.isDigit(next):
                skipNumber()
            default:
                append(.symbol, String(Unicode.Scalar(next)))
                advance()
            }
        }
    }

    private mutating func append(_ kind: SourceToken.Kind, _ text: String, line: Int? = nil) {
        tokens.append(SourceToken(kind: kind, text: text, line: line ?? self.line))
    }

    private mutating func readWord() -> String {
        let start = position
        while Self.isWordStart(byte()) || Self.isDigit(byte()) { advance() }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readQuotedWord() {
        let line = line
        advance()
        let start = position
        while position < bytes.count, !at("`"), !at("\n") { advance() }
        append(.word, String(decoding: bytes[start..<position], as: UTF8.self), line: line)
        tokens[tokens.count - 1].isQuoted = true
        advance()
    }

    private mutating func skipNumber() {
        append(.literal, "0")
        while Self.isWordStart(byte()) || Self.isDigit(byte())
            || (at(".") && Self.isDigit(byte(1)))
        {
            advance()
        }
    }

    private mutating func readPound() throws {
        let pounds = count(of: "#")
        if at("\"", pounds) {
            advance(pounds)
            try skipString(pounds: pounds)
        } else if at("/", pounds) {
            try skipExtendedRegularExpression(pounds: pounds)
        } else {
            let line = line
            advance(pounds)
            append(.directive, readWord(), line: line)
        }
    }

    // MARK: - What is skipped

    private mutating func skipComment() throws {
        let start = line
        var depth = 0
        repeat {
            guard position < bytes.count else {
                throw Diagnostic(file: file, line: start, message: "unterminated comment")
            }
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

    /// Skips a string, starting at its first quotation mark. Interpolations are read as code,
    /// because they may contain strings and comments, and are dropped.
    private mutating func skipString(pounds: Int) throws {
        let start = line
        let isMultiline = at("\"", 1) && at("\"", 2)
        let quotes = isMultiline ? 3 : 1
        append(.literal, "\"")
        advance(quotes)
        while position < bytes.count {
            if !isMultiline, at("\n") { break }
            if at("\\"), count(of: "#", from: 1) >= pounds {
                advance(1 + pounds)
                if at("(") {
                    try skipInterpolation()
                } else {
                    advance()
                }
            } else if count(of: "\"") >= quotes, count(of: "#", from: quotes) >= pounds {
                advance(quotes + pounds)
                return
            } else {
                advance()
            }
        }
        throw Diagnostic(file: file, line: start, message: "unterminated string")
    }

    private mutating func skipInterpolation() throws {
        let start = line
        let count = tokens.count
        var depth = 0
        repeat {
            try readTokens { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")") }
            guard position < bytes.count else {
                throw Diagnostic(file: file, line: start, message: "unterminated interpolation")
            }
            depth += at("(") ? 1 : -1
            advance()
        } while depth > 0
        tokens.removeSubrange(count...)
    }

    /// Whether a slash begins a regular expression instead of being a division: it is in the place
    /// of an operand, is not followed by a space, and has a counterpart on the same line.
    private var startsRegularExpression: Bool {
        if at(" ", 1) || at("\t", 1) || at("\n", 1) || at("=", 1) { return false }
        if let last = tokens.last {
            switch last.kind {
            case .literal: return false
            case .word:
                let keywords: Set = ["return", "case", "in", "try", "await", "where", "if", "else"]
                guard keywords.contains(last.text) else { return false }
            case .symbol:
                guard "=(,:[{&|?!;".contains(last.text) else { return false }
            case .directive: break
            }
        }
        var offset = 1
        while position + offset < bytes.count, !at("\n", offset) {
            if at("\\", offset) {
                offset += 2
            } else if at("/", offset) {
                return true
            } else {
                offset += 1
            }
        }
        return false
    }

    private mutating func skipRegularExpression() {
        append(.literal, "/")
        advance()
        while !at("/") { advance(at("\\") ? 2 : 1) }
        advance()
    }

    private mutating func skipExtendedRegularExpression(pounds: Int) throws {
        let start = line
        append(.literal, "/")
        advance(pounds + 1)
        while !(at("/") && count(of: "#", from: 1) >= pounds) {
            guard position < bytes.count else {
                throw Diagnostic(
                    file: file, line: start, message: "unterminated regular expression")
            }
            advance(at("\\") ? 2 : 1)
        }
        advance(pounds + 1)
    }
}
