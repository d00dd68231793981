import FoundationGaps

/// The value of an attribute as objects and rows store it.
///
/// An `Any?` holds every number as a separate object, and each copy, comparison and release of it
/// asks the runtime for its type. With these cases the compiler does all that without the runtime,
/// numbers need no other memory, and typed accessors read them directly. Key-value coding returns
/// what Apple returns, see ``object``. Linux-only; stores pass values on in this form.
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

    /// A value in a separate allocation, so that the few large ones do not make all values larger.
    ///
    /// Unchecked because it is a constant, which is as safe to share as it was when it was set.
    public final class Other: @unchecked Sendable {
        /// The value.
        public let value: Any

        /// Stores a value.
        public init(_ value: Any) {
            self.value = value
        }
    }

    /// Stores a value of any type, so that one of the same type is returned.
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

    /// Stores a number so that an equal one of the same kind can be created again.
    init(_ number: NSNumber) {
        // A Boolean belongs to a subclass, and so does a decimal number, which claims to be a
        // double.
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

    /// The value truncated to an integer, if it is a number that an `Int64` can hold.
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
        // As `NSNumber` compares them: unlike in Swift, NaN equals itself.
        case (.double(let left), .double(let right)):
            left == right || (left.isNaN && right.isNaN)
        // Swift's equality of strings also treats different encodings of a character as equal.
        case (.string(let left), .string(let right)):
            left == right && left.utf8.elementsEqual(right.utf8)
        case (.date(let left), .date(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        default: _areEqual(object, other.object)
        }
    }
}
