import CoreData

/// Adopts a file of Core Data's own store, or of Seam3 1, which used such a store.
///
/// A new file is created and filled, migrated to the app's model, and put in the place of the old
/// one. The old file is not touched until the new one is complete, and is then moved to a folder
/// beside it.
struct FileAdoption {
    let url: URL
    let model: NSManagedObjectModel
    let configuration: String?
    let storeType: String
    let infersMigration: Bool
    /// The record name of the user whose records the file contains, if known.
    var user: String?
    /// Whether the new file is discarded.
    var isDryRun = false
    /// Throws an error if the file's model cannot be migrated on the way.
    var checkModel: (NSManagedObjectModel) throws -> Void = { _ in }

    /// Adopts the file at the URL, if it is one of Core Data's; completes an adoption that was
    /// interrupted after its new file was complete.
    ///
    /// - Returns: What was adopted; nil if there was nothing to adopt.
    /// - Throws: ``SMStoreError``, and errors of opening the new file with the model. The old file
    ///   is then unchanged.
    func run() throws -> SMAdoption? {
        let isForeign = try FileKind(at: url) == .coreData
        guard !isDryRun else { return isForeign ? try runDry() : nil }
        let exchange = FileExchange(url: url)
        guard isForeign || exchange.isUnfinished else { return nil }
        return try exchange.alone {
            try exchange.finish()
            guard try FileKind(at: url) == .coreData else { return nil }
            let adoption = try adopt(in: exchange)
            try exchange.commit()
            return adoption
        }
    }

    private func runDry() throws -> SMAdoption {
        let exchange = FileExchange(
            url: url,
            folder: PrivateFile.temporaryFolder("Seam3"))
        return try exchange.alone { try adopt(in: exchange) }
    }

    private func adopt(in exchange: FileExchange) throws -> SMAdoption {
        let source = try exchange.copyOriginal()
        let file = try CoreDataFile(copy: source, original: url, fallback: model)
        try checkModel(file.model)
        return try fill(exchange.newFile, from: file, backup: exchange.backup)
    }

    private func fill(_ new: URL, from file: CoreDataFile, backup: URL) throws -> SMAdoption {
        let entities = StoreSchema(
            model: model, configuration: configuration, assignedNames: AssignedNames()
        ).entities.map(\.description)
        let matches = VersionMatches(
            of: entities.map(\.versionedName), with: file.model.entities.map(\.versionedName))
        if matches.oldNames.isEmpty { throw file.strangers(to: model) }
        var store = StoreFile(url: new, isReadOnly: false)
        // The adopter holds the connection, which must be closed before the file is moved.
        let contents = try store.fill(model: file.model, storeType: storeType) { database in
            let adopter = ObjectAdoption(file: file, database: database)
            try adopter.run()
            if adopter.hasKnownRecords {
                try user.map(database.syncState.setUser)
                    ?? database.syncState.setUserUnknown(true)
                try database.syncState.sweepAtFirstFetch()
            }
            return (adopter.objectCount, adopter.missingData, adopter.report)
        }
        store.infersMigration = infersMigration
        let (database, metadata) = try store.open(
            model: model, configuration: configuration, storeType: storeType)
        try StoreFile.write(
            metadata.merging(file.metadata) { own, _ in own }, to: database)
        // The app's model may exclude entities from sync that the file's model did not.
        let synced = RecordMappings(database.schema).syncedNumbers
        let (objectCount, missingData, report) = contents
        report.noteMigration(
            from: file.model.entities, to: database.schema.entities.map(\.description))
        try database.write {
            try database.outbox.removeAll(but: ObjectTable.keys(ofEntities: synced))
            try nameByNaturalKeys(database, report)
        }
        // A single file without a log can be put in place with one rename.
        try database.connection.execute("PRAGMA journal_mode = DELETE")
        return SMAdoption(
            originalURL: backup.appendingPathComponent(url.lastPathComponent),
            objectCount: objectCount, missingData: missingData, report: report.sorted,
            isDryRun: isDryRun)
    }

    /// Lets devices that adopt the same objects create the same records.
    private func nameByNaturalKeys(_ database: StoreDatabase, _ report: AdoptionReport) throws {
        let mappings = RecordMappings(database.schema)
        for entity in database.schema.entities {
            guard let key = mappings.mapping(of: entity)?.naturalKey else { continue }
            let count = try database.objects.nameByNaturalKey(key, entity)
            if count > 0 {
                report.note(
                    entity.name,
                    "\(count) with the same natural key as another, in records of their own")
            }
        }
    }
}
