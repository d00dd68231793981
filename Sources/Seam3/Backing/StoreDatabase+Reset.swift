import CoreData

/// Starting over, with or without the objects.
extension StoreDatabase {
    /// Removes all objects and all changes. The sequence continues: no number is used again.
    func removeEverything() throws {
        for table in schema.tables.map(\.name) + schema.links.map(\.table) {
            try connection.execute("DELETE FROM \(table.sqlIdentifier)")
        }
        try objects.removeAll()
        try outbox.removeAll()
        try tombstones.removeAll()
    }

    /// Forgets everything the store knows about the server, and queues every object as new.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the synced entities and links.
    ///   - keepsDeletions: Whether deletions stay in the outbox, because the server may have the
    ///     records. Completed deletions are then kept as well: other records may still refer to the
    ///     deleted objects.
    func forgetServer(synced numbers: [Int64], keepsDeletions: Bool) throws {
        if keepsDeletions {
            try outbox.forgetRequests(keepingVersions: true)
        } else {
            try references.removeReferencesToDeleted()
            try outbox.remove(in: ObjectTable.deletedKeys)
            try outbox.forgetRequests(keepingVersions: false)
            try tombstones.letReturn(with: ObjectTable.deletedKeys)
            try objects.forget(in: ObjectTable.deletedKeys)
        }
        try outbox.replaceUpdatesByInsertions()
        try objects.forgetSystemFields()
        for number in numbers { try outbox.noteInsertions(ofEntity: number) }
    }
}
