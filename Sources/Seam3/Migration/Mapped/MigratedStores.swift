import CoreData

/// The two stores of a migration with a mapping model, and the pairs of corresponding objects.
///
/// It is passed in the options of both stores, which leave their connections here, because Core
/// Data's migration manager closes the stores before it returns.
final class MigratedStores {
    static let sourceOption = "SMStoreMigrationSourceOption"
    static let destinationOption = "SMStoreMigrationDestinationOption"

    /// A destination object and the source object that it was created from.
    struct Pair {
        let source: Int64
        let destination: Int64
    }

    var source: StoreDatabase?
    private(set) var destination: StoreDatabase?
    /// Whether the destination's file did not exist before.
    var isNew = true
    /// Whether the destination had objects before. A store that was destroyed leaves an empty file.
    private var hadObjects = false
    private let copied: CopiedProperties
    private var pairs: [Pair] = []
    private var unfitNumbers: [UnfitNumber] = []
    private var failure: (any Error)?

    /// - Parameters:
    ///   - mappings: How objects are migrated.
    ///   - source: The old model.
    ///   - destination: The new model.
    init(
        _ mappings: NSMappingModel?, from source: NSManagedObjectModel,
        to destination: NSManagedObjectModel
    ) {
        copied = CopiedProperties(mappings, from: source, to: destination)
    }

    /// Notes the destination, which has no object of the source yet.
    ///
    /// - Throws: 134110 of the domain `NSCocoaErrorDomain` if properties of the new model would share a field.
    func open(destination database: StoreDatabase) throws {
        if let reason = MigrationPlan.reasonForOtherNames(in: database.schema) {
            throw CocoaError(
                .migration,
                userInfo: [
                    NSLocalizedDescriptionKey: "The store cannot be migrated.",
                    "reason": reason,
                ])
        }
        destination = database
        hadObjects = try !database.objects.isEmpty
    }

    /// Notes a pair of corresponding objects.
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
            unfitNumbers += UnfitNumber.takeAll(
                from: destinationObject, destination, copiedFrom: sourceObject, copied)
        } catch {
            failure = failure ?? error
        }
    }

    private static func key(of object: NSManagedObject) -> Int64? {
        (object.objectID.persistentStore as? SMStore)?.key(of: object.objectID)
    }

    /// The record types and fields that earlier migrations have pinned, for the names that the new
    /// model has, which can never change, the former fields, and the properties that migrations send.
    func pinnedNames(for model: NSManagedObjectModel, configuration: String?) -> AssignedNames {
        var names = AssignedNames()
        guard let old = source?.schema else { return names }
        let entities = StoreSchema(
            model: model, configuration: configuration, assignedNames: names
        ).entities.map(\.description)
        names.recordTypes = copied.pinnedRecordTypes(from: old, to: entities)
        names.fields = copied.pinnedFields(from: old, to: entities)
        let new = StoreSchema(model: model, configuration: configuration, assignedNames: names)
        names.formerFields = copied.formerFields(from: old, to: new)
        return names
    }

    /// Transfers the source's knowledge of the server to the destination, in one transaction.
    func transfer() throws {
        if let failure { throw failure }
        // One of the stores may have another class.
        guard let source, let destination else { return }
        try source.connection.transaction(.deferred) {
            try destination.write {
                for number in unfitNumbers { try number.putBack(in: destination) }
                var transfer = try MigrationTransfer(from: source, to: destination, copied)
                try transfer.run(pairs, takesState: !hadObjects)
            }
        }
        do {
            // A single file without a log can replace the source with one rename.
            try destination.connection.execute("PRAGMA journal_mode = DELETE")
        } catch let error as SQLiteError {
            // If another connection is still open, it removes the log when it closes.
            StoreLog.debug("A migrated file keeps its log: \(StoreLog.text(error))", .store)
        }
    }

    /// Closes the connections.
    func release() {
        source = nil
        destination = nil
        pairs = []
    }

    /// Closes the connections, and removes the destination and everything that belongs to it if it is new.
    func abandon(_ url: URL) throws {
        let folder = destination?.externalFiles?.folder.url
        release()
        guard isNew else { return }
        for part in ["", "-wal", "-shm", "-journal"].map({ url.path + $0 })
        where FileManager.default.fileExists(atPath: part) {
            try FileManager.default.removeItem(atPath: part)
        }
        if let folder, FileManager.default.fileExists(atPath: folder.path) {
            ExternalDataFolders.remove(folder)
        }
    }
}
