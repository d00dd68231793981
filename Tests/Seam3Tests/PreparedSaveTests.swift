import CoreData
import Seam3
import Testing

@Suite("A save that is being prepared", .tags(.twoProcesses)) struct PreparedSaveTests {
    private static func model() -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription(
                "Item", ["name", "note"].map { NSAttributeDescription($0, .stringAttributeType) }))
    }

    @Test("learns what another process has saved since a fetch found the object's row again")
    func savedSince() throws {
        let folder = try TestFolder()
        let stack = try StoreStack(at: folder.store, model: Self.model())
        let other = try StoreStack(at: folder.store, model: Self.model())
        try stack.add("Item", "a")
        try stack.perform { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let item = try #require(try Device.all("Item", in: context).first)
            #expect(item.value(forKey: "name") as? String == "a")
            item.setValue("b", forKey: "name")
            // The context keeps the object's values, and asks for the row first when it saves.
            _ = try Device.all("Item", in: context)
            try other.perform { context in
                try Device.all("Item", in: context).first?.setValue("new", forKey: "note")
                try context.save()
            }
            let note = try #require(item.entity.attributesByName["note"])
            let node = try stack.store.newValuesForObject(with: item.objectID, with: context)
            #expect(node.value(for: note) as? String == "new")
            try context.save()
            #expect(item.value(forKey: "name") as? String == "b")
            #expect(item.value(forKey: "note") as? String == "new")
        }
    }
}
