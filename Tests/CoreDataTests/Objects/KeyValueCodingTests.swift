import CoreData
import Testing

@Suite struct KeyValueCodingTests {
    @Test("A number casts to every numeric type that can hold it")
    func numbers() throws {
        let clock = try TestStack().insertClock()
        clock.setValue(5, forKey: "position")
        let value = clock.value(forKey: "position")
        #expect(value as? Int == 5)
        #expect(value as? Int64 == 5)
        #expect(value as? Int16 == 5)
        #expect(value as? Double == 5)
        #expect(value is NSNumber)
    }

    @Test(
        "A decimal attribute takes a number of every type",
        arguments: [
            5, Int64(5), Int16(5), UInt8(5), 5.0, Float(5), Decimal(5), NSNumber(value: 5),
            NSDecimalNumber(value: 5),
        ] as [any Sendable])
    func decimals(value: any Sendable) throws {
        let library = try Library()
        try library.perform { context in
            let book = Library.insert("Book", ["title": "A", "price": value], in: context)
            #expect(book.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(value: 5))
            #expect(book.value(forKey: "price") is NSDecimalNumber)
            try context.save()
            context.refreshAllObjects()
            #expect(book.value(forKey: "price") as? Decimal == 5)
        }
    }

    @Test("A number attribute takes a decimal")
    func decimalAsNumber() throws {
        let clock = try TestStack().insertClock()
        clock.setValue(Decimal(5), forKey: "position")
        #expect(clock.value(forKey: "position") as? Int == 5)
    }

    @Test("Keys that every object has are supported")
    func commonKeys() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        #expect(clock.value(forKey: "objectID") as? NSManagedObjectID == clock.objectID)
        #expect(clock.value(forKeyPath: "entity.name") as? String == "Clock")
        #expect(clock.value(forKey: "self") as? Clock === clock)
        #expect(clock.value(forKey: "isInserted") as? Bool == true)
    }

    @Test("Several values are read and set at once")
    func dictionary() throws {
        let clock = try TestStack().insertClock("a")
        clock.setValuesForKeys(["label": "b", "note": NSNull(), "position": 3])
        let values = clock.dictionaryWithValues(forKeys: ["label", "note", "position"])
        #expect(values["label"] as? String == "b")
        #expect(values["note"] is NSNull)
        #expect(values["position"] as? Int == 3)
    }

    @Test(
        "A value is set for a key with an upper-case first letter, because its setter has the same name"
    )
    func capitalizedKey() throws {
        let clock = try TestStack().insertClock("a")
        clock.setValue("b", forKey: "Label")
        #expect(clock.label == "b")
        clock.setValuesForKeys(["Note": "c"])
        #expect(clock.note == "c")
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @Test("The subscript reads and sets values")
    func subscripting() throws {
        let clock = try TestStack().insertClock("a")
        clock["label"] = "b"
        #expect(clock["label"] as? String == "b")
    }

    @Test("Predicates and sort descriptors work on objects")
    func predicates() throws {
        let stack = try TestStack()
        let clocks = ["c", "a", "b"].map(stack.insertClock)
        clocks[0].folder = stack.insertFolder("Home")
        #expect(NSPredicate(format: "folder.name == %@", "Home").evaluate(with: clocks[0]))
        #expect(!NSPredicate(format: "folder.name == %@", "Home").evaluate(with: clocks[1]))
        #expect(NSPredicate(format: "SELF == %@", clocks[0]).evaluate(with: clocks[0]))
        let folderID = try #require(clocks[0].folder?.objectID)
        #expect(NSPredicate(format: "folder == %@", folderID).evaluate(with: clocks[0]))
        let sort = NSSortDescriptor(key: "label", ascending: true)
        let sorted = clocks.sorted { sort.compare($0, to: $1) == .orderedAscending }
        #expect(sorted.map(\.label) == ["a", "b", "c"])
    }

    @Test("An unknown key stops the process, for reading")
    func unknownKey() async {
        await #expect(processExitsWith: .failure) {
            _ = try TestStack().insertClock().value(forKey: "nonsense")
        }
    }

    @Test("An unknown key stops the process, for writing")
    func unknownKeyForWriting() async {
        await #expect(processExitsWith: .failure) {
            try TestStack().insertClock().setValue(1, forKey: "nonsense")
        }
    }

    @Test("A value of a wrong type stops the process")
    func wrongType() async {
        await #expect(processExitsWith: .failure) {
            try TestStack().insertClock().setValue("five", forKey: "position")
        }
    }

    @Test("A subclass can handle unknown keys")
    func undefinedKey() throws {
        final class Open: NSManagedObject {
            override func value(forUndefinedKey key: String) -> Any? { "?\(key)" }
        }
        let entity = NSEntityDescription()
        entity.name = "Open"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TestStack(model: model)
        let object = Open(entity: entity, insertInto: stack.context)
        #expect(object.value(forKey: "x") as? String == "?x")
    }
}
