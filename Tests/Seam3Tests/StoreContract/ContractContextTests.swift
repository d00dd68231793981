import CoreData
import Testing

@Suite("Every store serves contexts") struct ContractContextTests {
    @Test("with permanent IDs, at a save or before", arguments: ContractStore.allCases)
    func permanentIDs(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let (early, late) = (stack.insert("early"), stack.insert("late"))
        #expect(early.objectID.isTemporaryID && late.objectID.isTemporaryID)
        try stack.context.obtainPermanentIDs(for: [early])
        let earlyID = early.objectID
        #expect(!earlyID.isTemporaryID && late.objectID.isTemporaryID)
        #expect(stack.context.insertedObjects.count == 2)
        #expect(try stack.newContext().all().isEmpty)
        try stack.save()
        #expect(early.objectID == earlyID)
        #expect(!late.objectID.isTemporaryID)
        #expect(early.objectID.persistentStore === stack.coordinator.persistentStores.first)
        let uri = late.objectID.uriRepresentation()
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == late.objectID)
        let other = try stack.newContext().existingObject(with: late.objectID)
        #expect(other.objectID == late.objectID)
        #expect(other.name == "late")
    }

    @Test("with the entity of the row, whichever was requested", arguments: ContractStore.allCases)
    func entityOfID(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let special = stack.insert("Special", "s")
        stack.insert("holder", ["children": Set([special])])
        try stack.save()
        let holder = try #require(try stack.newContext().all("Item", "name == 'holder'").first)
        let child = (holder.value(forKey: "children") as? Set<NSManagedObject>)?.first
        #expect(child?.entity.name == "Special")
        #expect(child?.objectID == special.objectID)
    }

    @Test("with faults that fire", arguments: ContractStore.allCases)
    func faults(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let item = stack.insert("a")
        try stack.save()
        stack.context.refresh(item, mergeChanges: false)
        #expect(item.isFault)
        #expect(item.name == "a")
        #expect(!item.isFault)
        let other = stack.newContext()
        other.delete(other.object(with: item.objectID))
        try other.save()
        let third = stack.newContext()
        let error = #expect(throws: CocoaError.self) {
            try third.existingObject(with: item.objectID)
        }
        #expect(error?.code == .managedObjectReferentialIntegrity)
        #expect(third.object(with: item.objectID).name == nil)
        #expect(item.name == "a")
        #expect(throws: Never.self) { try third.save() }
    }

    @Test("with refreshes that keep changes on top", arguments: ContractStore.allCases)
    func refresh(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let item = stack.insert("a", ["number": 1])
        try stack.save()
        let other = stack.newContext()
        let theirs = other.object(with: item.objectID)
        theirs.name = "b"
        theirs.setValue(2, forKey: "number")
        try other.save()
        item.setValue(3, forKey: "number")
        stack.context.refresh(item, mergeChanges: true)
        #expect(item.name == "b")
        #expect(item.value(forKey: "number") as? Int == 3)
        try stack.save()
        #expect(try stack.newContext().all().first?.value(forKey: "number") as? Int == 3)
    }

    @Test("that merge each other's saves", arguments: ContractStore.allCases)
    func merging(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        let (kept, gone) = (stack.insert("kept", ["box": box]), stack.insert("gone"))
        try stack.save()
        _ = box.names("items")
        let other = stack.newContext()
        other.object(with: kept.objectID).name = "changed"
        other.delete(other.object(with: gone.objectID))
        let new = NSEntityDescription.insertNewObject(forEntityName: "Item", into: other)
        new.name = "new"
        new.setValue(other.object(with: box.objectID), forKey: "box")
        try other.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSUpdatedObjectsKey: [kept.objectID, box.objectID],
                NSDeletedObjectsKey: [gone.objectID], NSInsertedObjectsKey: [new.objectID],
            ], into: [stack.context])
        #expect(kept.name == "changed")
        #expect(gone.isDeleted)
        #expect(box.names("items") == ["changed", "new"])
        #expect(!stack.context.hasChanges)
        kept.name = "again"
        #expect(throws: Never.self) { try stack.save() }
    }

    @Test("that roll back and reset", arguments: ContractStore.allCases)
    func rollback(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let item = stack.insert("a")
        try stack.save()
        item.name = "b"
        stack.insert("c")
        stack.context.rollback()
        #expect(item.name == "a")
        #expect(try stack.context.all().count == 1)
        item.name = "b"
        stack.context.reset()
        #expect(try stack.context.all().map(\.name) == ["a"])
    }

    @Test("that have children", arguments: ContractStore.allCases)
    func children(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        let old = stack.insert("old", ["box": box])
        try stack.save()
        stack.insert("parent", ["box": box])
        let child = stack.newChild()
        #expect(try child.all().map(\.name) == ["old", "parent"])
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: child)
        item.name = "child"
        item.setValue(child.object(with: box.objectID), forKey: "box")
        child.delete(child.object(with: old.objectID))
        try child.save()
        #expect(try stack.newContext().all().map(\.name) == ["old"])
        #expect(box.names("items") == ["child", "parent"])
        try stack.save()
        let saved = try stack.newContext().all("Box").first
        #expect(saved?.names("items") == ["child", "parent"])
        item.name = "again"
        try child.save()
        try stack.save()
        #expect(try stack.newContext().all().map(\.name) == ["again", "parent"])
    }

    @Test("with all of a save or nothing", arguments: ContractStore.allCases)
    func atomicity(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let item = stack.insert("a")
        try stack.save()
        let other = stack.newContext()
        other.object(with: item.objectID).name = "b"
        try other.save()
        item.name = "c"
        let box = stack.insert("Box", "box")
        item.setValue(box, forKey: "box")
        #expect(throws: CocoaError.self) { try stack.save() }
        #expect(try stack.newContext().all("Box").isEmpty)
        #expect(stack.context.insertedObjects == [box])
        stack.context.mergePolicy = NSMergePolicy.overwrite
        try stack.save()
        #expect(try stack.newContext().all("Box").first?.names("items") == ["c"])
    }

    @Test("and keeps its metadata", arguments: ContractStore.allCases)
    func metadata(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let store = try #require(stack.coordinator.persistentStores.first)
        #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
        #expect(store.metadata[NSStoreTypeKey] as? String == store.type)
        var metadata = stack.coordinator.metadata(for: store)
        metadata["note"] = "kept"
        stack.coordinator.setMetadata(metadata, for: store)
        try stack.save()
        #expect(stack.coordinator.metadata(for: store)["note"] as? String == "kept")
    }

    @Test("with an error for unknown requests", arguments: ContractStore.allCases)
    func unknownRequest(_ kind: ContractStore) throws {
        final class Unknown: NSPersistentStoreRequest {}
        let stack = try ContractStack(kind)
        stack.insert("a")
        let error = #expect(throws: (any Error).self) { try stack.context.execute(Unknown()) }
        #expect((error as NSError?)?.code == 134091)
        try stack.save()
        #expect(try stack.newContext().all().count == 1)
    }
}
