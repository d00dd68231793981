import CoreData

/// The model of the simulated application: items with two texts, in a tree.
enum ItemModel {
    static let entityName = "Item"

    static func make() -> NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = entityName
        let attributes = Step.Field.allCases.map { field in
            let attribute = NSAttributeDescription()
            attribute.name = field.rawValue
            attribute.attributeType = .stringAttributeType
            attribute.isOptional = true
            return attribute
        }
        let parent = relationship("parent", to: item, maxCount: 1)
        let children = relationship("children", to: item, maxCount: 0)
        parent.inverseRelationship = children
        children.inverseRelationship = parent
        item.properties = attributes + [parent, children]
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    private static func relationship(
        _ name: String, to entity: NSEntityDescription, maxCount: Int
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.isOptional = true
        relationship.minCount = 0
        relationship.maxCount = maxCount
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }
}
