import CoreData
import Testing

@Suite("Models in code") struct ModelFacts {
    private static func attribute(_ name: String) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = .stringAttributeType
        attribute.isOptional = true
        return attribute
    }

    private static func entity(_ name: String, renamed identifier: String? = nil)
        -> NSEntityDescription
    {
        let entity = NSEntityDescription()
        entity.name = name
        entity.renamingIdentifier = identifier
        entity.properties = [attribute("name")]
        return entity
    }

    private static func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    @Test("A relationship of which nothing is said")
    func relationship() {
        let relationship = NSRelationshipDescription()
        fact("CD-16", expected: 1, observed: relationship.maxCount)
        #expect(relationship.deleteRule == .nullifyDeleteRule)
    }

    @Test("A bundle without models")
    func merged() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("AppleFacts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = try #require(Bundle(path: folder.path))
        let merged = NSManagedObjectModel.mergedModel(from: [bundle])
        fact("CD-21", expected: 0, observed: merged?.entities.count)
    }

    @Test("Sub-entities that are not given to the model")
    func subentities() async {
        await #expect(processExitsWith: .success) {
            let parent = ModelFacts.entity("Parent")
            parent.subentities = [ModelFacts.entity("Child")]
            let names = ModelFacts.model(parent).entitiesByName.keys.sorted()
            fact("CD-22", expected: ["Child", "Parent"], observed: names)
        }
    }

    @Test("A key path into a composite attribute")
    func composite() async {
        await #expect(processExitsWith: .success) {
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
            let place = NSCompositeAttributeDescription()
            place.name = "place"
            place.isOptional = true
            place.elements = [ModelFacts.attribute("city")]
            let entity = ModelFacts.entity("Clock")
            entity.properties.append(place)
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: ModelFacts.model(entity))
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            let city: String? = context.performAndWait {
                let clock = NSEntityDescription.insertNewObject(
                    forEntityName: "Clock", into: context)
                clock.setValue("Rome", forKeyPath: "place.city")
                return clock.value(forKeyPath: "place.city") as? String
            }
            fact("CD-23", expected: "Rome", observed: city)
        }
    }

    @Test("What a coordinator posts when stores come and go")
    func stores() throws {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: Self.model(Self.entity("Clock")))
        nonisolated(unsafe) var count = 0
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorStoresWillChange, object: coordinator, queue: nil
        ) { _ in count += 1 }
        defer { NotificationCenter.default.removeObserver(observer) }
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        try coordinator.remove(store)
        fact("CD-46", expected: 0, observed: count)
    }

    // MARK: - Renaming

    /// The entity mapping for an entity, by name, in an inferred mapping model.
    private static func source(
        of name: String, _ old: NSEntityDescription, _ new: NSEntityDescription
    ) -> String? {
        let mapping = try? NSMappingModel.inferredMappingModel(
            forSourceModel: model(old), destinationModel: model(new))
        let found = mapping?.entityMappings.first { $0.destinationEntityName == name }
        return found?.sourceEntityName
    }

    @Test("A renaming identifier that is the name of the version before")
    func formerName() {
        let source = Self.source(
            of: "C", Self.entity("B", renamed: "A"), Self.entity("C", renamed: "B"))
        fact("CD-61", expected: "B", observed: source)
    }

    @Test("A renaming identifier that is gone")
    func lostIdentifier() {
        let source = Self.source(of: "B", Self.entity("B", renamed: "A"), Self.entity("B"))
        fact("CD-62", expected: "B", observed: source)
    }

    @Test("A renaming identifier that nothing has")
    func unknownIdentifier() {
        let source = Self.source(of: "B", Self.entity("B"), Self.entity("B", renamed: "A"))
        fact("CD-65", expected: "B", observed: source)
    }
}
