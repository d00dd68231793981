import CoreData

/// A model with each kind of property that the sync tests need: zones, folders, and clocks, each of
/// which has one of both or none.
enum ClockModel {
    static func make() -> NSManagedObjectModel {
        let zone = entity("Zone")
        let folder = entity("Folder")
        let clock = entity("Clock")
        zone.properties = [attribute("name", .stringAttributeType, isOptional: false)]
        folder.properties = [attribute("name", .stringAttributeType, isOptional: false)]
        let chime = attribute("chime", .binaryDataAttributeType)
        chime.allowsExternalBinaryDataStorage = true
        clock.properties = [
            attribute("uuid", .UUIDAttributeType),
            attribute("label", .stringAttributeType, isOptional: false),
            attribute("note", .stringAttributeType),
            attribute("created", .dateAttributeType),
            attribute("position", .integer32AttributeType),
            chime,
        ]
        join(clock, "timeZone", to: zone, "clocks")
        join(clock, "folder", to: folder, "clocks")
        let model = NSManagedObjectModel()
        model.entities = [zone, folder, clock]
        return model
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, isOptional: Bool = true
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = isOptional
        return attribute
    }

    /// Adds a to-one relationship and its inverse to-many.
    static func join(
        _ one: NSEntityDescription, _ toOneName: String, to many: NSEntityDescription,
        _ toManyName: String
    ) {
        let toOne = NSRelationshipDescription()
        toOne.name = toOneName
        toOne.destinationEntity = many
        toOne.maxCount = 1
        toOne.isOptional = true
        toOne.deleteRule = .nullifyDeleteRule
        let toMany = NSRelationshipDescription()
        toMany.name = toManyName
        toMany.destinationEntity = one
        toMany.maxCount = 0
        toMany.isOptional = true
        toMany.deleteRule = .nullifyDeleteRule
        toOne.inverseRelationship = toMany
        toMany.inverseRelationship = toOne
        one.properties += [toOne]
        many.properties += [toMany]
    }
}
