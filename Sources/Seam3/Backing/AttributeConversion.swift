import CoreData

/// How the column of an attribute whose type has changed gets its new values.
///
/// A value is converted only if the conversion can be reversed; a conversion that would lose
/// something is an error.
struct AttributeConversion {
    /// A value that the new type cannot hold.
    struct Loss: Error {
        let path: String
    }

    let from: AttributeKind
    let to: AttributeKind

    /// A conversion between two kinds.
    ///
    /// - Returns: nil if no value of one kind is ever a value of the other.
    init?(from: AttributeKind, to: AttributeKind) {
        self.from = from
        self.to = to
        guard from == to || Self.exists(from: from, to: to) else { return nil }
    }

    private static func exists(from: AttributeKind, to: AttributeKind) -> Bool {
        let isNumber = to.integerRange != nil || [.double, .float, .decimal].contains(to)
        switch from {
        case .boolean: return to.integerRange != nil
        case .integer16, .integer32, .integer64, .double, .float, .decimal:
            return isNumber || to == .string
        case .string: return isNumber && to != .boolean || to == .uuid || to == .uri
        case .uuid, .uri: return to == .string
        case .date, .binaryData, .transformable: return false
        }
    }

    /// Whether every value keeps its stored form.
    var keepsColumn: Bool {
        if from == to { return true }
        if let old = from.integerRange, let new = to.integerRange {
            return new.contains(old.lowerBound) && new.contains(old.upperBound)
        }
        return from == .float && to == .double
    }

    /// Whether one CloudKit field, whose type can never change, can hold both kinds.
    var keepsField: Bool { Self.fieldType(from) == Self.fieldType(to) }

    private static func fieldType(_ kind: AttributeKind) -> String {
        switch kind {
        case .boolean, .integer16, .integer32, .integer64: return "Int(64)"
        case .double, .float, .decimal: return "Double"
        case .string, .uuid, .uri: return "String"
        case .date: return "Date/Time"
        case .binaryData, .transformable: return "Bytes"
        }
    }

    /// The new column's value for a value of the old one.
    ///
    /// - Parameters:
    ///   - value: The old column's value.
    ///   - path: The entity and the attribute, for the error.
    /// - Throws: ``Loss``.
    func converted(_ value: SQLiteValue, path: String) throws -> SQLiteValue {
        if value.isNull || keepsColumn { return value }
        guard let converted = exactly(value) else { throw Loss(path: path) }
        return converted
    }

    private func exactly(_ value: SQLiteValue) -> SQLiteValue? {
        switch to {
        case .boolean, .integer16, .integer32, .integer64:
            return to.integerRange.flatMap { integer(value, in: $0) }
        case .double: return double(value).map(AttributeColumn.stored)
        case .float:
            return double(value).flatMap {
                $0.isNaN || Double(Float($0)) == $0 ? AttributeColumn.stored($0) : nil
            }
        case .decimal: return decimal(value).map { .text(DecimalCollation.text($0)) }
        case .string: return text(value).map { .text($0) }
        case .uuid: return value.text.flatMap { UUID(uuidString: $0) }.map { SQLiteValue($0) }
        case .uri:
            return value.text.flatMap { URL(string: $0)?.absoluteString == $0 ? .text($0) : nil }
        case .date, .binaryData, .transformable: return nil
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
        case .text("nan") where from != .string: return Double.nan
        case .text(let text) where from == .decimal:
            return DecimalField.digits(text) == nil ? DecimalField.double(text) : nil
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
            // The shortest text of a double is exact. The conversions between `Double` and
            // `Decimal` themselves are not.
            guard real.isFinite, let decimal = DecimalCollation.decimal("\(real)"),
                DecimalField.double(DecimalCollation.text(decimal)) == real
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
        case .blob, .null: return value.uuid?.uuidString
        }
    }
}

extension AttributeConversion {
    private static let function = "SEAM_CONVERT"

    /// Makes the conversions callable from SQL.
    static func register(on connection: SQLiteConnection) throws {
        try connection.createFunction(function, argumentCount: 4) { arguments in
            guard let from = arguments[1].integer, let to = arguments[2].integer,
                let old = AttributeKind(rawValue: UInt(clamping: from)),
                let new = AttributeKind(rawValue: UInt(clamping: to)), let path = arguments[3].text,
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
