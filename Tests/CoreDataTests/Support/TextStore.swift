import CoreData

/// An atomic store that stores its objects in one property list file, and uses Apple's API only.
final class TextStore: NSAtomicStore {
    static let storeType = "TextStore"

    static let register: Void = NSPersistentStoreCoordinator.registerStoreClass(
        TextStore.self, forStoreType: storeType)

    /// The calls, in order.
    private(set) var calls: [String] = []
    /// The error of the next save.
    var failure: (any Error)?

    /// Nodes that are the destination of a relationship before their objects are loaded.
    private var expected: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]

    override var type: String { Self.storeType }

    // MARK: - The file

    private struct Row: Codable {
        var entity: String
        var reference: String
        var texts: [String: String] = [:]
        var numbers: [String: Int] = [:]
        var links: [String: [[String]]] = [:]
    }

    private struct Contents: Codable {
        var metadata: Data
        var rows: [Row]
    }

    private static func contents(of url: URL) throws -> Contents {
        try PropertyListDecoder().decode(Contents.self, from: Data(contentsOf: url))
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        let metadata = try contents(of: url).metadata
        let list = try PropertyListSerialization.propertyList(from: metadata, format: nil)
        return list as? [String: Any] ?? [:]
    }

    override class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreAt url: URL
    ) throws {
        var contents = try contents(of: url)
        contents.metadata = try data(of: metadata)
        try PropertyListEncoder().encode(contents).write(to: url)
    }

    private static func data(of metadata: [String: Any]?) throws -> Data {
        try PropertyListSerialization.data(
            fromPropertyList: metadata ?? [:], format: .binary, options: 0)
    }

    // MARK: - Reading and writing

    override func load() throws {
        calls.append("load")
        guard let url, FileManager.default.fileExists(atPath: url.path),
            let model = persistentStoreCoordinator?.managedObjectModel
        else { return }
        let rows = try Self.contents(of: url).rows
        func id(_ entity: String, _ reference: String) throws -> NSManagedObjectID {
            guard let entity = model.entitiesByName[entity] else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return objectID(for: entity, withReferenceObject: reference)
        }
        var nodes: Set<NSAtomicStoreCacheNode> = []
        for row in rows {
            let node = self.node(try id(row.entity, row.reference))
            nodes.insert(node)
            for (key, text) in row.texts { node.setValue(text, forKey: key) }
            for (key, number) in row.numbers { node.setValue(number, forKey: key) }
            for (key, links) in row.links {
                let destinations = try links.map { self.node(try id($0[0], $0[1])) }
                setDestinations(destinations, of: node, key)
            }
        }
        addCacheNodes(nodes)
        expected = [:]
    }

    override func save() throws {
        calls.append("save")
        if let failure { throw failure }
        let rows = cacheNodes().map(row)
        let contents = Contents(metadata: try Self.data(of: metadata), rows: rows)
        if let url { try PropertyListEncoder().encode(contents).write(to: url) }
        expected = [:]
    }

    private func row(of node: NSAtomicStoreCacheNode) -> Row {
        var row = Row(
            entity: node.objectID.entity.name ?? "",
            reference: "\(referenceObject(for: node.objectID))")
        for property in node.objectID.entity.properties {
            switch node.value(forKey: property.name) {
            case let text as String: row.texts[property.name] = text
            case let number as Int: row.numbers[property.name] = number
            case let one as NSAtomicStoreCacheNode: row.links[property.name] = [link(to: one)]
            case let many as NSSet:
                row.links[property.name] = many.allObjects
                    .compactMap { $0 as? NSAtomicStoreCacheNode }.map(link)
            case let many as NSOrderedSet:
                row.links[property.name] = many.array
                    .compactMap { $0 as? NSAtomicStoreCacheNode }.map(link)
            default: break
            }
        }
        return row
    }

    private func link(to node: NSAtomicStoreCacheNode) -> [String] {
        [node.objectID.entity.name ?? "", "\(referenceObject(for: node.objectID))"]
    }

    // MARK: - Nodes

    private func node(_ objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode {
        if let node = cacheNode(for: objectID) ?? expected[objectID] { return node }
        let node = NSAtomicStoreCacheNode(objectID: objectID)
        expected[objectID] = node
        return node
    }

    private func setDestinations(
        _ nodes: [NSAtomicStoreCacheNode], of node: NSAtomicStoreCacheNode, _ key: String
    ) {
        guard let relationship = node.objectID.entity.relationshipsByName[key] else { return }
        if !relationship.isToMany {
            node.setValue(nodes.first, forKey: key)
        } else {
            let many: Any =
                relationship.isOrdered ? NSOrderedSet(array: nodes) : NSSet(array: nodes)
            node.setValue(many, forKey: key)
        }
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        calls.append("newReferenceObject \(managedObject.entity.name ?? "")")
        return UUID().uuidString
    }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        calls.append("newCacheNode \(managedObject.entity.name ?? "")")
        let node = self.node(managedObject.objectID)
        copy(managedObject, to: node)
        return node
    }

    override func updateCacheNode(
        _ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject
    ) {
        calls.append("updateCacheNode \(managedObject.entity.name ?? "")")
        copy(managedObject, to: node)
    }

    override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        calls.append("willRemoveCacheNodes \(cacheNodes.count)")
    }

    private func copy(_ object: NSManagedObject, to node: NSAtomicStoreCacheNode) {
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            node.setValue(object.value(forKey: name), forKey: name)
        }
        for name in object.entity.relationshipsByName.keys {
            let destinations = object.objectIDs(forRelationshipNamed: name).map { self.node($0) }
            setDestinations(destinations, of: node, name)
        }
    }
}
