import LocalCloud
import SeamSQLite
import Testing

@testable import CoreData
@testable import Seam3

/// What Apple's documentation leaves open, with each behavior that Core Data may have.
@Suite("A store on a Core Data that behaves in another way") struct AlternativeBehaviorTests {
    let cloud = LocalCloud.inMemory()

    static let both: [AlternativeBehaviors] = [
        [], [.committedObjectIDs, .deletedUnreadFaults, .asynchronousRequests],
    ]

    private func device(
        _ alternatives: AlternativeBehaviors, model: NSManagedObjectModel = LibraryModel.make()
    ) throws -> Device {
        let device = try Device(on: cloud, model: model)
        device.container.persistentStoreCoordinator.alternatives = alternatives
        return device
    }

    // MARK: - Committed values

    @Test("saves a to-one that was set to nil, and sends it", arguments: both)
    func clearedToOne(alternatives: AlternativeBehaviors) async throws {
        let device = try device(alternatives)
        let other = try Device("other", on: cloud, model: LibraryModel.make())
        try device.addAll("Album", "album")
        try device.addAll("Track", "track")
        try device.setMembers("Album", "album", "tracks", ["track"])
        try await Device.settle(device, other)
        try device.edit { context in
            context.reset()
            try Device.object("Track", "track", in: context).setValue(nil, forKey: "album")
        }
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        try await Device.settle(device, other)
        for device in [device, other] {
            #expect(try device.members("Album", "album", "tracks") == [])
            #expect(
                try device.read {
                    try Device.object("Track", "track", in: $0).value(forKey: "album") == nil
                })
        }
    }

    /// A relationship, and the members that an edit leaves of "a" and "b".
    static let edits: [(owner: String, relationship: String, member: String, rest: [String])] = [
        ("Article", "tags", "Tag", ["a"]), ("Article", "tags", "Tag", []),
        ("Article", "readers", "Reader", ["a"]), ("Article", "readers", "Reader", []),
        ("Person", "friends", "Person", ["a"]),
    ]

    @Test(
        "keeps links that a context has not merged when the context removes others",
        arguments: both,
        edits)
    func unmergedLinks(
        alternatives: AlternativeBehaviors,
        edit: (owner: String, relationship: String, member: String, rest: [String])
    ) throws {
        let device = try device(alternatives)
        try device.addAll(edit.owner, "owner")
        try device.addAll(edit.member, "a", "b", "new")
        try device.setMembers(edit.owner, "owner", edit.relationship, ["a", "b"])
        let late = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        late.persistentStoreCoordinator = device.container.persistentStoreCoordinator
        late.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        nonisolated(unsafe) let unmerged = device
        try late.performAndWait {
            let owner = try Device.object(edit.owner, "owner", in: late)
            #expect(owner.objectIDs(forRelationshipNamed: edit.relationship).count == 2)
            try unmerged.setMembers(edit.owner, "owner", edit.relationship, ["a", "b", "new"])
            try Device.setMembers(edit.owner, "owner", edit.relationship, edit.rest, in: late)
            try late.save()
        }
        try device.read { $0.reset() }
        #expect(
            try device.members(edit.owner, "owner", edit.relationship) == edit.rest + ["new"])
    }

    // MARK: - Faults that cannot be read

    /// Renames the table of an entity while a closure runs, so that its rows cannot be read.
    private func withoutTable(
        of entity: String, _ device: Device, _ body: () throws -> Void
    ) throws {
        let table = try device.store.lock.locked {
            try #require(try device.store.database().schema.entity(named: entity)).table.name
        }
        let path = try #require(device.store.url).path
        let rename = { (old: String, new: String) in
            try SQLiteConnection(path: path).execute(
                "ALTER TABLE \(old.sqlIdentifier) RENAME TO \(new.sqlIdentifier)")
        }
        try rename(table, "away")
        defer { try? rename("away", table) }
        try body()
    }

    /// A device whose context has taken an object for a deleted one.
    private func deviceWithUnreadFault() async throws -> (Device, NSManagedObjectID) {
        let device = try device(.deletedUnreadFaults)
        try device.addAll("Tag", "tag")
        try await device.store.sync()
        let id = try device.read { context in
            let id = try Device.object("Tag", "tag", in: context).objectID
            context.reset()
            return id
        }
        device.store.rowCache.invalidateAll()
        try withoutTable(of: "Tag", device) {
            try device.read { context in
                let tag = context.object(with: id)
                #expect(tag.value(forKey: "name") == nil)
                #expect(tag.isDeleted)
            }
        }
        return (device, id)
    }

    @Test("refuses to delete an object that was taken for a deleted one because it was not read")
    func unreadFault() async throws {
        let (device, id) = try await deviceWithUnreadFault()
        let error = #expect(throws: SMStoreError.self) { try device.edit { _ in } }
        #expect(error?.description.contains("Tag") == true)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        // Another context of the app that finds it does not make the first one's deletion an intention.
        let other = device.container.newBackgroundContext()
        try other.performAndWait { _ = try Device.object("Tag", "tag", in: other) }
        #expect(throws: SMStoreError.self) { try device.edit { _ in } }
        // Neither does a fetch of the context itself while it takes the object for a deleted one.
        try device.read { _ = try Device.all("Tag", in: $0) }
        #expect(throws: SMStoreError.self) { try device.edit { _ in } }
        try device.read { context in
            context.rollback()
            let name = try context.existingObject(with: id).value(forKey: "name")
            #expect(name as? String == "tag")
        }
        try await device.store.sync()
        #expect(try device.read { try Device.all("Tag", in: $0).count } == 1)
    }

    @Test("deletes an object that was not read, and that the context has fetched since")
    func fetchedSince() async throws {
        let (device, id) = try await deviceWithUnreadFault()
        try device.read { $0.rollback() }
        try device.edit { context in
            let tag = try Device.object("Tag", "tag", in: context)
            #expect(tag.objectID == id)
            context.delete(tag)
        }
        try await device.store.sync()
        let fresh = try Device("fresh", on: cloud, model: LibraryModel.make())
        try await fresh.store.sync()
        #expect(try fresh.read { try Device.all("Tag", in: $0).count } == 0)
    }

    @Test("saves what another context deletes that could read the object")
    func otherContext() async throws {
        let (device, id) = try await deviceWithUnreadFault()
        let other = device.container.newBackgroundContext()
        try other.performAndWait {
            other.delete(other.object(with: id))
            try other.save()
        }
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
    }

    // MARK: - Requests

    @Test(
        "answers an asynchronous fetch, whether it is given the request or its fetch",
        arguments: both)
    func asynchronousFetch(alternatives: AlternativeBehaviors) async throws {
        let device = try device(alternatives)
        try device.addAll("Tag", "a", "b")
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        fetch.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let context = device.context
        nonisolated(unsafe) let request = fetch
        let names: [String] = await withCheckedContinuation { continuation in
            context.perform {
                let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                    #expect(result.operationError == nil)
                    continuation.resume(
                        returning: (result.finalResult ?? []).compactMap {
                            $0.value(forKey: "name") as? String
                        })
                }
                _ = try? context.execute(asynchronous)
            }
        }
        #expect(names == ["a", "b"])
    }
}
