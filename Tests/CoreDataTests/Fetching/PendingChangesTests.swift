import CoreData
import SeededRandom
import Testing

@Suite struct PendingChangesTests {
    let stack: TestStack
    /// Saved clocks with the labels a, b, c and d.
    let clocks: [Clock]
    let request = NSFetchRequest<Clock>(entityName: "Clock")

    init() throws {
        stack = try TestStack()
        clocks = ["a", "b", "c", "d"].map(stack.insertClock)
        try stack.context.save()
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
    }

    func labels() throws -> [String?] {
        try stack.context.fetch(request).map(\.label)
    }

    @Test("A pending insertion that matches is a result, in its place")
    func insertion() throws {
        _ = stack.insertClock("bb")
        #expect(try labels() == ["a", "b", "bb", "c", "d"])
        request.predicate = NSPredicate(format: "label BEGINSWITH 'b'")
        #expect(try labels() == ["b", "bb"])
    }

    @Test("A pending deletion is not a result")
    func deletion() throws {
        stack.context.delete(clocks[1])
        #expect(try labels() == ["a", "c", "d"])
    }

    @Test("A pending change is tested again, both ways")
    func update() throws {
        clocks[0].label = "x"
        request.predicate = NSPredicate(format: "label == 'x'")
        #expect(try labels() == ["x"])
        request.predicate = NSPredicate(format: "label == 'a'")
        #expect(try labels() == [])
        request.predicate = nil
        #expect(try labels() == ["b", "c", "d", "x"])
    }

    @Test("Limit and offset apply to the whole")
    func window() throws {
        _ = stack.insertClock("0")
        stack.context.delete(clocks[2])
        request.fetchLimit = 2
        #expect(try labels() == ["0", "a"])
        request.fetchOffset = 2
        #expect(try labels() == ["b", "d"])
        #expect(try stack.context.count(for: request) == 2)
    }

    @Test("A count includes pending changes")
    func count() throws {
        _ = stack.insertClock("e")
        stack.context.delete(clocks[0])
        stack.context.delete(clocks[1])
        #expect(try stack.context.count(for: request) == 3)
        request.includesPendingChanges = false
        #expect(try stack.context.count(for: request) == 4)
    }

    @Test("Without pending changes membership is the store's, and values are those in memory")
    func withoutPendingChanges() throws {
        clocks[0].label = "x"
        _ = stack.insertClock("e")
        request.includesPendingChanges = false
        request.predicate = NSPredicate(format: "label == 'a'")
        #expect(try labels() == ["x"])
    }

    @Test("IDs include those of unsaved objects, which are temporary")
    func objectIDs() throws {
        let new = stack.insertClock("e")
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Clock")
        request.resultType = .managedObjectIDResultType
        let objectIDs = try stack.context.fetch(request)
        #expect(Set(objectIDs) == Set((clocks + [new]).map(\.objectID)))
        #expect(objectIDs.filter(\.isTemporaryID) == [new.objectID])
    }

    @Test("Dictionaries are those of the store")
    func dictionaries() throws {
        _ = stack.insertClock("e")
        clocks[0].label = "x"
        let request = NSFetchRequest<NSDictionary>(entityName: "Clock")
        request.resultType = .dictionaryResultType
        let labels = try stack.context.fetch(request).compactMap { $0["label"] as? String }
        #expect(labels.sorted() == ["a", "b", "c", "d"])
    }

    @Test("The overlay respects includesSubentities")
    func subentities() throws {
        stack.insert("AlarmClock").setValue("e", forKey: "label")
        #expect(try labels().count == 5)
        request.includesSubentities = false
        #expect(try labels().count == 4)
    }

    @Test("Changes of other entities leave the request unchanged")
    func otherEntities() throws {
        _ = stack.insertFolder()
        request.fetchLimit = 2
        stack.database.clearCalls()
        _ = try stack.context.fetch(request)
        let sent = stack.database.with { $0.requests.last }
        #expect((sent as? NSFetchRequest<any NSFetchRequestResult>)?.fetchLimit == 2)
    }

    @Test("With pending changes the store gets a limit that allows for results that may drop out")
    func sentRequest() throws {
        _ = stack.insertClock("e")
        clocks[0].label = "aa"
        stack.context.delete(clocks[1])
        request.fetchLimit = 2
        request.fetchOffset = 1
        _ = try stack.context.fetch(request)
        let sent = stack.database.with { $0.requests.last }
        let fetch = try #require(sent as? NSFetchRequest<any NSFetchRequestResult>)
        #expect(fetch.fetchLimit == 5)
        #expect(fetch.fetchOffset == 0)
        #expect(!fetch.includesPendingChanges)
        #expect(request.fetchLimit == 2)
        #expect(request.includesPendingChanges)
    }

    @Test("Delete rules run before a fetch")
    func propagation() throws {
        let dial = stack.insert("Dial")
        clocks[0].setValue(dial, forKey: "dial")
        try stack.context.save()
        stack.context.delete(clocks[0])
        let dials = NSFetchRequest<NSManagedObject>(entityName: "Dial")
        #expect(try stack.context.fetch(dials).isEmpty)
    }

    @Test("Random changes have the result of filtering and sorting all objects")
    func random() throws {
        let seed = SeededGenerator.seed(from: "CORE_DATA_SEED")
        var random = SeededGenerator(seed: seed)
        func next(_ bound: Int) -> Int {
            Int.random(in: 0..<bound, using: &random)
        }
        var alive = clocks
        for step in 0..<300 {
            switch next(4) {
            case 0: alive.append(stack.insertClock("\(next(50))"))
            case 1 where !alive.isEmpty:
                stack.context.delete(alive.remove(at: next(alive.count)))
            case 2 where !alive.isEmpty: alive[next(alive.count)].label = "\(next(50))"
            default: if next(4) == 0 { try stack.context.save() }
            }
            request.predicate = NSPredicate(format: "label < %@", "\(next(50))")
            request.fetchOffset = next(3)
            request.fetchLimit = next(6)
            let expected = alive.filter { request.predicate?.evaluate(with: $0) ?? true }
                .map { $0.label ?? "" }.sorted().dropFirst(request.fetchOffset)
            let window = request.fetchLimit > 0 ? expected.prefix(request.fetchLimit) : expected
            #expect(try labels() == Array(window), "seed \(seed), step \(step)")
        }
    }
}
