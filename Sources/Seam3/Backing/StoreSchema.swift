import CoreData

/// The layout of the model in the store's tables: tables, columns and numbers.
///
/// Immutable after its creation, so the connections of the store and the sync engine share it.
final class StoreSchema: @unchecked Sendable {
    // Unchecked because the model's descriptions are not Sendable; neither they nor the schema
    // change once the model is in use.

    let model: NSManagedObjectModel
    /// The file's names for the schema, including those that were assigned just now.
    private(set) var assignedNames = AssignedNames()
    private(set) var tables: [RootTable] = []
    private(set) var entities: [EntitySchema] = []
    private(set) var links: [LinkSchema] = []
    private var entitiesByName: [String: EntitySchema] = [:]
    private var entitiesByNumber: [Int64: EntitySchema] = [:]
    /// The same for small numbers, for speed: it is read for each row. All numbers are small until
    /// many versions of the model have been used.
    private var entitiesBySmallNumber: [EntitySchema?] = []
    private var entitiesByDescription: [ObjectIdentifier: EntitySchema] = [:]
    private var linksByNumber: [Int64: LinkSchema] = [:]
    private var linksByRecordType: [String: LinkSchema] = [:]

    /// Lays out a model's entities, and assigns names to those that have none yet.
    ///
    /// - Parameters:
    ///   - model: The coordinator's model.
    ///   - configuration: The configuration whose entities the store holds; nil for all.
    ///   - assignedNames: The names that the file has assigned so far.
    convenience init(
        model: NSManagedObjectModel, configuration: String?, assignedNames: AssignedNames
    ) {
        var descriptions = model.entities
        // A store without a configuration has the name of a default one, which no model contains.
        if let configuration, model.configurations.contains(configuration),
            let members = model.entities(forConfigurationName: configuration)
        {
            descriptions = members
        }
        self.init(model: model, entities: descriptions, assignedNames: assignedNames)
    }

    /// Lays out entities of a model, and assigns names to those that have none yet.
    init(
        model: NSManagedObjectModel, entities members: [NSEntityDescription],
        assignedNames: AssignedNames
    ) {
        self.model = model
        var assignedNames = assignedNames
        for description in members.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            let table = table(of: description, assignedNames: &assignedNames)
            let entity = EntitySchema(description, table: table, assignedNames: &assignedNames)
            entities.append(entity)
            entitiesByName[entity.name] = entity
            entitiesByNumber[entity.number] = entity
            entitiesByDescription[ObjectIdentifier(description)] = entity
        }
        for entity in entities {
            entity.resolveRelationships(in: self, assignedNames: &assignedNames)
        }
        for entity in entities {
            entity.resolveHierarchy(entities)
            entity.resolveIncomingLinks(links)
        }
        entitiesBySmallNumber = (0..<256).map { entitiesByNumber[$0] }
        tables.forEach { $0.finish() }
        self.assignedNames = assignedNames
    }

    private func table(
        of description: NSEntityDescription, assignedNames: inout AssignedNames
    ) -> RootTable {
        let rootName = description.rootEntity.name ?? ""
        if let table = tables.first(where: { $0.rootName == rootName }) { return table }
        let table = RootTable(
            rootName: rootName, name: assignedNames.table(ofRoot: rootName))
        tables.append(table)
        return table
    }

    /// The layout of the entity with a name, or nil if the store does not hold it.
    func entity(named name: String?) -> EntitySchema? {
        name.flatMap { entitiesByName[$0] }
    }

    /// The other end of a one-to-one relationship; nil if there is none, or if it is to-many.
    func inverse(of toOne: ToOneColumn) -> ToOneColumn? {
        guard let inverse = toOne.relationship.inverseRelationship, !inverse.isToMany else {
            return nil
        }
        return entity(named: toOne.destinationName)?.toOne(named: inverse.name)
    }

    /// Whether a relationship is its own inverse, so that its objects are pairs.
    func isOwnInverse(_ toOne: ToOneColumn) -> Bool {
        guard let inverse = inverse(of: toOne) else { return false }
        return inverse.owner == toOne.owner && inverse.name == toOne.name
    }

    /// The layout of the entity with a number of ``ObjectEntry/entity``.
    func entity(number: Int64?) -> EntitySchema? {
        guard let number else { return nil }
        if let index = Int(exactly: number), entitiesBySmallNumber.indices.contains(index) {
            return entitiesBySmallNumber[index]
        }
        return entitiesByNumber[number]
    }

    /// The layout of an object's entity. The object's description may be from another copy of the
    /// model.
    func entity(of objectID: NSManagedObjectID) -> EntitySchema? {
        entitiesByDescription[ObjectIdentifier(objectID.entity)]
            ?? entity(named: objectID.entity.name)
    }

    /// The to-one relationships that may lead to an entity's objects, each once, with the entities
    /// that declare them.
    func columnsLeading(toEntity number: Int64) -> [(ToOneColumn, EntitySchema)] {
        entities.flatMap { entity in
            entity.toOnes.filter { toOne in
                toOne.owner == entity.name
                    && self.entity(named: toOne.destinationName)?.familyNumbers.contains(number)
                        == true
            }.map { ($0, entity) }
        }
    }

    /// The layout of the many-to-many relationship with a number.
    func link(number: Int64?) -> LinkSchema? {
        number.flatMap { linksByNumber[$0] }
    }

    /// The layout of the many-to-many relationship whose link records have a type.
    func link(recordType: String) -> LinkSchema? {
        linksByRecordType[recordType]
    }

    /// The layout of a many-to-many relationship, created when the first of its ends is processed.
    func link(
        for relationship: NSRelationshipDescription, inverse: NSRelationshipDescription?,
        assignedNames: inout AssignedNames
    ) -> LinkSchema {
        let link = LinkSchema(relationship, inverse, assignedNames: &assignedNames)
        if let known = linksByRecordType[link.recordType] { return known }
        links.append(link)
        linksByRecordType[link.recordType] = link
        linksByNumber[link.number] = link
        return link
    }
}
