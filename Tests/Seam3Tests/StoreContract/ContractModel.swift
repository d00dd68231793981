import CoreData

/// The model of the contract: every attribute type, every kind of relationship, every delete rule
/// and a subentity.
///
/// A `Box` holds `Item`s (nullify), ordered `Chapter`s (cascade) and `Lock`s (deny). An item has
/// `Tag`s (many-to-many), a `Badge` (one-to-one, cascade), a parent and children (to itself), and
/// is in ordered `List`s that are ordered on the item's side as well.
enum ContractModel {
    static func make() -> NSManagedObjectModel {
        let item = NSEntityDescription(
            "Item",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("number", .integer64AttributeType),
                NSAttributeDescription("small", .integer16AttributeType),
                NSAttributeDescription("flag", .booleanAttributeType),
                NSAttributeDescription("weight", .doubleAttributeType),
                NSAttributeDescription("price", .decimalAttributeType),
                NSAttributeDescription("date", .dateAttributeType),
                NSAttributeDescription("data", .binaryDataAttributeType),
                NSAttributeDescription("uuid", .UUIDAttributeType),
                NSAttributeDescription("url", .URIAttributeType),
            ])
        let special = NSEntityDescription(
            "Special", [NSAttributeDescription("extra", .stringAttributeType)])
        item.subentities = [special]
        let others = ["Box", "Tag", "Chapter", "Lock", "Badge", "List"].map { name in
            NSEntityDescription(name, [NSAttributeDescription("name", .stringAttributeType)])
        }
        let (box, tag, chapter) = (others[0], others[1], others[2])
        let (lock, badge, list) = (others[3], others[4], others[5])
        NSRelationshipDescription.join((box, "items", 0), (item, "box", 1))
        NSRelationshipDescription.join((item, "tags", 0), (tag, "items", 0))
        NSRelationshipDescription.join((item, "badge", 1), (badge, "item", 1))
        NSRelationshipDescription.join((item, "children", 0), (item, "parent", 1))
        NSRelationshipDescription.join((box, "chapters", 0), (chapter, "box", 1))
        NSRelationshipDescription.join((box, "locks", 0), (lock, "box", 1))
        NSRelationshipDescription.join((list, "entries", 0), (item, "lists", 0))
        box.relationshipsByName["chapters"]?.isOrdered = true
        box.relationshipsByName["chapters"]?.deleteRule = .cascadeDeleteRule
        box.relationshipsByName["locks"]?.deleteRule = .denyDeleteRule
        item.relationshipsByName["badge"]?.deleteRule = .cascadeDeleteRule
        list.relationshipsByName["entries"]?.isOrdered = true
        item.relationshipsByName["lists"]?.isOrdered = true
        let model = NSManagedObjectModel()
        model.entities = [item, special] + others
        return model
    }
}
