import CoreData
import Testing

@Suite struct ValidationTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    @Test("A missing mandatory attribute is 1570 with object and key")
    func missing() throws {
        let folder = stack.insert("Folder")
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .validationMissingMandatoryProperty)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "name")
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === folder)
        #expect((error.map { $0 as NSError })?.domain == NSCocoaErrorDomain)
    }

    @Test("Several failures are 1560 with the errors, one level deep")
    func several() throws {
        _ = stack.insert("Folder")
        _ = stack.insert("Folder")
        stack.insertClock().setValue(nil, forKey: "position")
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .validationMultipleErrors)
        let details = error?.userInfo[NSDetailedErrorsKey] as? [any Error]
        #expect(details?.count == 3)
        #expect(details?.allSatisfy { ($0 as NSError).code == 1570 } == true)
    }

    @Test("A failed save changes nothing and can be repeated")
    func repeated() throws {
        let folder = stack.insert("Folder")
        #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(folder.isInserted)
        #expect(stack.database.with { $0.rows.isEmpty })
        folder.setValue("x", forKey: "name")
        try stack.context.save()
        #expect(stack.database.with { $0.rows.count } == 1)
    }

    @Test("The error of a save can be described while the context is released elsewhere")
    func describedElsewhere() async throws {
        let coordinator = stack.coordinator
        for _ in 0..<100 {
            let error = await #expect(throws: CocoaError.self) {
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                try await context.perform {
                    _ = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
                    try context.save()
                }
            }
            #expect("\(try #require(error))".contains("entity: Folder"))
        }
    }

    /// A stack whose only entity has one attribute with a predicate, and two relationships.
    func customStack(_ configure: (NSAttributeDescription, NSRelationshipDescription) -> Void)
        throws -> TestStack
    {
        let entity = NSEntityDescription()
        entity.name = "Thing"
        let attribute = TestModel.attribute("text", .stringAttributeType)
        entity.properties = [attribute]
        TestModel.relate(
            entity, "parts", toMany: true, to: entity, inverse: "wholes", inverseToMany: true)
        let relationship = try #require(entity.relationshipsByName["parts"])
        configure(attribute, relationship)
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return try TestStack(model: model)
    }

    @Test("A failing predicate is 1550 with key, value and predicate")
    func predicate() throws {
        let stack = try customStack { attribute, _ in
            attribute.setValidationPredicates(
                [NSPredicate(format: "length < 3")], withValidationWarnings: ["too long"])
        }
        let thing = stack.insert("Thing")
        thing.setValue("four", forKey: "text")
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .managedObjectValidation)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "text")
        #expect(error?.userInfo[NSValidationValueErrorKey] as? String == "four")
        #expect(error?.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
        thing.setValue("abc".dropLast().description, forKey: "text")
        try stack.context.save()
    }

    @Test("Nil passes the predicates of an optional attribute")
    func nilPasses() throws {
        let stack = try customStack { attribute, _ in
            attribute.setValidationPredicates(
                [NSPredicate(format: "length < 3")], withValidationWarnings: ["too long"])
        }
        _ = stack.insert("Thing")
        try stack.context.save()
    }

    @Test("Too few destinations are 1580, too many 1590")
    func counts() throws {
        let stack = try customStack { _, relationship in
            relationship.minCount = 2
            relationship.maxCount = 3
        }
        let thing = stack.insert("Thing")
        let parts = thing.mutableSetValue(forKey: "parts")
        parts.add(stack.insert("Thing"))
        var error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .validationRelationshipLacksMinimumCount)
        for _ in 0..<3 { parts.add(stack.insert("Thing")) }
        error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .validationRelationshipExceedsMaximumCount)
    }

    @Test("An optional to-many with a minimum may be empty")
    func emptyOptional() throws {
        let stack = try customStack { _, relationship in
            relationship.minCount = 2
            relationship.maxCount = 3
        }
        _ = stack.insert("Thing")
        try stack.context.save()
    }

    @Test("A required to-one that is nil is 1570, and one that is a fault passes")
    func requiredToOne() throws {
        let entity = NSEntityDescription()
        entity.name = "Leaf"
        entity.properties = [TestModel.attribute("text", .stringAttributeType)]
        TestModel.relate(entity, "root", to: entity, inverse: "leaves", inverseToMany: true)
        let model = NSManagedObjectModel()
        model.entities = [entity]
        entity.relationshipsByName["root"]?.isOptional = false
        let stack = try TestStack(model: model)
        let leaf = stack.insert("Leaf")
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .validationMissingMandatoryProperty)
        leaf.setValue(leaf, forKey: "root")
        try stack.context.save()
        let context = stack.newContext()
        context.object(with: leaf.objectID).setValue("x", forKey: "text")
        try context.save()
    }

    @Test("A subclass's validation stops the save and is called for every insertion and update")
    func subclass() throws {
        final class Strict: NSManagedObject {
            override func validateForInsert() throws {
                try super.validateForInsert()
                throw CocoaError(.managedObjectValidation)
            }
        }
        let entity = NSEntityDescription()
        entity.name = "Strict"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TestStack(model: model)
        _ = Strict(entity: entity, insertInto: stack.context)
        #expect(throws: CocoaError.self) { try stack.context.save() }
    }

    @Test("A single value can be validated")
    func singleValue() throws {
        let folder = stack.insert("Folder")
        var value: AnyObject?
        #expect(throws: CocoaError.self) { try folder.validateValue(&value, forKey: "name") }
        value = NSString(string: "x")
        try folder.validateValue(&value, forKey: "name")
    }
}
