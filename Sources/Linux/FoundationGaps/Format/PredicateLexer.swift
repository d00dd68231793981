/// Splits a predicate format string into tokens.
///
/// It works on UTF-8: every symbol of the language is ASCII, and other characters occur only in
/// keys and strings, which are not split.
struct PredicateLexer {
    private let bytes: [UInt8]
    private var position = 0

    init(_ format: String) {
        bytes = Array(format.utf8)
    }

    /// The tokens of a format string, with `.end` as the last.
    static func tokens(of format: String) throws(PredicateFormatError) -> [PredicateToken] {
        var lexer = PredicateLexer(format)
        var tokens: [PredicateToken] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token == .end { return tokens }
        }
    }

    private mutating func next() throws(PredicateFormatError) -> PredicateToken {
        while let byte = peek(), byte.isSpace { position += 1 }
        guard let byte = peek() else { return .end }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return .string(try string(endingWith: byte))
        case UInt8(ascii: "%"):
            return try conversion()
        case UInt8(ascii: "$"):
            position += 1
            return .variable(try identifier())
        case UInt8(ascii: "@"):
            position += 1
            return .operatorKey("@" + (try identifier()))
        case UInt8(ascii: "#"):
            position += 1
            return .identifier(try identifier(), escaped: true)
        case _ where byte.isDigit:
            return try number()
        case UInt8(ascii: ".") where peek(1)?.isDigit == true && !followsOperand:
            return try number()
        case _ where byte.startsIdentifier:
            return .identifier(try word(), escaped: false)
        default:
            return .sign(try sign())
        }
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    /// Whether a period here separates keys: `a.1` is not a key path, and `.5` is a number only if
    /// no operand precedes it directly.
    private var followsOperand: Bool {
        guard position > 0 else { return false }
        let previous = bytes[position - 1]
        return previous.continuesIdentifier || previous == UInt8(ascii: ")")
            || previous == UInt8(ascii: "]")
    }
}

// MARK: - Words and signs

extension PredicateLexer {
    private mutating func identifier() throws(PredicateFormatError) -> String {
        let start = position
        guard let first = peek(), first.startsIdentifier else {
            throw .unparsable("an identifier")
        }
        while let byte = peek(), byte.continuesIdentifier { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// An identifier, or one of the two operators whose names contain hyphens.
    private mutating func word() throws(PredicateFormatError) -> String {
        let rest = bytes[position...].prefix(16).map { $0 & 0xDF | ($0 == 0x2D ? 0x20 : 0) }
        for name in ["UTI-CONFORMS-TO", "UTI-EQUALS"] where rest.starts(with: name.utf8) {
            position += name.utf8.count
            return name
        }
        return try identifier()
    }

    private mutating func sign() throws(PredicateFormatError) -> PredicateToken.Sign {
        for length in [2, 1] where position + length <= bytes.count {
            let text = String(decoding: bytes[position..<position + length], as: UTF8.self)
            if let sign = PredicateToken.Sign(rawValue: text) {
                position += length
                return sign
            }
        }
        throw .unparsable("an operator")
    }

    /// A conversion with its length prefix. All value conversions are the same here, because the
    /// argument has its own type.
    private mutating func conversion() throws(PredicateFormatError) -> PredicateToken {
        position += 1
        while let byte = peek(), "hlqztj".utf8.contains(byte) { position += 1 }
        guard let byte = peek() else { throw .unparsable("a conversion") }
        position += 1
        if byte == UInt8(ascii: "K") { return .keyPathArgument }
        guard "@cCdDiouUxXOeEfFgGaA".utf8.contains(byte) else { throw .unparsable("a conversion") }
        // `%lud`: a second letter of an integer's conversion is a slip that Apple's parser overlooks.
        if "diu".utf8.contains(byte), let next = peek(), "diu".utf8.contains(next),
            peek(1)?.continuesIdentifier != true
        {
            position += 1
        }
        return .valueArgument
    }
}

// MARK: - Literals

extension PredicateLexer {
    private mutating func string(
        endingWith quote: UInt8
    ) throws(PredicateFormatError) -> String {
        position += 1
        var content: [UInt8] = []
        while let byte = peek() {
            position += 1
            if byte == quote { return String(decoding: content, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                content.append(byte)
                continue
            }
            content += try escapeSequence()
        }
        throw .unparsable("the end of a string")
    }

    /// The characters that a backslash sequence stands for. An unknown escape is kept as it is, so
    /// that a pattern for MATCHES does not have to double its backslashes.
    private mutating func escapeSequence() throws(PredicateFormatError) -> [UInt8] {
        guard let byte = peek() else { throw .unparsable("the end of a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return [byte]
        default: return [UInt8(ascii: "\\"), byte]
        }
    }

    private mutating func number() throws(PredicateFormatError) -> PredicateToken {
        if let token = try prefixedInteger() { return token }
        let start = position
        var isInteger = true
        skipDigits()
        if peek() == UInt8(ascii: "."), peek(1)?.isDigit == true {
            isInteger = false
            position += 1
            skipDigits()
        }
        if let byte = peek(), byte | 0x20 == UInt8(ascii: "e"), exponentFollows {
            isInteger = false
            position += 2
            skipDigits()
        }
        if let byte = peek(), byte.startsIdentifier { throw .unparsable("a number") }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text) else { throw .unparsable("a number") }
        return .double(value)
    }

    private var exponentFollows: Bool {
        guard let next = peek(1) else { return false }
        if next.isDigit { return true }
        let isSign = next == UInt8(ascii: "+") || next == UInt8(ascii: "-")
        return isSign && peek(2)?.isDigit == true
    }

    private mutating func prefixedInteger() throws(PredicateFormatError) -> PredicateToken? {
        guard peek() == UInt8(ascii: "0"), let letter = peek(1) else { return nil }
        let radix: Int
        switch letter | 0x20 {
        case UInt8(ascii: "x"): radix = 16
        case UInt8(ascii: "o"): radix = 8
        case UInt8(ascii: "b"): radix = 2
        default: return nil
        }
        let start = position + 2
        position = start
        while let byte = peek(), byte.continuesIdentifier { position += 1 }
        let digits = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Int64(digits, radix: radix) else { throw .unparsable("a number") }
        return .integer(value)
    }

    private mutating func skipDigits() {
        while let byte = peek(), byte.isDigit { position += 1 }
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }

    fileprivate var startsIdentifier: Bool {
        (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F || self >= 0x80
    }

    fileprivate var continuesIdentifier: Bool { startsIdentifier || isDigit }
}
