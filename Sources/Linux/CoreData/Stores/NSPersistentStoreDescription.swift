import FoundationGaps

/// The settings with which a container or a coordinator adds a store.
open class NSPersistentStoreDescription: NSObject, NSCopying {
    private var storedOptions: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]

    /// The type of the store; SQLite by default.
    open var type: String = NSSQLiteStoreType

    /// The configuration that the store is limited to; nil for all entities.
    open var configuration: String?

    /// Where the store keeps its data.
    open var url: URL?

    /// Whether the store is added on a separate queue, after the call has returned.
    open var shouldAddStoreAsynchronously: Bool = false

    /// Describes a store at a URL.
    public init(url: URL) {
        self.url = url
        super.init()
    }

    /// Describes a store without a URL.
    public override init() {
        super.init()
    }

    /// The options that the store is added with.
    open var options: [String: NSObject] { storedOptions }

    /// Sets an option; nil removes it.
    open func setOption(_ option: NSObject?, forKey key: String) {
        storedOptions[key] = option
    }

    /// Whether the store is read-only; `false` by default.
    open var isReadOnly: Bool {
        get { flag(NSReadOnlyPersistentStoreOption) }
        set { setFlag(NSReadOnlyPersistentStoreOption, newValue) }
    }

    /// Whether a store of an older model is migrated; `true` by default.
    open var shouldMigrateStoreAutomatically: Bool {
        get { flag(NSMigratePersistentStoresAutomaticallyOption) }
        set { setFlag(NSMigratePersistentStoresAutomaticallyOption, newValue) }
    }

    /// Whether a migration may infer the mapping between the models; `true` by default.
    open var shouldInferMappingModelAutomatically: Bool {
        get { flag(NSInferMappingModelAutomaticallyOption) }
        set { setFlag(NSInferMappingModelAutomaticallyOption, newValue) }
    }

    /// How long, in seconds, to wait for the store; 240 by default.
    open var timeout: TimeInterval {
        get {
            (storedOptions[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240
        }
        set { storedOptions[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
    }

    /// SQLite pragmas by name.
    open var sqlitePragmas: [String: NSObject] {
        storedOptions[NSSQLitePragmasOption] as? [String: NSObject] ?? [:]
    }

    /// Sets an SQLite pragma; nil removes it.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        storedOptions[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
    }

    private func flag(_ key: String) -> Bool {
        (storedOptions[key] as? NSNumber)?.boolValue ?? false
    }

    private func setFlag(_ key: String, _ value: Bool) {
        storedOptions[key] = NSNumber(value: value)
    }

    /// An independent description with the same settings.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.url = url
        copy.type = type
        copy.configuration = configuration
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.storedOptions = storedOptions
        return copy
    }

    open override var description: String {
        "<NSPersistentStoreDescription> (type: \(type), url: \(url?.absoluteString ?? "nil"))"
    }
}
