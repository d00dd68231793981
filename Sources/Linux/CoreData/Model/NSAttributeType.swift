import FoundationGaps

/// The type of an attribute's values.
///
/// The raw values are Apple's; they are used in compiled models and in stores.
public enum NSAttributeType: UInt, Sendable {
    /// No type. Allowed for transient attributes only.
    case undefinedAttributeType = 0
    /// A 16-bit signed integer.
    case integer16AttributeType = 100
    /// A 32-bit signed integer.
    case integer32AttributeType = 200
    /// A 64-bit signed integer.
    case integer64AttributeType = 300
    /// An `NSDecimalNumber`.
    case decimalAttributeType = 400
    /// A double.
    case doubleAttributeType = 500
    /// A float.
    case floatAttributeType = 600
    /// A string.
    case stringAttributeType = 700
    /// A Boolean.
    case booleanAttributeType = 800
    /// A date.
    case dateAttributeType = 900
    /// Data.
    case binaryDataAttributeType = 1000
    /// A UUID.
    case UUIDAttributeType = 1100
    /// A URL.
    case URIAttributeType = 1200
    /// A value that a value transformer converts to data for the store.
    case transformableAttributeType = 1800
    /// The ID of a managed object. Never stored; for the columns of dictionary fetches.
    case objectIDAttributeType = 2000
    /// A group of named values, read as a dictionary.
    case compositeAttributeType = 2100
}

extension NSAttributeDescription {
    /// The type of an attribute's values, for Swift code since 2021.
    ///
    /// It wraps `NSAttributeType`.
    public struct AttributeType: RawRepresentable, Hashable {
        /// The wrapped type.
        public let rawValue: NSAttributeType

        /// Wraps a type of the enumeration.
        public init(rawValue: NSAttributeType) {
            self.rawValue = rawValue
        }

        /// No type.
        public static var undefined: AttributeType { .init(rawValue: .undefinedAttributeType) }
        /// A 16-bit signed integer.
        public static var integer16: AttributeType { .init(rawValue: .integer16AttributeType) }
        /// A 32-bit signed integer.
        public static var integer32: AttributeType { .init(rawValue: .integer32AttributeType) }
        /// A 64-bit signed integer.
        public static var integer64: AttributeType { .init(rawValue: .integer64AttributeType) }
        /// An `NSDecimalNumber`.
        public static var decimal: AttributeType { .init(rawValue: .decimalAttributeType) }
        /// A double.
        public static var double: AttributeType { .init(rawValue: .doubleAttributeType) }
        /// A float.
        public static var float: AttributeType { .init(rawValue: .floatAttributeType) }
        /// A string.
        public static var string: AttributeType { .init(rawValue: .stringAttributeType) }
        /// A Boolean.
        public static var boolean: AttributeType { .init(rawValue: .booleanAttributeType) }
        /// A date.
        public static var date: AttributeType { .init(rawValue: .dateAttributeType) }
        /// Data.
        public static var binaryData: AttributeType { .init(rawValue: .binaryDataAttributeType) }
        /// A UUID.
        public static var uuid: AttributeType { .init(rawValue: .UUIDAttributeType) }
        /// A URL.
        public static var uri: AttributeType { .init(rawValue: .URIAttributeType) }
        /// A value that a value transformer converts to data.
        public static var transformable: AttributeType {
            .init(rawValue: .transformableAttributeType)
        }
        /// The ID of a managed object.
        public static var objectID: AttributeType { .init(rawValue: .objectIDAttributeType) }
        /// A group of named values.
        public static var composite: AttributeType { .init(rawValue: .compositeAttributeType) }
    }
}
