import FoundationGaps

/// The base class of an app's stores that read and write all their objects at once.
///
/// A subclass overrides `load()`, which creates a cache node for every object in the file and
/// registers it with `addCacheNodes(_:)`; `newReferenceObject(for:)`, `newCacheNode(for:)` and
/// `updateCacheNode(_:from:)`, which a save calls; `save()`, which writes all nodes; and the
/// methods of `NSPersistentStore` for metadata. Fetches are answered from the nodes.
open class NSAtomicStore: NSPersistentStore {
    /// A node that is registered, and the version of its object.
    struct Entry {
        let node: NSAtomicStoreCacheNode
        var version: UInt64 = 1
        /// The number of the registration, which determines the order of the nodes.
        let serial: Int
    }

    final var entries: [NSManagedObjectID.Key: Entry] = [:]
    /// A version that no deleted object had, for one that comes back.
    final var unreadVersion: UInt64 = 1
    private final var lastSerial = 0

    /// Reads the metadata of an existing file with `metadataForPersistentStore(with:)`.
    open override func loadMetadata() throws {
        guard let url, let values = try? url.resourceValues(forKeys: [.fileSizeKey]),
            values.fileSize != 0
        else { return }
        metadata = try Swift.type(of: self).metadataForPersistentStore(with: url)
    }

    // MARK: - For subclasses

    /// Creates and registers the cache nodes of all objects in the store. Called once, when the
    /// store is added.
    ///
    /// - Throws: An error if the store cannot be read. The store is then not added.
    open func load() throws {
        raiseUnimplemented("load()")
    }

    /// Writes all cache nodes and the metadata. Called at the end of a save.
    ///
    /// - Throws: An error if the store cannot be written. The save then fails, and nothing has
    ///   changed.
    open func save() throws {
        raiseUnimplemented("save()")
    }

    /// Creates a node with the values of an inserted object. Called during a save.
    ///
    /// - Parameter managedObject: The object, with its permanent ID.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        raiseUnimplemented("newCacheNode(for:)")
    }

    /// Updates a node to the values of a changed object. Called during a save.
    open func updateCacheNode(
        _ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject
    ) {
        raiseUnimplemented("updateCacheNode(_:from:)")
    }

    /// Called during a save, before `save()`, with the nodes of deleted objects. They are
    /// unregistered afterward.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    /// The permanent identifier of a new object: a String or a number that is unique within the
    /// entity. Called when an object gets its permanent ID.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        raiseUnimplemented("newReferenceObject(for:)")
    }

    // MARK: - Nodes

    /// The registered nodes.
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> {
        Set(entries.values.map(\.node))
    }

    /// Registers nodes; called by `load()`.
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        for node in cacheNodes { register(node) }
    }

    /// The node of an object; nil if none is registered.
    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        entries[NSManagedObjectID.Key(objectID)]?.node
    }

    final func register(_ node: NSAtomicStoreCacheNode) {
        lastSerial += 1
        entries[NSManagedObjectID.Key(node.objectID)] = Entry(node: node, serial: lastSerial)
    }

    // MARK: - Object IDs

    /// The ID of an object of this store. Not to be overridden.
    ///
    /// - Parameters:
    ///   - entity: The object's own entity, not a parent of it.
    ///   - data: A String or a number that identifies the object within its entity.
    public final func objectID(
        for entity: NSEntityDescription, withReferenceObject data: Any
    ) -> NSManagedObjectID {
        makeObjectID(for: entity, referenceObject: data)
    }

    /// The reference object that was passed to `objectID(for:withReferenceObject:)` for an ID. Not
    /// to be overridden.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        requireReferenceObject(of: objectID)
    }
}
