/// Mangles the identifiers of one symbol, with references to earlier words.
struct MangledIdentifiers {
    /// The words so far; a reference is a letter of the alphabet, which limits their number.
    private var words: [String] = []
    private static let mostWords = 26

    /// Appends an identifier to a symbol.
    mutating func append(_ name: String, to symbol: inout String) {
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
            let encoded = Punycode.encoded(name)
            let first = encoded.utf8.first ?? 0
            let isSeparated = first == UInt8(ascii: "_") || Self.isDigit(first)
            symbol += "00\(encoded.utf8.count)" + (isSeparated ? "_" : "") + encoded
            return
        }
        let replacements = takeWords(of: name)
        let bytes = Array(name.utf8)
        if !replacements.isEmpty { symbol += "0" }
        var position = 0
        for (index, replacement) in replacements.enumerated() {
            appendText(bytes[position..<replacement.start], to: &symbol)
            position = replacement.start + words[replacement.word].utf8.count
            let isLast = index == replacements.count - 1
            let base = isLast ? UInt8(ascii: "A") : UInt8(ascii: "a")
            symbol += String(Unicode.Scalar(base + UInt8(replacement.word)))
            if isLast, position == bytes.count { symbol += "0" }
        }
        appendText(bytes[position...], to: &symbol)
    }

    private func appendText(_ bytes: ArraySlice<UInt8>, to symbol: inout String) {
        guard !bytes.isEmpty else { return }
        symbol += "\(bytes.count)" + String(decoding: bytes, as: UTF8.self)
    }

    /// The earlier words in an identifier; new words are remembered.
    private mutating func takeWords(of name: String) -> [(start: Int, word: Int)] {
        let bytes = Array(name.utf8)
        var replacements: [(start: Int, word: Int)] = []
        var start: Int?
        for position in 0...bytes.count {
            let next = position < bytes.count ? bytes[position] : 0
            if let wordStart = start, Self.endsWord(next, after: bytes[position - 1]) {
                let word = String(decoding: bytes[wordStart..<position], as: UTF8.self)
                if let index = words.firstIndex(of: word) {
                    replacements.append((wordStart, index))
                } else if position - wordStart >= 2, words.count < Self.mostWords {
                    words.append(word)
                }
                start = nil
            }
            if start == nil, Self.startsWord(next) { start = position }
        }
        return replacements
    }

    private static func startsWord(_ byte: UInt8) -> Bool {
        !isDigit(byte) && byte != UInt8(ascii: "_") && byte != 0
    }

    private static func endsWord(_ byte: UInt8, after previous: UInt8) -> Bool {
        if byte == UInt8(ascii: "_") || byte == 0 { return true }
        return !isUppercase(previous) && isUppercase(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isUppercase(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
