import CoreData
import SeededRandom
import Testing

/// Insertions and removals anywhere in a large ordered relationship.
@Suite("Changes of an ordered relationship through its set") struct OrderedSetChangeTests {
    private func makeModel() -> NSManagedObjectModel {
        let (list, entry) = (NSEntityDescription(), NSEntityDescription())
        (list.name, entry.name) = ("List", "Entry")
        let number = NSAttributeDescription()
        number.name = "number"
        number.attributeType = .integer64AttributeType
        number.isOptional = true
        let (entries, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (entries.name, owner.name) = ("entries", "list")
        (entries.destinationEntity, owner.destinationEntity) = (entry, list)
        (entries.inverseRelationship, owner.inverseRelationship) = (owner, entries)
        (entries.isOrdered, entries.maxCount, owner.maxCount) = (true, 0, 1)
        (entries.isOptional, owner.isOptional) = (true, true)
        (list.properties, entry.properties) = ([entries], [number, owner])
        let model = NSManagedObjectModel()
        model.entities = [list, entry]
        return model
    }

    private func makeContext() throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel())
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func object(_ entity: String, in context: NSManagedObjectContext) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }

    private func members(of list: NSManagedObject) -> [NSManagedObject] {
        list.mutableOrderedSetValue(forKey: "entries").array.compactMap { $0 as? NSManagedObject }
    }

    @Test("Random changes have the same result as on an array")
    func randomChanges() throws {
        let context = try makeContext()
        try context.performAndWait {
            let list = object("List", in: context)
            var expected: [NSManagedObject] = []
            let seed = SeededGenerator.seed(from: "CORE_DATA_SEED")
            var numbers = SeededGenerator(seed: seed)
            func random(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }
            for step in 0..<300 {
                let set = list.mutableOrderedSetValue(forKey: "entries")
                let place = random(expected.count + 1)
                switch random(6) {
                case 0 where !expected.isEmpty:
                    set.remove(expected.remove(at: place % expected.count))
                case 1 where !expected.isEmpty:
                    let member = expected[place % expected.count]
                    #expect(set.index(of: member) == place % expected.count, "seed \(seed)")
                    member.setValue(nil, forKey: "list")
                    expected.removeAll { $0 === member }
                case 2:
                    let entry = object("Entry", in: context)
                    entry.setValue(list, forKey: "list")
                    expected.append(entry)
                default:
                    let entry = object("Entry", in: context)
                    set.insert(entry, at: place)
                    expected.insert(entry, at: place)
                }
                if step % 10 == 0 { context.processPendingChanges() }
                if step % 50 == 0 { try context.save() }
                #expect(members(of: list) == expected, "seed \(seed), step \(step)")
                #expect(
                    (list.value(forKey: "entries") as? NSOrderedSet)?.array as? [NSManagedObject]
                        == expected, "seed \(seed), step \(step)")
            }
        }
    }

    @Test("A set that was left behind by another change does not hide that")
    func setLeftBehind() throws {
        let context = try makeContext()
        context.performAndWait {
            let list = object("List", in: context)
            let old = list.mutableOrderedSetValue(forKey: "entries")
            let (first, second) = (object("Entry", in: context), object("Entry", in: context))
            first.setValue(list, forKey: "list")
            old.insert(second, at: 0)
            #expect(members(of: list) == [second, first])
        }
    }
}
