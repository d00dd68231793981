import SeededRandom
import Testing

@testable import CoreData

@Suite("A compiled model", .enabled(if: SharedFixtures.arePresent))
struct CompiledModelTests {
    let folder = "apple-stores/CoreDataPlus"

    @Test(
        "Xcode's compiled model and its source are the same model",
        arguments: [
            ("SampleModel", "SampleModel"), ("SampleModel", "SampleModel2"),
            ("SampleModel", "SampleModel3"), ("SampleModel3", "SampleModel3"),
            ("SampleModel3", "SampleModel3_v2"), ("SampleModel3", "SampleModel3_v3"),
        ])
    func compiledAndSource(model: String, version: String) throws {
        let source = try SharedFixtures.model(
            "\(folder)/\(model).xcdatamodeld/\(version).xcdatamodel")
        let compiled = try SharedFixtures.model("\(folder)/\(model).momd/\(version).mom")
        #expect(compiled.entityVersionHashesByName == source.entityVersionHashesByName)
        #expect(compiled.versionIdentifiers == source.versionIdentifiers)
        for (name, entity) in source.entitiesByName {
            let other = try #require(compiled.entitiesByName[name])
            #expect(other.managedObjectClassName == entity.managedObjectClassName)
            #expect(other.renamingIdentifier == entity.renamingIdentifier)
            #expect(other.indexes.map(\.name) == entity.indexes.map(\.name))
            #expect(other.isAbstract == entity.isAbstract)
            #expect(other.superentity?.name == entity.superentity?.name)
            #expect(other.uniquenessConstraints as? [[String]] == uniqueness(of: entity))
            #expect(other.propertiesByName.keys.sorted() == entity.propertiesByName.keys.sorted())
            for (name, property) in entity.propertiesByName {
                try compare(#require(other.propertiesByName[name]), with: property)
            }
        }
        let templates = source.fetchRequestTemplatesByName
        #expect(Set(compiled.fetchRequestTemplatesByName.keys) == Set(templates.keys))
    }

    private func uniqueness(of entity: NSEntityDescription) -> [[String]]? {
        entity.uniquenessConstraints as? [[String]]
    }

    private func compare(
        _ property: NSPropertyDescription, with source: NSPropertyDescription
    ) throws {
        #expect(type(of: property) == type(of: source))
        #expect(property.versionHash == source.versionHash)
        #expect(property.isOptional == source.isOptional)
        #expect(property.isTransient == source.isTransient)
        #expect(property.renamingIdentifier == source.renamingIdentifier)
        #expect(
            property.validationPredicates.map(\.description).sorted()
                == source.validationPredicates.map(\.description).sorted())
        if let attribute = property as? NSAttributeDescription {
            let original = try #require(source as? NSAttributeDescription)
            #expect(attribute.defaultValue as? NSObject == original.defaultValue as? NSObject)
            // The compiled file is older than the custom class that its source names.
            if attribute.attributeType != .transformableAttributeType {
                #expect(attribute.attributeValueClassName == original.attributeValueClassName)
            }
        }
        if let relationship = property as? NSRelationshipDescription {
            let original = try #require(source as? NSRelationshipDescription)
            #expect(relationship.deleteRule == original.deleteRule)
            #expect(relationship.inverseRelationship?.name == original.inverseRelationship?.name)
            #expect(
                relationship.inverseRelationship?.entity.name
                    == original.inverseRelationship?.entity.name)
        }
        if let derived = property as? NSDerivedAttributeDescription {
            let original = try #require(source as? NSDerivedAttributeDescription)
            #expect(
                derived.derivationExpression?.description
                    == original.derivationExpression?.description)
        }
    }

    @Test("The current version of a folder of compiled versions is read")
    func currentVersion() throws {
        let model = try SharedFixtures.model("\(folder)/SampleModel.momd")
        #expect(model.entitiesByName.keys.contains("ExpensiveSportCar"))
    }

    @Test("A damaged compiled model gives an error, and never a crash")
    func damaged() throws {
        let file = SharedFixtures.url.appendingPathComponent(
            "\(folder)/SampleModel.momd/SampleModel2.mom")
        let original = try Data(contentsOf: file)
        let seed = SeededGenerator.seed(from: "CORE_DATA_SEED")
        var random = SeededGenerator(seed: seed)
        for round in 0..<400 {
            var bytes = Array(original)
            for _ in 0..<(1 + round % 6) {
                let index = Int.random(in: bytes.indices, using: &random)
                bytes[index] = UInt8.random(in: .min ... .max, using: &random)
            }
            do {
                _ = try CompiledModelReader.read(Data(bytes), at: file)
            } catch {
                #expect(error is ManagedObjectModelFileError, "seed \(seed)")
            }
        }
        for length in stride(from: 0, to: original.count, by: 97) {
            #expect(throws: ManagedObjectModelFileError.self) {
                try CompiledModelReader.read(original.prefix(length), at: file)
            }
        }
    }
}
