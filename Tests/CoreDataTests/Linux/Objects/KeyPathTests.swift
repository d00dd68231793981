import CoreData
import Testing

extension Clock {
    fileprivate var isFirst: Bool { !(label ?? "").isEmpty && position == 1 }
    fileprivate var loudLabel: String? { label?.uppercased() }
    fileprivate var clockFolder: NSManagedObject? { folder }
    fileprivate var firstOfTwo: String? { label ?? note }
}

/// A class that no model has.
private final class Leaflet: NSManagedObject {
    enum Kind: Int16 {
        case plain = 7
        case fancy
    }

    var title: String? { value(forKey: "title") as? String }
    // Written as apps write it.
    // swift-format-ignore: NeverForceUnwrap
    var name: String { value(forKey: "name") as! String }
    var copies: Int64 { value(forKey: "copies") as? Int64 ?? 0 }
    var price: Decimal { value(forKey: "price") as? Decimal ?? 0 }
    var printed: Date? { primitiveValue(forKey: "printed") as? Date }
    var next: Leaflet? { _managedObject(forKey: "next") }
    var pages: Set<Leaflet> { _managedObject(forKey: "pages") ?? [] }
    var kind: Kind {
        _managedEnumeration(forKey: "kind") { Kind(rawValue: $0.int16Value) }
    }
    var weight: Double { _managedFloatingPoint(forKey: "weight") ?? 0 }
    var loudName: String { name.uppercased() }
    var isPrinted: Bool { printed != nil && copies > 0 }
}

@Suite("A Swift key path") struct KeyPathTests {
    private let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    @Test("stands for the key that its accessor asks for")
    func keys() {
        #expect(NSSortDescriptor(keyPath: \Clock.label, ascending: true).key == "label")
        #expect(NSSortDescriptor(keyPath: \Clock.position, ascending: true).key == "position")
        #expect(NSSortDescriptor(keyPath: \Clock.folder, ascending: true).key == "folder")
        #expect(NSSortDescriptor(keyPath: \AlarmClock.note, ascending: true).key == "note")
        #expect(NSExpression(forKeyPath: \Clock.label).keyPath == "label")
        #expect(NSExpression(forKeyPath: \Clock.clockFolder).keyPath == "folder")
    }

    @Test("stands for its key before a model with the class is in use")
    func withoutModel() {
        #expect(NSExpression(forKeyPath: \Leaflet.title).keyPath == "title")
        #expect(NSExpression(forKeyPath: \Leaflet.name).keyPath == "name")
        #expect(NSExpression(forKeyPath: \Leaflet.next?.name).keyPath == "next.name")
        #expect(NSSortDescriptor(keyPath: \Leaflet.copies, ascending: true).key == "copies")
        #expect(NSSortDescriptor(keyPath: \Leaflet.price, ascending: true).key == "price")
        #expect(NSSortDescriptor(keyPath: \Leaflet.printed, ascending: true).key == "printed")
        #expect(NSSortDescriptor(keyPath: \Leaflet.weight, ascending: true).key == "weight")
        #expect(NSSortDescriptor(keyPath: \Leaflet.kind, ascending: true).key == "kind")
        #expect(NSExpression(forKeyPath: \Leaflet.next).keyPath == "next")
        #expect(NSExpression(forKeyPath: \Leaflet.pages).keyPath == "pages")
        #expect(NSSortDescriptor(keyPath: \Leaflet.loudName, ascending: true).key == nil)
        #expect(NSSortDescriptor(keyPath: \Leaflet.isPrinted, ascending: true).key == nil)
    }

    @Test("has its key as a string, under the name that builders of predicates ask for")
    func keyPathString() {
        #expect((\Clock.label)._kvcKeyPathString == "label")
        #expect((\Clock.folder as AnyKeyPath)._kvcKeyPathString == "folder")
        #expect((\Leaflet.name as PartialKeyPath<Leaflet>)._kvcKeyPathString == "name")
        #expect((\Clock.loudLabel)._kvcKeyPathString == nil)
        #expect((\String.count)._kvcKeyPathString == nil)
    }

    private final class Drawer: NSObject {
        var label = ""
        var width: Int?
        var area: Int { 2 * (width ?? 0) }
    }

    @Test(
        "to a stored property of a final class has its name as a string, which is not a key to sort by"
    )
    func storedProperties() {
        #expect((\Drawer.label)._kvcKeyPathString == "label")
        #expect((\Drawer.width as AnyKeyPath)._kvcKeyPathString == "width")
        #expect(NSExpression(forKeyPath: \Drawer.width).keyPath == "width")
        #expect((\Drawer.area)._kvcKeyPathString == nil)
        #expect((\Drawer.label.count)._kvcKeyPathString == nil)
        #expect(NSSortDescriptor(keyPath: \Drawer.label, ascending: true).key == nil)
    }

    @Test("to what is computed stands for no key")
    func computed() {
        #expect(NSSortDescriptor(keyPath: \Clock.loudLabel, ascending: true).key == nil)
        #expect(NSSortDescriptor(keyPath: \Clock.isFirst, ascending: true).key == nil)
        #expect(NSSortDescriptor(keyPath: \Clock.log.count, ascending: true).key == nil)
    }

    @Test("sorts a fetch, by optional and by Boolean values as well")
    func sorting() throws {
        for (label, position) in [("b", 1), ("a", 3), ("c", 2)] {
            let clock = stack.insertClock(label)
            clock.position = position
        }
        _ = stack.insertClock(nil)
        try stack.context.save()
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Clock.label, ascending: false)]
        #expect(try stack.context.fetch(request).map(\.label) == ["c", "b", "a", nil])
        let clocks = try stack.context.fetch(request) as NSArray
        let byFirst = clocks.sortedArray(using: [
            NSSortDescriptor(keyPath: \Clock.isFirst, ascending: false),
            NSSortDescriptor(keyPath: \Clock.loudLabel, ascending: true),
        ])
        #expect(byFirst.compactMap { ($0 as? Clock)?.label } == ["b", "a", "c"])
    }

    @Test("sorts a fetch of a store in memory, whether it stands for a key or not")
    func sortingInMemory() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        for (label, position) in [("b", 1), ("a", 3), ("c", 2)] {
            let clock = Clock(context: context)
            clock.label = label
            clock.position = position
        }
        try context.save()
        for isReset in [false, true] {
            if isReset { context.reset() }
            let request = NSFetchRequest<Clock>(entityName: "Clock")
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Clock.position, ascending: false)]
            #expect(try context.fetch(request).map(\.label) == ["a", "c", "b"])
            request.sortDescriptors = [
                NSSortDescriptor(keyPath: \Clock.isFirst, ascending: false),
                NSSortDescriptor(keyPath: \Clock.loudLabel, ascending: true),
            ]
            #expect(try context.fetch(request).map(\.label) == ["b", "a", "c"])
            request.fetchLimit = 2
            #expect(try context.fetch(request).map(\.label) == ["b", "a"])
        }
    }

    @Test("that stands for no key makes no expression, and the reason says so")
    func expression() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = NSExpression(forKeyPath: \String.count)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("stands for no key"))
    }

    @Test("A request that is used as one of another result type fetches and counts")
    func requestOfAnotherType() throws {
        let clock = stack.insertClock("a")
        try stack.context.save()
        let typed = NSFetchRequest<Clock>(entityName: "Clock")
        let request = unsafeBitCast(typed, to: NSFetchRequest<any NSFetchRequestResult>.self)
        #expect(try stack.context.fetch(request).first === clock)
        #expect(try stack.context.count(for: request) == 1)
        request.fetchLimit = 7
        #expect(typed.fetchLimit == 7)
        #expect(NSBatchDeleteRequest(fetchRequest: request).fetchRequest.fetchLimit == 7)
        let back = unsafeBitCast(request, to: NSFetchRequest<NSManagedObject>.self)
        #expect(try stack.context.fetch(back) == [clock])
    }

    @Test("A request without a type returns results of the protocol")
    func untypedFetch() throws {
        let clock = stack.insertClock("a")
        try stack.context.save()
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Clock")
        let results: [any NSFetchRequestResult] = try stack.context.fetch(request)
        #expect(results.first === clock)
        let anything = try stack.context.fetch(request)
        #expect(anything.count == 1)
    }
}
