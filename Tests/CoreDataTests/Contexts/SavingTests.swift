import CoreData
import Testing

@Suite struct SavingTests {
    @Test("A new object is saved and fetched by another context")
    func insertSaveFetch() throws {
        let stack = try TestStack()
        let folder = stack.insertFolder("Home")
        let clock = stack.insertClock("noon")
        clock.folder = folder
        try stack.context.save()
        let other = stack.newContext()
        let fetched = try #require(try stack.clocks(in: other).first)
        #expect(fetched !== clock)
        #expect(fetched.label == "noon")
        #expect(fetched.folder?.value(forKey: "name") as? String == "Home")
        #expect(fetched.folder?.value(forKey: "clocks") as? Set<Clock> == [fetched])
    }

    @Test("A save asks for permanent IDs, executes, and registers the IDs, in this order")
    func saveOrder() throws {
        let stack = try TestStack()
        _ = stack.insertClock("a")
        _ = stack.insertClock("b")
        stack.database.clearCalls()
        try stack.context.save()
        #expect(stack.database.calls == ["permanentIDs 2", "save 2 0 0 0", "register 2"])
    }

    @Test("A save of many objects writes each, in whatever order they were changed")
    func manyObjects() throws {
        let stack = try TestStack()
        let clocks = (0..<600).map { stack.insertClock("\($0)") }
        try stack.context.save()
        for (index, clock) in clocks.enumerated().reversed() { clock.position = index }
        stack.context.processPendingChanges()
        #expect(stack.context.updatedObjects == Set(clocks))
        for clock in clocks[..<100] { stack.context.delete(clock) }
        #expect(stack.context.updatedObjects == Set(clocks[100...]))
        try stack.context.save()
        #expect(!stack.context.hasChanges)
        let other = stack.newContext()
        try withExtendedLifetime(other) {
            let saved = try stack.clocks(in: other)
            #expect(saved.map(\.position).sorted() == Array(100..<600))
            #expect(saved.allSatisfy { $0.label == "\($0.position)" })
        }
    }

    @Test("A save without changes sends an empty save request")
    func emptySave() throws {
        let stack = try TestStack()
        stack.database.clearCalls()
        try stack.context.save()
        #expect(stack.database.calls == ["save 0 0 0 0"])
    }
}
