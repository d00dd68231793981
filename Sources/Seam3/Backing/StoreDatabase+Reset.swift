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
    }

    /// Forgets what the server said of any object, and queues every object as new.
    ///
    /// - Parameter numbers: The numbers of the entities and links that are synchronised.
    func forgetServer(synced numbers: [Int64]) throws {
        try references.removeReferencesToDeleted()
        try outbox.removeAll()
        try objects.forget(in: ObjectTable.deletedKeys)
        try objects.forgetSystemFields()
        for number in numbers { try outbox.noteInsertions(ofEntity: number) }
    }
}
