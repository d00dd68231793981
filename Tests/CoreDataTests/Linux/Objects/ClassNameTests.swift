import CoreData
import Testing

final class Sundial: NSManagedObject {}

/// On other systems a Swift class is found only by its name including the module.
@Suite struct ClassNameTests {
    @Test("The entity's class is found by its name, in whatever module it is")
    func classResolution() throws {
        let model = TestModel.make()
        let named = try #require(model.entitiesByName["Clock"])
        named.managedObjectClassName = "Clock"
        let stack = try TestStack(model: model)
        #expect(stack.insert("Clock") is Clock)
        #expect(type(of: stack.insert("Tag")) == NSManagedObject.self)
        #expect(named.managedObjectClassName == "Clock")
    }

    @Test(
        "A class is found with its module, without, and with Xcode's leading dot",
        arguments: ["Sundial", ".Sundial", "CoreDataTests.Sundial", "Elsewhere.Sundial"])
    func classNames(_ name: String) throws {
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.managedObjectClassName = name
        entity.properties = [TestModel.attribute("position", .integer64AttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TestStack(model: model)
        #expect(stack.insert("Thing") is Sundial)
    }

    @Test("Any class is found by its name with its module or without it")
    func anyClass() {
        #expect(_classFromString("Sundial") == Sundial.self)
        #expect(_classFromString("CoreDataTests.Sundial") == Sundial.self)
        #expect(_classFromString("NSManagedObject") == NSManagedObject.self)
        #expect(_classFromString("NoSuchClass") == nil)
    }
}
