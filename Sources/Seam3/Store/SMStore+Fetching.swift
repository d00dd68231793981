import CoreData

@nonobjc extension SMStore {
    /// Answers a fetch request.
    ///
    /// - Parameters:
    ///   - request: The request, which is not changed.
    ///   - context: The context that gets the objects. Requests for IDs, dictionaries and counts need
    ///     it only if their predicate cannot be expressed in SQL.
    /// - Returns: An array of objects, IDs, dictionaries, or of one number, as the request's result type
    ///   says.
    /// - Throws: What SQLite reports, or ``SMStoreError/invalidRequest(_:)``.
    func executeFetch(
        _ request: NSFetchRequest<any NSFetchRequestResult>, with context: NSManagedObjectContext?
    ) throws -> Any {
        let database = try database()
        guard let entity = database.schema.entity(named: request.entityName) else {
            // The entity belongs to another store of the coordinator.
            return request.resultType == .countResultType ? [NSNumber(value: 0)] : []
        }
        rowCache.makeRoom()
        let results = try FetchExecution(
            request: request, entity: entity, database: database, rowCache: rowCache,
            context: context, objectID: objectID, destinationID: destinationID, keyOf: key(of:)
        ).results()
        if let context, !unreadObjects.isEmpty {
            noteRead(
                results as? [NSManagedObjectID]
                    ?? (results as? [NSManagedObject])?.map(\.objectID) ?? [], in: context)
        }
        return results
    }
}
