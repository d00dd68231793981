import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A batch deletion", .tags(.batchRequestsSync)) struct BatchDeleteTests {
    let cloud = LocalCloud.inMemory()

    private func device(_ name: String = "device") throws -> Device {
        try Device(name, on: cloud, model: BatchModel.make())
    }

    /// Author "A" with the books "a" and "b" (a sequel of "c", which no longer belongs to A), each
    /// with the tag "t".
    private func fill(_ device: Device) throws {
        try device.addAll("Author", "A")
        try device.addAll("Book", "a", "b", "c")
        try device.addAll("Tag", "t")
        try device.setMembers("Author", "A", "books", ["a", "b"])
        try device.setMembers("Tag", "t", "books", ["a", "b", "c"])
        try device.setMembers("Book", "c", "sequels", ["b"])
    }

    private func delete(_ device: Device, _ entity: String, _ name: String) throws
        -> NSBatchDeleteResult
    {
        try device.execute(NSBatchDeleteRequest(fetchRequest: Device.fetch(entity, name)))
    }

    @Test("deletes what its fetch finds, within its limit") func fetch() throws {
        let device = try device()
        try device.addAll("Tag", "a", "b", "c")
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag")
        fetch.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        fetch.fetchLimit = 2
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeCount
        #expect(try device.execute(request, as: NSBatchDeleteResult.self).result as? Int == 2)
        #expect(try device.names(of: "Tag") == ["a"])
    }

    @Test("deletes objects by their IDs") func objectIDs() throws {
        let device = try device()
        let ids = [try device.add("Book", ["name": "a"]), try device.add("Draft", ["name": "b"])]
        try device.add("Book", ["name": "c"])
        let request = NSBatchDeleteRequest(objectIDs: ids)
        request.resultType = .resultTypeObjectIDs
        let deleted = try device.execute(request, as: NSBatchDeleteResult.self).result
        #expect(Set(deleted as? [NSManagedObjectID] ?? []) == Set(ids))
        #expect(try device.names(of: "Book") == ["c"])
    }

    @Test("cascades, and also further from what it cascades to") func cascade() throws {
        let device = try device()
        try fill(device)
        try device.setMembers("Book", "b", "sequels", ["c"])
        #expect(try delete(device, "Author", "A").result as? Bool == true)
        try device.relaunch(model: BatchModel.make())
        #expect(try device.names(of: "Book").isEmpty)
        #expect(try device.members("Tag", "t", "books").isEmpty)
    }

    @Test("nullifies references to the deleted objects") func nullify() throws {
        let device = try device()
        try fill(device)
        _ = try delete(device, "Tag", "t")
        _ = try delete(device, "Book", "a")
        try device.relaunch(model: BatchModel.make())
        #expect(try device.members("Author", "A", "books") == ["b"])
        #expect(try device.members("Book", "b", "tags").isEmpty)
        try device.add(
            "Passport",
            [
                "name": "p",
                "owner": device.read { context in
                    try Device.object("Author", "A", in: context)
                },
            ])
        _ = try delete(device, "Passport", "p")
        try device.relaunch(model: BatchModel.make())
        try device.read { context in
            let author = try Device.object("Author", "A", in: context)
            #expect(author.value(forKey: "passport") == nil)
        }
    }

    @Test("is refused by the rule deny, and changes nothing") func deny() throws {
        let device = try device()
        try fill(device)
        try device.addAll("Shelf", "s", "empty")
        try device.setMembers("Shelf", "s", "items", ["a"])
        let error = #expect(throws: CocoaError.self) { _ = try delete(device, "Shelf", "s") }
        #expect(error?.code == .validationRelationshipDeniedDelete)
        #expect(try device.members("Shelf", "s", "items") == ["a"])
        _ = try delete(device, "Shelf", "empty")
        #expect(try device.names(of: "Shelf") == ["s"])
    }

    @Test("is refused if it would nullify a required relationship") func required() throws {
        let device = try device()
        try device.edit { context in
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("A", forKey: "name")
            let passport = NSEntityDescription.insertNewObject(
                forEntityName: "Passport", into: context)
            passport.setValue("p", forKey: "name")
            passport.setValue(author, forKey: "owner")
        }
        let error = #expect(throws: CocoaError.self) { _ = try delete(device, "Author", "A") }
        #expect(error?.code == .persistentStoreSave)
        #expect(error?.localizedDescription.contains("Passport/owner") == true)
        #expect(try device.names(of: "Author") == ["A"])
    }

    @Test("reaches another device, with what it cascaded and nullified") func sync() async throws {
        let (a, b) = (try device("a"), try device("b"))
        try fill(a)
        try await Device.settle(a, b)
        _ = try delete(a, "Book", "a")
        _ = try delete(a, "Tag", "t")
        try await Device.settle(a, b)
        #expect(try b.names(of: "Book") == ["b", "c"])
        #expect(try b.members("Author", "A", "books") == ["b"])
        _ = try delete(a, "Author", "A")
        try await Device.settle(a, b)
        #expect(try b.names(of: "Book") == ["c"])
        #expect(try b.members("Book", "c", "sequels").isEmpty)
        #expect(try await RawClient(cloud).records().count == 1)
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("of objects that were never sent leaves nothing to send") func unsent() throws {
        let device = try device()
        try fill(device)
        for (entity, name) in [("Author", "A"), ("Book", "c"), ("Tag", "t")] {
            _ = try delete(device, entity, name)
        }
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("makes an object that a context holds one that no longer exists") func contexts() throws {
        let device = try device()
        let id = try device.add("Tag", ["name": "t"])
        let tag = try device.read { context in try context.existingObject(with: id) }
        _ = try delete(device, "Tag", "t")
        try device.read { context in
            context.refresh(tag, mergeChanges: false)
            let error = #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
            #expect(error?.code == .managedObjectReferentialIntegrity)
        }
    }
}
