/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name's text.
    public let rawValue: String

    /// A name from its text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// A name from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Whether a value is nil, as a number.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
    /// Whether a value is not nil, as a number.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
    /// The negation of a Boolean.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
    /// Data to the object archived in it, of any class. Here the same as
    /// ``keyedUnarchiveFromDataTransformerName``.
    public static let unarchiveFromDataTransformerName =
        NSValueTransformerName("NSUnarchiveFromData")
    /// Data to the object archived in it, of any class.
    public static let keyedUnarchiveFromDataTransformerName =
        NSValueTransformerName("NSKeyedUnarchiveFromData")
    /// Data to the object archived in it with secure coding, of an allowed class.
    public static let secureUnarchiveFromDataTransformerName =
        NSValueTransformerName("NSSecureUnarchiveFromData")
}
