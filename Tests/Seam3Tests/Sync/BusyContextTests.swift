import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A context whose queue is busy while its store syncs") struct BusyContextTests {
    @Test("shows the values of an object that was deleted and made again meanwhile")
    func madeAgain() async throws {
        let cloud = LocalCloud.inMemory()
        let tag = NSEntityDescription(
            "Tag",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("color", .stringAttributeType),
            ])
        tag.userInfo = ["SMNaturalKey": "name"]
        let model = NSManagedObjectModel(tag)
        let (a, b) = (
            try Device("a", on: cloud, model: model), try Device("b", on: cloud, model: model)
        )
        try a.add("Tag", ["name": "work", "color": "red"])
        try await Device.settle(a, b)
        let context = b.container.newBackgroundContext()
        nonisolated(unsafe) let shown = try await context.perform {
            context.automaticallyMergesChangesFromParent = true
            let tag = try #require(Device.all("Tag", in: context).first)
            #expect(tag.value(forKey: "color") as? String == "red")
            return tag
        }
        let gate = DispatchSemaphore(value: 0)
        Self.block(context, at: gate)
        try a.deleteAll("Tag")
        try await a.store.sync()
        try await b.store.sync()
        try a.add("Tag", ["name": "work", "color": "blue"])
        try await a.store.sync()
        try await b.store.sync()
        gate.signal()
        await context.perform {
            #expect(!shown.isDeleted)
            #expect(shown.value(forKey: "color") as? String == "blue")
        }
    }

    private static func block(_ context: NSManagedObjectContext, at gate: DispatchSemaphore) {
        context.perform { gate.wait() }
    }
}
