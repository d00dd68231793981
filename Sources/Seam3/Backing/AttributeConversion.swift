import CoreData

/// How the column of an attribute whose type has changed gets its new values.
///
/// A value is converted only if the old one could be had back from the new one; what would lose
/// something is an error.
struct AttributeConversion {
    /// A value that the new type cannot hold.
    struct Loss: Error {
        let path: String
    }

    let from: NSAttributeType
    let to: NSAttributeType

    /// A conversion between two types.
    ///
    /// - Returns: nil if values of the one type never are values of the other.
    init?(from: NSAttributeType, to: NSAttributeType) {
        self.from = from
        self.to = to
        guard from == to || Self.targets(of: from).contains(to) else { return nil }
    }

    private static let integers: [NSAttributeType] = [
        .booleanAttributeType, .integer16AttributeType, .integer32AttributeType,
        .integer64AttributeType,
    ]
    private static let numbers: [NSAttributeType] =
        integers + [.doubleAttributeType, .floatAttributeType, .decimalAttributeType]

    private static func targets(of type: NSAttributeType) -> [NSAttributeType] {
        switch type {
        case .booleanAttributeType: return integers
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .doubleAttributeType, .floatAttributeType, .decimalAttributeType:
            return numbers + [.stringAttributeType]
        case .stringAttributeType:
            return numbers.filter { $0 != .booleanAttributeType }
                + [.UUIDAttributeType, .URIAttributeType]
        case .UUIDAttributeType, .URIAttributeType: return [.stringAttributeType]
        default: return []
        }
    }

    /// Whether every value stays as the column keeps it.
    var keepsColumn: Bool {
        if from == to { return true }
        if let old = Self.integers.firstIndex(of: from), let new = Self.integers.firstIndex(of: to)
        {
            return old < new
        }
        return from == .floatAttributeType && to == .doubleAttributeType
    }

    /// Whether a field of CloudKit, whose type can never change, holds both types.
    var keepsField: Bool { Self.fieldKind(from) == Self.fieldKind(to) }

    private static func fieldKind(_ type: NSAttributeType) -> String {
        switch type {
        case .booleanAttributeType, .integer16AttributeType, .integer32AttributeType,
            .integer64AttributeType:
            return "Int(64)"
        case .doubleAttributeType, .floatAttributeType, .decimalAttributeType: return "Double"
        case .stringAttributeType, .UUIDAttributeType, .URIAttributeType: return "String"
        case .dateAttributeType: return "Date/Time"
        default: return "Bytes"
        }
    }

    /// What the new column keeps for a value of the old one.
    ///
    /// - Parameters:
    ///   - value: What the old column keeps.
    ///   - path: The entity and the attribute, for the error.
    /// - Throws: ``Loss``.
    func converted(_ value: SQLiteValue, path: String) throws -> SQLiteValue {
        if value.isNull || keepsColumn { return value }
        guard let converted = exactly(value) else { throw Loss(path: path) }
        return converted
    }

    private func exactly(_ value: SQLiteValue) -> SQLiteValue? {
        switch to {
        case .booleanAttributeType: return integer(value, in: 0...1)
        case .integer16AttributeType:
            return integer(value, in: Int64(Int16.min)...Int64(Int16.max))
        case .integer32AttributeType:
            return integer(value, in: Int64(Int32.min)...Int64(Int32.max))
        case .integer64AttributeType: return integer(value, in: Int64.min...Int64.max)
        case .doubleAttributeType: return double(value).map(AttributeColumn.stored)
        case .floatAttributeType:
            return double(value).flatMap {
                $0.isNaN || Double(Float($0)) == $0 ? AttributeColumn.stored($0) : nil
            }
        case .decimalAttributeType:
            return decimal(value).map { .text(DecimalCollation.text($0)) }
        case .stringAttributeType: return text(value).map { .text($0) }
        case .UUIDAttributeType:
            return value.text.flatMap { UUID(uuidString: $0) }.map { uuid in
                .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
            }
        case .URIAttributeType:
            return value.text.flatMap { URL(string: $0)?.absoluteString == $0 ? .text($0) : nil }
        default: return nil
        }
    }

    private func integer(_ value: SQLiteValue, in range: ClosedRange<Int64>) -> SQLiteValue? {
        let number: Int64?
        switch value {
        case .integer(let integer): number = integer
        case .real(let real): number = Int64(exactly: real)
        case .text(let text): number = Int64(text).flatMap { String($0) == text ? $0 : nil }
        default: number = nil
        }
        return number.flatMap { range.contains($0) ? .integer($0) : nil }
    }

    private func double(_ value: SQLiteValue) -> Double? {
        switch value {
        case .integer(let integer): return Double(exactly: integer)
        case .real(let real): return real
        case .text("nan") where from != .stringAttributeType: return Double.nan
        case .text(let text):
            guard let number = Double(text) else { return nil }
            return "\(number)" == text || Int64(exactly: number).map(String.init) == text
                ? number : nil
        default: return nil
        }
    }

    private func decimal(_ value: SQLiteValue) -> Decimal? {
        switch value {
        case .integer(let integer): return Decimal(integer)
        case .real(let real):
            guard real.isFinite, let decimal = DecimalCollation.decimal("\(real)"),
                NSDecimalNumber(decimal: decimal).doubleValue == real
            else { return nil }
            return decimal
        case .text(let text):
            return DecimalCollation.decimal(text).flatMap {
                DecimalCollation.text($0) == text ? $0 : nil
            }
        default: return nil
        }
    }

    private func text(_ value: SQLiteValue) -> String? {
        switch value {
        case .integer(let integer): return String(integer)
        case .real(let real): return "\(real)"
        case .text(let text): return text
        case .blob(let data) where data.count == 16:
            return UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }).uuidString
        default: return nil
        }
    }
}

extension AttributeConversion {
    private static let function = "SEAM_CONVERT"

    /// Makes the conversions callable from SQL.
    static func register(on connection: SQLiteConnection) throws {
        try connection.createFunction(function, argumentCount: 4) { arguments in
            guard let from = arguments[1].integer, let to = arguments[2].integer,
                let old = NSAttributeType(rawValue: .init(from)),
                let new = NSAttributeType(rawValue: .init(to)), let path = arguments[3].text,
                let conversion = AttributeConversion(from: old, to: new)
            else { return .null }
            return try conversion.converted(arguments[0], path: path)
        }
    }

    /// The new value of a column in SQL.
    ///
    /// - Parameters:
    ///   - column: The old column, quoted.
    ///   - path: The entity and the attribute, for the error.
    func expression(_ column: String, path: String) -> String {
        if keepsColumn { return column }
        let text = path.replacingOccurrences(of: "'", with: "''")
        return "\(Self.function)(\(column), \(from.rawValue), \(to.rawValue), '\(text)')"
    }
}
