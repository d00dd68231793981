import CoreData

/// What became of each entity and property between the model that a file was made for and the
/// model of today, by the rules of Core Data's lightweight migration: by name, or by the renaming
/// identifier.
struct MigrationPlan {
    /// A reason why the migration cannot be inferred.
    struct Refusal: Error {
        let reason: String
    }

    let old: ModelSnapshot
    let oldCatalogue: SchemaCatalogue
    /// The names for the new model: what was there keeps its table, column, number, record type and
    /// field.
    private(set) var catalogue: SchemaCatalogue
    /// The old entities that are gone.
    private(set) var removedEntities: [String] = []
    /// New entity → renamed property → its old name.
    private(set) var renamedProperties: [String: [String: String]] = [:]
    /// The entities that are new, or have properties of which records may tell.
    private(set) var extendedEntities: Set<String> = []

    private var oldNames: [String: String] = [:]

    /// Compares.
    ///
    /// - Throws: ``Refusal``.
    init(
        from old: ModelSnapshot, catalogue oldCatalogue: SchemaCatalogue,
        to entities: [NSEntityDescription]
    ) throws {
        self.old = old
        self.oldCatalogue = oldCatalogue
        catalogue = SchemaCatalogue()
        catalogue.entityNumbers = oldCatalogue.entityNumbers
        catalogue.linkTables = oldCatalogue.linkTables
        for entity in entities {
            let name = entity.name ?? ""
            guard let oldName = oldName(of: entity) else { continue }
            oldNames[name] = oldName
        }
        removedEntities = old.entities.map(\.name).filter { !oldNames.values.contains($0) }
        for entity in entities { try match(entity) }
    }

    private func oldName(of entity: NSEntityDescription) -> String? {
        [entity.renamingIdentifier, entity.name].compactMap { $0 }
            .first { old.entity(named: $0) != nil }
    }

    // MARK: - Entities

    private mutating func match(_ entity: NSEntityDescription) throws {
        let name = entity.name ?? ""
        guard let oldName = oldNames[name], let oldEntity = old.entity(named: oldName) else {
            extendedEntities.insert(name)
            return
        }
        var root = entity
        while let parent = root.superentity { root = parent }
        guard let rootName = root.name, oldNames[rootName] == oldEntity.root else {
            throw Refusal(reason: "the entity \(name) has moved under another root entity")
        }
        if oldName != name {
            catalogue.entityNumbers[name] = oldCatalogue.entityNumbers[oldName]
            catalogue.entityNumbers[oldName] = nil
        }
        catalogue.tables[rootName] = oldCatalogue.tables[oldEntity.root]
        // The type of a record can never change, so a renamed entity keeps its old one.
        let recordType = oldCatalogue.recordTypes[oldName] ?? oldName
        if recordType != name { catalogue.recordTypes[name] = recordType }
        for property in entity.properties where !property.isTransient {
            try match(property, of: entity, oldEntity, root: rootName)
        }
    }

    // MARK: - Properties

    private mutating func match(
        _ property: NSPropertyDescription, of entity: NSEntityDescription,
        _ oldEntity: ModelSnapshot.Entity, root: String
    ) throws {
        let owner = EntitySchema.declaringEntity(of: property.name, in: entity).name ?? ""
        guard owner == entity.name else { return }
        let path = "\(owner).\(property.name)"
        guard let oldProperty = oldName(of: property, in: oldEntity),
            let oldOwner = oldEntity.owners[oldProperty]
        else {
            if Self.mayBeOnServer(property) { extendedEntities.insert(owner) }
            return
        }
        if let attribute = property as? NSAttributeDescription {
            let type = oldEntity.attribute(named: oldProperty)?.type
            guard type == UInt(attribute.attributeType.rawValue) else {
                throw Refusal(reason: "the type of \(path) has changed")
            }
        } else if let relationship = property as? NSRelationshipDescription {
            try match(relationship, oldEntity.relationship(named: oldProperty), path: path)
        }
        if oldProperty != property.name {
            renamedProperties[owner, default: [:]][property.name] = oldProperty
        }
        for suffix in ["", "_order"] {
            let column = oldCatalogue.columns[oldEntity.root]?[
                "\(oldOwner).\(oldProperty)\(suffix)"]
            guard let column else { continue }
            catalogue.columns[root, default: [:]]["\(path)\(suffix)"] = column
        }
        let field = oldCatalogue.fields["\(oldOwner).\(oldProperty)"] ?? oldProperty
        if field != property.name { catalogue.fields[path] = field }
    }

    /// Whether other devices may have sent records that say something of a new property.
    private static func mayBeOnServer(_ property: NSPropertyDescription) -> Bool {
        guard let relationship = property as? NSRelationshipDescription else { return true }
        return !relationship.isToMany || relationship.inverseRelationship?.isToMany == true
    }

    private func oldName(
        of property: NSPropertyDescription, in oldEntity: ModelSnapshot.Entity
    ) -> String? {
        [property.renamingIdentifier, property.name].compactMap { $0 }
            .first { oldEntity.owners[$0] != nil }
    }

    private func match(
        _ relationship: NSRelationshipDescription, _ oldRelationship: ModelSnapshot.Relationship?,
        path: String
    ) throws {
        guard let oldRelationship,
            oldRelationship.isToMany == relationship.isToMany,
            oldRelationship.isInverseToMany
                == (relationship.inverseRelationship?.isToMany == true)
        else {
            throw Refusal(reason: "\(path) was another kind of relationship or an attribute")
        }
        let destination = relationship.destinationEntity?.name ?? ""
        guard oldNames[destination] == oldRelationship.destination else {
            throw Refusal(reason: "the destination of \(path) has changed")
        }
        let isRenamed = oldRelationship.name != relationship.name
        let isManyToMany = oldRelationship.isToMany && oldRelationship.isInverseToMany
        if isManyToMany, isRenamed {
            throw Refusal(reason: "the many-to-many relationship \(path) was renamed")
        }
    }
}
