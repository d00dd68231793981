import Testing

@testable import CoreData

@Suite("A model in use")
struct ModelFreezingTests {
    @Test("A property has the same index in its entity and all subentities, inherited first")
    func layout() throws {
        let model = makeStaffModel()
        let person = try #require(model.entitiesByName["Person"]?.layout)
        let employee = try #require(model.entitiesByName["Employee"]?.layout)
        #expect(person.properties.map(\.name) == ["name"])
        #expect(employee.properties.map(\.name) == ["name", "salary", "department"])
        #expect(["name", "salary", "department"].map { employee.indexByName[$0] } == [0, 1, 2])
        #expect(employee.properties.map(\.valueIndex) == [0, 1, 2])
        #expect(employee.toOneRelationships.map(\.name) == ["department"])
        #expect(employee.toManyRelationships.isEmpty)
    }

    @Test("The initial values of an entity are its canonical defaults")
    func initialValues() throws {
        let model = makeStaffModel()
        let layout = try #require(model.entitiesByName["Employee"]?.layout)
        #expect(layout.initialValues.map { $0.object is NSNumber } == [false, true, false])
        #expect(layout.initialValues[1].object as? Int == 100)
    }

    @Test("Layouts are created once, on however many threads")
    func threads() async throws {
        let model = makeStaffModel()
        let entity = try #require(model.entitiesByName["Employee"])
        // Unchecked because reading a layout from any thread is what is tested.
        struct Box: @unchecked Sendable { let entity: NSEntityDescription }
        let box = Box(entity: entity)
        let layouts = await withTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<50 { group.addTask { ObjectIdentifier(box.entity.layout) } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(layouts == [ObjectIdentifier(entity.layout)])
    }

    @Test("Changing a model in use stops the process")
    func immutable() async {
        await #expect(processExitsWith: .failure) {
            let model = makeStaffModel()
            let entity = model.entitiesByName["Employee"]
            _ = entity?.layout
            entity?.propertiesByName["salary"]?.isOptional = false
        }
    }

    @Test("A copy of a model in use can be changed")
    func copyIsEditable() throws {
        let model = makeStaffModel()
        model.freeze()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        copy.entitiesByName["Person"]?.name = "Human"
        #expect(copy.entitiesByName.keys.contains("Human"))
    }

    @Test(
        "Values become canonical",
        arguments: [
            (NSAttributeType.integer64AttributeType, 5 as any Sendable, "NSNumber"),
            (.doubleAttributeType, 2.5, "NSNumber"),
            (.booleanAttributeType, true, "NSNumber"),
            (.decimalAttributeType, Decimal(3), "NSDecimalNumber"),
            (.stringAttributeType, "text", "String"),
            (.dateAttributeType, Date(timeIntervalSinceReferenceDate: 1), "Date"),
            (.binaryDataAttributeType, Data([1]), "Data"),
            (.UUIDAttributeType, UUID(), "UUID"),
        ])
    func canonicalValues(type: NSAttributeType, value: any Sendable, className: String) throws {
        let attribute = NSAttributeDescription()
        attribute.attributeType = type
        let canonical = try #require(attribute.canonicalValue(of: value))
        switch className {
        case "NSNumber": #expect(canonical is NSNumber)
        default: #expect("\(Swift.type(of: canonical))" == className)
        }
    }

    @Test(
        "Values of another type are refused",
        arguments: [
            (NSAttributeType.integer64AttributeType, "5" as any Sendable),
            (.stringAttributeType, 5),
            (.dateAttributeType, "today"),
            (.decimalAttributeType, "1.5"),
            (.UUIDAttributeType, "B"),
        ])
    func refusedValues(type: NSAttributeType, value: any Sendable) {
        let attribute = NSAttributeDescription()
        attribute.attributeType = type
        #expect(attribute.canonicalValue(of: value) == nil)
    }

    @Test("The text for a value of a wrong type is Apple's")
    func refusalText() {
        let attribute = NSAttributeDescription()
        attribute.name = "age"
        attribute.attributeType = .integer16AttributeType
        #expect(
            attribute.unacceptableTypeReason(of: "old")
                == "Unacceptable type of value for attribute: property = \"age\"; desired type = "
                + "NSNumber; given type = String; value = old.")
    }
}
