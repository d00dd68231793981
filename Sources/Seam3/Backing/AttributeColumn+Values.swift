import CoreData

extension AttributeColumn {
    /// The column's value for a value of the attribute.
    ///
    /// Dates are stored as seconds since 2001, decimals as text, UUIDs as 16 bytes, URIs as their
    /// absolute string, transformables as their transformer's output. SQLite has no NaN, so NaN is
    /// stored as text.
    ///
    /// - Parameter value: A value in Core Data's form; nil and `NSNull` are NULL.
    /// - Returns: The value to bind.
    /// - Throws: ``SMStoreError/unacceptableValue(entity:property:value:)``.
    func stored(_ value: Any?) throws -> SQLiteValue {
        // What Apple's frameworks do here is an assumption: CD-30.
        guard let value else { return .null }
        switch kind {
        case .integer16, .integer32, .integer64, .boolean:
            if let number = value as? NSNumber { return .integer(number.int64Value) }
        case .double, .float:
            if let number = value as? NSNumber { return Self.stored(number.doubleValue) }
        case .decimal:
            if let number = value as? NSNumber, !number.doubleValue.isInfinite {
                return .text(DecimalCollation.text(number.decimalValue))
            }
        case .string:
            if let text = value as? String { return .text(text) }
        case .date:
            if let date = value as? Date { return .real(date.timeIntervalSinceReferenceDate) }
        case .binaryData:
            if let data = value as? Data { return .blob(data) }
        case .uuid:
            if let uuid = value as? UUID { return SQLiteValue(uuid) }
        case .uri:
            if let url = value as? URL { return .text(url.absoluteString) }
        case .transformable:
            if value is NSNull { return .null }
            if let data = transformed(value) { return .blob(data) }
        }
        if value is NSNull { return .null }
        throw SMStoreError.unacceptableValue(
            entity: root.entity.name ?? "", property: name, value: "\(Swift.type(of: value))")
    }

    /// The column's value for a value of an object.
    ///
    /// - Throws: See ``stored(_:)``.
    func stored(attributeValue value: AttributeValue) throws -> SQLiteValue {
        switch kind {
        case .integer16, .integer32, .integer64:
            if case .integer(let number) = value { return .integer(number) }
        case .boolean:
            if case .boolean(let value) = value { return .integer(value ? 1 : 0) }
        case .double:
            if case .double(let number) = value { return Self.stored(number) }
        case .string:
            if case .string(let text) = value { return .text(text) }
        case .date:
            if case .date(let date) = value { return .real(date.timeIntervalSinceReferenceDate) }
        case .decimal, .float, .binaryData, .uuid, .uri, .transformable:
            break
        }
        return try stored(value.object)
    }

    /// Whether an object's value equals the column's value although their stored forms may differ:
    /// another client may write a URI differently, and the order within an archive may vary.
    ///
    /// - Parameters:
    ///   - value: The object's value.
    ///   - stored: The stored form of the object's value.
    ///   - old: The column's value.
    func isSame(
        _ value: AttributeValue, stored: SQLiteValue, as old: SQLiteValue
    ) throws -> Bool {
        if stored == old { return true }
        let oldValue = self.value(old)
        if kind == .transformable, let left = value.object as? NSObject,
            let right = oldValue as? NSObject
        {
            return left.isEqual(right)
        }
        return try self.stored(oldValue) == stored
    }

    static func stored(_ number: Double) -> SQLiteValue {
        number.isNaN ? .text("nan") : .real(number)
    }

    /// The attribute's value in Core Data's form.
    ///
    /// - Parameter stored: The column's value.
    /// - Returns: The value; nil for NULL and for values that do not fit the attribute.
    func value(_ stored: SQLiteValue) -> Any? {
        attributeValue(stored).object
    }

    /// The attribute's value.
    ///
    /// - Parameter stored: The column's value.
    /// - Returns: The value; `none` for NULL and for values that do not fit the attribute.
    func attributeValue(_ stored: SQLiteValue) -> AttributeValue {
        guard kind == .transformable else { return kind.attributeValue(stored) }
        guard let data = stored.blob, let value = untransformed(data) else { return .none }
        return .init(keeping: value)
    }

    /// The attribute's value in the current row of a statement, read directly where possible.
    func value(in statement: SQLiteStatement, at column: Int) -> Any? {
        if statement.isNull(at: column) { return nil }
        switch kind {
        case .string: return statement.text(at: column)
        case .integer16, .integer32, .integer64:
            return AttributeValue.integer(statement.integer(at: column)).object
        case .date: return Date(timeIntervalSinceReferenceDate: statement.real(at: column))
        case .decimal, .double, .float, .boolean, .binaryData, .uuid, .uri, .transformable:
            return value(statement.value(at: column))
        }
    }

    // MARK: - Transformables

    /// The transformer that the model names; nil for the keyed archives that Core Data writes if no transformer is
    /// named. Foundation's transformers that unarchive any class count as nil, too: Apple's systems refuse them now,
    /// and their format is the same.
    private var transformer: ValueTransformer? {
        let name = attribute.valueTransformerName ?? ""
        let archives = ["", "NSKeyedUnarchiveFromData", "NSUnarchiveFromData"]
        return archives.contains(name)
            ? nil : ValueTransformer(forName: NSValueTransformerName(name))
    }

    private func transformed(_ value: Any) -> Data? {
        guard let transformer else { return archive?.data(of: value) }
        // The unarchiving transformers convert data to objects, so Core Data uses them in reverse.
        return transformer is NSSecureUnarchiveFromDataTransformer
            ? transformer.reverseTransformedValue(value) as? Data
            : transformer.transformedValue(value) as? Data
    }

    private func untransformed(_ data: Data) -> Any? {
        guard let transformer else { return archive?.value(in: data) }
        return transformer is NSSecureUnarchiveFromDataTransformer
            ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    }
}
