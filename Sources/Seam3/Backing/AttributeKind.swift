import CoreData

/// The kinds of attributes, which determine the column, the CloudKit field and the values in
/// predicates.
///
/// Descriptions are read only here. Switches over this type have no `default`, so that the compiler
/// finds all the places to change when a kind is added.
enum AttributeKind: UInt {
    // The raw values are Core Data's. They are stored in files; see ``ModelSnapshot``.
    case integer16 = 100
    case integer32 = 200
    case integer64 = 300
    case decimal = 400
    case double = 500
    case float = 600
    case string = 700
    case boolean = 800
    case date = 900
    case binaryData = 1000
    case uuid = 1100
    case uri = 1200
    case transformable = 1800

    /// The kind for a description's type; the elements of a composite attribute have kinds of their
    /// own.
    ///
    /// - Returns: nil for types that the store cannot keep: undefined, or newer than this list.
    init?(_ type: NSAttributeType) {
        self.init(rawValue: UInt(type.rawValue))
    }

    /// The integers that are valid values of the kind; nil if it is not an integer kind.
    var integerRange: ClosedRange<Int64>? {
        switch self {
        case .boolean: return 0...1
        case .integer16: return Int64(Int16.min)...Int64(Int16.max)
        case .integer32: return Int64(Int32.min)...Int64(Int32.max)
        case .integer64: return Int64.min...Int64.max
        case .decimal, .double, .float, .string, .date, .binaryData, .uuid, .uri, .transformable:
            return nil
        }
    }

    /// Whether values are binary data, which may be large.
    var isBinary: Bool {
        switch self {
        case .binaryData, .transformable: return true
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean,
            .date,
            .uuid, .uri:
            return false
        }
    }

    /// The value of an attribute of this kind, without a transformer, from its column's value;
    /// `none` for NULL and for values that do not fit.
    func attributeValue(_ stored: SQLiteValue) -> AttributeValue {
        switch self {
        case .string:
            if case .text(let text) = stored { return .string(text) }
        case .integer16, .integer32, .integer64:
            if case .integer(let number) = stored { return .integer(number) }
        case .boolean:
            if case .integer(let number) = stored { return .boolean(number != 0) }
        case .double:
            if case .text = stored { return .double(.nan) }
            return stored.real.map { .double($0) } ?? .none
        case .float:
            if case .text = stored { return .float(.nan) }
            return stored.real.map { .float(Float($0)) } ?? .none
        case .date:
            return stored.real.map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .none
        case .decimal:
            guard let decimal = stored.text.flatMap(DecimalCollation.decimal) else { return .none }
            return .init(keeping: NSDecimalNumber(decimal: decimal))
        case .uri:
            return stored.text.flatMap { URL(string: $0) }.map { .url($0) } ?? .none
        case .uuid:
            return stored.uuid.map { .uuid($0) } ?? .none
        case .binaryData:
            if case .blob(let data) = stored { return .data(data) }
        case .transformable:
            break
        }
        return .none
    }
}

extension SQLiteValue {
    /// A UUID as its 16 bytes.
    init(_ uuid: UUID) {
        self = .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    }

    /// The UUID, if the value is 16 bytes.
    var uuid: UUID? {
        guard case .blob(let data) = self, data.count == 16 else { return nil }
        return UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
