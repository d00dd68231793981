import CoreData

/// What kind of value an SQL expression has, which says how it compares and how it is read back.
enum ValueKind: String {
    case boolean = "b"
    case integer = "i"
    /// An integer, or the double that arithmetic makes of one that is too large, in SQL as in memory.
    /// Which of them a row has, only `typeof` tells.
    case number = "n"
    case double = "d"
    case decimal = "m"
    case string = "s"
    case date = "t"
    case data = "x"
    case uuid = "u"
    case url = "l"
    /// Transformed values, of which SQL can only tell whether they are there.
    case opaque = "o"

    init(_ type: NSAttributeType) {
        switch type {
        case .booleanAttributeType: self = .boolean
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            self = .integer
        case .doubleAttributeType, .floatAttributeType: self = .double
        case .decimalAttributeType: self = .decimal
        case .stringAttributeType: self = .string
        case .dateAttributeType: self = .date
        case .binaryDataAttributeType: self = .data
        case .UUIDAttributeType: self = .uuid
        case .URIAttributeType: self = .url
        default: self = .opaque
        }
    }

    var isNumber: Bool {
        switch self {
        case .boolean, .integer, .number, .double, .decimal: return true
        default: return false
        }
    }

    var isWhole: Bool { self == .integer || self == .boolean || self == .number }

    /// A value that an SQL expression of this kind can be compared with.
    ///
    /// - Returns: The value to bind, or nil if no value of this kind is equal to the constant or
    ///   has an order with it.
    func comparable(_ constant: QueryConstant) -> SQLiteValue? {
        switch (self, constant) {
        case (.boolean, .integer(let number)), (.integer, .integer(let number)),
            (.number, .integer(let number)):
            return .integer(number)
        case (.double, .integer(let number)):
            // An integer of more than 53 bits is compared with a double as a double, which SQL does
            // not do by itself.
            return .real(Double(number))
        case (.decimal, .integer(let number)):
            return .text(DecimalCollation.text(Decimal(number)))
        case (_, .double(let number)) where isNumber:
            return number.isNaN ? nil : .real(number)
        case (.decimal, .decimal(let number)):
            return .text(DecimalCollation.text(number))
        case (_, .decimal(let number)) where isWhole:
            return Self.comparableWithIntegers(number)
        case (.double, .decimal(let number)):
            return .real(NSDecimalNumber(decimal: number).doubleValue)
        case (.string, .string(let text)):
            return .text(text)
        case (.date, .date(let date)):
            return .real(date.timeIntervalSinceReferenceDate)
        case (.data, .data(let data)):
            return .blob(data)
        case (.uuid, .uuid(let uuid)):
            return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case (.url, .url(let url)):
            return .text(url.absoluteString)
        default:
            return nil
        }
    }

    /// A decimal as an integer, or as a double between the same two integers. Where it is near to
    /// an integer, or large, there is no such double: then it is the decimal's text.
    private static func comparableWithIntegers(_ decimal: Decimal) -> SQLiteValue {
        let number = NSDecimalNumber(decimal: decimal)
        let double = number.doubleValue
        if double.rounded() != double { return .real(double) }
        let integer = number.int64Value
        return Decimal(integer) == decimal
            ? .integer(integer) : .text(DecimalCollation.text(decimal))
    }

    /// The value of this kind, as Core Data holds it, that a column or an expression keeps.
    func value(_ stored: SQLiteValue) -> Any? {
        switch (self, stored) {
        case (_, .null): return nil
        case (.boolean, .integer(let number)): return AttributeValue.boolean(number != 0).object
        case (.integer, .integer(let number)), (.number, .integer(let number)):
            return AttributeValue.integer(number).object
        case (.number, .real(let number)), (.double, .real(let number)):
            return NSNumber(value: number)
        case (.double, .integer(let number)): return NSNumber(value: Double(number))
        case (.double, .text): return NSNumber(value: Double.nan)
        case (.decimal, .text(let text)):
            return DecimalCollation.decimal(text).map { NSDecimalNumber(decimal: $0) }
        case (.string, .text(let text)): return text
        case (.date, _): return stored.real.map { Date(timeIntervalSinceReferenceDate: $0) }
        case (.data, .blob(let data)): return data
        case (.uuid, .blob(let data)) where data.count == 16:
            return UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
        case (.url, .text(let text)): return URL(string: text)
        default: return nil
        }
    }

    /// What the expression of a constant keeps, for use inside other expressions.
    static func bound(_ constant: QueryConstant) -> (SQLiteValue, ValueKind)? {
        let kind: ValueKind
        switch constant {
        case .integer: kind = .integer
        case .double(let number):
            return (AttributeColumn.stored(number), .double)
        case .decimal: kind = .decimal
        case .string: kind = .string
        case .date: kind = .date
        case .data: kind = .data
        case .uuid: kind = .uuid
        case .url: kind = .url
        default: return nil
        }
        return kind.comparable(constant).map { ($0, kind) }
    }
}

extension ValueKind {
    /// What an expression of this kind keeps for a value.
    func stored(_ constant: QueryConstant) -> SQLiteValue {
        switch (self, constant) {
        case (.double, .double(let number)): return AttributeColumn.stored(number)
        case (.double, .integer(let number)): return .real(Double(number))
        case (.decimal, .double(let number)): return .text(DecimalCollation.text(Decimal(number)))
        default: return comparable(constant) ?? .null
        }
    }
}
