import CloudKit

/// Decimal numbers as strings, the form in which records store them.
enum DecimalText {
    /// The number that the whole string represents; nil if any part of it is something else.
    ///
    /// Foundation reads as far as it can, and would decode `"1,5"` as 1.
    static func decimal(_ text: String) -> Decimal? {
        guard isNumber(text),
            let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
            !number.isNaN
        else { return nil }
        return number
    }

    /// Whether a string consists of an optional sign, digits with at most one decimal point, and an
    /// optional exponent.
    private static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        skipSign(&rest)
        var count = skipDigits(&rest)
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            count += skipDigits(&rest)
        }
        guard count > 0 else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            skipSign(&rest)
            guard skipDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func skipSign(_ text: inout Substring.UTF8View) {
        if text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+") {
            text.removeFirst()
        }
    }

    /// Removes digits from the beginning, and returns their number.
    private static func skipDigits(_ text: inout Substring.UTF8View) -> Int {
        let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        text.removeFirst(digits.count)
        return digits.count
    }
}
