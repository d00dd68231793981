import FoundationGaps

/// A Core Data stack: a model, a coordinator with its stores, and contexts.
///
/// Unchecked because everything but the list of descriptions, which a lock guards, is constant.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    /// The container's name, which is also the name of its store's file.
    public let name: String

    /// The model.
    public let managedObjectModel: NSManagedObjectModel

    /// The coordinator.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator

    /// A context of the main queue.
    public let viewContext: NSManagedObjectContext

    private let descriptions: Locked<Descriptions>

    /// The descriptions of the container's stores.
    ///
    /// Unchecked because descriptions are passed in and out as in Apple's API: code that configures
    /// one does not share it.
    private struct Descriptions: @unchecked Sendable {
        var list: [NSPersistentStoreDescription]
    }

    /// Creates a container with the model of its name: `name.momd`, `.mom` or `.xcdatamodeld` in
    /// the main bundle.
    ///
    /// The resources of a package's target are in a bundle of their own: pass such a model to
    /// `init(name:managedObjectModel:)`. If there is no model of that name, the process stops with
    /// a list of those that exist.
    public convenience init(name: String) {
        self.init(name: name, managedObjectModel: Self.model(named: name))
    }

    /// The model for a container's name.
    private static func model(named name: String) -> NSManagedObjectModel {
        guard let url = ModelSearch.url(forModelNamed: name, in: [.main]) else {
            raise(.invalidArgument, reason(forMissingModel: name))
        }
        guard let model = NSManagedObjectModel(contentsOf: url) else {
            raise(.invalidArgument, "The model at \(url.path) could not be read.")
        }
        return model
    }

    private static func reason(forMissingModel name: String) -> String {
        let found = ModelSearch.urls(in: nil).map { url in
            "\(url.lastPathComponent) in \(url.deletingLastPathComponent().path)"
        }
        let others =
            found.isEmpty ? "There are no models." : "There are: \(found.joined(separator: ", "))."
        return
            "Failed to load model named \(name) from the main bundle. \(others) A model of another "
            + "bundle is given to NSPersistentContainer(name:managedObjectModel:), as "
            + "NSManagedObjectModel.mergedModel(from: [Bundle.module])."
    }

    /// Creates a container with a model.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.name = name
        managedObjectModel = model
        persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        let url = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
        descriptions = Locked(Descriptions(list: [NSPersistentStoreDescription(url: url)]))
        super.init()
        viewContext.persistentStoreCoordinator = persistentStoreCoordinator
    }

    /// The directory of stores without a directory of their own: the program's folder in the user's
    /// application support directory.
    open class func defaultDirectoryURL() -> URL {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? URL(fileURLWithPath: NSHomeDirectory())
        return base.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
    }

    /// The stores that `loadPersistentStores(completionHandler:)` adds; by default one SQLite store
    /// in the default directory.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get { descriptions.withLock { $0 }.list }
        set {
            let list = Descriptions(list: newValue)
            descriptions.withLock { $0 = list }
        }
    }

    /// Adds the described stores that have not been added yet.
    ///
    /// - Parameter block: Called once for each store with its description and the error, before the
    ///   method returns unless the description specifies asynchronous adding.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            if description.url?.deletingLastPathComponent().standardizedFileURL
                == Self.defaultDirectoryURL().standardizedFileURL
            {
                do {
                    try FileManager.default.createDirectory(
                        at: Self.defaultDirectoryURL(), withIntermediateDirectories: true)
                } catch {
                    block(description, error)
                    continue
                }
            }
            persistentStoreCoordinator.addPersistentStore(
                with: description, completionHandler: block)
        }
    }

    /// A new context with a queue of its own.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new context on that context's queue.
    open func performBackgroundTask(
        _ block: @escaping @Sendable (NSManagedObjectContext) -> Void
    ) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs a block with a new context on that context's queue, and returns its result.
    @preconcurrency
    public final func performBackgroundTask<T>(
        _ block: @escaping @Sendable (NSManagedObjectContext) throws -> T
    ) async rethrows -> T {
        let context = newBackgroundContext()
        return try await context.perform { try block(context) }
    }
}
