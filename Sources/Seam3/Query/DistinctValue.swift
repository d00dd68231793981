import CoreData

/// A value of a dictionary created in memory. Two values are equal if DISTINCT and GROUP BY treat
/// them as equal in SQL: strings byte by byte, numbers by value.
enum DistinctValue: Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case notANumber
    case decimal(Decimal)
    case bytes(Data)
    case text([UInt8])
    case date(Date)
    case uuid(UUID)
    case collection([DistinctValue])
    case dictionary([String: DistinctValue])
    case object(NSObject)
    case other(AnyHashable)

    init(_ value: Any?) {
        if let elements = value as? [String: Any] {
            self = .dictionary(elements.mapValues { DistinctValue($0) })
            return
        }
        switch QueryConstant(value) {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .double(let number) where number.isNaN: self = .notANumber
        case .double(let number):
            self = Int64(exactly: number).map(DistinctValue.integer) ?? .double(number)
        case .decimal(let number): self = .decimal(number)
        case .string(let text): self = .text(Array(text.utf8))
        case .url(let url): self = .text(Array(url.absoluteString.utf8))
        case .date(let date): self = .date(date)
        case .data(let data): self = .bytes(data)
        case .uuid(let uuid): self = .uuid(uuid)
        case .object(let objectID): self = .object(objectID)
        case .collection(let elements): self = .collection(elements.map { DistinctValue($0) })
        case .other: self = Self.other(value)
        }
    }

    private static func other(_ value: Any?) -> DistinctValue {
        if let object = value as? NSObject { return .object(object) }
        if let value = value as? AnyHashable { return .other(value) }
        return .null
    }
}
