import CoreData

/// Batch requests. They change the rows directly, without contexts, and add to the outbox like a
/// save.
@nonobjc extension SMStore {
    /// Executes a batch request in one transaction.
    ///
    /// - Parameters:
    ///   - request: One of the three batch requests.
    ///   - context: The context that asks; its merge policy decides what an insertion does about
    ///     rows with the same values under a uniqueness constraint.
    /// - Returns: The request's result, and whether there is something new for the server.
    /// - Throws: 133021 for a violated uniqueness constraint; ``SMStoreError`` for a request that
    ///   does not fit the model; errors of SQLite.
    func executeBatch(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> (result: Any, hasOutgoingChanges: Bool) {
        // What Apple's frameworks do here is an assumption: CD-5.
        let database = try database()
        guard let mappings else { throw SMStoreError.storeNotOpen }
        database.historyWriter?.note(context)
        let batch = BatchExecution(
            store: self, database: database, mappings: mappings, context: context)
        do {
            let answer = try database.write { try batch.answer(request) }
            rowCache.invalidateAll()
            return answer
        } catch {
            discardKeys()
            throw error
        }
    }
}

/// Executes one batch request in the caller's transaction.
struct BatchExecution {
    let store: SMStore
    let database: StoreDatabase
    let mappings: RecordMappings
    let context: NSManagedObjectContext?
    /// Why the rows are written: by a user, or as default content.
    var cause: ChangeLayers.Cause { .init(of: context) }

    var connection: SQLiteConnection { database.connection }
    var schema: StoreSchema { database.schema }

    func answer(_ request: NSPersistentStoreRequest) throws -> (Any, Bool) {
        switch request {
        case let request as NSBatchInsertRequest: return try insert(request)
        case let request as NSBatchUpdateRequest: return try update(request)
        case let request as NSBatchDeleteRequest: return try delete(request)
        default: throw SMStoreError.invalidRequest("\(request.requestType)")
        }
    }

    /// The layout of a request's entity.
    func entity(named name: String?) throws -> EntitySchema {
        guard let entity = schema.entity(named: name) else {
            throw SMStoreError.invalidRequest("a batch for the entity \(name ?? "?")")
        }
        return entity
    }

    /// The numbers of those entities that are synced, as a list for SQL.
    func syncedNumbers(of numbers: [Int64]) -> [Int64] {
        numbers.filter { number in
            schema.entity(number: number).flatMap(mappings.mapping) != nil
        }
    }
}
