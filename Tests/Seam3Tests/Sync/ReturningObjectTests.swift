import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("An object that was deleted and comes back") struct ReturningObjectTests {
    @Test("has its new values in a context that still knows the old ones")
    func values() async throws {
        let cloud = LocalCloud.inMemory()
        let client = RawClient(cloud)
        let device = try Device(on: cloud)
        try device.add("Folder", ["name": "folder"])
        try device.add("Clock", ["label": "clock"])
        try device.relate("clock", "folder", to: "folder")
        try await device.store.sync()
        let folder = try #require(try await client.records(ofType: "Folder").first).recordID
        let clock = try #require(try await client.records(ofType: "Clock").first).recordID
        // The app retains the object and its members.
        let held = try device.read { context in
            let clock = try Device.clock("clock", in: context)
            let folder = try #require(clock.value(forKey: "folder") as? NSManagedObject)
            #expect((folder.value(forKey: "clocks") as? NSSet)?.count == 1)
            return folder
        }
        // As long as the clock refers to the folder, the folder's key is kept.
        try await client.delete(folder.recordName)
        try await device.store.sync()
        try await client.delete(clock.recordName)
        try await device.store.sync()
        #expect(try device.table() == [])
        try await client.save(
            client.record("Folder", named: folder.recordName, ["name": "again"]),
            client.record(
                "Clock", named: "later",
                ["label": "later", "folder": client.reference(to: folder.recordName)]))
        try await device.store.sync()
        try device.read { context in
            let later = try Device.clock("later", in: context)
            let folder = try #require(later.value(forKey: "folder") as? NSManagedObject)
            #expect(folder.value(forKey: "name") as? String == "again")
            let members = folder.value(forKey: "clocks") as? Set<NSManagedObject>
            #expect(members == [later])
        }
        withExtendedLifetime(held) {}
    }

    /// What an app does with an object that comes back.
    enum Use: CaseIterable {
        case fetch, saveOfEarlierEdit
    }

    @Test(
        "keeps its identity if a record that refers to it arrives first", arguments: Use.allCases)
    func referrerFirst(use: Use) async throws {
        let cloud = LocalCloud.inMemory()
        let client = RawClient(cloud)
        let device = try Device(on: cloud)
        let id = try device.add("Folder", ["name": "folder"])
        try await device.store.sync()
        let name = try #require(try await client.records(ofType: "Folder").first)
            .recordID.recordName
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = device.container.persistentStoreCoordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try await context.perform {
            try context.existingObject(with: id).setValue("edited", forKey: "name")
        }
        try device.edit { $0.delete(try Device.object("Folder", "folder", in: $0)) }
        try await device.store.sync()
        try await client.save(
            client.record(
                "Clock", named: "later", ["label": "later", "folder": client.reference(to: name)]))
        try await client.save(client.record("Folder", named: name, ["name": "again"]))
        try await device.store.sync()
        if use == .saveOfEarlierEdit { try await context.perform { try context.save() } }
        try await device.store.sync()
        try device.read { context in
            let folders = try Device.all("Folder", in: context)
            #expect(folders.map(\.objectID) == [id])
            let names = folders.map { $0.value(forKey: "name") as? String }
            #expect(names == [use == .fetch ? "again" : "edited"])
            let later = try Device.clock("later", in: context)
            #expect(later.value(forKey: "folder") as? NSManagedObject === folders.first)
        }
        #expect(try device.store.checkInvariants() == [])
        #expect(try await client.records(ofType: "Folder").count == 1)
    }

    /// Objects to each of which referrers refer, or only one.
    private func model(isOneToOne: Bool) -> NSManagedObjectModel {
        // The end whose entity's name sorts first determines both.
        let object = NSEntityDescription(
            "Object", [NSAttributeDescription("name", .stringAttributeType)])
        let referrer = NSEntityDescription(
            "Member", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join(
            (object, "members", isOneToOne ? 1 : 0), (referrer, "object", 1))
        return NSManagedObjectModel(object, referrer)
    }

    @Test(
        "is seen by an object that refers to it and that a context retains",
        arguments: [false, true])
    func retainedReferrer(isOneToOne: Bool) async throws {
        let cloud = LocalCloud.inMemory()
        let policy = SMSyncConflictResolutionPolicy.clientRecordWins
        let device = try Device(
            "a", on: cloud, policy: policy, model: model(isOneToOne: isOneToOne))
        let other = try Device("b", on: cloud, policy: policy, model: model(isOneToOne: isOneToOne))
        let id = try device.add("Object", ["name": "object"])
        let member = try device.add("Member", ["name": "member"])
        try await Device.settle(device, other)
        try other.edit { context in
            let object = try Device.object("Object", "object", in: context)
            try Device.object("Member", "member", in: context).setValue(object, forKey: "object")
        }
        let stale = device.container.newBackgroundContext()
        stale.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try await stale.perform {
            try stale.existingObject(with: id).setValue("edited", forKey: "name")
        }
        try device.edit { $0.delete(try Device.object("Object", "object", in: $0)) }
        try await other.store.sync()
        await device.syncSendingNothing(on: cloud)
        let retained = try device.read { context in
            let retained = try context.existingObject(with: member)
            #expect(retained.value(forKey: "object") == nil)
            return retained
        }
        try await stale.perform { try stale.save() }
        let fresh = device.container.newBackgroundContext()
        try await fresh.perform {
            let object = try fresh.existingObject(with: member).value(forKey: "object")
            #expect((object as? NSManagedObject)?.objectID == id)
        }
        withExtendedLifetime(retained) {}
        try await Device.settle(device, other)
        #expect(try device.store.checkInvariants() == [])
    }

    /// When the deletion is undone.
    enum Moment: CaseIterable { case beforeSync, afterSync }

    static let mergePolicies = [
        NSMergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite,
        .rollback,
    ].map(\.mergeType.rawValue)

    @Test(
        "keeps another device's edit, and what was set after the undo, if its deletion is also undone here",
        arguments: Moment.allCases, mergePolicies)
    func undone(moment: Moment, mergePolicy: UInt) async throws {
        for merges in [false, true] {
            let cloud = LocalCloud.inMemory()
            let a = try Device("a", on: cloud, policy: .mergeByProperty)
            let b = try Device("b", on: cloud, policy: .mergeByProperty)
            try a.add("Folder", ["name": "folder"])
            try a.add("Clock", ["label": "clock"])
            try a.relate("clock", "folder", to: "folder")
            try await Device.settle(a, b)
            let context = a.container.newBackgroundContext()
            context.automaticallyMergesChangesFromParent = merges
            context.mergePolicy = NSMergePolicy(
                merge: try #require(NSMergePolicyType(rawValue: mergePolicy)))
            let undoManager = try context.performAndWait {
                let clock = try Device.clock("clock", in: context)
                let undoManager = context.undoable { context.delete(clock) }
                try context.save()
                return undoManager
            }
            func undo() {
                undoManager.undo()
                context.processPendingChanges()
                context.undoManager = nil
            }
            if moment == .beforeSync { context.performAndWait(undo) }
            try b.change("clock", ["note": "by b"])
            try await b.store.sync()
            try await a.store.sync()
            try context.performAndWait {
                if moment == .afterSync { undo() }
                let clock = try #require(
                    context.insertedObjects.union(context.updatedObjects).first {
                        $0.entity.name == "Clock"
                    })
                clock.setValue(7, forKey: "position")
                try context.save()
                #expect(clock.value(forKey: "note") as? String == "by b")
                NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
                    .setValue("later", forKey: "name")
                try context.save()
            }
            try await Device.settle(a, b)
            for device in [a, b] {
                #expect(try device.count("Clock") == 1)
                #expect(try device.value("note", of: "clock") == "by b", "\(device.name)")
                #expect(try device.value("position", of: "clock") == 7, "\(device.name)")
                #expect(try device.count("Folder") == 2)
                try device.read { context in
                    let folder = try #require(
                        Device.clock("clock", in: context).value(forKey: "folder")
                            as? NSManagedObject)
                    #expect(folder.value(forKey: "name") as? String == "folder")
                }
                #expect(try device.store.checkInvariants() == [])
            }
        }
    }
}
