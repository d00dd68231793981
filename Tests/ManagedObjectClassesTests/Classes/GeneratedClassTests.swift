import CoreData
import Testing

@Suite("Generated classes and extensions")
struct GeneratedClassTests {
    @Test("A generated class has a property for each attribute, in Xcode's types")
    func attributes() throws {
        try Garden.perform { context in
            let harvest = Harvest(context: context)
            harvest.count = 3
            harvest.day = Date(timeIntervalSinceReferenceDate: 5)
            harvest.`default` = "basket"
            harvest.id = UUID()
            harvest.isSold = true
            harvest.page = URL(string: "https://example.com")
            harvest.photo = Data([7])
            harvest.price = 2.5
            harvest.weight += 0.25
            #expect(harvest.count == 3)
            #expect(harvest.day == Date(timeIntervalSinceReferenceDate: 5))
            #expect(harvest.`default` == "basket")
            #expect(harvest.isSold)
            #expect(harvest.page?.host == "example.com")
            #expect(harvest.photo == Data([7]))
            #expect(harvest.price == 2.5)
            #expect(harvest.weight == 0.25)
        }
    }

    @Test("A date with a scalar type is a number of seconds since 2001")
    func scalarDate() throws {
        try Garden.perform { context in
            let harvest = Harvest(context: context)
            harvest.end = 90.5
            #expect(harvest.end == 90.5)
            #expect(
                harvest.value(forKey: "end") as? Date == Date(timeIntervalSinceReferenceDate: 90.5))
        }
    }

    @Test("A generated class inherits from its parent entity's class")
    func inheritance() throws {
        try Garden.perform { context in
            let harvest = LateHarvest(context: context)
            harvest.frost = true
            harvest.weight = 3
            #expect(harvest as Harvest is LateHarvest)
            #expect(harvest.frost)
        }
    }

    @Test("A typed fetch request finds the class's objects")
    func fetchRequest() throws {
        try Garden.perform { context in
            let harvest = LateHarvest(context: context)
            let request: NSFetchRequest<Harvest> = Harvest.fetchRequest()
            #expect(request.entityName == "Harvest")
            let found = try context.fetch(request)
            #expect(found == [harvest])
        }
    }

    @Test("Generated classes are identifiable, by an attribute named id if there is one")
    func identifiable() throws {
        try Garden.perform { context in
            func identity<Object: Identifiable>(of object: Object) -> Object.ID { object.id }
            let harvest = LateHarvest(context: context)
            harvest.id = UUID()
            let basket = Basket(context: context)
            #expect(identity(of: harvest) == harvest.id)
            #expect(identity(of: basket) == ObjectIdentifier(basket))
        }
    }

    @Test("An extension is generated for a class that the sources declare")
    func category() throws {
        try Garden.perform { context in
            let helper = Helper(context: context)
            let harvest = Harvest(context: context)
            helper.hours += 2
            helper.addToHarvests(harvest)
            #expect(helper.hours == 2)
            #expect(harvest.helpers == NSSet(object: helper))
            harvest.removeFromHelpers(NSSet(object: helper))
            #expect(helper.harvests?.count == 0)
        }
    }

    @Test("Ordered relationships have their accessors")
    func ordered() throws {
        try Garden.perform { context in
            let harvest = Harvest(context: context)
            let baskets = [Basket(context: context), Basket(context: context)]
            harvest.addToBaskets(baskets[0])
            harvest.insertIntoBaskets(baskets[1], at: 0)
            #expect(harvest.baskets?.array as? [Basket] == baskets.reversed())
            harvest.removeFromBaskets(at: 0)
            #expect(harvest.baskets?.array as? [Basket] == [baskets[0]])
            harvest.replaceBaskets(at: 0, with: baskets[1])
            #expect(baskets[1].harvest === harvest)
        }
    }

    @Test("A fetched property returns the objects it finds")
    func fetchedProperty() throws {
        try Garden.perform { context in
            let heavy = Harvest(context: context)
            heavy.weight = 101
            let light = Harvest(context: context)
            light.weight = 1
            try context.save()
            #expect(light.heavy == [heavy])
        }
    }
}
