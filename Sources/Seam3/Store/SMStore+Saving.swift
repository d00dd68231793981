import CoreData

#if SWIFT_PACKAGE
import SeamSQLite
#endif

/// Saving: one transaction of rows, relationships and outbox.
extension SMStore {
    /// Executes a save.
    ///
    /// - Parameters:
    ///   - request: The objects.
    ///   - context: Their context.
    /// - Returns: Whether there is something new for the server.
    /// - Throws: 133020 with the conflicts if an object has been changed by somebody else, 133021 with
    ///   the conflicts if a uniqueness constraint is violated.
    func executeSave(
        _ request: NSSaveChangesRequest, with context: NSManagedObjectContext?
    ) throws -> Bool {
        let database = try database()
        guard let mappings else { return false }
        var writer = SaveWriter(store: self, database: database, mappings: mappings)
        var newMetadata: NSDictionary?
        var derived: [Int64] = []
        defer { database.settleExternalFiles() }
        try database.connection.transaction {
            try dropStaleRows(database)
            try writer.begin()
            for object in request.insertedObjects ?? [] { try writer.insert(object) }
            for object in request.updatedObjects ?? [] { try writer.update(object) }
            for object in request.lockedObjects ?? [] { try writer.touch(object) }
            for object in request.insertedObjects ?? [] {
                try writer.writeToManys(of: object, isInserted: true)
            }
            for object in request.updatedObjects ?? [] {
                try writer.writeToManys(of: object, isInserted: false)
            }
            for object in request.deletedObjects ?? [] { try writer.delete(object) }
            try writer.checkConflicts()
            try writer.constrained.check(in: database, of: self, for: context)
            derived = try database.refreshDerivedAttributes()
            newMetadata = try saveMetadata(database)
        }
        if let newMetadata { savedMetadata = newMetadata }
        rowCache.invalidate(writer.deleted)
        rowCache.keep(writer.written)
        for row in writer.written { rowCache.noteVended(row.pk, version: row.version) }
        // Their rows were written after they were kept.
        rowCache.invalidate(writer.reordered)
        rowCache.invalidate(derived)
        return writer.hasOutgoingChanges
    }

    /// Writes the metadata if they changed.
    ///
    /// - Returns: What the file has once the transaction is committed; nil if they did not.
    private func saveMetadata(_ database: StoreDatabase) throws -> NSDictionary? {
        guard let current = metadata, NSDictionary(dictionary: current) != savedMetadata else {
            return nil
        }
        try StoreFile.write(current, to: database)
        return NSDictionary(dictionary: current)
    }
}
