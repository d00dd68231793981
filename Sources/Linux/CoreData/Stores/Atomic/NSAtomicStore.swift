import FoundationGaps

/// The base of stores that read and write all their objects at once, and are written by an app.
///
/// A subclass overrides `load()`, which makes a cache node of every object in the file and registers
/// it by `addCacheNodes(_:)`; `newReferenceObject(for:)`, `newCacheNode(for:)` and
/// `updateCacheNode(_:from:)`, which a save calls; `save()`, which writes all nodes; and the methods
/// of `NSPersistentStore` for metadata. Fetches are answered from the nodes.
open class NSAtomicStore: NSPersistentStore {
    /// A node that is registered, and the version of its object.
    struct Entry {
        let node: NSAtomicStoreCacheNode
        var version: UInt64 = 1
        /// Nodes are listed in the order in which they were registered.
        let serial: Int
    }

    final var entries: [NSManagedObjectID.Key: Entry] = [:]
    private final var lastSerial = 0

    /// Reads the metadata of a file that is there, by `metadataForPersistentStore(with:)`.
    open override func loadMetadata() throws {
        guard let url, let values = try? url.resourceValues(forKeys: [.fileSizeKey]),
            values.fileSize != 0
        else { return }
        metadata = try Swift.type(of: self).metadataForPersistentStore(with: url)
    }

    // MARK: - For subclasses

    /// Makes the cache nodes of everything that the store keeps, and registers them. Called once,
    /// when the store is added.
    ///
    /// - Throws: If the store cannot be read. It is not added then.
    open func load() throws {
        raiseUnimplemented("load()")
    }

    /// Writes all cache nodes, and the metadata. Called at the end of a save.
    ///
    /// - Throws: If the store cannot be written. The save fails, and nothing has changed.
    open func save() throws {
        raiseUnimplemented("save()")
    }

    /// A new node with the values of an object that was inserted. Called during a save.
    ///
    /// - Parameter managedObject: The object, with its permanent ID.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        raiseUnimplemented("newCacheNode(for:)")
    }

    /// Gives a node the values of an object that was changed. Called during a save.
    open func updateCacheNode(
        _ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject
    ) {
        raiseUnimplemented("updateCacheNode(_:from:)")
    }

    /// Called during a save, before `save()`, with the nodes of the objects that were deleted. They
    /// are no longer registered afterward.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    /// What identifies a new object for good: a String or a number that no other object of the
    /// entity has. Called when an object gets its permanent ID.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        raiseUnimplemented("newReferenceObject(for:)")
    }

    // MARK: - Nodes

    /// The nodes that are registered.
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> {
        Set(entries.values.map(\.node))
    }

    /// Registers nodes; to be called by `load()`.
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

    /// What `objectID(for:withReferenceObject:)` was given for an ID. Not to be overridden.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        requireReferenceObject(of: objectID)
    }
}
