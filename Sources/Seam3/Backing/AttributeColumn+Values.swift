import CoreData

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

    /// What the column keeps for a value of an object.
    ///
    /// - Throws: As ``stored(_:)``.
    func stored(attributeValue value: AttributeValue) throws -> SQLiteValue {
        switch (value, type) {
        case (.none, _): return .null
        case (.integer(let number), .integer16AttributeType),
            (.integer(let number), .integer32AttributeType),
            (.integer(let number), .integer64AttributeType):
            return .integer(number)
        case (.boolean(let value), .booleanAttributeType): return .integer(value ? 1 : 0)
        case (.double(let number), .doubleAttributeType): return Self.stored(number)
        case (.string(let text), .stringAttributeType): return .text(text)
        case (.date(let date), .dateAttributeType):
            return .real(date.timeIntervalSinceReferenceDate)
        default: return try stored(value.object)
        }
    }

    /// Whether a value of an object is the one that the column has, though it may be kept in another
    /// form: another client's text for a URI, or an archive whose order is by chance.
    ///
    /// - Parameters:
    ///   - value: The object's value.
    ///   - stored: What the column keeps for it.
    ///   - old: What the column has.
    func isSame(
        _ value: AttributeValue, stored: SQLiteValue, as old: SQLiteValue
    ) throws -> Bool {
        if stored == old { return true }
        let oldValue = self.value(old)
        if type == .transformableAttributeType, let left = value.object as? NSObject,
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
        attributeValue(stored).object
    }

    /// The attribute's value from what the column keeps.
    ///
    /// - Parameter stored: The column's value.
    /// - Returns: The value; none for NULL and for what cannot be one.
    func attributeValue(_ stored: SQLiteValue) -> AttributeValue {
        guard type == .transformableAttributeType else { return type.attributeValue(stored) }
        guard let data = stored.blob, let value = untransformed(data) else { return .none }
        return .init(keeping: value)
    }

    /// The attribute's value in the current row of a statement, without a detour where there is a
    /// direct way.
    func value(in statement: SQLiteStatement, at column: Int) -> Any? {
        if statement.isNull(at: column) { return nil }
        switch type {
        case .stringAttributeType: return statement.text(at: column)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return AttributeValue.integer(statement.integer(at: column)).object
        case .dateAttributeType:
            return Date(timeIntervalSinceReferenceDate: statement.real(at: column))
        default: return value(statement.value(at: column))
        }
    }

    // MARK: - Transformables

    /// The transformer the model names; nil for keyed archives of any class, which is what Core Data
    /// makes without one. Those of Foundation that unarchive any class are refused on Apple's
    /// systems today, and mean the same.
    private var transformer: ValueTransformer? {
        let name = attribute.valueTransformerName ?? ""
        let archives = ["", "NSKeyedUnarchiveFromData", "NSUnarchiveFromData"]
        return archives.contains(name)
            ? nil : ValueTransformer(forName: NSValueTransformerName(name))
    }

    private func transformed(_ value: Any) -> Data? {
        guard let transformer else { return KeyedArchive.data(of: value) }
        // The unarchiving transformers turn data into objects, so Core Data uses them backwards.
        return transformer is NSSecureUnarchiveFromDataTransformer
            ? transformer.reverseTransformedValue(value) as? Data
            : transformer.transformedValue(value) as? Data
    }

    private func untransformed(_ data: Data) -> Any? {
        guard let transformer else { return KeyedArchive.value(in: data) }
        return transformer is NSSecureUnarchiveFromDataTransformer
            ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    }
}
