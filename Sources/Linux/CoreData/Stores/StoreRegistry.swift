import FoundationGaps

/// The store classes by the type for which they are registered.
final class StoreRegistry: Sendable {
    static let shared = StoreRegistry()

    private struct Registration: Sendable {
        let storeClass: NSPersistentStore.Type
    }

    private let classes = Locked<[String: Registration]>([
        NSInMemoryStoreType: Registration(storeClass: InMemoryStore.self)
    ])

    func register(_ storeClass: NSPersistentStore.Type?, for type: String) {
        let registration = storeClass.map(Registration.init)
        classes.withLock { $0[type] = registration }
    }

    /// The class for a store at a URL.
    ///
    /// Tests and previews of many apps, and Xcode's own template, use an SQLite store at
    /// `/dev/null` as a store in memory, because SQLite writes nothing there. It is an in-memory
    /// store here, too, even if no class is registered for SQLite.
    func storeClass(for type: String, at url: URL) throws -> NSPersistentStore.Type {
        do {
            return try storeClass(for: type)
        } catch {
            guard type == NSSQLiteStoreType, url.isNullDevice else { throw error }
            return InMemoryStore.self
        }
    }

    /// The class for a type.
    ///
    /// - Throws: `CocoaError.persistentStoreInvalidType` if there is none.
    func storeClass(for type: String) throws -> NSPersistentStore.Type {
        if let registration = classes.withLock({ $0[type] }) { return registration.storeClass }
        throw CocoaError(
            .persistentStoreInvalidType,
            userInfo: [
                NSLocalizedDescriptionKey: "Unsupported store type: no class is registered for "
                    + "'\(type)'. A store class is registered before its store is added, with "
                    + "NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:), or, for "
                    + "SMStore, with SMStore.registerStoreClass(). Its type is SMStore.type, which an "
                    + "NSPersistentStoreDescription has only if the app sets it."
            ])
    }

    var all: [String: NSPersistentStore.Type] {
        classes.withLock { $0.mapValues(\.storeClass) }
    }
}

extension NSPersistentStoreCoordinator {
    /// Registers a store class for a type; nil removes the type.
    public class func registerStoreClass(
        _ storeClass: AnyClass?, forStoreType storeType: String
    ) {
        guard let storeClass else {
            return StoreRegistry.shared.register(nil, for: storeType)
        }
        guard let storeClass = storeClass as? NSPersistentStore.Type else {
            raise(.invalidArgument, "\(storeClass) is not a subclass of NSPersistentStore.")
        }
        StoreRegistry.shared.register(storeClass, for: storeType)
    }

    /// Registers a store class for a type; nil removes the type.
    public class func registerStoreClass(
        _ storeClass: AnyClass?, type: NSPersistentStore.StoreType
    ) {
        registerStoreClass(storeClass, forStoreType: type.rawValue)
    }

    /// The types for which store classes are registered. The values represent the classes; on Linux
    /// the classes cannot be extracted from them.
    public class var registeredStoreTypes: [String: NSValue] {
        StoreRegistry.shared.all.mapValues { storeClass in
            NSNumber(value: UInt(bitPattern: ObjectIdentifier(storeClass)))
        }
    }
}

extension URL {
    /// Whether the URL is that of the null device, however it is spelled.
    var isNullDevice: Bool { standardizedFileURL.path == "/dev/null" }
}
