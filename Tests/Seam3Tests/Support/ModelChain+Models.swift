import CoreData
import CoreDataFiles
import SeamSQLite

/// The versions of a chain as models, as stores and as Core Data files.
extension ModelChain.Version {
    func entity(_ canonical: String) -> ModelChain.Entity? {
        entities.first { $0.canonical == canonical }
    }

    /// A model in which everything that was renamed keeps its renaming identifier permanently.
    func model() -> NSManagedObjectModel {
        var descriptions: [String: NSEntityDescription] = [:]
        for entity in entities {
            let description = NSEntityDescription(entity.name)
            if entity.name != entity.canonical { description.renamingIdentifier = entity.canonical }
            description.properties = entity.attributes.map { attribute in
                let property = NSAttributeDescription(attribute.name, .stringAttributeType)
                if attribute.name != attribute.canonical {
                    property.renamingIdentifier = attribute.canonical
                    // Swapping the names of two attributes would not change the version hash.
                    property.versionHashModifier = attribute.canonical
                }
                return property
            }
            descriptions[entity.canonical] = description
        }
        for entity in entities {
            guard let parent = entity.parent, let child = descriptions[entity.canonical] else {
                continue
            }
            descriptions[parent]?.subentities.append(child)
        }
        for relationship in relationships {
            guard let source = descriptions[relationship.source],
                let target = descriptions[relationship.target]
            else { continue }
            NSRelationshipDescription.join(
                (source, relationship.name.name, relationship.isToMany ? 0 : 1),
                (target, relationship.inverse.name, relationship.isInverseToMany ? 0 : 1))
            let ends = [(source, relationship.name), (target, relationship.inverse)]
            for (entity, end) in ends where end.name != end.canonical {
                entity.relationshipsByName[end.name]?.renamingIdentifier = end.canonical
            }
        }
        let model = NSManagedObjectModel()
        model.entities = entities.compactMap { descriptions[$0.canonical] }
        return model
    }

    /// The attributes of an entity, including inherited ones.
    private func attributes(of entity: ModelChain.Entity) -> [ModelChain.Attribute] {
        (entity.parent.flatMap(self.entity)?.attributes ?? []) + entity.attributes
    }

    // MARK: - Stores

    /// Adds all objects to an empty store.
    func fill(_ stack: StoreStack) throws {
        try stack.perform { context in
            var made: [String: NSManagedObject] = [:]
            for object in objects {
                guard let entity = entity(object.entity) else { continue }
                let new = NSEntityDescription.insertNewObject(
                    forEntityName: entity.name, into: context)
                for attribute in attributes(of: entity) {
                    new.setValue(object.values[attribute.canonical], forKey: attribute.name)
                }
                made[object.key] = new
            }
            for object in objects {
                for relationship in relationships {
                    guard let keys = object.links[relationship.name.canonical] else { continue }
                    let members = keys.compactMap { made[$0] }
                    made[object.key]?.setValue(
                        relationship.isToMany ? NSSet(array: members) : members.first,
                        forKey: relationship.name.name)
                }
            }
            try context.save()
        }
    }

    /// The objects in a store.
    func objects(in stack: StoreStack) throws -> [ModelChain.Object] {
        try stack.perform { context in
            try entities.filter { $0.parent == nil }.flatMap { root in
                try Device.all(root.name, in: context).map { object in try read(object) }
            }.sorted { $0.key < $1.key }
        }
    }

    private func read(_ object: NSManagedObject) throws -> ModelChain.Object {
        let entity = entities.first { $0.name == object.entity.name }
        var values: [String: String] = [:]
        var key = ""
        for attribute in entity.map(attributes) ?? [] {
            let value = object.value(forKey: attribute.name) as? String
            values[attribute.canonical] = value
            if attribute.canonical == "key" { key = value ?? "" }
        }
        var links: [String: Set<String>] = [:]
        for relationship in relationships
        where object.entity.relationshipsByName[relationship.name.name] != nil {
            let keyName = self.entity(relationship.target)?.attributes
                .first { $0.canonical == "key" }?.name
            let value = object.value(forKey: relationship.name.name)
            let members =
                (value as? Set<NSManagedObject>)
                ?? Set([value as? NSManagedObject].compactMap { $0 })
            links[relationship.name.canonical] = Set(
                members.compactMap { member in
                    keyName.flatMap { member.value(forKey: $0) as? String }
                })
        }
        return ModelChain.Object(
            key: key, entity: entity?.canonical ?? "", values: values, links: links)
    }

    // MARK: - Core Data files

    /// Writes the objects to a Core Data file.
    func write(to url: URL) throws {
        var numbers: [String: Int64] = [:]
        for (index, object) in objects.enumerated() { numbers[object.key] = Int64(index + 1) }
        let rows = objects.compactMap { object -> CoreDataFileWriter.Row? in
            guard let entity = entity(object.entity), let key = numbers[object.key] else {
                return nil
            }
            var row = CoreDataFileWriter.Row(entity.name, key)
            for attribute in attributes(of: entity) {
                row.values[attribute.name] = SQLiteValue(object.values[attribute.canonical])
            }
            for relationship in relationships {
                let members = (object.links[relationship.name.canonical] ?? []).sorted()
                    .compactMap { numbers[$0] }
                if relationship.isToMany {
                    row.toManys[relationship.name.name] = members
                } else if let member = members.first {
                    row.toOnes[relationship.name.name] = member
                }
            }
            return row
        }
        try CoreDataFileWriter(model()).write(rows, to: url)
    }
}
