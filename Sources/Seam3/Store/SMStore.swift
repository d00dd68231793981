import CloudKit
import CoreData

/// A Core Data store that keeps objects in a local SQLite file and syncs them with the user's private
/// CloudKit database.
///
/// Register the class, set it as the type of the store, and use Core Data as before:
///
///     SMStore.registerStoreClass()
///     let description = NSPersistentStoreDescription(url: url)
///     description.type = SMStore.type
///     container.persistentStoreDescriptions = [description]
///
/// The store works offline. Local changes wait in the file until the server has acknowledged them.
#if canImport(ObjectiveC)
@objcMembers
#endif
open class SMStore: NSIncrementalStore, @unchecked Sendable {
    // What Apple's frameworks do here is an assumption: SM-1 and SM-10.
    // Unchecked because Core Data's store classes are not Sendable; `lock` guards what this class
    // adds to them.

    // MARK: - Settings

    /// The value of ``syncAutomatically-swift.property`` for new stores; `true` by default.
    nonisolated(unsafe) public static var syncAutomatically: Bool = true

    /// Whether the store syncs automatically.
    ///
    /// It then syncs about a second after each save, so that saves in quick succession share a
    /// sync; when the app becomes active; when the network or the account becomes available; and
    /// again after a while, when a sync has failed because the network, the server, the account or
    /// the disk was unavailable, or when the server has refused changes. To decide yourself:
    ///
    ///     store.syncAutomatically = false
    ///     try await store.sync()
    public var syncAutomatically: Bool {
        get { lock.locked { syncsAutomatically } }
        set {
            lock.locked { syncsAutomatically = newValue }
            if newValue { scheduleNextAttempt() }
        }
    }

    /// The CloudKit container that the store syncs with.
    ///
    /// Apple's systems terminate an app without the CloudKit entitlement when this is first used. It is a
    /// programming error to use it for a store with a container of another kind; see ``cloudContainer``.
    public var container: CKContainer {
        guard let container = settings.container as? CKContainer else {
            fatalError(
                "The store syncs with \(settings.container), which is not a CKContainer."
                    + " Use cloudContainer.")
        }
        return container
    }

    /// The container that the store syncs with, of any kind.
    @nonobjc public var cloudContainer: any SMCloudContainer { settings.container }

    // MARK: - State

    @nonobjc let settings: SyncSettings
    @nonobjc let rowCache = RowCache()
    @nonobjc let announcements = TransactionAnnouncements()
    @nonobjc let limits: StepLimits
    @nonobjc let followers: ContextRegistry
    /// The objects that contexts asked for and did not get.
    @nonobjc let unreadObjects = UnreadObjects()
    @nonobjc let observation = SyncObservation()
    /// Guards the connection and the other mutable state. Recursive, because Core Data may call the
    /// store during a call of the store.
    @nonobjc let lock = NSRecursiveLock()
    private var openDatabase: StoreDatabase?
    /// The number of the file if it belongs to another model and was left to a mapping model.
    @nonobjc private(set) var awaitedFile: Int?
    private var isLoading = false
    private var isRemoved = false
    @nonobjc var lastDataVersion: Int64 = 0
    private var syncsAutomatically = SMStore.syncAutomatically
    @nonobjc private(set) var engine: SyncEngine?
    private var systemEvents: SystemEvents?
    @nonobjc private(set) var mappings: RecordMappings?
    /// The folder of an in-memory store.
    @nonobjc private(set) lazy var transientFolder = TransientFolder()
    /// Numbers for new objects that were reserved in the file.
    @nonobjc var freeKeys: Range<Int64> = 0..<0
    /// The numbers of objects that were deleted through this store. Undoing the deletion inserts them again.
    @nonobjc var deletedKeys = IndexSet()
    /// The object to which the row that was read last leads.
    @nonobjc var lastDestination: NSManagedObjectID?
    /// The metadata that the file contains.
    @nonobjc var savedMetadata: NSDictionary?
    /// Whether metadata has been set that may differ from the file's. To compare it takes longer than to
    /// save an object.
    @nonobjc var hasNewMetadata = false
    /// The writer of this store's own transactions in the history.
    @nonobjc let historyWriter = UUID().uuidString
    /// The number of the last transaction that was checked for changes of other writers.
    @nonobjc var lastSeenTransaction: Int64 = 0
    @nonobjc var remoteChangeWatch: RemoteChangeWatch?
    @nonobjc var copyWatch: NotificationObservation?
    /// Whether the file, which is closed now, had been synced.
    @nonobjc private(set) var wasSyncedWhenClosed = false
    /// Posts notifications of remote changes, in the order of their history tokens.
    @nonobjc let remoteChangeQueue = DispatchQueue(label: "SMStore.remoteChangeNotifications")

    /// Creates a store. Called by Core Data; does no input or output.
    ///
    /// - Parameters:
    ///   - root: The coordinator.
    ///   - name: The configuration whose entities the store holds; nil for all.
    ///   - url: Where the file is or will be.
    ///   - options: Core Data's options and those of this class.
    public override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
        configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        let container: SyncSettings.Container
        switch options?[SMStore.SMStoreContainerOption] {
        case let identifier as String: container = .identifier(identifier)
        case let given as any SMCloudContainer: container = .container(given)
        default: container = .standard
        }
        let policy = SMSyncConflictResolutionPolicy(
            option: options?[SMStore.SMStoreSyncConflictResolutionPolicyOption])
        settings = SyncSettings(container: container, policy: policy ?? .serverRecordWins)
        limits = StepLimits(options: options)
        followers = ContextRegistry(largestMerge: limits.merge)
        super.init(
            persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    // MARK: - Type and metadata

    /// Registers the class with Core Data under its ``type-swift.type.property``.
    ///
    ///     SMStore.registerStoreClass()
    ///     description.type = SMStore.type
    ///
    /// Call it before a store is added. Further calls have no effect.
    public class func registerStoreClass() {
        NSPersistentStoreCoordinator.registerStoreClass(self, forStoreType: type)
    }

    /// The store type: "Seam3.SMStore".
    open class var type: String { NSStringFromClass(self) }

    /// The store type of this store.
    open override var type: String { Swift.type(of: self).type }

    /// The store's metadata. A save writes it to the file.
    open override var metadata: [String: Any]! {
        didSet { hasNewMetadata = true }
    }

    /// The store's UUID, which is part of its metadata.
    open override var identifier: String! {
        didSet { hasNewMetadata = true }
    }

    /// Opens the file, and creates it if it does not exist. Called by Core Data, possibly more than once.
    ///
    /// A file with another model is migrated in place if the options request automatic migration and an
    /// inferred mapping, as `NSPersistentContainer` does. If the app has a mapping model, or nothing is to
    /// be inferred, only the metadata is read: Core Data then migrates the file with an
    /// ``SMMigrationManager`` and opens it again.
    ///
    /// - Throws: ``SMStoreError``, or an error of the domain `NSCocoaErrorDomain`: 134100 if the file
    ///   was made for another model and is not to be migrated, 134190 if the migration cannot be
    ///   inferred, with the reason.
    open override func loadMetadata() throws {
        try answer {
            // Accessors of the metadata may call this method during itself, while Core Data replaces the
            // file, and after the removal.
            guard openDatabase == nil, !isLoading, !isRemoved, !isAwaitedFileThere else { return }
            isLoading = true
            defer { isLoading = false }
            guard let model = persistentStoreCoordinator?.managedObjectModel else {
                throw SMStoreError.storeNotOpen
            }
            try StoreOptionCheck.check(options ?? [:])
            if isSet(NSReadOnlyPersistentStoreOption) { isReadOnly = true }
            if adoptsFiles, let url, !isReadOnly, !isTransient {
                try adoptFile(at: url, model: model)
            }
            let database: StoreDatabase
            let metadata: [String: Any]
            do {
                (database, metadata) = try file.open(
                    model: model, configuration: configurationName, storeType: type)
            } catch let file as StoreFile.AwaitsMapping {
                awaitedFile = fileNumber
                self.metadata = file.metadata
                return
            }
            awaitedFile = nil
            migratedStores(MigratedStores.sourceOption)?.source = database
            let migration = migratedStores(MigratedStores.destinationOption)
            try migration?.open(destination: database)
            let mappings = RecordMappings(
                database.schema, externalData: database.externalFiles?.folder)
            let dataVersion = try database.connection.dataVersion()
            announcements.begin(after: isReadOnly ? 0 : try database.sequence.lastTransaction())
            let isSyncDue = try database.syncState.retryAfter() ?? database.outbox.nextTry() != nil
            // The changes of a migration must not be sent before it is complete.
            if !isReadOnly, migration == nil {
                let other = try file.connect(schema: database.schema)
                try recordHistory(database, other)
                database.announce(in: announcements, namingRows: false)
                other.announce(in: announcements, namingRows: true)
                engine = SyncEngine(
                    database: other, mappings: mappings, settings: settings,
                    observation: observation, limits: limits, delegate: self)
                systemEvents = SystemEvents(container: { [weak settings] in settings?.usedContainer
                }) {
                    [weak self] event in self?.systemDidReport(event)
                }
                if isSyncDue {
                    Task { [weak engine] in await engine?.scheduleNextAttempt() }
                }
            }
            self.mappings = mappings
            openDatabase = database
            lastDataVersion = dataVersion
            self.metadata = metadata
            savedMetadata = NSDictionary(dictionary: metadata)
            if engine != nil {
                watchForRemoteChanges()
                watchForCopies()
            }
        }
    }

    /// Whether a file of Core Data's own store is adopted.
    @nonobjc var adoptsFiles: Bool { isSet(Self.SMStoreAdoptionOption) }

    /// The metadata of a store file.
    ///
    /// - Parameter url: The file.
    /// - Throws: ``SMStoreError``, or a `CocoaError` if there is no file.
    open override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        // What Apple's frameworks do here is an assumption: CD-4.
        guard !url.isNullDevice else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        return try StoreFile(url: url, isReadOnly: true).metadata()
    }

    /// Replaces the metadata of a store file.
    ///
    /// - Parameters:
    ///   - metadata: Property-list values.
    ///   - url: The file.
    /// - Throws: ``SMStoreError``, or a `CocoaError` if there is no file.
    open override class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreAt url: URL
    ) throws {
        try StoreFile(url: url, isReadOnly: false).setMetadata(metadata ?? [:])
    }

    /// ``SMMigrationManager``, which keeps what the store knows about the server.
    open override class func migrationManagerClass() -> AnyClass { SMMigrationManager.self }

    /// Closes the file. Called by Core Data.
    ///
    /// - Parameter coordinator: The coordinator.
    open override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        lock.locked {
            wasSyncedWhenClosed = openDatabase?.isSynced ?? false
            if let engine {
                engine.close(openDatabase)
                openDatabase?.shrink()
            }
            // Another thread may be letting go of it only now. A migration goes on with it.
            if !isMigrating { openDatabase?.connection.close() }
            engine = nil
            systemEvents = nil
            remoteChangeWatch = nil
            copyWatch = nil
            openDatabase = nil
            isRemoved = true
        }
        observation.finish()
        super.willRemove(from: coordinator)
    }

    // MARK: - Connection

    /// The store's connection; to be used only while ``lock`` is held.
    ///
    /// Another process, or the sync engine, may have written since the last call: cached values
    /// are dropped then.
    ///
    /// - Throws: ``SMStoreError`` if the store is not open.
    @nonobjc func database() throws -> StoreDatabase {
        let database = try openedDatabase()
        try dropStaleRows(database)
        return database
    }

    /// The store's connection, without a check whether others have written.
    @nonobjc func openedDatabase() throws -> StoreDatabase {
        guard let openDatabase else {
            if awaitedFile != nil {
                throw file.incompatibleModel(
                    metadata ?? [:], persistentStoreCoordinator?.managedObjectModel)
            }
            throw SMStoreError.storeNotOpen
        }
        return openDatabase
    }

    // MARK: - Identity

    /// Gives new objects their IDs. Called by Core Data.
    ///
    /// - Parameter array: Objects that have temporary IDs.
    /// - Returns: An ID for each, in the same order.
    /// - Throws: ``SMStoreError``, or an error of SQLite.
    open override func obtainPermanentIDs(
        for array: [NSManagedObject]
    ) throws -> [NSManagedObjectID] {
        try answer {
            let database = try database()
            return try array.map { object in
                let entity = try entity(of: object.objectID, in: database)
                return objectID(try takeKey(database), entity)
            }
        }
    }

    // MARK: - Requests

    /// Executes a fetch, a save, a batch request or a request for the history. Called by Core Data.
    ///
    /// - Parameters:
    ///   - request: An `NSFetchRequest`, an `NSSaveChangesRequest`, an `NSBatchInsertRequest`, an
    ///     `NSBatchUpdateRequest`, an `NSBatchDeleteRequest` or an
    ///     `NSPersistentHistoryChangeRequest`.
    ///   - context: The context that asks.
    /// - Returns: What Core Data expects for the request: an array of objects, of IDs, of
    ///   dictionaries or with one number; an empty array for a save; the result of a batch request.
    /// - Throws: Core Data's errors, among them 133020 for a conflict, 133021 for a violated
    ///   uniqueness constraint and 134091 for a request of another kind, and those for what SQLite
    ///   reports, such as 134090 for a lock that another process holds and 640 for a full disk;
    ///   ``SMStoreError``.
    open override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        if let context { followers.note(context) }
        switch request {
        case let fetch as NSFetchRequest<any NSFetchRequestResult>:
            return try answer { try executeFetch(fetch, with: context) }
        case let asynchronous as NSAsynchronousFetchRequest<any NSFetchRequestResult>:
            // Core Data runs the fetch itself, or leaves it to the store.
            return try answer { try executeFetch(asynchronous.fetchRequest, with: context) }
        case let save as NSSaveChangesRequest:
            let hasChanges = try answer {
                try refuseRemovedFile()
                return try executeSave(save, with: context)
            }
            if hasChanges, syncAutomatically { syncAfterSave() }
            if !save.isOfMetadataOnly { postRemoteChange() }
            return [Any]()
        case is NSBatchInsertRequest, is NSBatchUpdateRequest, is NSBatchDeleteRequest:
            let (result, hasChanges) = try answer {
                try refuseRemovedFile()
                return try executeBatch(request, with: context)
            }
            if hasChanges, syncAutomatically { syncAfterSave() }
            postRemoteChange()
            return result
        case let history as NSPersistentHistoryChangeRequest:
            return try answer { try executeHistory(history) }
        default:
            throw CocoaError(
                .persistentStoreUnsupportedRequestType,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "SMStore executes fetch, save, batch and history requests,"
                        + " not a \(Swift.type(of: request))."
                ])
        }
    }

    /// The values of an object. Called by Core Data when a fault fires.
    ///
    /// - Parameters:
    ///   - objectID: The object.
    ///   - context: The context that asks.
    /// - Throws: 133000 of the domain `NSCocoaErrorDomain` if the object is gone.
    open override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        // A fault gets the row that a fetch has found. An object with values is compared with the row
        // when it is saved, which must be the file's.
        let isFault = context.registeredObject(for: objectID)?.isFault ?? true
        return try noting(objectID, in: context) { try node(for: objectID, isFault: isFault) }
    }

    /// The objects at the other end of a relationship. Called by Core Data.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - objectID: The object that has it.
    ///   - context: The context that asks.
    /// - Returns: An ID or `NSNull` for a to-one relationship, else an array of IDs, in order if
    ///   the relationship has one.
    /// - Throws: 133000 of the domain `NSCocoaErrorDomain` if the object is gone.
    open override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        guard let context else { return try destinations(of: relationship, of: objectID) }
        return try noting(objectID, in: context) {
            try destinations(of: relationship, of: objectID)
        }
    }

    // MARK: - Registration

    /// Notes that a context uses objects. Called by Core Data.
    ///
    /// - Parameter objectIDs: The objects.
    open override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        rowCache.hold(objectIDs.compactMap(key))
        super.managedObjectContextDidRegisterObjects(with: objectIDs)
    }

    /// Notes that a context no longer uses objects. Called by Core Data.
    ///
    /// - Parameter objectIDs: The objects.
    open override func managedObjectContextDidUnregisterObjects(
        with objectIDs: [NSManagedObjectID]
    ) {
        rowCache.release(objectIDs.compactMap(key))
        super.managedObjectContextDidUnregisterObjects(with: objectIDs)
    }
}
