import CoreData

/// The two stores of a migration by a mapping model, and which of their objects belong together.
///
/// It is passed in the options of both stores, which leave their connections here: the migration
/// manager of Core Data closes the stores before it returns.
final class MigratedStores {
    static let sourceOption = "SMStoreMigrationSourceOption"
    static let destinationOption = "SMStoreMigrationDestinationOption"

    /// A destination object and the source object that it was made of.
    struct Pair {
        let source: Int64
        let destination: Int64
    }

    var source: StoreDatabase?
    var destination: StoreDatabase?
    /// Whether there was no destination before.
    var isNew = true
    private var pairs: [Pair] = []
    private var failure: (any Error)?

    /// Notes two objects that belong together.
    func associate(_ sourceObject: NSManagedObject, _ destinationObject: NSManagedObject) {
        do {
            if destinationObject.objectID.isTemporaryID {
                try destinationObject.managedObjectContext?
                    .obtainPermanentIDs(for: [destinationObject])
            }
            guard let source = Self.key(of: sourceObject),
                let destination = Self.key(of: destinationObject)
            else { return }
            pairs.append(Pair(source: source, destination: destination))
        } catch {
            failure = failure ?? error
        }
    }

    private static func key(of object: NSManagedObject) -> Int64? {
        (object.objectID.persistentStore as? SMStore)?.key(of: object.objectID)
    }

    /// The record types and fields that earlier migrations have pinned, as far as the new model has
    /// the names. They can never change.
    func pinnedNames() -> AssignedNames {
        var names = AssignedNames()
        guard let old = source?.schema.assignedNames else { return names }
        names.recordTypes = old.recordTypes
        names.fields = old.fields
        return names
    }

    /// Gives the destination what the source knows about the server, in one transaction.
    func transfer() throws {
        if let failure { throw failure }
        // One of the stores may be of another class.
        guard let source, let destination else { return }
        try source.connection.transaction(.deferred) {
            try destination.write {
                var transfer = try MigrationTransfer(from: source, to: destination)
                try transfer.run(pairs, takesState: isNew)
            }
        }
        do {
            // One file without a log can be put in the source's place by one renaming.
            try destination.connection.execute("PRAGMA journal_mode = DELETE")
        } catch let error as SQLiteError {
            // Another connection may be open still; it takes the log with it when it closes.
            StoreLog.debug("A migrated file keeps its log: \(StoreLog.text(error))", .store)
        }
    }

    /// Closes the connections.
    func release() {
        source = nil
        destination = nil
        pairs = []
    }

    /// Removes a store's file with all that belongs to it.
    static func removeFile(at url: URL) throws {
        let parts = ["", "-wal", "-shm", "-journal"].map { URL(fileURLWithPath: url.path + $0) }
        for part in parts + [CoreDataFile.supportFolder(of: url)]
        where FileManager.default.fileExists(atPath: part.path) {
            try FileManager.default.removeItem(at: part)
        }
    }
}
