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

    @Test("A save without changes sends an empty save request")
    func emptySave() throws {
        let stack = try TestStack()
        stack.database.clearCalls()
        try stack.context.save()
        #expect(stack.database.calls == ["save 0 0 0 0"])
    }
}
