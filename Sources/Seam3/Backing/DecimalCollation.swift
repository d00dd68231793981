import CoreData

/// Orders decimals by their value. They are stored as text to keep all digits.
enum DecimalCollation {
    static let name = "SEAM_DECIMAL"

    static func register(on connection: SQLiteConnection) throws {
        try connection.createCollation(name) { left, right in
            guard let leftNumber = decimal(left), let rightNumber = decimal(right) else {
                return left < right
                    ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
            }
            if leftNumber == rightNumber { return .orderedSame }
            return leftNumber < rightNumber ? .orderedAscending : .orderedDescending
        }
    }

    /// The text of a decimal, the same in every locale.
    static func text(_ decimal: Decimal) -> String {
        NSDecimalNumber(decimal: decimal).description(withLocale: posix)
    }

    /// The decimal that a string represents, or nil.
    static func decimal(_ text: String) -> Decimal? {
        Decimal(string: text, locale: posix)
    }

    private static let posix = Locale(identifier: "en_US_POSIX")
}
