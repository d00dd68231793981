import Testing

@testable import CoreData

@Suite("Model files of other projects", .enabled(if: SharedFixtures.arePresent))
struct RealModelFileTests {
    @Test("SwiftGen's model: every type of attribute, fetched properties, constraints")
    func swiftGen() throws {
        let model = try SharedFixtures.model("models/SwiftGen/Model.xcdatamodeld")
        let main = try #require(model.entitiesByName["MainEntity"])
        #expect(main.attributesByName["uuid"]?.attributeType == .UUIDAttributeType)
        #expect(main.attributesByName["int16"]?.defaultValue as? Int == 0)
        #expect(
            main.relationshipsByName["manyToMany"]?.inverseRelationship?.entity.name
                == "SecondaryEntity")
        #expect(model.entitiesByName["ChildEntity"]?.isKindOf(entity: main) == true)
    }

    @Test("CoreStore's model: configurations, ordered relationships to the entity itself")
    func coreStore() throws {
        let model = try SharedFixtures.model("models/CoreStore/Model.xcdatamodeld")
        #expect(model.configurations.sorted() == ["Config1", "Config2"])
        let ordered = model.entitiesByName["TestEntity2"]?.relationshipsByName["testToManyOrdered"]
        #expect(ordered?.isOrdered == true)
        #expect(ordered?.inverseRelationship?.name == "testToOne")
    }

    @Test("FreeCoreData's model: an abstract parent, transient attributes")
    func freeCoreData() throws {
        let model = try SharedFixtures.model(
            "models/FreeCoreData/EmployeeDirectory.xcdatamodeld")
        let employee = try #require(model.entitiesByName["Employee"])
        #expect(employee.superentity?.isAbstract == true)
        #expect(employee.attributesByName["fullName"]?.isTransient == true)
        #expect(
            employee.layout.properties.map(\.name).prefix(4) == [
                "birthDate", "firstName", "fullName", "lastName",
            ])
    }

    @Test("Hashes change between versions of CoreDataPlus's model where Apple's do")
    func versions() throws {
        func hashes(_ version: String) throws -> [String: Data] {
            try SharedFixtures.model(
                "apple-stores/CoreDataPlus/SampleModel3.xcdatamodeld/\(version).xcdatamodel"
            ).entityVersionHashesByName
        }
        let (v1, v2, v3) = try (
            hashes("SampleModel3"), hashes("SampleModel3_v2"), hashes("SampleModel3_v3")
        )
        #expect(Set([v1["User"], v2["User"], v3["User"]]).count == 3)
        #expect(v2["Pet"] != nil)
        #expect(v2["Pet"] == v3["Pet"])
    }
}
