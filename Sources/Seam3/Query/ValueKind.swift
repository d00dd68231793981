import CoreData

/// The kind of an SQL expression's value, which determines how it is compared and read back.
///
/// It is derived from an ``AttributeKind`` but is not the same: an expression over a column has no
/// width, and arithmetic has results of a kind that no attribute has.
enum ValueKind: String {
    case boolean = "b"
    case integer = "i"
    /// An integer, or the double that arithmetic returns if the integer would be too large, in SQL
    /// as in memory. Only `typeof` tells which one a row has.
    case number = "n"
    case double = "d"
    case decimal = "m"
    case string = "s"
    case date = "t"
    case data = "x"
    case uuid = "u"
    case url = "l"
    /// Transformed values, which SQL can only compare with nil.
    case opaque = "o"

    init(_ kind: AttributeKind) {
        switch kind {
        case .boolean: self = .boolean
        case .integer16, .integer32, .integer64: self = .integer
        case .double, .float: self = .double
        case .decimal: self = .decimal
        case .string: self = .string
        case .date: self = .date
        case .binaryData: self = .data
        case .uuid: self = .uuid
        case .uri: self = .url
        case .transformable: self = .opaque
        }
    }

    var isNumber: Bool {
        switch self {
        case .boolean, .integer, .number, .double, .decimal: return true
        case .string, .date, .data, .uuid, .url, .opaque: return false
        }
    }

    var isWhole: Bool { self == .integer || self == .boolean || self == .number }

    /// The value to compare an SQL expression of this kind with.
    ///
    /// - Returns: The value to bind, or nil if no value of this kind is equal to the constant or
    ///   has an order with it.
    func comparable(_ constant: QueryConstant) -> SQLiteValue? {
        guard let (value, kind) = Self.bound(constant) else { return nil }
        switch self {
        case .boolean, .integer, .number:
            if case .decimal(let number) = constant { return Self.comparableWithIntegers(number) }
            // NaN, which is stored as text, cannot be compared.
            if kind == .integer || kind == .double, value.real != nil { return value }
        case .double:
            if case .decimal(let number) = constant {
                return .real(NSDecimalNumber(decimal: number).doubleValue)
            }
            // An integer of more than 53 bits is compared with a double as a double, which SQL does
            // not do by itself.
            if kind == .integer || kind == .double, let number = value.real { return .real(number) }
        case .decimal:
            if case .integer(let number) = constant {
                return .text(DecimalCollation.text(Decimal(number)))
            }
            if kind == .decimal || kind == .double && value.real != nil { return value }
        case .string, .date, .data, .uuid, .url:
            if kind == self { return value }
        case .opaque:
            break
        }
        return nil
    }

    /// The constant that a column of this kind is compared with: for a column of strings, a number
    /// becomes a string; for a column of numbers, a string that contains a number becomes the
    /// number. SQLite does this because of the column's affinity, and so does Core Data's SQLite
    /// store.
    func affine(_ constant: QueryConstant) -> QueryConstant {
        // What Apple's frameworks do here is an assumption: SM-9.
        switch constant {
        case .integer(let number) where self == .string: return .string(String(number))
        case .double(let number) where self == .string: return .string("\(number)")
        case .decimal(let number) where self == .string: return .string("\(number)")
        case .string(let text) where isNumber: return number(text) ?? constant
        default: return constant
        }
    }

    /// The number that a string contains, surrounded by white space at most.
    private func number(_ text: String) -> QueryConstant? {
        let text = text.trimmingCharacters(in: CharacterSet(charactersIn: " \t\n\u{B}\u{C}\r"))
        // Other forms that Swift accepts, such as "inf" and "0x9", are not numbers in SQLite.
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
            let double = Double(text)
        else { return nil }
        if let integer = Int64(text) { return .integer(integer) }
        if self == .decimal, let decimal = Decimal(string: text) { return .decimal(decimal) }
        return .double(double)
    }

    /// A decimal as an integer, or as a double between the same two integers. If the decimal is
    /// large or close to an integer, there is no such double, and the result is the decimal's text.
    private static func comparableWithIntegers(_ decimal: Decimal) -> SQLiteValue {
        let number = NSDecimalNumber(decimal: decimal)
        let double = number.doubleValue
        if double.rounded() != double { return .real(double) }
        let integer = number.int64Value
        return Decimal(integer) == decimal
            ? .integer(integer) : .text(DecimalCollation.text(decimal))
    }

    /// The value in Core Data's form for a value of a column or an expression of this kind.
    func value(_ stored: SQLiteValue) -> Any? {
        let kind: AttributeKind
        switch self {
        case .boolean: kind = .boolean
        case .integer: kind = .integer64
        case .number:
            if case .real = stored { kind = .double } else { kind = .integer64 }
        case .double: kind = .double
        case .decimal: kind = .decimal
        case .string: kind = .string
        case .date: kind = .date
        case .data: kind = .binaryData
        case .uuid: kind = .uuid
        case .url: kind = .uri
        case .opaque: return nil
        }
        return kind.attributeValue(stored).object
    }

    /// The SQL value of a constant, for use inside other expressions.
    static func bound(_ constant: QueryConstant) -> (SQLiteValue, ValueKind)? {
        switch constant {
        case .integer(let number): return (.integer(number), .integer)
        case .double(let number): return (AttributeColumn.stored(number), .double)
        case .decimal(let number): return (.text(DecimalCollation.text(number)), .decimal)
        case .string(let text): return (.text(text), .string)
        case .date(let date): return (.real(date.timeIntervalSinceReferenceDate), .date)
        case .data(let data): return (.blob(data), .data)
        case .uuid(let uuid): return (SQLiteValue(uuid), .uuid)
        case .url(let url): return (.text(url.absoluteString), .url)
        case .null, .object, .collection, .other: return nil
        }
    }

    /// The SQL value of a constant for an expression of this kind.
    func stored(_ constant: QueryConstant) -> SQLiteValue {
        switch (self, constant) {
        case (.double, .double(let number)): return AttributeColumn.stored(number)
        case (.double, .integer(let number)): return .real(Double(number))
        case (.decimal, .double(let number)):
            return number.isInfinite ? .null : .text(DecimalCollation.text(Decimal(number)))
        default: return comparable(constant) ?? .null
        }
    }
}
