import CoreData
import Testing

@Suite("Version hashes")
struct ModelVersionHashTests {
    func hash(_ change: (NSEntityDescription) -> Void = { _ in }) throws -> Data {
        let model = makeStaffModel()
        let entity = try #require(model.entitiesByName["Employee"])
        change(entity)
        return entity.versionHash
    }

    @Test("A hash has 32 bytes and does not depend on the order of properties")
    func order() throws {
        let original = try hash()
        #expect(original.count == 32)
        #expect(try original == hash { $0.properties = $0.properties.reversed() })
    }

    @Test("Settings that do not matter to a store do not change the hash")
    func irrelevant() throws {
        let original = try hash()
        #expect(try original == hash { $0.managedObjectClassName = "App.Employee" })
        #expect(try original == hash { $0.userInfo = ["a": "b"] })
        #expect(try original == hash { $0.renamingIdentifier = "Worker" })
        #expect(
            try original
                == hash { $0.attributesByName["salary"]?.defaultValue = 7 })
        #expect(
            try original
                == hash {
                    let cache = NSAttributeDescription()
                    cache.name = "cache"
                    cache.isTransient = true
                    $0.properties += [cache]
                })
    }

    /// A change of the entity `Employee`, with a description for messages.
    struct Change: CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (NSEntityDescription) -> Void

        init(_ name: String, _ apply: @escaping @Sendable (NSEntityDescription) -> Void) {
            testDescription = name
            self.apply = apply
        }

        static func salary(
            _ name: String, _ apply: @escaping @Sendable (NSAttributeDescription) -> Void
        ) -> Change {
            Change("attribute: " + name) { $0.attributesByName["salary"].map(apply) }
        }

        static func department(
            _ name: String, _ apply: @escaping @Sendable (NSRelationshipDescription) -> Void
        ) -> Change {
            Change("relationship: " + name) { $0.relationshipsByName["department"].map(apply) }
        }

        static func adding(_ property: @escaping @Sendable () -> NSPropertyDescription) -> Change {
            Change("a property added") { $0.properties.append(property()) }
        }
    }

    static let relevantChanges: [Change] =
        [
            Change("name") { $0.name = "Worker" },
            Change("abstract") { $0.isAbstract = true },
            Change("modifier") { $0.versionHashModifier = "2" },
            Change("constraints") { $0.uniquenessConstraints = [["name"]] },
            Change("compound constraint") { $0.uniquenessConstraints = [["name", "salary"]] },
            Change("two constraints") { $0.uniquenessConstraints = [["name"], ["salary"]] },
            Change("no properties") { $0.properties = [] },
            Change("the parent's name") { $0.superentity?.name = "Human" },
            Change("no parent") { $0.superentity?.subentities = [] },
            Change("an inherited property") { $0.attributesByName["name"]?.isOptional = true },
            .salary("type") { $0.attributeType = .integer64AttributeType },
            .salary("optional") { $0.isOptional = false },
            .salary("transient") { $0.isTransient = true },
            .salary("name") { $0.name = "wage" },
            .salary("modifier") { $0.versionHashModifier = "2" },
            .salary("external data") { $0.allowsExternalBinaryDataStorage = true },
            .salary("transformer") {
                $0.attributeType = .transformableAttributeType
                $0.valueTransformerName = "Wage"
            },
            .department("name") { $0.name = "office" },
            .department("optional") { $0.isOptional = false },
            .department("minimum") { $0.minCount = 1 },
            .department("maximum") { $0.maxCount = 0 },
            .department("another maximum") { $0.maxCount = 9 },
            .department("ordered") { $0.isOrdered = true },
            .department("rule") { $0.deleteRule = .cascadeDeleteRule },
            .department("destination") { $0.destinationEntity = $0.entity },
            .department("no inverse") { $0.inverseRelationship = nil },
            .adding { NSAttributeDescription() },
            .adding {
                let derived = NSDerivedAttributeDescription()
                derived.derivationExpression = NSExpression(format: "now()")
                return derived
            },
        ] + compositeChanges

    /// Composite attributes are newer than the oldest system of this package.
    private static var compositeChanges: [Change] {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return [] }
        return [
            .adding { NSCompositeAttributeDescription() },
            .adding {
                let composite = NSCompositeAttributeDescription()
                composite.elements = [NSAttributeDescription()]
                return composite
            },
        ]
    }

    @Test("Settings that matter to a store change the hash", arguments: relevantChanges)
    func relevant(change: Change) throws {
        #expect(try hash() != hash(change.apply))
        #expect(try hash(change.apply) == hash(change.apply))
    }

    @Test("No two of these changes give one hash")
    func collisions() throws {
        let hashes = try Self.relevantChanges.map { try hash($0.apply) }
        #expect(Set(hashes).count == hashes.count)
    }

    @Test("Merging models with different entities of one name stops the process")
    func conflict() async throws {
        await #expect(processExitsWith: .failure) {
            let other = makeStaffModel()
            other.entitiesByName["Person"]?.versionHashModifier = "2"
            _ = NSManagedObjectModel(byMerging: [makeStaffModel(), other])
        }
    }

    @Test("Merging joins configurations, identifiers and fetch requests")
    func mergingTheRest() throws {
        let (model, other) = (makeStaffModel(), NSManagedObjectModel())
        model.versionIdentifiers = ["staff"]
        model.setEntities(
            [try #require(model.entitiesByName["Person"])], forConfigurationName: "Cloud")
        let room = NSEntityDescription()
        room.name = "Room"
        other.entities = [room]
        other.versionIdentifiers = ["rooms"]
        other.setEntities([room], forConfigurationName: "Cloud")
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = room
        other.setFetchRequestTemplate(request, forName: "rooms")
        let merged = try #require(NSManagedObjectModel(byMerging: [model, other]))
        #expect(merged.versionIdentifiers == ["staff", "rooms"])
        let members = merged.entities(forConfigurationName: "Cloud")?.compactMap(\.name)
        #expect(members.map(Set.init) == ["Person", "Room"])
        let template = merged.fetchRequestTemplate(forName: "rooms")
        #expect(template?.entity === merged.entitiesByName["Room"])
    }

    @Test("A model is compatible with a store of the same entities only")
    func compatibility() throws {
        let model = makeStaffModel()
        let key = "NSStoreModelVersionHashes"
        let metadata: [String: Any] = [
            key: model.entityVersionHashesByName, "NSStoreModelVersionHashesVersion": 3,
        ]
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(
            !model.isConfiguration(
                withName: nil, compatibleWithStoreMetadata: metadata.filter { $0.key != key }))
        #expect(!model.isConfiguration(withName: "none", compatibleWithStoreMetadata: metadata))
        model.setEntities(
            [try #require(model.entitiesByName["Department"])], forConfigurationName: "Part")
        // The metadata of a store with part of the model contain the hashes of all entities.
        #expect(model.isConfiguration(withName: "Part", compatibleWithStoreMetadata: metadata))
        model.entitiesByName["Person"]?.versionHashModifier = "2"
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(model.isConfiguration(withName: "Part", compatibleWithStoreMetadata: metadata))
        model.entitiesByName["Department"]?.versionHashModifier = "2"
        #expect(!model.isConfiguration(withName: "Part", compatibleWithStoreMetadata: metadata))
    }

    @Test("Metadata without versions matches any model")
    func withoutVersions() {
        let (old, new) = (makeStaffModel(), makeStaffModel())
        new.entitiesByName["Person"]?.versionHashModifier = "2"
        let metadata: [String: Any] = [
            "NSStoreModelVersionHashes": old.entityVersionHashesByName
        ]
        #expect(new.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(new.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
        #expect(!new.isConfiguration(withName: "none", compatibleWithStoreMetadata: [:]))
    }

    @Test("Merging takes an entity that two models share once")
    func merging() throws {
        let model = makeStaffModel()
        let other = NSManagedObjectModel()
        let room = NSEntityDescription()
        room.name = "Room"
        other.entities = [room]
        let merged = try #require(
            NSManagedObjectModel(byMerging: [model, makeStaffModel(), other]))
        #expect(
            merged.entitiesByName.keys.sorted() == ["Department", "Employee", "Person", "Room"])
        #expect(merged.entities.count == 4)
        #expect(room.managedObjectModel === other)
    }

    @Test("Merging for a store's metadata picks the versions the store was written with")
    func mergingForMetadata() throws {
        let (old, new) = (makeStaffModel(), makeStaffModel())
        new.entitiesByName["Person"]?.versionHashModifier = "2"
        let metadata = ["NSStoreModelVersionHashes": old.entityVersionHashesByName]
        let found = try #require(
            NSManagedObjectModel(byMerging: [new, old], forStoreMetadata: metadata))
        #expect(found.entityVersionHashesByName == old.entityVersionHashesByName)
        #expect(NSManagedObjectModel(byMerging: [new], forStoreMetadata: metadata) == nil)
    }
}

@Suite("The version hash of a derived attribute") struct DerivedExpressionHashTests {
    private func hash(_ expression: NSExpression) -> Data {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = "a"
        attribute.derivationExpression = expression
        return attribute.versionHash
    }

    @Test(
        "Is the same for an aggregate as written in Xcode's source and as compiled",
        arguments: [
            ("count:", "items", "items.@count"), ("sum:", "items.price", "items.price.@sum"),
            ("max:", "items.price", "items.price.@max"),
            ("min:", "items.price", "items.price.@min"),
            ("average:", "items.price", "items.price.@avg"),
        ])
    func aggregates(function: String, path: String, source: String) {
        let compiled = NSExpression(
            forFunction: function, arguments: [NSExpression(forKeyPath: path)])
        #expect(hash(compiled) == hash(NSExpression(forKeyPath: source)))
        #expect(hash(compiled) != hash(NSExpression(forKeyPath: path)))
    }
}
