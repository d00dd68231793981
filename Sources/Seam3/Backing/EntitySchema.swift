import CoreData

/// The storage of one entity, with its inherited properties.
///
/// Subentities share the table of their root entity; the column `entity` distinguishes them.
final class EntitySchema {
    let description: NSEntityDescription
    let name: String
    /// The entity's number in the file.
    let number: Int64
    let rootName: String
    let table: RootTable
    /// The persistent attributes, sorted by name as in the model.
    let attributes: [AttributeColumn]
    private(set) var toOnes: [ToOneColumn] = []
    private(set) var toManys: [ToManyRelationship] = []
    /// The to-many relationships for which the entity's own rows or links store something, not only
    /// the rows of the members.
    private(set) var ownToManys: [ToManyRelationship] = []
    /// The to-many relationships without an inverse that lead to the entity.
    private(set) var incomingLinks: [LinkSchema] = []
    /// The columns of the entity's properties.
    var columns: Set<String> {
        Set(attributes.map(\.column) + toOnes.map(\.column) + toOnes.compactMap(\.orderColumn))
    }

    /// The columns that store an attribute's value unchanged.
    let plainColumns: [PlainColumn]
    /// The attributes whose values may be in files or come from transformers.
    let otherAttributes: [AttributeColumn]
    /// The elements of composite attributes.
    let elements: [AttributeColumn]

    /// The numbers of this entity and of all its descendants.
    private(set) var familyNumbers: [Int64] = []
    /// The uniqueness constraints, inherited ones first.
    private(set) var constraints: [UniquenessConstraint] = []

    private var attributesByName: [String: AttributeColumn] = [:]
    private var elementsByName: [String: [AttributeColumn]] = [:]
    private var toOnesByName: [String: ToOneColumn] = [:]
    private var toManysByName: [String: ToManyRelationship] = [:]

    init(
        _ description: NSEntityDescription, table: RootTable, assignedNames: inout AssignedNames
    ) {
        self.description = description
        self.table = table
        name = description.name ?? ""
        rootName = table.rootName
        number = assignedNames.number(ofEntity: name)
        var attributes: [AttributeColumn] = []
        for (name, attribute) in description.attributesByName.sorted(by: { $0.key < $1.key })
        where !attribute.isTransient {
            let owner = description.declaringEntity(of: name).name ?? ""
            for element in AttributeElement.all(of: attribute) {
                // The model's validation rejects attributes without a kind before any store uses
                // them.
                guard let kind = AttributeKind(element.attribute.attributeType) else { continue }
                attributes.append(
                    AttributeColumn(
                        element, kind, of: description, table: table,
                        column: assignedNames.column(element.name, ofEntity: owner, root: rootName))
                )
            }
        }
        self.attributes = attributes
        elements = attributes.filter(\.isElement)
        plainColumns = attributes.compactMap(PlainColumn.init)
        otherAttributes = attributes.filter { !$0.isElement && PlainColumn($0) == nil }
        for attribute in attributes {
            attributesByName[attribute.name] = attribute
            elementsByName[attribute.path[0], default: []].append(attribute)
        }
    }

    func resolveRelationships(in schema: StoreSchema, assignedNames: inout AssignedNames) {
        for (name, relationship) in description.relationshipsByName.sorted(by: { $0.key < $1.key })
        where !relationship.isTransient {
            let owner = description.declaringEntity(of: name)
            if !relationship.isToMany {
                let isOrdered = relationship.inverseRelationship?.isOrdered == true
                let toOne = ToOneColumn(
                    relationship, of: description, owner: owner.name ?? "", table: table,
                    column: assignedNames.column(name, ofEntity: owner.name ?? "", root: rootName),
                    orderColumn: isOrdered
                        ? assignedNames.column(
                            name + "_order", ofEntity: owner.name ?? "", root: rootName) : nil)
                toOnes.append(toOne)
                toOnesByName[name] = toOne
            } else {
                let toMany = toMany(relationship, in: schema, assignedNames: &assignedNames)
                toManys.append(toMany)
                if toMany.isLink || toMany.isOrdered { ownToManys.append(toMany) }
                toManysByName[name] = toMany
            }
        }
    }

    private func toMany(
        _ relationship: NSRelationshipDescription, in schema: StoreSchema,
        assignedNames: inout AssignedNames
    ) -> ToManyRelationship {
        if let inverse = relationship.inverseRelationship, !inverse.isToMany {
            let destination = relationship.destinationEntity ?? description
            let owner = destination.declaringEntity(of: inverse.name).name ?? ""
            let rootName = destination.rootEntity.name ?? ""
            return ToManyRelationship(
                relationship,
                storage: .foreignKey(
                    table: assignedNames.table(ofRoot: rootName),
                    column: assignedNames.column(inverse.name, ofEntity: owner, root: rootName),
                    orderColumn: relationship.isOrdered
                        ? assignedNames.column(
                            inverse.name + "_order", ofEntity: owner, root: rootName) : nil))
        }
        let link = schema.link(
            for: relationship, inverse: relationship.inverseRelationship,
            assignedNames: &assignedNames)
        return ToManyRelationship(
            relationship, storage: .link(link, isSource: link.isSource(relationship)))
    }

    func resolveHierarchy(_ entities: [EntitySchema]) {
        familyNumbers = entities.filter { $0.description.isKindOf(entity: description) }
            .map(\.number)
        constraints = UniquenessConstraint.all(of: self) { owner in
            entities.filter { $0.description.isKindOf(entity: owner) }.map(\.number)
        }
        for toOne in toOnes {
            guard let destination = toOne.relationship.destinationEntity else { continue }
            let concrete = entities.filter {
                !$0.description.isAbstract && $0.description.isKindOf(entity: destination)
            }
            if concrete.count == 1 {
                table.setSoleDestination(concrete[0].number, at: toOne.destinationIndex)
            }
        }
    }

    /// Notes the relationships without an inverse that lead to this entity.
    func resolveIncomingLinks(_ links: [LinkSchema]) {
        incomingLinks = links.filter { link in
            guard link.target == nil, let destination = link.source.destinationEntity else {
                return false
            }
            return description.isKindOf(entity: destination)
        }
    }

    func attribute(named name: String) -> AttributeColumn? { attributesByName[name] }
    /// The columns of an attribute of the model: one, or those of its elements.
    func elements(ofAttribute name: String) -> [AttributeColumn] { elementsByName[name] ?? [] }
    func toOne(named name: String) -> ToOneColumn? { toOnesByName[name] }
    func toMany(named name: String) -> ToManyRelationship? { toManysByName[name] }
}
