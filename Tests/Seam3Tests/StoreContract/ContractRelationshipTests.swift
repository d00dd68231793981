import CoreData
import Testing

@Suite("Every store keeps relationships") struct ContractRelationshipTests {
    @Test("to one, on both sides, and their removal", arguments: ContractStore.allCases)
    func toOne(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        let item = stack.insert("item", ["box": box])
        stack.insert("other", ["box": box])
        try stack.save()
        var context = stack.newContext()
        #expect(try context.all("Box").first?.names("items") == ["item", "other"])
        #expect(try context.all().first?.names("box") == ["box"])
        item.setValue(nil, forKey: "box")
        try stack.save()
        context = stack.newContext()
        #expect(try context.all("Box").first?.names("items") == ["other"])
        #expect(try context.all("Item", "name == 'item'").first?.value(forKey: "box") == nil)
    }

    @Test("one to one, whose former partner is released", arguments: ContractStore.allCases)
    func oneToOne(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let badge = stack.insert("Badge", "badge")
        stack.insert("a", ["badge": badge])
        let second = stack.insert("b")
        try stack.save()
        badge.setValue(second, forKey: "item")
        try stack.save()
        let items = try stack.newContext().all()
        #expect(items.map { $0.names("badge") } == [[], ["badge"]])
        #expect(try stack.newContext().all("Badge").first?.names("item") == ["b"])
    }

    @Test("many to many", arguments: ContractStore.allCases)
    func manyToMany(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let tags = ["t", "u"].map { stack.insert("Tag", $0) }
        let items = ["a", "b"].map { stack.insert($0, ["tags": Set(tags)]) }
        try stack.save()
        tags[0].mutableSetValue(forKey: "items").remove(items[0])
        try stack.save()
        let context = stack.newContext()
        #expect(try context.all().map { $0.names("tags") } == [["u"], ["t", "u"]])
        #expect(try context.all("Tag").map { $0.names("items") } == [["b"], ["a", "b"]])
    }

    @Test("in order", arguments: ContractStore.allCases)
    func ordered(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        let chapters = ["a", "b", "c", "d"].map { stack.insert("Chapter", $0) }
        box.setValue(NSOrderedSet(array: [2, 0, 3].map { chapters[$0] }), forKey: "chapters")
        try stack.save()
        #expect(try stack.newContext().all("Box").first?.names("chapters") == ["c", "a", "d"])
        let mutable = box.mutableOrderedSetValue(forKey: "chapters")
        mutable.insert(chapters[1], at: 1)
        mutable.remove(chapters[3])
        try stack.save()
        #expect(try stack.newContext().all("Box").first?.names("chapters") == ["c", "b", "a"])
        mutable.exchangeObject(at: 0, withObjectAt: 2)
        try stack.save()
        #expect(try stack.newContext().all("Box").first?.names("chapters") == ["a", "b", "c"])
    }

    @Test("in order on both sides", arguments: ContractStore.allCases)
    func orderedOnBothSides(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let items = ["a", "b", "c"].map { stack.insert($0) }
        let lists = ["x", "y"].map { stack.insert("List", $0) }
        lists[1].setValue(NSOrderedSet(array: items.reversed()), forKey: "entries")
        lists[0].setValue(NSOrderedSet(array: [items[1], items[2]]), forKey: "entries")
        items[1].setValue(NSOrderedSet(array: lists), forKey: "lists")
        try stack.save()
        let context = stack.newContext()
        #expect(
            try context.all("List").map { $0.names("entries") } == [["b", "c"], ["c", "b", "a"]])
        #expect(try context.all("Item", "name == 'b'").first?.names("lists") == ["x", "y"])
    }

    @Test("to the same entity", arguments: ContractStore.allCases)
    func selfReference(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let root = stack.insert("a")
        stack.insert("b", ["parent": root])
        stack.insert("Special", "c", ["parent": root])
        try stack.save()
        let items = try stack.newContext().all()
        #expect(items[0].names("children") == ["b", "c"])
        #expect(items[2].value(forKey: "parent") as? NSManagedObject === items[0])
    }

    @Test(
        "changed from the far side without reading the near one",
        arguments: ContractStore.allCases)
    func inverse(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        stack.insert("a", ["box": box])
        try stack.save()
        let context = stack.newContext()
        let found = context.object(with: box.objectID)
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
        item.name = "b"
        item.setValue(found, forKey: "box")
        #expect(found.hasFault(forRelationshipNamed: "items"))
        try context.save()
        #expect(found.names("items") == ["a", "b"])
        #expect(try stack.newContext().all("Box").first?.names("items") == ["a", "b"])
    }

    @Test("set to an object that is a fault", arguments: ContractStore.allCases)
    func faultedDestination(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        let item = stack.insert("a")
        try stack.save()
        let context = stack.newContext()
        let found = context.object(with: item.objectID)
        let destination = context.object(with: box.objectID)
        found.setValue(destination, forKey: "box")
        context.processPendingChanges()
        context.refresh(destination, mergeChanges: false)
        #expect(found.hasFault(forRelationshipNamed: "box"))
        try context.save()
        let copy = stack.newContext().object(with: item.objectID)
        #expect((copy.value(forKey: "box") as? NSManagedObject)?.objectID == box.objectID)
    }

    @Test("that two contexts change at both ends", arguments: ContractStore.allCases)
    func bothEnds(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        let items = ["a", "b"].map { stack.insert($0) }
        try stack.save()
        for item in items {
            let context = stack.newContext(.mergeByPropertyObjectTrump)
            context.object(with: item.objectID)
                .setValue(context.object(with: box.objectID), forKey: "box")
            try context.save()
        }
        #expect(try stack.newContext().all("Box").first?.names("items") == ["a", "b"])
    }
}
