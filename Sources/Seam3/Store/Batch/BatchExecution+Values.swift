import CoreData

/// Values of batch requests. As on Apple's systems, the model's validation rules do not apply to them.
/// But a number must fit the attribute's type, because it would come back as another number, and a required
/// attribute must have a value, because other devices would keep theirs or take the default.
extension BatchExecution {
    /// The column's value for a value that a request gives an attribute.
    ///
    /// - Throws: 1610 or 1620 for a number that an integer attribute cannot hold;
    ///   ``SMStoreError/unacceptableValue(entity:property:value:)`` for a value of another type.
    func stored(_ value: Any?, of attribute: AttributeColumn) throws -> SQLiteValue {
        if attribute.kind.integerRange != nil, let number = value as? NSNumber {
            try requireInteger(number, of: attribute)
        }
        let stored = try database.stored(value, of: attribute)
        try requireRange(of: stored, attribute)
        return stored
    }

    /// Fails if a column's value is an integer that its attribute cannot hold.
    func requireRange(of stored: SQLiteValue, _ attribute: AttributeColumn) throws {
        guard attribute.kind != .boolean, let range = attribute.kind.integerRange,
            case .integer(let number) = stored, !range.contains(number)
        else { return }
        throw Self.rangeError(
            isTooSmall: number < range.lowerBound, attribute, NSNumber(value: number))
    }

    /// Fails if a number cannot be converted to an integer.
    private func requireInteger(_ number: NSNumber, of attribute: AttributeColumn) throws {
        let value = number.doubleValue
        if value < 0x1p63, value >= -0x1p63 { return }
        // The largest integers are rounded up.
        if value == 0x1p63, number.int64Value > 0 { return }
        throw Self.rangeError(isTooSmall: value < 0, attribute, number)
    }

    /// Fails if an expression has given a selected object a number that its attribute cannot hold.
    func checkRanges(of attributes: [AttributeColumn], in entity: EntitySchema) throws {
        for attribute in attributes {
            guard attribute.kind != .boolean, let range = attribute.kind.integerRange else {
                continue
            }
            let column: SQL = "t.\(name: attribute.column)"
            // A result beyond 64 bits is not an integer for SQLite.
            let query: SQL = """
                SELECT \(column) FROM \(verbatim: BatchSelection.table) AS s \
                JOIN \(name: entity.table.name) AS t ON t.pk = s.pk \
                WHERE \(column) < \(range.lowerBound) OR \(column) > \(range.upperBound) \
                OR typeof(\(column)) = 'real' LIMIT 1
                """
            let number = try connection.firstRow(query.text, query.values) { row in
                switch row.value(at: 0) {
                case .integer(let number): NSNumber(value: number)
                default: NSNumber(value: row.real(at: 0))
                }
            }
            guard let number else { continue }
            throw Self.rangeError(isTooSmall: number.doubleValue < 0, attribute, number)
        }
    }

    /// Fails if a selected object has no value for a required attribute.
    func checkRequired(_ attributes: [AttributeColumn], in entity: EntitySchema) throws {
        for attribute in attributes where !attribute.isOptional {
            let column: SQL = "t.\(name: attribute.column)"
            let query: SQL = """
                SELECT 1 FROM \(verbatim: BatchSelection.table) AS s \
                JOIN \(name: entity.table.name) AS t ON t.pk = s.pk \
                WHERE \(column) IS NULL LIMIT 1
                """
            if try connection.firstRow(query.text, query.values, { _ in true }) == true {
                throw CocoaError.missingProperty(attribute.name, of: entity.name)
            }
        }
    }

    private static func rangeError(
        isTooSmall: Bool, _ attribute: AttributeColumn, _ number: NSNumber
    ) -> CocoaError {
        let name = "\(attribute.root.entity.name ?? "").\(attribute.name)"
        return CocoaError(
            isTooSmall ? .validationNumberTooSmall : .validationNumberTooLarge,
            userInfo: [
                NSValidationKeyErrorKey: attribute.name,
                NSValidationValueErrorKey: number,
                NSLocalizedDescriptionKey:
                    "\(name) is too \(isTooSmall ? "small" : "large") for its type: \(number).",
            ])
    }
}
