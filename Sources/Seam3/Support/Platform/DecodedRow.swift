import CoreData

// Only CoreData on Linux takes values in the form in which objects have them. On Apple's systems a node
// takes a dictionary, which is larger than the row and made only once a fault asks for it.

#if canImport(ObjectiveC)
/// A row as objects have it. There is none.
enum DecodedRow {
    init?(
        _ statement: SQLiteStatement, in schema: StoreSchema,
        destinationID: (Int64, EntitySchema) -> NSManagedObjectID
    ) {
        return nil
    }

    var pk: Int64 { switch self {} }
    var entity: EntitySchema { switch self {} }
    var version: Int64 { switch self {} }
    var values: RowSnapshot { switch self {} }
    func destination(at index: Int) -> NSManagedObjectID? { switch self {} }
    func stored(
        in schema: StoreSchema, keyOf: (NSManagedObjectID) -> Int64?
    ) throws -> ObjectRow {
        switch self {}
    }
}
#else
/// A row as objects have it: each value in its place, decoded once.
struct DecodedRow {
    let pk: Int64
    let entity: EntitySchema
    let version: Int64
    let values: RowSnapshot

    /// Reads the current row of a statement; see ``CachedRow``.
    ///
    /// - Returns: The row, or nil if its own values could not be made of the decoded ones again.
    init?(
        _ statement: SQLiteStatement, in schema: StoreSchema,
        destinationID: (Int64, EntitySchema) -> NSManagedObjectID
    ) {
        guard let entity = schema.entity(number: statement.integer(at: 1)), entity.isDecodable
        else {
            return nil
        }
        var values = RowSnapshot(for: entity.description)
        var isExact = true
        values.setAttributes { attributes in
            for column in entity.plainColumns {
                let stored = statement.value(at: 3 + column.index)
                guard column.kind.decodesExactly(stored) else {
                    isExact = false
                    return
                }
                attributes[column.place] = column.kind.attributeValue(stored)
            }
        }
        guard isExact else { return nil }
        for toOne in entity.toOnes {
            guard let place = toOne.place else { return nil }
            if statement.isNull(at: 3 + toOne.index) {
                values.setDestination(nil, at: place)
                continue
            }
            let number = statement.integer(
                at: 3 + entity.table.columns.count + toOne.destinationIndex)
            // A placeholder's number has no place in the decoded values.
            guard number > 0, let destination = schema.entity(number: number) else { return nil }
            values.setDestination(
                destinationID(statement.integer(at: 3 + toOne.index), destination), at: place)
        }
        pk = statement.integer(at: 0)
        version = statement.integer(at: 2)
        self.entity = entity
        self.values = values
    }

    /// The destination of the to-one relationship with a column.
    func destination(at index: Int) -> NSManagedObjectID? {
        let toOne = entity.toOnes.first { $0.index == index }
        return toOne?.place.flatMap { values.destinationID(at: $0) }
    }

    /// The row as the file has it; see ``CachedRow``.
    func stored(
        in schema: StoreSchema, keyOf: (NSManagedObjectID) -> Int64?
    ) throws -> ObjectRow {
        var row = ObjectRow(pk: pk, entity: entity)
        row.version = version
        for attribute in entity.attributes {
            guard let place = attribute.place else { continue }
            row.values[attribute.index] = try attribute.stored(
                attributeValue: values.attributeValue(at: place))
        }
        for toOne in entity.toOnes {
            guard let place = toOne.place, let destination = values.destinationID(at: place) else {
                continue
            }
            row.values[toOne.index] = SQLiteValue(keyOf(destination))
            row.setDestination(schema.entity(of: destination), of: toOne)
        }
        return row
    }
}
#endif
