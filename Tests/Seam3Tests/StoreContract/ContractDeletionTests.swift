import CoreData
import Testing

@Suite("Every store follows delete rules") struct ContractDeletionTests {
    @Test("nullify", arguments: ContractStore.allCases)
    func nullify(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        stack.insert("a", ["box": box, "tags": Set([stack.insert("Tag", "t")])])
        try stack.save()
        stack.context.delete(box)
        try stack.save()
        let context = stack.newContext()
        #expect(try context.all("Box").isEmpty)
        #expect(try context.all().first?.value(forKey: "box") == nil)
        context.delete(try #require(try context.all().first))
        try context.save()
        #expect(try stack.newContext().all("Tag").first?.names("items") == [])
    }

    @Test("cascade, also to a fault", arguments: ContractStore.allCases)
    func cascade(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        let chapters = ["a", "b"].map { stack.insert("Chapter", $0) }
        box.setValue(NSOrderedSet(array: chapters), forKey: "chapters")
        stack.insert("item", ["badge": stack.insert("Badge", "badge")])
        try stack.save()
        let context = stack.newContext()
        context.delete(context.object(with: box.objectID))
        context.delete(try #require(try context.all().first))
        try context.save()
        for entity in ["Box", "Chapter", "Item", "Badge"] {
            #expect(try stack.newContext().all(entity).isEmpty, "\(entity)")
        }
    }

    @Test("deny, which leaves everything unchanged", arguments: ContractStore.allCases)
    func deny(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        let lock = stack.insert("Lock", "lock", ["box": box])
        try stack.save()
        stack.context.delete(box)
        let error = #expect(throws: CocoaError.self) { try stack.save() }
        #expect(error?.code == .validationRelationshipDeniedDelete)
        #expect(try stack.newContext().all("Box").count == 1)
        stack.context.rollback()
        #expect(!stack.context.hasChanges)
        #expect(box.names("locks") == ["lock"])
        stack.context.delete(lock)
        stack.context.delete(box)
        try stack.save()
        #expect(try stack.newContext().all("Box").isEmpty)
    }

    @Test(
        "and forget what was inserted and deleted before a save",
        arguments: ContractStore.allCases)
    func annihilation(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        let item = stack.insert("a", ["box": box])
        stack.context.delete(item)
        try stack.save()
        #expect(try stack.newContext().all().isEmpty)
        #expect(box.names("items") == [])
    }
}
