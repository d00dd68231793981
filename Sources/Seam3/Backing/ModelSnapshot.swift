import CoreData

/// The structure of the model that a store file was made for, kept in the file: a migration needs
/// no old model file.
struct ModelSnapshot: Codable, Equatable {
    struct Attribute: Codable, Equatable {
        let name: String
        let type: UInt
    }

    struct Relationship: Codable, Equatable {
        let name: String
        let destination: String
        let isToMany: Bool
        let isInverseToMany: Bool
    }

    /// An entity with its inherited properties, each with the entity that declares it.
    struct Entity: Codable, Equatable {
        let name: String
        let root: String
        let attributes: [Attribute]
        let relationships: [Relationship]
        /// Property → the entity that declares it.
        let owners: [String: String]
    }

    let entities: [Entity]

    init(_ schema: StoreSchema) {
        entities = schema.entities.map { entity in
            let relationships =
                entity.toOnes.map(\.relationship) + entity.toManys.map(\.relationship)
            let names = entity.attributes.map(\.name) + relationships.map(\.name)
            return Entity(
                name: entity.name, root: entity.rootName,
                attributes: entity.attributes.map {
                    Attribute(name: $0.name, type: UInt($0.type.rawValue))
                },
                relationships: relationships.map {
                    Relationship(
                        name: $0.name, destination: $0.destinationEntity?.name ?? "",
                        isToMany: $0.isToMany,
                        isInverseToMany: $0.inverseRelationship?.isToMany == true)
                },
                owners: Dictionary(
                    uniqueKeysWithValues: names.map { name in
                        let owner = EntitySchema.declaringEntity(of: name, in: entity.description)
                        return (name, owner.name ?? "")
                    }))
        }
    }

    func entity(named name: String) -> Entity? { entities.first { $0.name == name } }
}

extension ModelSnapshot.Entity {
    func attribute(named name: String) -> ModelSnapshot.Attribute? {
        attributes.first { $0.name == name }
    }

    func relationship(named name: String) -> ModelSnapshot.Relationship? {
        relationships.first { $0.name == name }
    }
}
