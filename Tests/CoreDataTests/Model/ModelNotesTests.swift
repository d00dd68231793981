import CoreData
import Testing

/// An app's notes on the parts of a model, which do not affect anything else.
@Suite struct ModelNotesTests {
    @Test("Every part of a model has notes that can be written at once")
    func userInfo() {
        let entity = NSEntityDescription()
        entity.userInfo?["a"] = 1
        #expect(entity.userInfo?["a"] as? Int == 1)
        var properties = [
            NSAttributeDescription(), NSRelationshipDescription(), NSFetchedPropertyDescription(),
            NSExpressionDescription(), NSDerivedAttributeDescription(),
        ]
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
            properties.append(NSCompositeAttributeDescription())
        }
        for property in properties {
            #expect(property.userInfo?.isEmpty == true)
            property.userInfo?["a"] = 1
            #expect(property.userInfo?["a"] as? Int == 1)
            property.userInfo = nil
            #expect(property.userInfo?.isEmpty == true)
        }
        let mapping = NSEntityMapping()
        mapping.userInfo?["a"] = 1
        #expect(mapping.userInfo?["a"] as? Int == 1)
    }

    @Test("The notes on a model in use can be changed")
    func userInfoInUse() throws {
        let stack = try TestStack()
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Clock"])
        entity.userInfo?["a"] = 1
        entity.attributesByName["label"]?.userInfo = ["b": 2]
        #expect(entity.userInfo?["a"] as? Int == 1)
        #expect(entity.attributesByName["label"]?.userInfo?["b"] as? Int == 2)
        let copy = try #require(entity.copy() as? NSEntityDescription)
        #expect(copy.userInfo?["a"] as? Int == 1)
        #expect(copy.attributesByName["label"]?.userInfo?["b"] as? Int == 2)
    }

    @Test("Notes can be read and written by several threads")
    func threads() async throws {
        // Unchecked because that is what is tested.
        struct Box: @unchecked Sendable { let entity: NSEntityDescription }
        let box = Box(entity: NSEntityDescription())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    box.entity.userInfo = ["number": number]
                    _ = box.entity.userInfo?["number"]
                }
            }
        }
        #expect(box.entity.userInfo?.count == 1)
    }

    @Test("An inferred mapping has notes")
    func inferredMapping() throws {
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: TestModel.make(), destinationModel: TestModel.make())
        #expect(mapping.entityMappings.allSatisfy { $0.userInfo != nil })
        #expect(
            mapping.entityMappings.flatMap { $0.attributeMappings ?? [] }
                .allSatisfy { $0.userInfo != nil })
    }

    @Test("The progress of a migration that has not begun is 0")
    func migrationProgress() {
        let manager = NSMigrationManager(
            sourceModel: TestModel.make(), destinationModel: TestModel.make())
        #expect(manager.migrationProgress == 0)
    }

    @Test("Models with the same contents are equal")
    func equality() throws {
        let (model, same) = (TestModel.make(), TestModel.make())
        #expect(model == same)
        #expect(model.hash == same.hash)
        #expect(model.copy() as? NSManagedObjectModel == model)
        #expect(model.entitiesByName["Clock"] == same.entitiesByName["Clock"])
        same.entitiesByName["Clock"]?.attributesByName["label"]?.isOptional = false
        #expect(model != same)
        #expect(model.entitiesByName["Clock"] != same.entitiesByName["Clock"])
        #expect(model.entitiesByName["Tag"] == same.entitiesByName["Tag"])
    }

    @Test(
        "Models with equal default values are equal, whichever type the values have",
        arguments: 0..<8)
    func equalDefaults(index: Int) {
        let (type, left, right) = Self.pairs[index]
        let models = [left(), right()].map { value in
            let entity = NSEntityDescription()
            entity.name = "Setting"
            entity.properties = [TestModel.attribute("value", type, default: value)]
            entity.userInfo = ["value": value]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            return model
        }
        #expect(models[0] == models[1])
    }

    private typealias Default = @Sendable () -> Any

    /// Equal values of an attribute's type, in two forms each.
    private static let pairs: [(type: NSAttributeType, left: Default, right: Default)] = {
        let date = Date(timeIntervalSince1970: 1)
        var pairs: [(type: NSAttributeType, left: Default, right: Default)] = []
        func add(_ type: NSAttributeType, _ left: @escaping Default, _ right: @escaping Default) {
            pairs.append((type, left, right))
        }
        add(.booleanAttributeType, { NSNumber(value: false) }, { NSNumber(value: false) })
        add(.booleanAttributeType, { NSNumber(value: true) }, { true })
        add(.integer64AttributeType, { NSNumber(value: 1) }, { 1 })
        add(.doubleAttributeType, { NSNumber(value: 0.5) }, { 0.5 })
        add(.decimalAttributeType, { NSDecimalNumber(value: 5) }, { NSDecimalNumber(value: 5) })
        add(.stringAttributeType, { NSString(string: "a") }, { "a" })
        add(.dateAttributeType, { date as NSDate }, { date })
        add(.binaryDataAttributeType, { NSData(data: Data([1])) }, { Data([1]) })
        return pairs
    }()

    @Test(
        "What version hashes ignore still makes models unequal",
        arguments: [
            { $0.entitiesByName["Clock"]?.managedObjectClassName = "Other" },
            { $0.entitiesByName["Clock"]?.attributesByName["label"]?.defaultValue = "x" },
            { $0.entitiesByName["Clock"]?.attributesByName["label"]?.userInfo = ["x": "y"] },
            { $0.setEntities([], forConfigurationName: "Empty") },
            { $0.versionIdentifiers = ["2"] },
            {
                $0.entitiesByName["Clock"]?.attributesByName["label"]?.setValidationPredicates(
                    [NSPredicate(value: true)], withValidationWarnings: [""])
            },
        ] as [@Sendable (NSManagedObjectModel) -> Void])
    func inequality(change: @Sendable (NSManagedObjectModel) -> Void) {
        let (model, other) = (TestModel.make(), TestModel.make())
        change(other)
        #expect(model != other)
    }

    @Test("Compound indexes take names and give properties")
    func compoundIndexes() throws {
        let model = TestModel.make()
        let clock = try #require(model.entitiesByName["Clock"])
        let label = try #require(clock.attributesByName["label"])
        clock.compoundIndexes = [["label", "position"], [label]]
        let indexes = clock.compoundIndexes
        #expect(indexes.map(\.count) == [2, 1])
        #expect(indexes[0][0] as? NSPropertyDescription === label)
        #expect((indexes[0][1] as? NSPropertyDescription)?.name == "position")
        #expect(indexes[1][0] as? NSPropertyDescription === label)
    }
}
