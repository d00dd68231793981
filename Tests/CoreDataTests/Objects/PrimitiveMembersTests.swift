import CoreData
import Testing

extension NSManagedObject {
    /// Apple's pattern for the accessors of an unordered relationship.
    fileprivate func change(
        _ key: String, _ kind: NSKeyValueSetMutationKind, _ objects: Set<NSManagedObject>,
        _ change: (NSMutableSet) -> Void
    ) throws {
        willChangeValue(forKey: key, withSetMutation: kind, using: objects)
        change(try #require(primitiveValue(forKey: key) as? NSMutableSet))
        didChangeValue(forKey: key, withSetMutation: kind, using: objects)
    }

    fileprivate func add(_ objects: Set<NSManagedObject>, to key: String) throws {
        try change(key, .union, objects) { $0.union(objects) }
    }

    fileprivate func remove(_ objects: Set<NSManagedObject>, from key: String) throws {
        try change(key, .minus, objects) { $0.minus(objects) }
    }

    /// Apple's pattern for the accessors of an ordered relationship.
    fileprivate func change(
        _ key: String, _ kind: NSKeyValueChange, at indexes: IndexSet,
        _ change: (NSMutableOrderedSet) -> Void
    ) throws {
        willChange(kind, valuesAt: indexes, forKey: key)
        change(try #require(primitiveValue(forKey: key) as? NSMutableOrderedSet))
        didChange(kind, valuesAt: indexes, forKey: key)
    }

    fileprivate func members(_ key: String) -> Set<NSManagedObject>? {
        value(forKey: key) as? Set<NSManagedObject>
    }

    fileprivate func ordered(_ key: String) -> [NSManagedObject]? {
        (value(forKey: key) as? NSOrderedSet)?.array as? [NSManagedObject]
    }
}

@Suite("The primitive value of a to-many relationship")
struct PrimitiveMembersTests {
    let stack: TestStack
    let context: NSManagedObjectContext

    init() throws {
        stack = try TestStack()
        context = stack.context
    }

    private func object(_ entity: String) -> NSManagedObject { stack.insert(entity) }

    /// The unordered relationships: one to many, many to many, and to the own entity.
    static let relationships = [
        ("Folder", "clocks", "Clock", "folder"), ("Clock", "tags", "Tag", "clocks"),
        ("Folder", "children", "Folder", "parent"),
    ]

    private func make(_ entity: String) -> NSManagedObject {
        let object = object(entity)
        if entity == "Folder" { object.setValue("name", forKey: "name") }
        return object
    }

    private func leads(_ object: NSManagedObject, _ key: String, to owner: NSManagedObject) -> Bool
    {
        switch object.value(forKey: key) {
        case let set as NSSet: set.contains(owner)
        case let destination as NSManagedObject: destination === owner
        default: false
        }
    }

    @Test("Members are added and removed in saved objects", arguments: relationships)
    func unordered(source: String, key: String, destination: String, inverse: String) throws {
        let (owner, one, two) = (make(source), make(destination), make(destination))
        try context.save()
        let recorder = NotificationRecorder(context, [.NSManagedObjectContextObjectsDidChange])
        try owner.add([one, two], to: key)
        #expect(owner.members(key) == [one, two])
        #expect(leads(one, inverse, to: owner) && leads(two, inverse, to: owner))
        #expect(owner.changedValues().keys.sorted() == [key])
        #expect(one.changedValues().keys.sorted() == [inverse])
        #expect((owner.changedValuesForCurrentEvent()[key] as? NSSet)?.count == 0)
        context.processPendingChanges()
        #expect(recorder.objects(NSUpdatedObjectsKey) == [owner, one, two])
        try context.save()
        try owner.remove([one], from: key)
        #expect(owner.members(key) == [two])
        #expect(!leads(one, inverse, to: owner))
        #expect(context.updatedObjects == [owner, one])
        try context.save()
        let reader = stack.newContext()
        let saved = reader.object(with: owner.objectID)
        #expect(saved.members(key)?.map(\.objectID) == [two.objectID])
    }

    @Test("Members that were not read yet are kept", arguments: relationships)
    func unread(source: String, key: String, destination: String, inverse: String) throws {
        let (owner, one, two) = (make(source), make(destination), make(destination))
        try owner.add([one], to: key)
        try context.save()
        let other = stack.newContext()
        let copy = other.object(with: owner.objectID)
        try copy.add([other.object(with: two.objectID)], to: key)
        try other.save()
        let reader = stack.newContext()
        let expected = Set([one, two].map(\.objectID))
        let members = reader.object(with: owner.objectID).members(key)
        #expect(Set((members ?? []).map(\.objectID)) == expected)
        let read = reader.object(with: two.objectID)
        #expect(leads(read, inverse, to: reader.object(with: owner.objectID)))
    }

    @Test("Changes are undone and redone, with their inverses", arguments: relationships)
    func undo(source: String, key: String, destination: String, inverse: String) throws {
        let (owner, one) = (make(source), make(destination))
        try context.save()
        context.undoManager = UndoManager()
        try owner.add([one], to: key)
        context.undo()
        #expect(owner.members(key)?.isEmpty == true)
        #expect(!leads(one, inverse, to: owner))
        #expect(context.updatedObjects.isEmpty)
        context.redo()
        #expect(owner.members(key) == [one])
        #expect(leads(one, inverse, to: owner))
    }

    @Test("A member that had another owner leaves it")
    func otherOwner() throws {
        let (first, second, clock) = (make("Folder"), make("Folder"), make("Clock"))
        try first.add([clock], to: "clocks")
        try second.add([clock], to: "clocks")
        #expect(first.members("clocks")?.isEmpty == true)
        #expect(second.members("clocks") == [clock])
        #expect(clock.value(forKey: "folder") as? NSManagedObject === second)
    }

    @Test("All members are replaced by a primitive set, and others removed by an intersection")
    func replacement() throws {
        let folder = make("Folder")
        let clocks = [make("Clock"), make("Clock"), make("Clock")]
        try folder.change("clocks", .set, [clocks[0], clocks[1]]) {
            $0.setSet([clocks[0], clocks[1]])
        }
        #expect(folder.members("clocks") == [clocks[0], clocks[1]])
        try folder.change("clocks", .intersect, [clocks[1]]) { $0.intersect([clocks[1]]) }
        #expect(clocks.map { leads($0, "folder", to: folder) } == [false, true, false])
        folder.willChangeValue(forKey: "clocks")
        folder.setPrimitiveValue(NSMutableSet(array: [clocks[2]]), forKey: "clocks")
        folder.didChangeValue(forKey: "clocks")
        #expect(clocks.map { leads($0, "folder", to: folder) } == [false, false, true])
        try folder.change("clocks", .set, []) { $0.removeAllObjects() }
        #expect(clocks[2].value(forKey: "folder") == nil)
    }

    @Test("Without an announcement a primitive set changes the value alone")
    func withoutAnnouncement() throws {
        let (folder, clock) = (make("Folder"), make("Clock"))
        try context.save()
        let members = try #require(folder.primitiveValue(forKey: "clocks") as? NSMutableSet)
        members.add(clock)
        #expect(folder.members("clocks") == [clock])
        #expect(clock.value(forKey: "folder") == nil)
        #expect(!context.hasChanges)
    }

    @Test("Announcements may be nested, and a fetch may come between")
    func nested() throws {
        let (folder, one, two, three) = (
            make("Folder"), make("Clock"), make("Clock"), make("Clock")
        )
        try context.save()
        folder.willChangeValue(forKey: "clocks")
        (folder.primitiveValue(forKey: "clocks") as? NSMutableSet)?.add(one)
        try folder.add([two], to: "clocks")
        _ = try stack.clocks(in: context)
        (folder.primitiveValue(forKey: "clocks") as? NSMutableSet)?.add(three)
        folder.didChangeValue(forKey: "clocks")
        for clock in [one, two, three] { #expect(leads(clock, "folder", to: folder)) }
        try context.save()
        let reader = stack.newContext()
        let saved = reader.object(with: folder.objectID)
        #expect(saved.members("clocks")?.count == 3)
    }

    @Test("Members are inserted, moved, replaced and removed in order")
    func ordered() throws {
        let folder = make("Folder")
        let stops = (0..<4).map { _ in make("Stop") }
        try context.save()
        try folder.change("stops", .insertion, at: [0, 1]) {
            $0.insert([stops[1], stops[2]], at: [0, 1])
        }
        try folder.change("stops", .insertion, at: [0]) { $0.insert(stops[0], at: 0) }
        #expect(folder.ordered("stops") == Array(stops[0...2]))
        for stop in stops[0...2] { #expect(leads(stop, "folder", to: folder)) }
        #expect(context.updatedObjects == Set(stops[0...2] + [folder]))
        try context.save()
        context.undoManager = UndoManager()
        try folder.change("stops", .replacement, at: [1]) {
            $0.replaceObject(at: 1, with: stops[3])
        }
        #expect(folder.ordered("stops") == [stops[0], stops[3], stops[2]])
        #expect(leads(stops[3], "folder", to: folder) && !leads(stops[1], "folder", to: folder))
        context.processPendingChanges()
        try folder.change("stops", .setting, at: []) { $0.moveObjects(at: [0], to: 2) }
        try folder.change("stops", .removal, at: [1]) { $0.removeObjects(at: [1]) }
        #expect(folder.ordered("stops") == [stops[3], stops[0]])
        #expect(!leads(stops[2], "folder", to: folder))
        context.undo()
        #expect(folder.ordered("stops") == Array(stops[0...2]))
        context.redo()
        #expect(folder.ordered("stops") == [stops[3], stops[0]])
        try context.save()
        let reader = stack.newContext()
        let saved = reader.object(with: folder.objectID)
        #expect(
            saved.objectIDs(forRelationshipNamed: "stops") == [
                stops[3].objectID, stops[0].objectID,
            ])
    }

    @Test("A move alone is a change, and no change of the members")
    func move() throws {
        let folder = make("Folder")
        let stops = [make("Stop"), make("Stop")]
        try folder.change("stops", .insertion, at: [0, 1]) { $0.addObjects(from: stops) }
        try context.save()
        try folder.change("stops", .setting, at: [0, 1]) {
            $0.exchangeObject(at: 0, withObjectAt: 1)
        }
        #expect(context.updatedObjects == [folder])
        try context.save()
        let reader = stack.newContext()
        let saved = reader.object(with: folder.objectID)
        #expect(saved.objectIDs(forRelationshipNamed: "stops") == stops.reversed().map(\.objectID))
    }

    @Test("An object of another context is refused")
    func otherContext() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            let clock = Clock(context: stack.newContext())
            try stack.insertFolder().add([clock], to: "clocks")
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            let (clock, folder) = (Clock(context: stack.newContext()), stack.insertFolder())
            clock.willChangeValue(forKey: "folder")
            clock.setPrimitiveValue(folder, forKey: "folder")
            clock.didChangeValue(forKey: "folder")
        }
    }

    @Test("Thousands of objects can be added one by one")
    func longRelationship() throws {
        let folder = make("Folder")
        for _ in 0..<5000 { try folder.add([make("Clock")], to: "clocks") }
        #expect(folder.members("clocks")?.count == 5000)
    }
}
