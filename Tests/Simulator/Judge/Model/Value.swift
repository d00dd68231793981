import CoreData

/// A value of a property as users see it, in a form that can be compared between places.
///
/// Dates have a precision of a millisecond, like those in records. All dates beyond the range of a
/// record are one value in each direction.
public enum Value: Hashable, Sendable {
    case none
    case text(String)
    /// A string with a number of characters.
    case longText(Int)
    case int(Int)
    /// Seconds since 2001.
    case date(Double)
    case decimal(String)
    /// A number of bytes with a pattern that depends on the number.
    case data(Int)
    /// The object with an identity.
    case object(String)
    /// Objects, sorted by their identities.
    case objects([String])
    /// Objects in the order of the relationship.
    case ordered([String])

    private static let longest = 200
    /// A double represents milliseconds exactly up to this limit.
    private static let farAway = 9e12

    static func text(of text: String) -> Value {
        text.count > longest ? .longText(text.count) : .text(text)
    }

    static func date(of date: Date) -> Value {
        .date(date.timeIntervalSinceReferenceDate).canonical
    }

    static func data(of data: Data) -> Value {
        data == Self.bytes(data.count) ? .data(data.count) : foreignData
    }

    /// Unknown data.
    static let foreignData = Value.text("damaged data")

    static func bytes(_ count: Int) -> Data {
        Data(repeating: UInt8(count % 251), count: count)
    }

    /// The form in which values are compared.
    var canonical: Value {
        switch self {
        case .date(let seconds) where abs(seconds) > Self.farAway || seconds.isNaN:
            return .date(seconds < 0 ? -Self.farAway : Self.farAway)
        case .date(let seconds): return .date((seconds * 1000).rounded() / 1000)
        case .text(let text): return Self.text(of: text)
        case .longText(let count) where count <= Self.longest:
            return .text(String(repeating: "x", count: count))
        case .decimal(let text):
            return Decimal(string: text).map { .decimal("\($0)") } ?? .none
        case .objects(let names): return .objects(names.sorted())
        default: return self
        }
    }

    /// The value that an app stores. The caller looks up objects.
    var stored: Any? {
        switch self {
        case .none, .object, .objects, .ordered: return nil
        case .text(let text): return text
        case .longText(let count): return String(repeating: "x", count: count)
        case .int(let number): return number
        case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        case .decimal(let text): return NSDecimalNumber(string: text)
        case .data(let count): return Self.bytes(count)
        }
    }

    /// The value that an app reads from an attribute.
    init(stored: Any?) {
        switch stored {
        case let text as String: self = Self.text(of: text)
        case let date as Date: self = Self.date(of: date)
        case let data as Data: self = Self.data(of: data)
        case let number as NSDecimalNumber: self = .decimal("\(number.decimalValue)")
        case let number as Decimal: self = .decimal("\(number)")
        case let number as NSNumber: self = .int(number.intValue)
        case let number as Int: self = .int(number)
        default: self = .none
        }
    }

    var names: [String] {
        switch self {
        case .object(let name): return [name]
        case .objects(let names), .ordered(let names): return names
        default: return []
        }
    }
}

extension Value: CustomStringConvertible {
    /// The value as Swift code.
    public var description: String {
        switch self {
        case .none: return ".none"
        case .text(let text): return ".text(\(text.debugDescription))"
        case .longText(let count): return ".longText(\(count))"
        case .int(let number): return ".int(\(number))"
        case .date(let seconds): return ".date(\(seconds))"
        case .decimal(let text): return ".decimal(\(text.debugDescription))"
        case .data(let count): return ".data(\(count))"
        case .object(let name): return ".object(\(name.debugDescription))"
        case .objects(let names): return ".objects(\(names))"
        case .ordered(let names): return ".ordered(\(names))"
        }
    }
}

extension [String: Value] {
    /// The dictionary as Swift code, in a fixed order.
    var swift: String {
        if isEmpty { return "[:]" }
        let parts = sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value)" }
        return "[" + parts.joined(separator: ", ") + "]"
    }
}
