import CoreData
import Testing

@Suite("To-many accessors marked @NSManaged")
struct ToManyAccessorTests {
    @Test("Objects are added and removed one by one, with their inverses")
    func single() throws {
        try Garden.perform { context in
            let bed = Bed(context: context)
            let plant = Plant(context: context)
            bed.addToPlants(plant)
            #expect(bed.plants == NSSet(object: plant))
            #expect(plant.bed === bed)
            bed.removeFromPlants(plant)
            #expect(bed.plants?.count == 0)
            #expect(plant.bed == nil)
        }
    }

    @Test("Objects are added and removed as a set")
    func sets() throws {
        try Garden.perform { context in
            let bed = Bed(context: context)
            let plants = [Plant(context: context), Plant(context: context)]
            bed.addToPlants(NSSet(array: plants))
            #expect(bed.plants?.count == 2)
            bed.removeFromPlants(NSSet(object: plants[0]))
            #expect(bed.plants == NSSet(object: plants[1]))
        }
    }

    @Test("Custom accessors change a relationship through its primitive property")
    func primitive() throws {
        try Garden.perform { context in
            let bed = Bed(context: context)
            let plants: Set = [Plant(context: context), Plant(context: context)]
            bed.plant(plants)
            #expect(bed.plants as? Set<Plant> == plants)
            #expect(plants.allSatisfy { $0.bed === bed })
            let rows = [Row(context: context), Row(context: context)]
            for row in rows { bed.dig(row) }
            #expect(bed.rows?.array as? [Row] == rows.reversed())
            #expect(rows.allSatisfy { $0.bed === bed })
        }
    }

    @Test("Accessors may accept Swift sets")
    func swiftSets() throws {
        try Garden.perform { context in
            let plant = Plant(context: context)
            let harvests: Set = [Harvest(context: context), Harvest(context: context)]
            plant.addToHarvests(harvests)
            #expect(plant.harvests == harvests)
            plant.removeFromHarvests(harvests as NSSet)
            plant.addToHarvests(Harvest(context: context))
            #expect(plant.harvests.count == 1)
        }
    }

    @Test("An ordered relationship is changed by index")
    func ordered() throws {
        try Garden.perform { context in
            let bed = Bed(context: context)
            let rows = (0..<4).map { number in
                let row = Row(context: context)
                row.number = Int32(number)
                return row
            }
            func numbers() -> [Int32]? { (bed.rows?.array as? [Row])?.map(\.number) }
            bed.addToRows(rows[0])
            bed.insertIntoRows(rows[1], at: 0)
            #expect(numbers() == [1, 0])
            bed.insertIntoRows([rows[2], rows[3]], at: NSIndexSet(indexesIn: NSRange(1..<3)))
            #expect(numbers() == [1, 2, 3, 0])
            bed.removeFromRows(at: 1)
            #expect(numbers() == [1, 3, 0])
            bed.replaceRows(at: 1, with: rows[2])
            #expect(numbers() == [1, 2, 0])
            #expect(rows[3].bed == nil)
            bed.removeFromRows(at: NSIndexSet(indexesIn: NSRange(0..<2)))
            #expect(numbers() == [0])
            bed.replaceRows(at: NSIndexSet(index: 0), with: [rows[3]])
            bed.addToRows(NSOrderedSet(array: [rows[1], rows[2]]))
            #expect(numbers() == [3, 1, 2])
            bed.removeFromRows(rows[1])
            bed.removeFromRows(NSOrderedSet(object: rows[3]))
            #expect(numbers() == [2])
        }
    }
}
