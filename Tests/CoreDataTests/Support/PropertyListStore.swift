import CoreData

/// An incremental store that stores everything in one property list file and enforces uniqueness
/// constraints. It uses Apple's API only and does not support migration.
class PropertyListStore: NSIncrementalStore {
    static let storeType = "PropertyListStore"

    static let register: Void = NSPersistentStoreCoordinator.registerStoreClass(
        PropertyListStore.self, forStoreType: storeType)

    private var contents = PropertyListContents()

    override var type: String { Self.storeType }

    // MARK: - Metadata

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try PropertyListContents(contentsOf: url).metadata
    }

    override class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreAt url: URL
    ) throws {
        var contents = try PropertyListContents(contentsOf: url)
        contents.metadata = metadata ?? [:]
        try contents.write(to: url)
    }

    override func loadMetadata() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        contents = try PropertyListContents(contentsOf: url)
        metadata = contents.metadata
    }

    private func write() throws {
        contents.metadata = metadata
        if let url { try contents.write(to: url) }
    }

    // MARK: - Requests

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        switch request {
        case let save as NSSaveChangesRequest:
            try checkConstraints(of: save, with: context)
            apply(save)
            try write()
            return [Any]()
        case let fetch as NSFetchRequest<any NSFetchRequestResult>:
            return results(of: fetch, with: context)
        default:
            throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
    }

    private func results(
        of fetch: NSFetchRequest<any NSFetchRequestResult>, with context: NSManagedObjectContext?
    ) -> [Any] {
        guard let entity = fetch.entity, let context else { return [] }
        let entities = fetch.includesSubentities ? Self.hierarchy(of: entity) : [entity]
        var objects = entities.flatMap { entity in
            (contents.rows[entity.name ?? ""] ?? [:]).keys.sorted().map { reference in
                context.object(with: newObjectID(for: entity, referenceObject: reference))
            }
        }
        if let predicate = fetch.predicate {
            objects = objects.filter { predicate.evaluate(with: $0) }
        }
        if fetch.fetchOffset > 0 { objects.removeFirst(min(fetch.fetchOffset, objects.count)) }
        if fetch.fetchLimit > 0 { objects = Array(objects.prefix(fetch.fetchLimit)) }
        switch fetch.resultType {
        case .countResultType: return [NSNumber(value: objects.count)]
        case .managedObjectIDResultType: return objects.map(\.objectID)
        default: return objects
        }
    }

    private static func hierarchy(of entity: NSEntityDescription) -> [NSEntityDescription] {
        [entity] + entity.subentities.flatMap(hierarchy)
    }

    private func key(of objectID: NSManagedObjectID) -> PropertyListContents.Key {
        .init(
            entity: objectID.entity.name ?? "",
            reference: "\(referenceObject(for: objectID))")
    }

    private func apply(_ save: NSSaveChangesRequest) {
        for object in save.insertedObjects ?? [] {
            contents[key(of: object.objectID)] = .init(values: values(of: object), version: 1)
        }
        for object in save.updatedObjects ?? [] {
            let key = key(of: object.objectID)
            let version = contents[key]?.version ?? 0
            contents[key] = .init(values: values(of: object), version: version + 1)
        }
        for object in save.lockedObjects ?? [] { contents[key(of: object.objectID)]?.version += 1 }
        for object in save.deletedObjects ?? [] { contents[key(of: object.objectID)] = nil }
    }

    private func values(of object: NSManagedObject) -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            values[name] = object.value(forKey: name).map(PropertyListContents.encode)
        }
        for name in object.entity.relationshipsByName.keys {
            values[name] = object.objectIDs(forRelationshipNamed: name).map { key(of: $0).text }
        }
        return values
    }

    // MARK: - Rows

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        guard let row = contents[key(of: objectID)] else {
            throw CocoaError(.managedObjectReferentialIntegrity)
        }
        var values: [String: Any] = [:]
        for name in objectID.entity.attributesByName.keys {
            values[name] = row.values[name].map(PropertyListContents.decode)
        }
        for (name, relationship) in objectID.entity.relationshipsByName
        where !relationship.isToMany {
            values[name] = destinations(in: row, of: relationship).first ?? NSNull()
        }
        return NSIncrementalStoreNode(
            objectID: objectID, withValues: values, version: row.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        guard let row = contents[key(of: objectID)] else { return NSNull() }
        let destinations = destinations(in: row, of: relationship)
        return relationship.isToMany ? destinations : destinations.first ?? NSNull()
    }

    private func destinations(
        in row: PropertyListContents.Row, of relationship: NSRelationshipDescription
    ) -> [NSManagedObjectID] {
        let entities = relationship.destinationEntity.map(Self.hierarchy) ?? []
        return (row.values[relationship.name] as? [String] ?? []).compactMap { text in
            let key = PropertyListContents.Key(text: text)
            guard let entity = entities.first(where: { $0.name == key.entity }) else { return nil }
            return newObjectID(for: entity, referenceObject: key.reference)
        }
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { object in
            contents.last += 1
            return newObjectID(for: object.entity, referenceObject: "\(contents.last)")
        }
    }
}

/// Enforcing uniqueness constraints.
extension PropertyListStore {
    private struct Identity: Hashable {
        let entity: String
        let constraint: [String]
        let values: [AnyHashable]
    }

    /// The constraints of an entity, including inherited ones, with their values.
    private func identities(of object: NSManagedObject) -> [Identity] {
        var identities: [Identity] = []
        var entity: NSEntityDescription? = object.entity
        while let current = entity {
            for constraint in current.uniquenessConstraints {
                let names = constraint.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
                let values = names.compactMap { object.value(forKey: $0) as? AnyHashable }
                // nil does not equal anything.
                guard values.count == names.count else { continue }
                identities.append(
                    Identity(entity: current.name ?? "", constraint: names, values: values))
            }
            entity = current.superentity
        }
        return identities
    }

    private func checkConstraints(
        of save: NSSaveChangesRequest, with context: NSManagedObjectContext?
    ) throws {
        guard let context else { return }
        let written = (save.insertedObjects ?? []).union(save.updatedObjects ?? [])
        let changed = written.union(save.deletedObjects ?? [])
        var owners: [Identity: NSManagedObject] = [:]
        for (entityName, rows) in contents.rows {
            guard let entity = model?.entitiesByName[entityName] else { continue }
            for reference in rows.keys {
                let objectID = newObjectID(for: entity, referenceObject: reference)
                let object = context.object(with: objectID)
                guard !changed.contains(object) else { continue }
                for identity in identities(of: object) { owners[identity] = object }
            }
        }
        let order = written.sorted { key(of: $0.objectID).text < key(of: $1.objectID).text }
        var groups: [Identity: [NSManagedObject]] = [:]
        for object in order {
            for identity in identities(of: object) { groups[identity, default: []].append(object) }
        }
        var conflicts: [NSConstraintConflict] = []
        for (identity, objects) in groups where owners[identity] != nil || objects.count > 1 {
            conflicts.append(
                NSConstraintConflict(
                    constraint: identity.constraint, database: owners[identity],
                    databaseSnapshot: owners[identity]?.fullSnapshot(), conflicting: objects,
                    conflictingSnapshots: objects.map { _ in NSNull() }))
        }
        guard conflicts.isEmpty else {
            throw CocoaError(
                .managedObjectConstraintMerge,
                userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
        }
    }

    private var model: NSManagedObjectModel? { persistentStoreCoordinator?.managedObjectModel }
}
