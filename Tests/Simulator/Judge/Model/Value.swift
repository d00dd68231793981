import CoreData

/// A value of a property as users see it, in a form that can be compared between places.
///
/// Dates have a precision of a millisecond, like those in records. All dates beyond the range of a
/// record are one value in each direction. Zero has no sign, because SQLite stores none.
public enum Value: Hashable, Sendable {
    case none
    case text(String)
    /// A string with a number of characters.
    case longText(Int)
    case int(Int)
    case bool(Bool)
    /// A Double, or a Float with the same value.
    case double(Double)
    /// Seconds since 2001.
    case date(Double)
    case decimal(String)
    /// A number of bytes with a pattern that depends on the number.
    case data(Int)
    case uuid(String)
    case uri(String)
    /// An array of strings, which a transformer archives.
    case texts([String])
    /// The elements of a composite attribute.
    case composite([String: Value])
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

    /// Zeros with different signs are equal, but their texts are not, by which copies are sorted and compared.
    private static func withoutSignOfZero(_ number: Double) -> Double { number == 0 ? 0 : number }

    /// The form in which values are compared.
    var canonical: Value {
        switch self {
        case .date(let seconds) where abs(seconds) > Self.farAway || seconds.isNaN:
            return .date(seconds < 0 ? -Self.farAway : Self.farAway)
        case .date(let seconds):
            return .date(Self.withoutSignOfZero((seconds * 1000).rounded() / 1000))
        case .double(let number): return .double(Self.withoutSignOfZero(number))
        case .text(let text): return Self.text(of: text)
        case .longText(let count) where count <= Self.longest:
            return .text(String(repeating: "x", count: count))
        case .decimal(let text):
            return Decimal(string: text).map { .decimal("\($0)") } ?? .none
        case .objects(let names): return .objects(names.sorted())
        case .composite(let elements):
            // If all elements are nil, so is the whole.
            let rest = elements.mapValues(\.canonical).filter { $0.value != .none }
            return rest.isEmpty ? .none : .composite(rest)
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
        case .bool(let flag): return flag
        case .double(let number): return number
        case .uuid(let text): return UUID(uuidString: text)
        case .uri(let text): return URL(string: text)
        case .texts(let texts): return NSArray(array: texts)
        case .composite(let elements): return elements.compactMapValues(\.stored)
        }
    }

    /// The value that an app reads from an attribute.
    init(stored: Any?, as attribute: Kind.Attribute) {
        guard attribute.elements.isEmpty else {
            let values = stored as? [String: Any] ?? [:]
            let elements = attribute.elements.map { element in
                (element.name, Value(stored: values[element.name], as: element))
            }
            self = Value.composite(Dictionary(uniqueKeysWithValues: elements)).canonical
            return
        }
        let number = stored as? NSNumber
        switch attribute.type {
        case .booleanAttributeType:
            self = (stored as? Bool ?? number?.boolValue).map(Value.bool) ?? .none
        case .doubleAttributeType, .floatAttributeType:
            let double = number?.doubleValue ?? stored as? Double
            self = double.map { Value.double($0).canonical } ?? .none
        case .transformableAttributeType:
            self = (stored as? [String]).map(Value.texts) ?? .none
        default: self.init(plain: stored)
        }
    }

    private init(plain stored: Any?) {
        switch stored {
        case let text as String: self = Self.text(of: text)
        case let date as Date: self = Self.date(of: date)
        case let data as Data: self = Self.data(of: data)
        case let number as NSDecimalNumber: self = .decimal("\(number.decimalValue)")
        case let number as Decimal: self = .decimal("\(number)")
        case let number as NSNumber: self = .int(number.intValue)
        case let number as Int: self = .int(number)
        case let token as UUID: self = .uuid(token.uuidString)
        case let place as URL: self = .uri(place.absoluteString)
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
        case .bool(let flag): return ".bool(\(flag))"
        case .double(let number): return ".double(\(number))"
        case .uuid(let text): return ".uuid(\(text.debugDescription))"
        case .uri(let text): return ".uri(\(text.debugDescription))"
        case .texts(let texts): return ".texts(\(texts))"
        case .composite(let elements): return ".composite(\(elements.swift))"
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
