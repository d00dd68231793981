import CoreData

/// A constant of a predicate, independent of the Swift or Foundation type that contains it.
enum QueryConstant {
    case null
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case object(NSManagedObjectID)
    case collection([Any])
    /// A value that no attribute can have.
    case other

    init(_ value: Any?) {
        switch value {
        case nil, is NSNull: self = .null
        case let text as String: self = .string(text)
        case let object as NSManagedObject: self = .object(object.objectID)
        case let objectID as NSManagedObjectID: self = .object(objectID)
        case let date as Date: self = .date(date)
        case let uuid as UUID: self = .uuid(uuid)
        case let url as URL: self = .url(url)
        case let data as Data: self = .data(data)
        case let value?:
            self =
                Self.number(value) ?? Self.elements(of: value).map(QueryConstant.collection)
                ?? .other
        }
    }

    /// Whether comparing a large integer with the constant gives a different result than comparing
    /// the integer's nearest double.
    var dependsOnTypeOfNumber: Bool {
        switch self {
        case .integer(let number): return number.magnitude > 1 << 53
        case .decimal: return true
        default: return false
        }
    }

    private static func number(_ value: Any) -> QueryConstant? {
        if let decimal = value as? Decimal { return .decimal(decimal) }
        guard let number = value as? NSNumber else { return nil }
        if let decimal = number as? NSDecimalNumber { return .decimal(decimal.decimalValue) }
        let double = number.doubleValue
        // A double stays a double even if it is whole: 7 / 2.0 is not 7 / 2.
        if Self.isFloatingPoint(number) { return .double(double) }
        let integer = number.int64Value
        // A value that is too large for an SQL integer is a double in SQL.
        if Double(integer) == double, number == NSNumber(value: integer) {
            return .integer(integer)
        }
        return .double(double)
    }

    private static func isFloatingPoint(_ number: NSNumber) -> Bool {
        let type = UInt8(bitPattern: number.objCType.pointee)
        return type == UInt8(ascii: "d") || type == UInt8(ascii: "f")
    }

    /// The members of a collection, the values of a dictionary, or nil for anything else.
    private static func elements(of value: Any) -> [Any]? {
        if let array = value as? [Any] { return array }
        if let set = value as? NSOrderedSet { return set.array }
        if let set = value as? NSSet { return set.allObjects }
        if let set = value as? Set<AnyHashable> { return set.map(\.base) }
        if let dictionary = value as? [AnyHashable: Any] { return Array(dictionary.values) }
        return nil
    }
}
