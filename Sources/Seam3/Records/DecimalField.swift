import CoreData

/// A decimal in a record: a Double and, if it loses digits, the decimal's text in a second field.
///
/// The text counts only while the Double is still the one it was written with, because an app that
/// knows only the Double changes only the Double.
enum DecimalField {
    /// The suffix of the second field's name.
    static let suffix = "_decimal"

    /// The Double nearest to a decimal's text. The conversion of `Decimal` itself is less exact.
    static func double(_ text: String) -> Double? {
        DecimalCollation.decimal(text).flatMap { Double(DecimalCollation.text($0)) }
            .flatMap { $0.isFinite ? $0 : nil }
    }

    /// The text of a decimal that a Double cannot represent; otherwise nil.
    static func digits(_ text: String) -> String? {
        guard let decimal = DecimalCollation.decimal(text), let double = double(text) else {
            return nil
        }
        return DecimalCollation.decimal("\(double)") == decimal ? nil : text
    }

    /// The text of the decimal that two fields represent.
    static func text(double: Double?, digits: String?) -> String? {
        guard let double else { return nil }
        if let digits, self.double(digits) == double {
            return DecimalCollation.decimal(digits).map(DecimalCollation.text)
        }
        return DecimalCollation.decimal("\(double)").map(DecimalCollation.text)
    }
}
