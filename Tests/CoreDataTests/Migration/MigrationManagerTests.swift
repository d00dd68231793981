import CoreData
import Testing

@Suite struct MigrationManagerTests {
    let fixture: MigrationFixture

    init() throws {
        fixture = try MigrationFixture()
        try fixture.fillSource()
    }

    @Test("An inferred mapping carries over, renames, widens and fills in defaults")
    func attributes() throws {
        try fixture.migrate(fixture.inferred())
        let makers = try fixture.migrated("Maker", by: "fullName")
        #expect(makers.keys.sorted() == ["Ada", "Bob"])
        #expect(makers["Ada"]?.value(forKey: "born") as? Int == 1815)
        #expect(makers["Ada"]?.value(forKey: "country") as? String == "unknown")
        #expect(makers["Bob"]?.value(forKey: "born") == nil)
        let works = try fixture.migrated("Work", by: "title")
        #expect(works.keys.sorted() == ["Engine", "Lost", "Notes"])
        #expect(works["Engine"]?.value(forKey: "year") as? Int == 1843)
        #expect(works["Lost"]?.value(forKey: "year") as? Int == 1900)
    }

    @Test("A to-one becomes a to-many, and an unordered relationship an ordered one")
    func relationships() throws {
        try fixture.migrate(fixture.inferred())
        let makers = try fixture.migrated("Maker", by: "fullName")
        let works = makers["Ada"]?.value(forKey: "works") as? NSOrderedSet
        let titles = works?.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "title") }
        #expect((titles as? [String])?.sorted() == ["Engine", "Notes"])
        #expect((makers["Bob"]?.value(forKey: "works") as? NSOrderedSet)?.count == 0)
        let lost = try fixture.migrated("Work", by: "title")["Lost"]
        #expect((lost?.value(forKey: "makers") as? Set<NSManagedObject>)?.isEmpty == true)
    }

    @Test("The destination is a store of the destination model, with the app's metadata")
    func metadata() throws {
        try fixture.migrate(fixture.inferred())
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: PropertyListStore.storeType, at: fixture.destinationURL)
        #expect(
            fixture.destination.isConfiguration(
                withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(metadata["app"] as? String == "kept")
    }

    @Test("The source store is not changed")
    func sourceIsReadOnly() throws {
        let before = try Data(contentsOf: fixture.sourceURL)
        try fixture.migrate(fixture.inferred())
        #expect(try Data(contentsOf: fixture.sourceURL) == before)
    }

    @Test("A mapping model in code chooses objects with its source expression, and computes values")
    func codeMapping() throws {
        let name = NSPropertyMapping()
        name.name = "fullName"
        name.valueExpression = NSExpression(format: "$source.name")
        let country = NSPropertyMapping()
        country.name = "country"
        country.valueExpression = NSExpression(format: "uppercase($manager.userInfo.country)")
        let mapping = NSEntityMapping()
        mapping.name = "Elders"
        mapping.mappingType = .transformEntityMappingType
        mapping.sourceEntityName = "Artist"
        mapping.destinationEntityName = "Maker"
        mapping.attributeMappings = [name, country]
        mapping.sourceExpression = NSExpression(
            format: "FETCH(FUNCTION($manager, "
                + "'fetchRequestForSourceEntityNamed:predicateString:', 'Artist', 'born < 1900'), "
                + "FUNCTION($manager, 'sourceContext'), NO)")
        let model = NSMappingModel()
        model.entityMappings = [mapping]
        let manager = NSMigrationManager(
            sourceModel: fixture.source, destinationModel: fixture.destination)
        manager.userInfo = ["country": "england"]
        try fixture.migrate(model, with: manager)
        let makers = try fixture.migrated("Maker", by: "fullName")
        #expect(makers.keys.sorted() == ["Ada"])
        #expect(makers["Ada"]?.value(forKey: "country") as? String == "ENGLAND")
        #expect(manager.migrationProgress == 1)
    }

    @Test("A relationship is found through the name of another entity mapping")
    func namedMapping() throws {
        let model = try fixture.inferred()
        let work = model.entityMappingsByName["IEM_Transform_Work"]
        let makers = work?.relationshipMappings?.first { $0.name == "makers" }
        makers?.valueExpression = NSExpression(
            format: "FUNCTION($manager, "
                + "'destinationInstancesForEntityMappingNamed:sourceInstances:', "
                + "'IEM_Transform_Maker', $source.artist)")
        try fixture.migrate(model)
        let works = try fixture.migrated("Work", by: "title")
        #expect((works["Notes"]?.value(forKey: "makers") as? Set<NSManagedObject>)?.count == 1)
        #expect((works["Lost"]?.value(forKey: "makers") as? Set<NSManagedObject>)?.count == 0)
    }

    @Test("Without a mapping model there is 134140, without a source store 134150")
    func missing() throws {
        let manager = NSMigrationManager(
            sourceModel: fixture.source, destinationModel: fixture.destination)
        let type = PropertyListStore.storeType
        let first = #expect(throws: CocoaError.self) {
            try manager.migrateStore(
                from: fixture.sourceURL, sourceType: type, options: nil, with: nil,
                toDestinationURL: fixture.destinationURL, destinationType: type,
                destinationOptions: nil)
        }
        #expect(first?.code == .migrationMissingMappingModel)
        let wrong = NSMigrationManager(
            sourceModel: fixture.destination, destinationModel: fixture.destination)
        let second = #expect(throws: CocoaError.self) {
            try fixture.migrate(fixture.inferred(), with: wrong)
        }
        #expect(second?.code == .migrationManagerSourceStore)
        let underlying = second?.userInfo[NSUnderlyingErrorKey] as? CocoaError
        #expect(underlying?.code == .persistentStoreIncompatibleVersionHash)
    }

    @Test("A required attribute without a value is 134110 with the entity and the attribute")
    func mandatory() throws {
        let second = """
            <entity name='Artist'><attribute name='name' attributeType='String'/>
            <attribute name='code' attributeType='String'/></entity>
            """
        let fixture = try MigrationFixture(MigrationFixture.first, second)
        try fixture.fillSource()
        let error = #expect(throws: CocoaError.self) { try fixture.migrate(fixture.inferred()) }
        #expect(error?.code == .migration)
        #expect(error?.userInfo["entity"] as? String == "Artist")
        #expect(error?.userInfo["attribute"] as? String == "code")
        #expect(!FileManager.default.fileExists(atPath: fixture.destinationURL.path))
    }

    @Test("A value beyond a limit that only the new model has is 134110")
    func limits() throws {
        let maker = try #require(fixture.destination.entitiesByName["Maker"])
        let name = try #require(maker.attributesByName["fullName"])
        name.setValidationPredicates(
            [NSPredicate(format: "length <= 2")], withValidationWarnings: ["too long"])
        let error = #expect(throws: CocoaError.self) { try fixture.migrate(fixture.inferred()) }
        #expect(error?.code == .migration)
    }

    @Test("A canceled migration throws the error that it was canceled with")
    func cancelled() throws {
        struct Enough: Error {}
        let manager = NSMigrationManager(
            sourceModel: fixture.source, destinationModel: fixture.destination)
        manager.cancelMigrationWithError(Enough())
        #expect(throws: Enough.self) { try fixture.migrate(fixture.inferred(), with: manager) }
        #expect(!FileManager.default.fileExists(atPath: fixture.destinationURL.path))
    }
}
