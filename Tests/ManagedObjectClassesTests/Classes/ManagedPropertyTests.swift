import CoreData
import Testing

@Suite("Properties marked @NSManaged")
struct ManagedPropertyTests {
    @Test("A property of the class's body keeps its value")
    func body() throws {
        try Garden.perform { context in
            let plant = Plant(context: context)
            plant.name = "Sage"
            #expect(plant.name == "Sage")
            #expect(plant.value(forKey: "name") as? String == "Sage")
            #expect(plant.hasChanges)
        }
    }

    @Test("A property of an extension keeps its value, for every type")
    func extensionProperties() throws {
        try Garden.perform { context in
            let plant = Plant(context: context)
            let identifier = UUID()
            let link = try #require(URL(string: "https://example.com/sage"))
            plant.planted = Date(timeIntervalSinceReferenceDate: 12.5)
            plant.identifier = identifier
            plant.link = link
            plant.blob = Data([1, 2])
            plant.price = NSDecimalNumber(string: "1.10")
            plant.rating = 4
            plant.tags = ["green", "old"]
            #expect(plant.planted == Date(timeIntervalSinceReferenceDate: 12.5))
            #expect(plant.identifier == identifier)
            #expect(plant.link == link)
            #expect(plant.blob == Data([1, 2]))
            #expect(plant.price == NSDecimalNumber(string: "1.1"))
            #expect(plant.rating == 4)
            #expect(plant.tags == ["green", "old"])
        }
    }

    @Test("Scalars have the model's defaults and keep their values")
    func scalars() throws {
        try Garden.perform { context in
            let tree = Tree(context: context)
            #expect(tree.leaves == 0)
            #expect(tree.isEdible)
            tree.leaves = .max
            tree.isEdible = false
            tree.height = -0.5
            tree.trunk = 1.5
            #expect(tree.leaves == .max)
            #expect(!tree.isEdible)
            #expect(tree.height == -0.5)
            #expect(tree.trunk == 1.5)
        }
    }

    @Test("A scalar without a value reads as 0")
    func missingScalar() throws {
        try Garden.perform { context in
            let plant = Plant(context: context)
            plant.setValue(nil, forKey: "leaves")
            #expect(plant.leaves == 0)
        }
    }

    @Test("An enumeration is kept as its raw value")
    func enumerations() throws {
        try Garden.perform { context in
            let plant = Plant(context: context)
            #expect(plant.season == .spring)
            plant.season = .autumn
            plant.kind = .shrub
            #expect(plant.season == .autumn)
            #expect(plant.value(forKey: "season") as? Int == 2)
            #expect(plant.kind == .shrub)
        }
    }

    @Test("A value can be changed in place")
    func inPlace() throws {
        try Garden.perform { context in
            let plant = Plant(context: context)
            plant.name = "Sa"
            plant.name? += "ge"
            plant.leaves += 3
            plant.tags = []
            plant.tags?.append("green")
            #expect(plant.name == "Sage")
            #expect(plant.leaves == 3)
            #expect(plant.tags == ["green"])
        }
    }

    @Test("Setting a to-one sets the inverse")
    func toOne() throws {
        try Garden.perform { context in
            let plant = Plant(context: context)
            let bed = Bed(context: context)
            plant.bed = bed
            #expect(bed.plants == NSSet(object: plant))
            plant.bed = nil
            #expect(bed.plants?.count == 0)
        }
    }

    @Test("Setting a to-many sets the inverses, as NSSet, NSOrderedSet and Set")
    func toMany() throws {
        try Garden.perform { context in
            let bed = Bed(context: context)
            let plant = Plant(context: context)
            let rows = [Row(context: context), Row(context: context)]
            let harvest = Harvest(context: context)
            bed.plants = NSSet(object: plant)
            bed.rows = NSOrderedSet(array: rows)
            plant.harvests.insert(harvest)
            #expect(plant.bed === bed)
            #expect(bed.rows?.array as? [Row] == rows)
            #expect(rows[1].bed === bed)
            #expect(plant.harvests == [harvest])
            #expect(harvest.plant === plant)
        }
    }

    @Test("A custom accessor uses a private primitive property, and marks the change itself")
    func customAccessor() throws {
        try Garden.perform { context in
            let plant = Plant(context: context)
            try context.save()
            plant.nickname = "Old one"
            #expect(plant.nickname == "Old one")
            #expect(plant.nicknameChanges == 1)
            #expect(plant.changedValues().keys.sorted() == ["nickname"])
        }
    }

    @Test("Setting a primitive property alone changes nothing but the value")
    func primitive() throws {
        try Garden.perform { context in
            let plant = Plant(context: context)
            try context.save()
            plant.plantWithoutNotice(Date(timeIntervalSinceReferenceDate: 1))
            #expect(plant.planted == Date(timeIntervalSinceReferenceDate: 1))
            #expect(!plant.hasChanges)
        }
    }

    @Test("A subclass may override a property and call the inherited one")
    func overriding() throws {
        try Garden.perform { context in
            let tree = Tree(context: context)
            let plant: Plant = tree
            plant.name = "Oak"
            #expect(plant.name == "Oak tree")
            #expect(tree.value(forKey: "name") as? String == "Oak")
        }
    }

    @Test("A protocol's witnesses and key paths reach the accessors")
    func indirect() throws {
        try Garden.perform { context in
            func rename(_ named: inout some Named) { named.name = "Mint" }
            var plant = Plant(context: context)
            rename(&plant)
            #expect(plant[keyPath: \Plant.name] == "Mint")
            plant[keyPath: \.leaves] = 7
            #expect(plant.leaves == 7)
        }
    }

    @Test("Reading a property fires the object's fault")
    func faults() throws {
        try Garden.perform { context in
            let plant = Plant(context: context)
            plant.name = "Sage"
            try context.save()
            context.refresh(plant, mergeChanges: false)
            #expect(plant.isFault)
            #expect(plant.name == "Sage")
            #expect(!plant.isFault)
        }
    }

    @Test("Classes are found with their module, with a dot alone and without either")
    func classNames() throws {
        try Garden.perform { context in
            for (name, expected) in [
                ("Plant", Plant.self), ("Bed", Bed.self), ("Row", Row.self),
                ("Harvest", Harvest.self),
            ] as [(String, NSManagedObject.Type)] {
                let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                #expect(type(of: object) == expected)
            }
        }
    }
}
