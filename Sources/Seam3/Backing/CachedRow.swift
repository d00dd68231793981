import CoreData

/// A row of the cache: as the file has it, or as objects have it.
///
/// What a fetch reads is mostly asked for by a fault next, which takes decoded values over as they are. The
/// file's own values are made of them again where a save needs these.
enum CachedRow {
    case stored(ObjectRow)
    case decoded(DecodedRow)

    /// Reads the current row of a statement, whose columns must be those of ``RootTable/selectList(alias:)``.
    ///
    /// - Parameter destinationID: The ID of the object with a `pk` and an entity.
    /// - Returns: The row, or nil if its entity is not in the schema.
    init?(
        _ statement: SQLiteStatement, in schema: StoreSchema,
        destinationID: (Int64, EntitySchema) -> NSManagedObjectID
    ) {
        if let row = DecodedRow(statement, in: schema, destinationID: destinationID) {
            self = .decoded(row)
        } else if let row = ObjectRow(statement, in: schema) {
            self = .stored(row)
        } else {
            return nil
        }
    }

    var pk: Int64 {
        switch self {
        case .stored(let row): return row.pk
        case .decoded(let row): return row.pk
        }
    }

    var entity: EntitySchema {
        switch self {
        case .stored(let row): return row.entity
        case .decoded(let row): return row.entity
        }
    }

    var version: Int64 {
        switch self {
        case .stored(let row): return row.version
        case .decoded(let row): return row.version
        }
    }

    /// The number in a to-one relationship's column.
    func key(at index: Int, keyOf: (NSManagedObjectID) -> Int64?) -> Int64? {
        switch self {
        case .stored(let row): return row.values[index].integer
        case .decoded(let row): return row.destination(at: index).flatMap(keyOf)
        }
    }

    /// The row as the file has it.
    ///
    /// - Parameter keyOf: The `pk` of an object of this store.
    func stored(
        in schema: StoreSchema, keyOf: (NSManagedObjectID) -> Int64?
    ) throws -> ObjectRow {
        switch self {
        case .stored(let row): return row
        case .decoded(let row): return try row.stored(in: schema, keyOf: keyOf)
        }
    }
}
