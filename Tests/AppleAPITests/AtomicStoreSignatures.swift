import CoreData

// Spells the signatures of atomic stores as in Apple's documentation. Nothing here is called: if it
// compiles, code written for Apple's framework does.

private final class SpelledAtomicStore: NSAtomicStore {
    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
        configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        super.init(
            persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    override var type: String { "SpelledAtomic" }
    override func loadMetadata() throws { try super.loadMetadata() }
    override func load() throws { try super.load() }
    override func save() throws { try super.save() }
    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        super.newCacheNode(for: managedObject)
    }
    override func updateCacheNode(
        _ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject
    ) {
        super.updateCacheNode(node, from: managedObject)
    }
    override func cacheNodes() -> Set<NSAtomicStoreCacheNode> { super.cacheNodes() }
    override func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        super.addCacheNodes(cacheNodes)
    }
    override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        super.willRemoveCacheNodes(cacheNodes)
    }
    override func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        super.cacheNode(for: objectID)
    }
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        super.newReferenceObject(for: managedObject)
    }
}

private final class SpelledCacheNode: NSAtomicStoreCacheNode {
    override init(objectID moid: NSManagedObjectID) { super.init(objectID: moid) }
    override func value(forKey key: String) -> Any? { super.value(forKey: key) }
    override func setValue(_ value: Any?, forKey key: String) {
        super.setValue(value, forKey: key)
    }
}

private func atomicStore(_ members: Members<NSAtomicStore>) {
    members.method(type(of: NSAtomicStore.load), (() throws -> Void).self)
    members.method(type(of: NSAtomicStore.save), (() throws -> Void).self)
    members.method(
        type(of: NSAtomicStore.newCacheNode(for:)),
        ((NSManagedObject) -> NSAtomicStoreCacheNode).self)
    members.method(
        type(of: NSAtomicStore.updateCacheNode(_:from:)),
        ((NSAtomicStoreCacheNode, NSManagedObject) -> Void).self)
    members.method(
        type(of: NSAtomicStore.cacheNodes), (() -> Set<NSAtomicStoreCacheNode>).self)
    members.method(
        type(of: NSAtomicStore.addCacheNodes(_:)), ((Set<NSAtomicStoreCacheNode>) -> Void).self)
    members.method(
        type(of: NSAtomicStore.willRemoveCacheNodes(_:)),
        ((Set<NSAtomicStoreCacheNode>) -> Void).self)
    members.method(
        type(of: NSAtomicStore.cacheNode(for:)),
        ((NSManagedObjectID) -> NSAtomicStoreCacheNode?).self)
    members.method(
        type(of: NSAtomicStore.objectID(for:withReferenceObject:)),
        ((NSEntityDescription, Any) -> NSManagedObjectID).self)
    members.method(
        type(of: NSAtomicStore.newReferenceObject(for:)), ((NSManagedObject) -> Any).self)
    members.method(
        type(of: NSAtomicStore.referenceObject(for:)), ((NSManagedObjectID) -> Any).self)
}

private func cacheNode(_ members: Members<NSAtomicStoreCacheNode>) {
    members.function(
        type(of: NSAtomicStoreCacheNode.init(objectID:)),
        (@Sendable (NSManagedObjectID) -> NSAtomicStoreCacheNode).self)
    members.readOnly(\.objectID, NSManagedObjectID.self)
    members.settable(\.propertyCache, NSMutableDictionary?.self)
    members.method(
        type(of: NSAtomicStoreCacheNode.value(forKey:)), ((String) -> Any?).self)
    members.method(
        type(of: NSAtomicStoreCacheNode.setValue(_:forKey:)), ((Any?, String) -> Void).self)
}
