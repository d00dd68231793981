import CoreData

/// The model of the query tests: every attribute type, every relationship kind, inheritance, and
/// hostile names.
enum QueryModel {
    static func make() -> NSManagedObjectModel {
        let item = entity(
            "Item",
            attributes: [
                ("number", .integer64AttributeType), ("name", .stringAttributeType),
                ("order", .stringAttributeType), ("group", .integer16AttributeType),
                ("flag", .booleanAttributeType), ("weight", .doubleAttributeType),
                ("size", .floatAttributeType), ("price", .decimalAttributeType),
                ("date", .dateAttributeType), ("data", .binaryDataAttributeType),
                ("uuid", .UUIDAttributeType), ("url", .URIAttributeType),
                ("thing", .transformableAttributeType),
            ])
        let special = entity("SpecialItem", attributes: [("extra", .stringAttributeType)])
        let other = entity("OtherItem", attributes: [("extra", .integer64AttributeType)])
        item.subentities = [special, other]
        let box = entity(
            "Box", attributes: [("name", .stringAttributeType), ("level", .integer32AttributeType)])
        let room = entity("Transaction", attributes: [("name", .stringAttributeType)])
        let tag = entity(
            "Tag",
            attributes: [("label", .stringAttributeType), ("rank", .integer64AttributeType)])
        relate(item, "box", toMany: false, box, "items", toMany: true)
        relate(box, "room", toMany: false, room, "boxes", toMany: true)
        relate(item, "tags", toMany: true, tag, "items", toMany: true)
        relate(item, "parent", toMany: false, item, "children", toMany: true)
        let index = NSFetchIndexDescription(
            name: "byName",
            elements: [
                NSFetchIndexElementDescription(
                    property: item.propertiesByName["name"] ?? NSPropertyDescription(),
                    collationType: .binary)
            ])
        item.indexes = [index]
        let model = NSManagedObjectModel()
        model.entities = [item, special, other, box, room, tag]
        return model
    }

    private static func entity(
        _ name: String, attributes: [(String, NSAttributeType)]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        return entity
    }

    private static func relate(
        _ first: NSEntityDescription, _ firstName: String, toMany firstIsMany: Bool,
        _ second: NSEntityDescription, _ secondName: String, toMany secondIsMany: Bool
    ) {
        let forward = relationship(firstName, toMany: firstIsMany, second)
        let backward = relationship(secondName, toMany: secondIsMany, first)
        forward.inverseRelationship = backward
        backward.inverseRelationship = forward
        first.properties += [forward]
        second.properties += [backward]
    }

    private static func relationship(
        _ name: String, toMany: Bool, _ destination: NSEntityDescription
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.minCount = 0
        relationship.maxCount = toMany ? 0 : 1
        relationship.isOptional = true
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }
}
