import CoreData

/// Conversion of rows to fields and back.
extension StoreDatabase {
    /// The synced properties of a row.
    func fields(of row: ObjectRow, _ mapping: RecordMapping) throws -> PropertyValues {
        var fields = PropertyValues()
        fields.values.reserveCapacity(mapping.propertyNames.count)
        for attribute in mapping.attributes {
            fields[attribute.column.name] = row.values[attribute.column.index]
        }
        for column in mapping.references.map(\.column) {
            let pk = row.values[column.index].integer
            fields[column.name] = SQLiteValue(try pk.flatMap(objects.recordNameForReference))
            if let orderIndex = column.orderIndex {
                fields[column.orderName] = row.values[orderIndex]
            }
        }
        return fields
    }

    /// Sets the properties of a row from fields that came from the server.
    ///
    /// A value that is equal to the server's when sent stays, because it may be more exact. A
    /// required attribute that the record lacks keeps its value, or else gets the model's default.
    ///
    /// - Parameters:
    ///   - fields: All synced properties.
    ///   - row: The row to change.
    ///   - mapping: The mapping of its entity.
    /// - Returns: The indexes of the columns that changed.
    func apply(
        _ fields: PropertyValues, to row: inout ObjectRow, _ mapping: RecordMapping
    ) throws -> [Int] {
        var changed: [Int] = []
        for attribute in mapping.attributes {
            let column = attribute.column
            let local = row.values[column.index]
            var value = fields[column.name]
            if value.isNull, !column.isOptional {
                value = local.isNull ? try column.stored(column.defaultValue) : local
            }
            guard !mapping.isEqual(column, local, value) else { continue }
            row.values[column.index] = value
            changed.append(column.index)
        }
        for reference in mapping.references where !reference.isDecidedByInverse {
            let column = reference.column
            if let orderIndex = column.orderIndex,
                row.values[orderIndex] != fields[column.orderName]
            {
                row.values[orderIndex] = fields[column.orderName]
                changed.append(orderIndex)
            }
            let entities = schema.entity(named: column.destinationName)?.familyNumbers
            let target = try fields[column.name].text.map {
                try objects.keyForReference(recordName: $0, toOneOf: entities)
            }
            guard row.values[column.index].integer != target else { continue }
            row.values[column.index] = SQLiteValue(target)
            changed.append(column.index)
        }
        return changed
    }
}
