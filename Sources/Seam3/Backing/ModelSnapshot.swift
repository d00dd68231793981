import CoreData

/// The structure of the model that a store file was made for, kept in the file: a migration needs
/// no old model file.
struct ModelSnapshot: Codable, Equatable {
    struct Attribute: Codable, Equatable {
        let name: String
        /// The number of the kind.
        let type: UInt

        /// nil for a kind that only a newer version knows.
        var kind: AttributeKind? { AttributeKind(rawValue: type) }
    }

    struct Relationship: Codable, Equatable {
        let name: String
        let destination: String
        let inverse: String
        let isToMany: Bool
        let isInverseToMany: Bool
        /// The record type of the links of a many-to-many relationship.
        let linkRecordType: String?
        /// Whether the relationship's owner is the source of its links.
        let isLinkSource: Bool
    }

    /// An entity with its inherited properties, each with the entity that declares it.
    struct Entity: Codable, Equatable {
        let name: String
        let root: String
        let parent: String?
        let recordType: String
        let attributes: [Attribute]
        let relationships: [Relationship]
        /// Property → the entity that declares it.
        let owners: [String: String]
        /// Property → the field that carries it.
        let fields: [String: String]
    }

    let entities: [Entity]

    init(_ schema: StoreSchema) {
        entities = schema.entities.map { Entity($0, catalogue: schema.catalogue) }
    }

    func entity(named name: String) -> Entity? { entities.first { $0.name == name } }

    /// An entity and all that inherit from it.
    func family(of name: String) -> Set<String> {
        var family: Set<String> = [name]
        var added = true
        while added {
            let children = entities.filter { $0.parent.map(family.contains) == true }.map(\.name)
            added = !family.isSuperset(of: children)
            family.formUnion(children)
        }
        return family
    }
}

extension ModelSnapshot.Entity {
    fileprivate init(_ entity: EntitySchema, catalogue: SchemaCatalogue) {
        name = entity.name
        root = entity.rootName
        parent = entity.description.superentity?.name
        recordType = catalogue.recordType(of: entity.description)
        attributes = entity.attributes.map {
            ModelSnapshot.Attribute(name: $0.name, type: $0.kind.rawValue)
        }
        relationships =
            entity.toOnes.map { ModelSnapshot.Relationship($0.relationship) }
            + entity.toManys.map { toMany in
                if case .link(let link, let isSource) = toMany.storage {
                    return ModelSnapshot.Relationship(
                        toMany.relationship, link: link.recordType, isSource: isSource)
                }
                return ModelSnapshot.Relationship(toMany.relationship)
            }
        let properties: [(name: String, property: NSPropertyDescription)] =
            entity.attributes.map { ($0.name, $0.root) }
            + entity.toOnes.map { ($0.name, $0.relationship) }
            + entity.toManys.map { ($0.name, $0.relationship) }
        var owners: [String: String] = [:]
        var fields: [String: String] = [:]
        for (name, property) in properties {
            let owner = entity.description.declaringEntity(of: name)
            owners[name] = owner.name ?? ""
            fields[name] = catalogue.field(of: property, in: entity.description)
        }
        self.owners = owners
        self.fields = fields
    }

    func attribute(named name: String) -> ModelSnapshot.Attribute? {
        attributes.first { $0.name == name }
    }

    func relationship(named name: String) -> ModelSnapshot.Relationship? {
        relationships.first { $0.name == name }
    }
}

extension ModelSnapshot.Relationship {
    fileprivate init(
        _ relationship: NSRelationshipDescription, link: String? = nil, isSource: Bool = false
    ) {
        name = relationship.name
        destination = relationship.destinationEntity?.name ?? ""
        inverse = relationship.inverseRelationship?.name ?? ""
        isToMany = relationship.isToMany
        isInverseToMany = relationship.inverseRelationship?.isToMany == true
        linkRecordType = link
        isLinkSource = isSource
    }
}
