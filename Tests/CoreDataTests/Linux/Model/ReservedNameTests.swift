import CoreData
import Testing

/// Names that belong to methods of every object.
@Suite struct ReservedNameTests {
    private static let names = [
        "zone", "description", "hash", "self", "class", "entity", "objectID", "isDeleted",
        "isFault",
        "hasChanges", "managedObjectContext", "copy", "init", "superclass", "changedValues",
    ]

    @Test("A model file with such a property is refused, by entity and name", arguments: names)
    func file(name: String) {
        let properties = [
            "<attribute name='\(name)' attributeType='String'/>",
            "<relationship name='\(name)' optional='YES' destinationEntity='E'/>",
        ]
        for property in properties {
            let error = #expect(throws: ManagedObjectModelFileError.self) {
                try readModel("<entity name='E'>\(property)</entity>")
            }
            #expect(error?.element?.contains("E") == true)
            #expect(error?.reason.contains("'\(name)'") == true)
        }
    }

    @Test("A model in code with such a property cannot be used")
    func code() async {
        await #expect(processExitsWith: .failure) {
            let entity = NSEntityDescription()
            entity.name = "E"
            entity.properties = [TestModel.attribute("zone", .stringAttributeType)]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            _ = NSPersistentStoreCoordinator(managedObjectModel: model)
        }
    }

    @Test("Names that only resemble them are allowed, and columns may have them")
    func similar() throws {
        let model = try readModel(
            """
            <entity name='E'><attribute name='zones' attributeType='String'/>
            <attribute name='deleted' optional='YES' attributeType='Boolean'/></entity>
            """)
        #expect(model.entitiesByName["E"]?.attributesByName.count == 2)
        let column = NSExpressionDescription()
        column.name = "objectID"
        #expect(column.name == "objectID")
    }
}
