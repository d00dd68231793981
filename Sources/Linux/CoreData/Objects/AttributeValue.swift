import FoundationGaps

/// The value of an attribute as objects and rows keep it.
///
/// An `Any?` holds every number as an object of its own, and each copy, comparison and release of it
/// asks the runtime for its type. Of these cases the compiler knows how to do all that, numbers need
/// no memory elsewhere, and typed accessors take them out as they are. What is read through
/// key-value coding is what Apple returns, see ``object``. Linux-only; stores hand values over in it.
public enum AttributeValue {
    /// nil.
    case none
    case boolean(Bool)
    /// An `NSNumber` of any integer type that an `Int64` can hold.
    case integer(Int64)
    case double(Double)
    case float(Float)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    /// Everything else: large and decimal numbers, composite and transformable values.
    case other(Other)

    /// A value in an allocation of its own, so that the few that are large do not make all larger.
    ///
    /// Unchecked because it is a constant, which is as safe to share as it was when it was set.
    public final class Other: @unchecked Sendable {
        /// The value.
        public let value: Any

        /// Keeps a value.
        public init(_ value: Any) {
            self.value = value
        }
    }

    /// Keeps a value of any type, so that one of the same type is returned.
    public init(keeping value: Any) {
        if let number = _exactly(value, NSNumber.self) {
            self.init(number)
        } else if let string = _exactly(value, String.self) {
            self = .string(string)
        } else if let date = _exactly(value, Date.self) {
            self = .date(date)
        } else {
            self = .other(Other(value))
        }
    }

    /// Keeps a number so that an equal one of the same kind can be made again.
    init(_ number: NSNumber) {
        // A Boolean is of a subclass, and so is a decimal number, which says that it is a double.
        let isPlain = type(of: number) == NSNumber.self
        switch (UInt8(bitPattern: number.objCType.pointee), isPlain) {
        case (UInt8(ascii: "i"), true), (UInt8(ascii: "q"), true):
            self = .integer(number.int64Value)
        case (UInt8(ascii: "d"), true): self = .double(number.doubleValue)
        case (UInt8(ascii: "f"), true): self = .float(number.floatValue)
        case (UInt8(ascii: "c"), false): self = .boolean(number.boolValue)
        default: self = .other(Other(number))
        }
    }

    /// The value as key-value coding returns it; a number as an `NSNumber`.
    public var object: Any? {
        switch self {
        case .none: nil
        case .boolean, .integer, .double, .float: number
        case .string(let string): string
        case .date(let date): date
        case .data(let data): data
        case .uuid(let uuid): uuid
        case .url(let url): url
        case .other(let other): other.value
        }
    }

    /// The value as a number, if it is one.
    var number: NSNumber? {
        switch self {
        case .boolean(let value): SharedNumbers.number(value)
        case .integer(let value): SharedNumbers.number(value)
        case .double(let value): NSNumber(value: value)
        case .float(let value): NSNumber(value: value)
        case .other(let other): other.value as? NSNumber
        case .none, .string, .date, .data, .uuid, .url: nil
        }
    }

    /// The value cut to an integer, if it is a number that an `Int64` can hold.
    var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value.rounded(.towardZero))
        case .float(let value): Int64(exactly: value.rounded(.towardZero))
        default: nil
        }
    }

    /// Whether there is no value.
    var isNone: Bool {
        if case .none = self { return true }
        return false
    }

    /// Whether two values are equal. Values of types that cannot be compared count as different.
    func isEqual(to other: AttributeValue) -> Bool {
        switch (self, other) {
        case (.none, .none): true
        case (.none, _), (_, .none): false
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        // As numbers are compared: unlike in Swift, what is not a number equals itself.
        case (.double(let left), .double(let right)):
            left == right || (left.isNaN && right.isNaN)
        // Equality of strings also takes different encodings of one character for equal.
        case (.string(let left), .string(let right)):
            left == right && left.utf8.elementsEqual(right.utf8)
        case (.date(let left), .date(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        default: Self.areEqual(object, other.object)
        }
    }

    /// Compares values of any type, and numbers of different ones.
    private static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
        guard let left = left as? AnyHashable, let right = right as? AnyHashable else {
            return false
        }
        return left == right
    }
}
