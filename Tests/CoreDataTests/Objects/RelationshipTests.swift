import CoreData
import Testing

@Suite struct RelationshipTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    func clocks(of folder: NSManagedObject) -> Set<Clock>? {
        folder.value(forKey: "clocks") as? Set<Clock>
    }

    @Test("Setting a to-one adds to the to-many on the other side")
    func toOneToMany() {
        let (clock, folder) = (stack.insertClock(), stack.insertFolder())
        clock.folder = folder
        #expect(clocks(of: folder) == [clock])
    }

    @Test("Moving an object removes it from the old to-many")
    func move() {
        let clock = stack.insertClock()
        let (old, new) = (stack.insertFolder("old"), stack.insertFolder("new"))
        clock.folder = old
        clock.folder = new
        #expect(clocks(of: old) == [])
        #expect(clocks(of: new) == [clock])
    }

    @Test("Setting a to-many sets the to-one on the other side, and clears the dropped ones")
    func toManySetsToOne() {
        let folder = stack.insertFolder()
        let (first, second) = (stack.insertClock("1"), stack.insertClock("2"))
        folder.setValue(Set([first]), forKey: "clocks")
        #expect(first.folder === folder)
        folder.setValue(NSSet(array: [second]), forKey: "clocks")
        #expect(first.folder == nil)
        #expect(second.folder === folder)
        folder.setValue(nil, forKey: "clocks")
        #expect(second.folder == nil)
    }

    @Test("Taking objects from another owner's to-many removes them from that owner")
    func steal() {
        let clock = stack.insertClock()
        let (old, new) = (stack.insertFolder("old"), stack.insertFolder("new"))
        old.setValue(Set([clock]), forKey: "clocks")
        new.setValue(Set([clock]), forKey: "clocks")
        #expect(clocks(of: old) == [])
        #expect(clock.folder === new)
    }

    @Test("A one-to-one keeps three sides consistent")
    func oneToOne() {
        let (first, second) = (stack.insertClock("1"), stack.insertClock("2"))
        let dial = stack.insert("Dial")
        first.setValue(dial, forKey: "dial")
        #expect(dial.value(forKey: "clock") as? Clock === first)
        second.setValue(dial, forKey: "dial")
        #expect(first.value(forKey: "dial") == nil)
        #expect(dial.value(forKey: "clock") as? Clock === second)
        dial.setValue(nil, forKey: "clock")
        #expect(second.value(forKey: "dial") == nil)
    }

    @Test("A many-to-many is kept on both sides")
    func manyToMany() {
        let (first, second) = (stack.insertClock("1"), stack.insertClock("2"))
        let tag = stack.insert("Tag")
        tag.setValue(Set([first, second]), forKey: "clocks")
        #expect((first.value(forKey: "tags") as? Set<NSManagedObject>) == [tag])
        first.mutableSetValue(forKey: "tags").remove(tag)
        #expect(tag.value(forKey: "clocks") as? Set<Clock> == [second])
    }

    @Test("A relationship to the same entity is kept on both sides")
    func selfReference() {
        let (root, leaf) = (stack.insertFolder("root"), stack.insertFolder("leaf"))
        leaf.setValue(root, forKey: "parent")
        #expect((root.value(forKey: "children") as? Set<NSManagedObject>) == [leaf])
    }

    @Test("A to-one accepts objects of a subentity")
    func subentity() {
        let folder = stack.insertFolder()
        let alarm = stack.insert("AlarmClock")
        folder.mutableSetValue(forKey: "clocks").add(alarm)
        #expect(alarm.value(forKey: "folder") as? NSManagedObject === folder)
    }

    @Test("An ordered relationship keeps its order through a save")
    func ordered() throws {
        let folder = stack.insertFolder()
        let stops = (0..<5).map { index in
            let stop = stack.insert("Stop")
            stop.setValue("\(index)", forKey: "title")
            return stop
        }
        folder.setValue(NSOrderedSet(array: stops.reversed()), forKey: "stops")
        try stack.context.save()
        let context = stack.newContext()
        let copy = context.object(with: folder.objectID)
        let titles = (copy.value(forKey: "stops") as? NSOrderedSet)?.array.map {
            ($0 as? NSManagedObject)?.value(forKey: "title") as? String
        }
        #expect(titles == ["4", "3", "2", "1", "0"])
    }

    @Test("A mutable ordered set inserts, moves and removes")
    func mutableOrderedSet() {
        let folder = stack.insertFolder()
        let stops = (0..<4).map { _ in stack.insert("Stop") }
        let ordered = folder.mutableOrderedSetValue(forKey: "stops")
        ordered.addObjects(from: [stops[0], stops[1]])
        ordered.insert(stops[2], at: 0)
        #expect(ordered.array.map { $0 as? NSManagedObject } == [stops[2], stops[0], stops[1]])
        ordered.moveObjects(at: IndexSet(integer: 2), to: 0)
        ordered.remove(stops[0])
        ordered.replaceObject(at: 0, with: stops[3])
        let value = folder.value(forKey: "stops") as? NSOrderedSet
        #expect(value?.array.map { $0 as? NSManagedObject } == [stops[3], stops[2]])
        #expect(stops[3].value(forKey: "folder") as? NSManagedObject === folder)
        #expect(stops[1].value(forKey: "folder") == nil)
    }

    @Test("A new inverse goes to the end of an ordered relationship")
    func orderedInverse() {
        let folder = stack.insertFolder()
        let stops = (0..<3).map { _ in stack.insert("Stop") }
        for stop in stops { stop.setValue(folder, forKey: "folder") }
        let value = folder.value(forKey: "stops") as? NSOrderedSet
        #expect(value?.array.map { $0 as? NSManagedObject } == stops)
    }

    @Test("A mutable set reads and writes the relationship")
    func mutableSet() {
        let folder = stack.insertFolder()
        let (first, second) = (stack.insertClock("1"), stack.insertClock("2"))
        let set = folder.mutableSetValue(forKey: "clocks")
        set.add(first)
        second.folder = folder
        #expect(set.count == 2)
        #expect(set.contains(second))
        #expect(Set(set.allObjects.compactMap { $0 as? Clock }) == [first, second])
        set.removeAllObjects()
        #expect(first.folder == nil && second.folder == nil)
    }

    @Test("A relationship can be read as Set, NSSet and through a key path")
    func forms() {
        let folder = stack.insertFolder("Home")
        let clock = stack.insertClock("noon")
        clock.folder = folder
        #expect(folder.value(forKey: "clocks") is NSSet)
        #expect((folder.value(forKey: "clocks") as? Set<NSManagedObject>)?.count == 1)
        #expect(clock.value(forKeyPath: "folder.name") as? String == "Home")
        #expect(folder.value(forKeyPath: "clocks.@count") as? Int == 1)
        #expect(folder.value(forKeyPath: "clocks.@sum.position") as? Int == 7)
        clock.setValue("Away", forKeyPath: "folder.name")
        #expect(folder.value(forKey: "name") as? String == "Away")
    }

    @Test("Adding through the inverse does not read a to-many that is a fault")
    func lazyInverse() throws {
        let folder = stack.insertFolder()
        stack.insertClock("old").folder = folder
        try stack.context.save()
        let context = stack.newContext()
        let copy = context.object(with: folder.objectID)
        let clock = Clock(context: context)
        stack.database.clearCalls()
        clock.folder = copy
        #expect(stack.database.calls.isEmpty)
        #expect(copy.hasFault(forRelationshipNamed: "clocks"))
        #expect(clocks(of: copy)?.count == 2)
        clock.folder = nil
        #expect(clocks(of: copy)?.count == 1)
    }

    @Test("The IDs of destinations are available without reading the objects' values")
    func objectIDs() throws {
        let folder = stack.insertFolder()
        let clock = stack.insertClock()
        clock.folder = folder
        try stack.context.save()
        let context = stack.newContext()
        let copy = context.object(with: clock.objectID)
        #expect(copy.objectIDs(forRelationshipNamed: "folder") == [folder.objectID])
        let other = context.object(with: folder.objectID)
        #expect(other.objectIDs(forRelationshipNamed: "clocks") == [clock.objectID])
        #expect(other.objectIDs(forRelationshipNamed: "parent").isEmpty)
    }

    @Test("Objects of different contexts cannot be related")
    func otherContext() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            let clock = Clock(context: stack.newContext())
            clock.folder = stack.insertFolder()
        }
    }

    @Test("An object of a wrong entity is refused")
    func wrongEntity() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.insertClock().setValue(stack.insert("Tag"), forKey: "folder")
        }
    }

    @Test("A single object for a to-many is refused")
    func singleObjectForToMany() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.insertFolder().setValue(stack.insertClock(), forKey: "clocks")
        }
    }

    @Test("A primitive relationship between willChange and didChange keeps the inverse")
    func primitiveRelationship() {
        let (clock, folder) = (stack.insertClock(), stack.insertFolder())
        clock.willChangeValue(forKey: "folder")
        clock.setPrimitiveValue(folder, forKey: "folder")
        clock.didChangeValue(forKey: "folder")
        #expect(clocks(of: folder) == [clock])
        folder.willChangeValue(
            forKey: "clocks", withSetMutation: .minus, using: Set<NSManagedObject>([clock]))
        folder.setPrimitiveValue(Set<NSManagedObject>(), forKey: "clocks")
        folder.didChangeValue(
            forKey: "clocks", withSetMutation: .minus, using: Set<NSManagedObject>([clock]))
        #expect(clock.folder == nil)
    }
}
