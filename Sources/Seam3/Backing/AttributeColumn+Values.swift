import CoreData

#if SWIFT_PACKAGE
import SeamSQLite
#endif

extension AttributeColumn {
    /// What the column keeps for a value of the attribute.
    ///
    /// Dates are kept as seconds since 2001, decimals as text, UUIDs as 16 bytes, URIs as their
    /// absolute string, transformables as their transformer's output. SQLite has no NaN, so that
    /// one double is kept as text.
    ///
    /// - Parameter value: A value as Core Data holds it; nil and `NSNull` are NULL.
    /// - Returns: The value to bind.
    /// - Throws: ``SMStoreError/unacceptableValue(entity:property:value:)``.
    func stored(_ value: Any?) throws -> SQLiteValue {
        guard let value else { return .null }
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .booleanAttributeType:
            if let number = value as? NSNumber { return .integer(number.int64Value) }
        case .doubleAttributeType, .floatAttributeType:
            if let number = value as? NSNumber { return Self.stored(number.doubleValue) }
        case .decimalAttributeType:
            if let number = value as? NSNumber {
                return .text(DecimalCollation.text(number.decimalValue))
            }
        case .stringAttributeType:
            if let text = value as? String { return .text(text) }
        case .dateAttributeType:
            if let date = value as? Date { return .real(date.timeIntervalSinceReferenceDate) }
        case .binaryDataAttributeType:
            if let data = value as? Data { return .blob(data) }
        case .UUIDAttributeType:
            if let uuid = value as? UUID {
                return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
            }
        case .URIAttributeType:
            if let url = value as? URL { return .text(url.absoluteString) }
        case .transformableAttributeType:
            if value is NSNull { return .null }
            if let data = transformed(value) { return .blob(data) }
        default:
            break
        }
        if value is NSNull { return .null }
        throw SMStoreError.unacceptableValue(
            entity: root.entity.name ?? "", property: name, value: "\(Swift.type(of: value))")
    }

    /// Whether a value of an object is the one that the column has, though it may be kept in another
    /// form: another client's text for a URI, or an archive whose order is by chance.
    ///
    /// - Parameters:
    ///   - value: The object's value.
    ///   - stored: What the column keeps for it.
    ///   - old: What the column has.
    func isSame(_ value: Any?, stored: SQLiteValue, as old: SQLiteValue) throws -> Bool {
        if stored == old { return true }
        let oldValue = self.value(old)
        if type == .transformableAttributeType, let left = value as? NSObject,
            let right = oldValue as? NSObject
        {
            return left.isEqual(right)
        }
        return try self.stored(oldValue) == stored
    }

    static func stored(_ number: Double) -> SQLiteValue {
        number.isNaN ? .text("nan") : .real(number)
    }

    /// The attribute's value, as Core Data holds it, from what the column keeps.
    ///
    /// - Parameter stored: The column's value.
    /// - Returns: The value, or nil for NULL and for what cannot be one.
    func value(_ stored: SQLiteValue) -> Any? {
        switch stored {
        case .null: return nil
        case .integer(let number): return value(number)
        case .real(let number): return value(number)
        case .text(let text): return value(text)
        case .blob(let data): return value(data)
        }
    }

    private func value(_ number: Int64) -> Any? {
        switch type {
        case .booleanAttributeType: return SharedNumbers.number(number != 0)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return SharedNumbers.number(number)
        default: return value(Double(number))
        }
    }

    private func value(_ number: Double) -> Any? {
        switch type {
        case .doubleAttributeType: return NSNumber(value: number)
        case .floatAttributeType: return NSNumber(value: Float(number))
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: number)
        default: return nil
        }
    }

    private func value(_ text: String) -> Any? {
        switch type {
        case .stringAttributeType: return text
        case .decimalAttributeType:
            return DecimalCollation.decimal(text).map { NSDecimalNumber(decimal: $0) }
        case .URIAttributeType: return URL(string: text)
        case .doubleAttributeType: return NSNumber(value: Double.nan)
        case .floatAttributeType: return NSNumber(value: Float.nan)
        default: return nil
        }
    }

    private func value(_ data: Data) -> Any? {
        switch type {
        case .binaryDataAttributeType: return data
        case .UUIDAttributeType where data.count == 16:
            return UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
        case .transformableAttributeType: return untransformed(data)
        default: return nil
        }
    }

    /// The attribute's value in the current row of a statement, without a detour where there is a
    /// direct way.
    func value(in statement: SQLiteStatement, at column: Int) -> Any? {
        if statement.isNull(at: column) { return nil }
        switch type {
        case .stringAttributeType: return statement.text(at: column)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return SharedNumbers.number(statement.integer(at: column))
        case .dateAttributeType:
            return Date(timeIntervalSinceReferenceDate: statement.real(at: column))
        default: return value(statement.value(at: column))
        }
    }

    // MARK: - Transformables

    /// The transformer the model names, or else secure unarchiving, as in Core Data.
    private var transformer: ValueTransformer? {
        let name = attribute.valueTransformerName.flatMap { $0.isEmpty ? nil : $0 }
        return ValueTransformer(
            forName: name.map { NSValueTransformerName($0) }
                ?? .secureUnarchiveFromDataTransformerName)
    }

    private func transformed(_ value: Any) -> Data? {
        guard let transformer else { return nil }
        // The unarchiving transformers turn data into objects, so Core Data uses them backwards.
        return transformer is NSSecureUnarchiveFromDataTransformer
            ? transformer.reverseTransformedValue(value) as? Data
            : transformer.transformedValue(value) as? Data
    }

    private func untransformed(_ data: Data) -> Any? {
        guard let transformer else { return nil }
        return transformer is NSSecureUnarchiveFromDataTransformer
            ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    }
}
