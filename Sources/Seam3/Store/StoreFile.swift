import CoreData

/// A store file: creates it, checks it, and connects to it.
struct StoreFile {
    private typealias Key = MetadataTable.Key

    /// The metadata key for the algorithm of the version hashes.
    private static let versionHashesVersionKey = "NSStoreModelVersionHashesVersion"

    /// The file belongs to another model, and Core Data must migrate it: with a mapping model, or in stages.
    struct AwaitsMapping: Error {
        let metadata: [String: Any]
    }

    let url: URL
    let isReadOnly: Bool
    /// Whether a file of another model is migrated if the mapping can be inferred.
    var infersMigration = false
    /// How long to wait for the lock of another process, in seconds.
    var busyTimeout: TimeInterval = 20
    /// Decides whether a file of another model, with these metadata, is left to a mapping model.
    var awaitsMapping: (([String: Any]) -> Bool)?
    /// The names for a new file.
    var assignedNames = AssignedNames()
    /// When the system lets the files be read; nil for the system's default.
    var protection: StoreFileProtection?
    /// Called with each statement before it runs.
    var trace: ((String) -> Void)?

    var path: String { url.path }

    private func connect(forSync isForSync: Bool = false) throws -> SQLiteConnection {
        do {
            let connection = try SQLiteConnection(
                path: path,
                options: SQLiteConnection.Options(
                    readOnly: isReadOnly, busyTimeout: busyTimeout,
                    applicationID: FileLayout.applicationID, vacuumsIncrementally: true,
                    journalSizeLimit: StoreDatabase.journalSizeLimit,
                    pagesBeforeCheckpoint: isForSync
                        ? StoreDatabase.pagesBeforeCheckpoint
                        : StoreDatabase.pagesBeforeCheckpointBySave,
                    openFlags: protection?.openFlags ?? 0,
                    closesFromAnyThread: isForSync, yields: isForSync))
            try DecimalCollation.register(on: connection)
            try QueryFunctions.register(on: connection)
            try BaseValueFunctions.register(on: connection)
            SQLTrace.start(on: connection)
            if let trace { connection.trace = trace }
            return connection
        } catch let error as SQLiteError where error.code == .notADatabase {
            throw SMStoreError.unknownFile(path: path, reason: error.message)
        } catch {
            throw SMStoreError.backingStoreCreationFailed(
                path: path, underlying: refusal(underlying: error) ?? error)
        }
    }

    private func database(on connection: SQLiteConnection, _ schema: StoreSchema) -> StoreDatabase {
        let database = StoreDatabase(connection: connection, schema: schema)
        database.activity = WriteActivity.system(forFileAt: url)
        return database
    }

    /// Opens the file, and creates it if there is none or it is empty.
    ///
    /// May be called repeatedly: existing tables are kept.
    ///
    /// - Parameters:
    ///   - model: The coordinator's model.
    ///   - configuration: The configuration whose entities the store holds.
    ///   - storeType: The value for `NSStoreTypeKey`.
    /// - Returns: A connection, and the metadata that the file holds.
    /// - Throws: ``SMStoreError``, or `CocoaError`: 134100 if the file was made for another model
    ///   and is not to be migrated, 134190 if the migration cannot be inferred.
    func open(
        model: NSManagedObjectModel, configuration: String?, storeType: String
    ) throws -> (database: StoreDatabase, metadata: [String: Any]) {
        let probe = StoreSchema(
            model: model, configuration: configuration, assignedNames: AssignedNames())
        try ModelCheck.check(probe.entities.map(\.description))
        try refuseOthers()
        try makeFolder()
        let connection = try connect()
        let bare = self.database(on: connection, probe)
        if !isReadOnly { bare.rewriteIfMostlyFree() }
        let (database, metadata) = try begin(bare) {
            if try isNew(connection) {
                if probe.entities.isEmpty { StoreLog.notice(Self.nothingToKeep(model), .store) }
                let schema = StoreSchema(
                    model: model, configuration: configuration, assignedNames: self.assignedNames)
                let metadata = newMetadata(schema, storeType)
                let database = self.database(on: connection, schema)
                try create(database, metadata: metadata)
                return (database, metadata)
            }
            try checkLayout(of: bare)
            if !isReadOnly { try updateLayout(of: bare) }
            let metadata = try readMetadata(of: bare)
            guard let entities = try entities(of: bare, asIn: probe, metadata) else {
                if probe.entities.isEmpty { throw emptyModel(model) }
                if awaitsMapping?(metadata) == true { throw AwaitsMapping(metadata: metadata) }
                guard infersMigration, !isReadOnly else {
                    throw incompatibleModel(metadata, model)
                }
                return try migrate(
                    bare, to: model, configuration: configuration, metadata: metadata)
            }
            return try openCurrent(
                bare, entities, model: model, configuration: configuration, metadata: metadata)
        }
        try complete(database)
        return (database, metadata)
    }

    /// Opens a file whose entities match the model. Its sync settings may differ, because they are
    /// not part of the version hashes.
    private func openCurrent(
        _ bare: StoreDatabase, _ entities: [NSEntityDescription], model: NSManagedObjectModel,
        configuration: String?, metadata: [String: Any]
    ) throws -> (database: StoreDatabase, metadata: [String: Any]) {
        let schema = StoreSchema(
            model: model, entities: entities, assignedNames: try assignedNames(of: bare))
        let database = self.database(on: bare.connection, schema)
        let stored: ModelSnapshot = try decode(.model, of: bare)
        let current = ModelSnapshot(schema)
        // Sync settings do not matter for a read-only file.
        guard !isReadOnly else { return (database, metadata) }
        guard stored != current else {
            return (database, try noteModel(model, metadata, in: database))
        }
        let changed = current.entitiesOfOtherShape(in: stored)
        if changed.isEmpty {
            try describe(database)
            return (database, try noteModel(model, metadata, in: database))
        }
        guard infersMigration else {
            throw incompatibleModel(
                metadata, model,
                reason:
                    "The model defines other records for \(changed.joined(separator: ", ")) than the"
                    + " one used to create the store")
        }
        return try migrate(bare, to: model, configuration: configuration, metadata: metadata)
    }

    /// Sets up the parts of a connection that are not tables.
    private func complete(_ database: StoreDatabase) throws {
        let hasFolder = try useFolder(for: database)
        guard !isReadOnly else { return }
        try database.observe(computing: DerivedAttributes(database.schema))
        guard hasFolder else { return }
        try takeFolder(for: database)
        let files = database.externalFiles
        try files?.gather(from: ExternalDataFolders(ofStoreAt: url).all, in: database)
        try files?.sweep(database) { try SyncLease.isHeld(in: database) }
    }

    /// Runs a transaction; it is a write transaction unless the file is read-only.
    private func begin<T>(_ database: StoreDatabase, _ body: () throws -> T) throws -> T {
        try isReadOnly
            ? database.connection.transaction(.deferred, body) : database.write(body)
    }

    /// A further connection, for another thread, with the schema of the first. Any thread may close it.
    func connect(schema: StoreSchema) throws -> StoreDatabase {
        let database = self.database(on: try connect(forSync: true), schema)
        _ = try useFolder(for: database)
        try database.observe(computing: DerivedAttributes(database.schema))
        return database
    }

    /// The metadata of a store file, without a model.
    ///
    /// - Throws: ``SMStoreError``.
    func metadata() throws -> [String: Any] {
        try readMetadata(of: try bareDatabase())
    }

    /// Writes the metadata of a store file, without a model.
    ///
    /// - Throws: ``SMStoreError``.
    func setMetadata(_ metadata: [String: Any]) throws {
        try Self.write(metadata, to: try bareDatabase())
    }

    func bareDatabase() throws -> StoreDatabase {
        // Connecting would create a file.
        guard FileManager.default.fileExists(atPath: path) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
        }
        let database = self.database(
            on: try connect(),
            StoreSchema(
                model: NSManagedObjectModel(), configuration: nil, assignedNames: AssignedNames()))
        try checkLayout(of: database)
        return database
    }

    /// Refuses a file of another format before SQLite opens it.
    private func refuseOthers() throws {
        let kind: FileKind
        do {
            kind = try FileKind(at: url)
        } catch {
            guard let refusal = refusal(underlying: error) else { throw error }
            throw SMStoreError.backingStoreCreationFailed(path: path, underlying: refusal)
        }
        switch kind {
        case .absent, .store: return
        case .coreData:
            throw SMStoreError.unknownFile(path: path, reason: FileKind.adoptionAdvice)
        case .other(let reason): throw SMStoreError.unknownFile(path: path, reason: reason)
        }
    }

    // MARK: - Making

    /// Creates the folder of a new file: the default folder of containers may not exist yet.
    private func makeFolder() throws {
        guard !isReadOnly else { return }
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw SMStoreError.backingStoreCreationFailed(path: path, underlying: error)
        }
    }

    /// Creates a file and fills it, in one transaction.
    ///
    /// - Parameters:
    ///   - model: The model of the tables, which need not be syncable.
    ///   - storeType: The value for `NSStoreTypeKey`.
    ///   - body: Fills the tables.
    /// - Returns: What the closure returns.
    func fill<T>(
        model: NSManagedObjectModel, storeType: String, _ body: (StoreDatabase) throws -> T
    ) throws -> T {
        let schema = StoreSchema(
            model: model, configuration: nil, assignedNames: AssignedNames())
        let database = self.database(on: try connect(), schema)
        return try database.write {
            try create(database, metadata: newMetadata(schema, storeType))
            return try body(database)
        }
    }

    private func newMetadata(_ schema: StoreSchema, _ storeType: String) -> [String: Any] {
        [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: storeType]
            .merging(Self.versions(of: schema.model)) { $1 }
    }

    private func isNew(_ connection: SQLiteConnection) throws -> Bool {
        try connection.firstRow("SELECT count(*) FROM sqlite_master") { $0.integer(at: 0) } == 0
    }

    private func create(_ database: StoreDatabase, metadata: [String: Any]) throws {
        for statement in FileLayout.fixed + FileLayout.statements(for: database.schema) {
            try database.connection.execute(statement)
        }
        try database.metadata.set(.integer(FileLayout.layoutVersion), .layoutVersion)
        try describe(database)
        try Self.write(metadata, to: database)
    }

    /// Stores the entities' numbers, the names of tables and columns, and the model in the file.
    private func describe(_ database: StoreDatabase) throws {
        try database.entities.write()
        let (encoder, schema) = (JSONEncoder(), database.schema)
        try database.metadata.set(.blob(encoder.encode(schema.assignedNames)), .names)
        try database.metadata.set(.blob(encoder.encode(ModelSnapshot(schema))), .model)
    }

    // MARK: - Reading

    private func checkLayout(of database: StoreDatabase) throws {
        let tables = try database.connection.rows("SELECT name FROM sqlite_master") {
            $0.text(at: 0)
        }
        guard tables.contains(MetadataTable.name) else {
            throw SMStoreError.unknownFile(
                path: path,
                reason: tables.contains("Z_METADATA")
                    ? FileKind.adoptionAdvice : "it has other tables")
        }
        let version = try database.metadata.value(.layoutVersion).integer ?? 0
        guard version <= FileLayout.layoutVersion else {
            throw SMStoreError.unknownFile(
                path: path, reason: "it was written by a newer version of SMStore")
        }
    }

    private func updateLayout(of database: StoreDatabase) throws {
        let version = try database.metadata.value(.layoutVersion).integer ?? 0
        guard version < FileLayout.layoutVersion else { return }
        if version < 2 { try database.metadata.replaceTable() }
        try database.connection.execute(SequenceTable.addition)
        try database.metadata.set(.integer(FileLayout.layoutVersion), .layoutVersion)
    }

    private func readMetadata(of database: StoreDatabase) throws -> [String: Any] {
        guard let data = try database.metadata.value(.metadata).blob,
            let metadata = try StoredPropertyList.read(data) as? [String: Any]
        else {
            throw SMStoreError.unknownFile(path: path, reason: "its metadata is missing")
        }
        // Core Data treats metadata without this key as matching any model.
        return metadata.merging([Self.versionHashesVersionKey: 3]) { own, _ in own }
    }

    private func assignedNames(of database: StoreDatabase) throws -> AssignedNames {
        try decode(.names, of: database)
    }

    private func decode<Value: Decodable>(
        _ key: Key, of database: StoreDatabase
    ) throws -> Value {
        guard let data = try database.metadata.value(key).blob else {
            throw SMStoreError.unknownFile(path: path, reason: "its \(key.rawValue) is missing")
        }
        return try JSONDecoder().decode(Value.self, from: data)
    }

    /// Writes the metadata dictionary, whose values must be property-list types.
    static func write(_ metadata: [String: Any], to database: StoreDatabase) throws {
        let data = try PropertyListSerialization.data(
            fromPropertyList: metadata, format: .binary, options: 0)
        try database.metadata.set(.blob(data), .metadata)
    }

    // MARK: - Model

    /// Migrates the file in place, in the caller's transaction.
    private func migrate(
        _ database: StoreDatabase, to model: NSManagedObjectModel, configuration: String?,
        metadata: [String: Any]
    ) throws -> (database: StoreDatabase, metadata: [String: Any]) {
        do {
            let migration = try StoreMigration(
                connection: database.connection, from: decode(.model, of: database),
                assignedNames: assignedNames(of: database), to: model, configuration: configuration,
                externalData: externalData(of: database))
            try migration.run()
            let migrated = self.database(on: database.connection, migration.schema)
            try describe(migrated)
            let metadata = Self.metadata(metadata, of: model)
            try Self.write(metadata, to: migrated)
            let derived = DerivedAttributes(migration.schema)
            try derived.observe(migrated.connection)
            try derived.refreshAll(migrated.connection)
            return (migrated, metadata)
        } catch let refusal as MigrationPlan.Refusal {
            throw CocoaError(
                .inferredMappingModel,
                userInfo: [
                    NSFilePathErrorKey: path, "reason": refusal.reason,
                    NSLocalizedDescriptionKey:
                        "The store cannot be migrated without a mapping model: \(refusal.reason).",
                ])
        }
    }

    private static func versionIdentifiers(of model: NSManagedObjectModel) -> [String] {
        model.versionIdentifiers.compactMap { $0 as? String }
    }

    /// The file's entities in the model, if they have the same hashes and include those of a schema; nil
    /// otherwise. The metadata contains the hashes of all configurations, as Core Data writes them; the
    /// file's own description says which entities it contains.
    ///
    /// A file may contain entities that the store's configuration omits. They stay, as in Core Data's
    /// own store.
    private func entities(
        of database: StoreDatabase, asIn schema: StoreSchema, _ metadata: [String: Any]
    ) throws -> [NSEntityDescription]? {
        guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else {
            return nil
        }
        let stored = Set((try decode(.model, of: database) as ModelSnapshot).entities.map(\.name))
        guard !schema.entities.isEmpty, stored.isSuperset(of: schema.entities.map(\.name)) else {
            return nil
        }
        let known = schema.model.entitiesByName
        let entities = stored.compactMap { known[$0] }
        let isSame = entities.allSatisfy { hashes[$0.name ?? ""] == $0.versionHash }
        return isSame && entities.count == stored.count ? entities : nil
    }

    /// Updates the hashes of entities in other configurations, so that Core Data recognizes the
    /// file as one of the model.
    private func noteModel(
        _ model: NSManagedObjectModel, _ metadata: [String: Any], in database: StoreDatabase
    ) throws -> [String: Any] {
        // What Apple's frameworks do here is an assumption: CD-15 and CD-35.
        let hashes = model.entityVersionHashesByName
        guard metadata[NSStoreModelVersionHashesKey] as? [String: Data] != hashes else {
            return metadata
        }
        let metadata = Self.metadata(metadata, of: model)
        try Self.write(metadata, to: database)
        return metadata
    }

    /// The metadata of a file after it has become one of a model. Whatever else Core Data has noted about the former
    /// model, such as its digest and its checksum, is left out: Core Data adds it.
    private static func metadata(
        _ metadata: [String: Any], of model: NSManagedObjectModel
    ) -> [String: Any] {
        metadata.filter { !$0.key.hasPrefix("NSStoreModelVersion") }
            .merging(versions(of: model)) { $1 }
    }

    private static func versions(of model: NSManagedObjectModel) -> [String: Any] {
        [
            NSStoreModelVersionHashesKey: model.entityVersionHashesByName,
            NSStoreModelVersionIdentifiersKey: versionIdentifiers(of: model),
            versionHashesVersionKey: 3,
        ]
    }
}
