import CoreData
import Testing

/// A class whose own initializers call the context initializer.
final class Halt: NSManagedObject {
    convenience init(titled title: String, in context: NSManagedObjectContext) {
        self.init(context: context)
        setValue(title, forKey: "title")
    }
}

extension NSManagedObject {
    fileprivate class func made(
        of entity: NSEntityDescription, in context: NSManagedObjectContext
    ) -> Self {
        self.init(entity: entity, insertInto: context)
    }
}

/// Creating objects of classes that are only known at run time.
@Suite struct ContextInitializerTests {
    private func make<T: NSManagedObject>(_ type: T.Type, in context: NSManagedObjectContext) -> T {
        T(context: context)
    }

    @Test("An object is made of a class, a metatype and a generic parameter")
    func metatypes() throws {
        let stack = try TestStack()
        #expect(Clock(context: stack.context).entity.name == "Clock")
        #expect(make(AlarmClock.self, in: stack.context).entity.name == "AlarmClock")
        let type: NSManagedObject.Type = AlarmClock.self
        #expect(type.init(context: stack.context) is AlarmClock)
        let types: [NSManagedObject.Type] = [Clock.self, AlarmClock.self]
        #expect(
            types.map { $0.init(context: stack.context).entity.name } == ["Clock", "AlarmClock"])
        #expect(stack.context.insertedObjects.count == 5)
    }

    @Test("An object is made with an entity of a class, a metatype and Self")
    func entities() throws {
        let stack = try TestStack()
        let entity = try #require(
            NSEntityDescription.entity(forEntityName: "AlarmClock", in: stack.context))
        let type: NSManagedObject.Type = AlarmClock.self
        let made: [NSManagedObject] = [
            AlarmClock(entity: entity, insertInto: stack.context),
            type.init(entity: entity, insertInto: stack.context),
            AlarmClock.made(of: entity, in: stack.context),
            type.init(entity: entity, insertInto: nil),
        ]
        #expect(made.allSatisfy { $0 is AlarmClock })
        #expect(stack.context.insertedObjects == Set(made.dropLast()))
        #expect((made[2] as? Clock)?.log == ["awakeFromInsert 7"])
    }

    @Test("A convenience initializer may lead to that of the context")
    func convenience() throws {
        let model = TestModel.make()
        model.entitiesByName["Stop"]?.managedObjectClassName = NSStringFromClass(Halt.self)
        let stack = try TestStack(model: model)
        let halt = Halt(titled: "Home", in: stack.context)
        #expect(halt.value(forKey: "title") as? String == "Home")
    }
}
