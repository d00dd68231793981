import CoreData

/// Starting over, with the objects or without them.
extension StoreDatabase {
    /// Removes all objects and all changes. The sequence goes on: no number is used again.
    func removeEverything() throws {
        for table in schema.tables.map(\.name) + schema.links.map(\.table) {
            try connection.execute("DELETE FROM \(table.sqlIdentifier)")
        }
        try objects.removeAll()
        try outbox.removeAll()
        try tombstones.removeAll()
    }

    /// Forgets what the server said of any object, and queues every object as new.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the entities and links that are synced.
    ///   - keepsDeletions: Whether deletions go on waiting, because the server may have the records. Those
    ///     that are done stay known then, too: other records may still refer to what was deleted.
    func forgetServer(synced numbers: [Int64], keepsDeletions: Bool) throws {
        if keepsDeletions {
            try outbox.removeAll(but: ObjectTable.deletedKeys)
            try outbox.forgetAttempts()
        } else {
            try references.removeReferencesToDeleted()
            try outbox.removeAll()
            try tombstones.letReturn(with: ObjectTable.deletedKeys)
            try objects.forget(in: ObjectTable.deletedKeys)
        }
        try objects.forgetSystemFields()
        for number in numbers { try outbox.noteInsertions(ofEntity: number) }
    }
}
