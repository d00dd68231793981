import CoreData

/// A decimal on the wire: a Double, and where that loses digits also their text in a second field.
///
/// The text counts only while the Double is still the one it was written with; an app that knows
/// only the Double changes only that.
enum DecimalField {
    /// What the second field's name adds to the first's.
    static let suffix = "_decimal"

    /// The Double nearest to a decimal's text. (Decimals' own conversion is not that exact.)
    static func double(_ text: String) -> Double? {
        DecimalCollation.decimal(text).flatMap { Double(DecimalCollation.text($0)) }
            .flatMap { $0.isFinite ? $0 : nil }
    }

    /// The text of a decimal that a Double cannot carry, or nil.
    static func digits(_ text: String) -> String? {
        guard let decimal = DecimalCollation.decimal(text), let double = double(text) else {
            return nil
        }
        return DecimalCollation.decimal("\(double)") == decimal ? nil : text
    }

    /// The text of the decimal that two fields stand for.
    static func text(double: Double?, digits: String?) -> String? {
        guard let double else { return nil }
        if let digits, self.double(digits) == double {
            return DecimalCollation.decimal(digits).map(DecimalCollation.text)
        }
        return DecimalCollation.decimal("\(double)").map(DecimalCollation.text)
    }
}
