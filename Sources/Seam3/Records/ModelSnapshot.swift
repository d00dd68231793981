import CoreData

/// The model that a store file was created for, stored in the file. It contains the structure, so
/// that a migration does not need the old model file, and the sync settings, which are not part of
/// the version hashes.
struct ModelSnapshot: Codable, Equatable {
    struct Attribute: Codable, Equatable {
        let name: String
        /// The raw value of the kind.
        let type: UInt
        /// Whether the field is in the record's encrypted values.
        let isEncrypted: Bool
        /// Whether the attribute may be nil; nil in files of earlier versions of the framework.
        var isOptional: Bool?
        /// Whether its data may be a file, and therefore is an asset; nil as above.
        var isExternal: Bool?

        /// Nil for a kind that only a newer version knows.
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
        /// Whether the links of a many-to-many relationship are synced.
        let isLinkSynced: Bool

        /// Whether it has an inverse, and both ends are to-one.
        var isOneToOne: Bool { !isToMany && !isInverseToMany && !inverse.isEmpty }
    }

    /// An entity with its inherited properties, each with the entity that declares it.
    struct Entity: Codable, Equatable {
        let name: String
        let root: String
        let parent: String?
        let recordType: String
        fileprivate(set) var attributes: [Attribute]
        let relationships: [Relationship]
        /// Property → the entity that declares it.
        let owners: [String: String]
        /// Property → the field that carries it.
        let fields: [String: String]
        /// Whether the objects are synced.
        let isSynced: Bool
        /// The attributes and to-one relationships that are synced.
        let syncedProperties: Set<String>
        /// Whether the model's user info specified the record type.
        let hasGivenRecordType: Bool
        /// The properties whose fields the model's user info specified.
        let givenFields: Set<String>
        /// The renaming identifier; the name if the model has none.
        var identifier: String
        /// Property → renaming identifier, or its name.
        var identifiers: [String: String]
        /// Element of a composite attribute → its name in the field, if it is another one; nil if there are none.
        var elementNames: [String: String]?
        /// Element of a composite attribute → renaming identifier; nil if there are none.
        var elementIdentifiers: [String: String]?
    }

    private(set) var entities: [Entity]

    init(_ schema: StoreSchema) {
        let mappings = RecordMappings(schema)
        entities = schema.entities.map { Entity($0, mappings) }
    }

    func entity(named name: String) -> Entity? { entities.first { $0.name == name } }

    /// The entities whose sync settings differ in another model.
    func entitiesOfOtherShape(in other: ModelSnapshot) -> [String] {
        entities.filter { $0.shape != other.entity(named: $0.name)?.shape }.map(\.name)
    }

    /// An entity and all its descendants.
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
    fileprivate init(_ entity: EntitySchema, _ mappings: RecordMappings) {
        let assignedNames = mappings.schema.assignedNames
        let mapping = mappings.mapping(of: entity)
        name = entity.name
        root = entity.rootName
        parent = entity.description.superentity?.name
        recordType = assignedNames.recordType(of: entity.description)
        attributes = entity.attributes.map {
            ModelSnapshot.Attribute(
                name: $0.name, type: $0.kind.rawValue, isEncrypted: $0.isEncrypted,
                isOptional: $0.isOptional, isExternal: $0.isExternal)
        }
        relationships =
            entity.toOnes.map { ModelSnapshot.Relationship($0.relationship) }
            + entity.toManys.map { toMany in
                if case .link(let link, let isSource) = toMany.storage {
                    return ModelSnapshot.Relationship(
                        toMany.relationship, link: link.recordType, isSource: isSource,
                        isSynced: mappings.isSynced(link))
                }
                return ModelSnapshot.Relationship(toMany.relationship)
            }
        isSynced = mapping != nil
        syncedProperties = mapping.map(Self.syncedProperties) ?? []
        hasGivenRecordType = entity.description.givenRecordType != nil
        identifier = entity.description.identity
        let properties = Self.properties(of: entity)
        owners = properties.mapValues {
            entity.description.declaringEntity(of: $0.name).name ?? ""
        }
        fields = properties.mapValues { assignedNames.field(of: $0, in: entity.description) }
        givenFields = Set(properties.filter { $0.value.givenField != nil }.keys)
        identifiers = Self.identifiers(of: entity)
        noteElements(of: entity, assignedNames)
    }

    private mutating func noteElements(of entity: EntitySchema, _ assignedNames: AssignedNames) {
        var names: [String: String] = [:]
        var identifiers: [String: String] = [:]
        for element in entity.elements.map(\.element) {
            let fieldNames = assignedNames.fieldNames(of: element, in: entity.description)
            for (index, name) in zip(element.path.indices.dropFirst(), fieldNames) {
                let path = element.path[...index].joined(separator: ".")
                if name != element.path[index] { names[path] = name }
                identifiers[path] = element.attributes[index].formerName
            }
        }
        elementNames = names.isEmpty ? nil : names
        elementIdentifiers = identifiers.isEmpty ? nil : identifiers
    }

    /// The persistent properties by name; the names of a composite attribute's elements begin with
    /// the attribute's name.
    private static func properties(of entity: EntitySchema) -> [String: NSPropertyDescription] {
        var properties: [String: NSPropertyDescription] = [:]
        for attribute in entity.attributes { properties[attribute.name] = attribute.root }
        for toOne in entity.toOnes { properties[toOne.name] = toOne.relationship }
        for toMany in entity.toManys { properties[toMany.name] = toMany.relationship }
        return properties
    }

    private static func identifiers(of entity: EntitySchema) -> [String: String] {
        var identifiers: [String: String] = [:]
        for attribute in entity.attributes {
            identifiers[attribute.name] =
                ([attribute.root.identity] + attribute.path.dropFirst()).joined(separator: ".")
        }
        for relationship in entity.toOnes.map(\.relationship) + entity.toManys.map(\.relationship) {
            identifiers[relationship.name] = relationship.identity
        }
        return identifiers
    }

    private static func syncedProperties(_ mapping: RecordMapping) -> Set<String> {
        Set(mapping.attributes.map(\.column.name) + mapping.references.map(\.column.name))
    }

    func attribute(named name: String) -> ModelSnapshot.Attribute? {
        attributes.first { $0.name == name }
    }

    func relationship(named name: String) -> ModelSnapshot.Relationship? {
        relationships.first { $0.name == name }
    }

    /// The names that make up the field of a property or element: that of the property, and those of the elements.
    ///
    /// - Returns: nil for a property that the entity does not have.
    func fieldNames(of name: String) -> [String]? {
        guard let field = fields[name] else { return nil }
        let path = name.components(separatedBy: ".")
        return [field]
            + path.indices.dropFirst().map { index in
                elementNames?[path[...index].joined(separator: ".")] ?? path[index]
            }
    }

    /// The field of a property or element.
    func field(of name: String) -> String? { fieldNames(of: name)?.joined(separator: "_") }

    /// The attributes, each with its renaming identifier.
    var attributeNames: [VersionedName] {
        let names = attributes.map { attribute -> VersionedName in
            let path = attribute.name.components(separatedBy: ".")
            let elements = path.dropFirst().map { "." + $0 }.joined()
            let identifier = identifiers[attribute.name].map { String($0.dropLast(elements.count)) }
            return VersionedName(path[0], identifier: identifier)
        }
        return Array(Set(names))
    }

    /// The elements at a path of a composite attribute, each with its renaming identifier; none for what is not
    /// composite.
    func elements(at path: String) -> [VersionedName] {
        let names = attributes.compactMap { attribute in
            attribute.name.hasPrefix(path + ".")
                ? attribute.name.dropFirst(path.count + 1).prefix { $0 != "." } : nil
        }
        return Set(names).map {
            VersionedName(String($0), identifier: elementIdentifiers?["\(path).\($0)"])
        }
    }

    /// The entity without what only matters for migrations to later models, and what the version
    /// hashes contain as well.
    fileprivate var shape: ModelSnapshot.Entity {
        var shape = self
        (shape.identifier, shape.identifiers) = ("", [:])
        shape.elementIdentifiers = nil
        for index in attributes.indices {
            shape.attributes[index].isOptional = nil
            shape.attributes[index].isExternal = nil
        }
        return shape
    }
}

extension ModelSnapshot.Relationship {
    fileprivate init(
        _ relationship: NSRelationshipDescription, link: String? = nil, isSource: Bool = false,
        isSynced: Bool = false
    ) {
        name = relationship.name
        destination = relationship.destinationEntity?.name ?? ""
        inverse = relationship.inverseRelationship?.name ?? ""
        isToMany = relationship.isToMany
        isInverseToMany = relationship.inverseRelationship?.isToMany == true
        linkRecordType = link
        isLinkSource = isSource
        isLinkSynced = isSynced
    }
}
