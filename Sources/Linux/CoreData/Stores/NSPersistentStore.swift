import FoundationGaps

/// A persistent store; the base class of all store classes.
///
/// An app's store class derives from `NSIncrementalStore` or `NSAtomicStore`.
open class NSPersistentStore: NSObject {
    /// The type of a store, under which its class is registered.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The name of the type.
        public let rawValue: String

        /// Creates a type from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `NSSQLiteStoreType`.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// `NSBinaryStoreType`.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        /// `NSInMemoryStoreType`.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        /// `NSXMLStoreType`.
        public static let xml = StoreType(rawValue: NSXMLStoreType)
    }

    private weak var coordinator: NSPersistentStoreCoordinator?
    private let storedConfigurationName: String
    private let storedOptions: [AnyHashable: Any]?
    private var storedURL: URL?
    private var storedMetadata: [String: Any]?
    private var storedIsReadOnly: Bool

    /// Identifies the store within the process. Comparing it costs less than comparing references, which have
    /// to be retained.
    final let number = StoreReference.nextNumber()

    /// The reference to this store in its object IDs.
    final var reference: StoreReference {
        if let madeReference { return madeReference }
        let reference = StoreReference(self)
        madeReference = reference
        return reference
    }

    /// Unchecked because every use of an object ID needs it, and no access lasts long.
    @exclusivity(unchecked) private final var madeReference: StoreReference?

    /// The store's type in the coordinator.
    var registeredType = ""

    /// Creates a store without reading anything.
    ///
    /// - Parameters:
    ///   - root: The coordinator that adds the store.
    ///   - name: The configuration that limits the store to some entities; nil for all.
    ///   - url: Where the store keeps its data.
    ///   - options: The options that it was added with.
    public init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
        configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        coordinator = root
        storedConfigurationName = name ?? Self.defaultConfigurationName
        storedURL = url
        storedOptions = options
        storedIsReadOnly =
            (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        super.init()
    }

    /// Creates a store of a class that is only known at run time. Called by a coordinator.
    ///
    /// It calls Apple's initializer, which a subclass overrides; a Linux-only declaration.
    public required convenience init(_storeArguments arguments: _StoreArguments) {
        self.init(
            persistentStoreCoordinator: arguments.coordinator,
            configurationName: arguments.configurationName, at: arguments.url,
            options: arguments.options)
    }

    static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    // MARK: - What it is

    /// The coordinator that the store was added to.
    public final weak var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinator }

    /// The configuration that the store is limited to.
    open var configurationName: String { storedConfigurationName }

    /// The options that the store was added with.
    open var options: [AnyHashable: Any]? { storedOptions }

    /// The type of the store; a subclass returns the type that it is registered for.
    open var type: String { registeredType }

    /// Where the store keeps its data.
    open var url: URL? {
        get { storedURL }
        set { storedURL = newValue }
    }

    /// Whether the store is read-only. It can be set until the store is added.
    open var isReadOnly: Bool {
        get { storedIsReadOnly }
        set { storedIsReadOnly = newValue }
    }

    /// The store's UUID, which is part of its objects' URIs; stored in the metadata.
    open var identifier: String! {
        get { metadata?[NSStoreUUIDKey] as? String ?? "" }
        set {
            var metadata = self.metadata ?? [:]
            metadata[NSStoreUUIDKey] = newValue
            self.metadata = metadata
        }
    }

    /// The store's metadata, which contains at least its type and UUID. A save writes it.
    ///
    /// Setting it adds the version hashes of the coordinator's model, if there are none yet, the version of these
    /// hashes, their digest, and the checksum of the model that has them.
    open var metadata: [String: Any]! {
        get {
            loadMetadataAgain()
            return storedMetadata
        }
        set {
            storedMetadata = newValue.map(withVersions)
            noteIdentifier()
            loadMetadataAgain()
        }
    }

    /// The option, a boolean, with which each access to the metadata calls `loadMetadata()`, as Apple's systems may. For
    /// tests of store classes.
    static let loadsMetadataAgainOption = "_NSLoadsMetadataAgain"

    private func loadMetadataAgain() {
        guard (storedOptions?[Self.loadsMetadataAgainOption] as? NSNumber)?.boolValue == true else {
            return
        }
        // An accessor cannot throw.
        try? loadMetadata()
    }

    private func withVersions(_ metadata: [String: Any]) -> [String: Any] {
        var metadata = metadata
        let versionKey = NSManagedObjectModel.versionHashesVersionKey
        if metadata[versionKey] == nil {
            metadata[versionKey] = NSManagedObjectModel.versionHashesVersion
        }
        if metadata[NSStoreModelVersionHashesKey] == nil,
            let model = coordinator?.managedObjectModel
        {
            let entities = model.entities(forConfigurationName: configurationName) ?? []
            metadata[NSStoreModelVersionHashesKey] = Dictionary(
                entities.compactMap { entity in entity.name.map { ($0, entity.versionHash) } },
                uniquingKeysWith: { $1 })
            if metadata[NSStoreModelVersionIdentifiersKey] == nil {
                metadata[NSStoreModelVersionIdentifiersKey] = Array(model.versionIdentifiers)
            }
        }
        if let hashes = NSManagedObjectModel.versionHashes(in: metadata) {
            let checksum = NSManagedObjectModel.versionChecksum(of: hashes)
            for key in [
                NSManagedObjectModel.versionDigestKey, NSManagedObjectModel.versionChecksumKey,
            ] where metadata[key] == nil { metadata[key] = checksum }
        }
        return metadata
    }

    /// Updates the UUID in the object IDs to the one in the metadata.
    final func noteIdentifier() {
        if let identifier = metadata?[NSStoreUUIDKey] as? String {
            reference.identifier = identifier
        }
    }

    // MARK: - Object IDs

    /// The ID of an object of this store.
    final func makeObjectID(
        for entity: NSEntityDescription, referenceObject data: Any
    ) -> NSManagedObjectID {
        let identity: NSManagedObjectID.Reference
        switch data {
        case let text as String: identity = .init(text: text)
        case let number as NSNumber: identity = .number(number)
        default:
            raise(
                .invalidArgument,
                "A reference object must be a String or a number, and not \(data).")
        }
        return NSManagedObjectID(entity: entity, reference: identity, store: reference)
    }

    /// The reference object of an ID of this store.
    final func requireReferenceObject(of objectID: NSManagedObjectID) -> Any {
        guard objectID.storeReference === reference else {
            raise(
                .invalidArgument,
                "Object ID \(objectID) does not belong to the store \(self).")
        }
        switch objectID.reference {
        case .string(let text): return text
        case .decimal(let number): return String(number)
        case .number(let number): return number
        case .temporary:
            raise(.invalidArgument, "Object ID \(objectID) is temporary.")
        }
    }

    /// Stops the process because a subclass does not implement a method.
    final func raiseUnimplemented(_ method: String) -> Never {
        raise(
            .internalInconsistency, "\(method) must be overridden by \(Swift.type(of: self)).")
    }

    // MARK: - For subclasses

    /// Reads the metadata, once when the store is added and possibly again.
    ///
    /// - Throws: An error if the store cannot be used.
    open func loadMetadata() throws {}

    /// The metadata of the store at a URL, without adding the store.
    ///
    /// - Throws: An error if there is no store, or if a subclass does not implement it.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw CocoaError(
            .persistentStoreOperation,
            userInfo: [
                NSLocalizedDescriptionKey: "\(self) does not read metadata.", NSURLErrorKey: url,
            ])
    }

    /// Replaces the metadata of the store at a URL, without adding the store.
    ///
    /// - Throws: An error if there is no store, or if a subclass does not implement it.
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreAt url: URL
    ) throws {
        throw CocoaError(
            .persistentStoreOperation,
            userInfo: [
                NSLocalizedDescriptionKey: "\(self) does not write metadata.", NSURLErrorKey: url,
            ])
    }

    /// The class of the migration manager for stores of this class.
    ///
    /// A subclass of `NSMigrationManager` is used for every migration between two stores of the
    /// class, automatic ones included.
    open class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }

    /// Called after the store was added.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

    /// Called before the store is removed.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    /// Detaches the store from its coordinator.
    final func detach() {
        coordinator = nil
    }
}

/// The arguments for creating a store; a Linux-only type that only coordinators create.
public struct _StoreArguments {
    let coordinator: NSPersistentStoreCoordinator?
    let configurationName: String?
    let url: URL
    let options: [AnyHashable: Any]?
}
