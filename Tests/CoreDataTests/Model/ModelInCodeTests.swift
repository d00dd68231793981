import CoreData
import Testing

@Suite("A model in code")
struct ModelInCodeTests {
    let model = makeStaffModel()

    func entity(_ name: String) throws -> NSEntityDescription {
        try #require(model.entitiesByName[name])
    }

    @Test("Properties by name include the inherited ones")
    func inheritedProperties() throws {
        let employee = try entity("Employee")
        #expect(employee.propertiesByName.keys.sorted() == ["department", "name", "salary"])
        #expect(employee.attributesByName.keys.sorted() == ["name", "salary"])
        #expect(employee.relationshipsByName.keys.sorted() == ["department"])
    }

    @Test("A subentity is a kind of its parent, not vice versa")
    func kindOf() throws {
        let (person, employee) = try (entity("Person"), entity("Employee"))
        #expect(employee.isKindOf(entity: person))
        #expect(employee.isKindOf(entity: employee))
        #expect(!person.isKindOf(entity: employee))
        #expect(employee.superentity === person)
        #expect(person.subentitiesByName["Employee"] === employee)
    }

    @Test("Entities know their model, and properties the entity that declares them")
    func owners() throws {
        let employee = try entity("Employee")
        #expect(employee.managedObjectModel === model)
        #expect(employee.propertiesByName["name"]?.entity.name == "Person")
        #expect(employee.propertiesByName["salary"]?.entity === employee)
    }

    @Test("Relationships for a destination include those to its ancestors")
    func relationshipsForDestination() throws {
        let (employee, department) = try (entity("Employee"), entity("Department"))
        #expect(employee.relationships(forDestination: department).map(\.name) == ["department"])
        #expect(department.relationships(forDestination: employee).map(\.name) == ["staff"])
        #expect(department.relationships(forDestination: department).isEmpty)
    }

    @Test("The defaults of new descriptions are Apple's")
    func defaults() {
        let attribute = NSAttributeDescription()
        #expect(attribute.isOptional)
        #expect(!attribute.isTransient)
        #expect(attribute.attributeType == .undefinedAttributeType)
        #expect(NSEntityDescription().managedObjectClassName == "NSManagedObject")
        #expect(!NSEntityDescription().isAbstract)
    }

    @Test("A relationship is to-many unless its maximum count is one", arguments: [0, 1, 2, 7])
    func toMany(maxCount: Int) {
        let relationship = NSRelationshipDescription()
        relationship.maxCount = maxCount
        #expect(relationship.isToMany == (maxCount != 1))
    }

    @Test("The two views of an attribute's type agree")
    func attributeTypes() {
        let attribute = NSAttributeDescription()
        attribute.type = .uuid
        #expect(attribute.attributeType == .UUIDAttributeType)
        attribute.attributeType = .integer64AttributeType
        #expect(attribute.type == .integer64)
        #expect(attribute.attributeValueClassName == "NSNumber")
    }

    @Test("The renaming identifier is the name until one is set")
    func renamingIdentifier() {
        let entity = NSEntityDescription()
        entity.name = "Clock"
        #expect(entity.renamingIdentifier == "Clock")
        entity.renamingIdentifier = "Watch"
        #expect(entity.renamingIdentifier == "Watch")
    }

    @Test("A copy of a model is independent and linked within itself")
    func copy() throws {
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        let employee = try #require(copy.entitiesByName["Employee"])
        let department = try #require(copy.entitiesByName["Department"])
        #expect(try employee !== entity("Employee"))
        #expect(employee.superentity === copy.entitiesByName["Person"])
        let worksIn = try #require(employee.relationshipsByName["department"])
        #expect(worksIn.destinationEntity === department)
        #expect(worksIn.inverseRelationship === department.relationshipsByName["staff"])
        #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
        employee.versionHashModifier = "changed"
        #expect(copy.entityVersionHashesByName != model.entityVersionHashesByName)
    }

    @Test("A configuration contains the entities it was given, and nil stands for all")
    func configurations() throws {
        try model.setEntities([entity("Department")], forConfigurationName: "Public")
        #expect(model.configurations == ["Public"])
        #expect(model.entities(forConfigurationName: "Public")?.map(\.name) == ["Department"])
        #expect(model.entities(forConfigurationName: nil)?.count == 3)
        #expect(model.entities(forConfigurationName: "Private") == nil)
    }
}
