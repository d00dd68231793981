import Foundation

/// The value of a record's field.
///
/// The large cases are indirect, so that the common ones stay small.
public enum FieldValue: Hashable, Sendable {
    /// `STRING`
    case string(String)
    /// `INT64`
    case int64(Int64)
    /// `DOUBLE`
    case double(Double)
    /// `BYTES`, base64 in JSON
    case bytes(Data)
    /// `TIMESTAMP`, milliseconds since 1970
    case timestamp(Int64)
    /// `LOCATION`
    indirect case location(LocationDictionary)
    /// `REFERENCE`
    indirect case reference(ReferenceDictionary)
    /// `ASSETID`
    indirect case asset(AssetDictionary)
    /// `STRING_LIST` and so on; `UNKNOWN_LIST` if it is empty. All elements have one type, which is
    /// not a list.
    case list([FieldValue])

    /// The name of the value's type. A list with integers and doubles is a `DOUBLE_LIST`.
    public var type: FieldType {
        switch self {
        case .string: .string
        case .int64: .int64
        case .double: .double
        case .bytes: .bytes
        case .timestamp: .timestamp
        case .location: .location
        case .reference: .reference
        case .asset: .asset
        case .list(let elements): Self.listType(of: elements)
        }
    }

    private static func listType(of elements: [FieldValue]) -> FieldType {
        guard let first = elements.first else { return .unknownList }
        let hasDouble = elements.contains { $0.type == .double }
        return first.type == .int64 && hasDouble ? .doubleList : first.type.list
    }

    /// A timestamp for a date, rounded to milliseconds. A date that no timestamp can represent
    /// becomes the nearest one.
    public static func timestamp(_ date: Date) -> FieldValue { .timestamp(date.milliseconds) }
}

extension Date {
    /// Milliseconds since 1970, limited to the range of the type.
    public var milliseconds: Int64 {
        let number = (timeIntervalSince1970 * 1000).rounded()
        if let exact = Int64(exactly: number) { return exact }
        return number.isNaN ? 0 : number < 0 ? .min : .max
    }
}

/// The name of a field's type.
public struct FieldType: RawRepresentable, Hashable, Sendable, Codable {
    /// The name in the JSON.
    public let rawValue: String

    /// Creates a type from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A string.
    public static let string = Self(rawValue: "STRING")
    /// An integer.
    public static let int64 = Self(rawValue: "INT64")
    /// A floating-point number.
    public static let double = Self(rawValue: "DOUBLE")
    /// Bytes.
    public static let bytes = Self(rawValue: "BYTES")
    /// A date.
    public static let timestamp = Self(rawValue: "TIMESTAMP")
    /// A geographical location.
    public static let location = Self(rawValue: "LOCATION")
    /// A reference to a record.
    public static let reference = Self(rawValue: "REFERENCE")
    /// A file.
    public static let asset = Self(rawValue: "ASSETID")
    /// An empty list.
    public static let unknownList = Self(rawValue: "UNKNOWN_LIST")
    /// A list of doubles.
    public static let doubleList = Self.double.list

    private static let listSuffix = "_LIST"

    /// The type of a list with elements of this type.
    public var list: FieldType { FieldType(rawValue: rawValue + Self.listSuffix) }

    /// The type of a list's elements, or nil for a type that is not a list.
    public var element: FieldType? {
        guard rawValue.hasSuffix(Self.listSuffix) else { return nil }
        return FieldType(rawValue: String(rawValue.dropLast(Self.listSuffix.count)))
    }
}

extension FieldValue {
    /// The value itself, or the elements of a list.
    private var leaves: [FieldValue] {
        if case .list(let elements) = self { elements } else { [self] }
    }

    /// The assets in the value, in their order.
    package var assets: [AssetDictionary] {
        leaves.compactMap { if case .asset(let asset) = $0 { asset } else { nil } }
    }

    /// The references in the value, in their order.
    package var references: [ReferenceDictionary] {
        leaves.compactMap { if case .reference(let reference) = $0 { reference } else { nil } }
    }
}
