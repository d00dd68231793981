import CoreData
import LocalCloud
import Seam3
import Testing

/// When a deletion sets references to nil, that is not an edit of the referring objects, whichever
/// device sends first.
@Suite("A reference to a deleted object", .tags(.convergenceWithoutLuck))
struct UneditedReferenceTests {
    enum Deleter: CaseIterable {
        case save, batch
    }

    let cloud = LocalCloud.inMemory()

    /// Two devices that both have two zones and the clock "home", which is in the first zone.
    private func devices(
        _ policy: SMSyncConflictResolutionPolicy
    ) async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, policy: policy)
        let b = try Device("b", on: cloud, policy: policy)
        for device in [a, b] {
            device.store.recordConflictResolutionBlock = { server, _, _ in server }
        }
        try a.add("Zone", ["name": "Europe/Vienna"])
        try a.add("Zone", ["name": "Asia/Tokyo"])
        try a.add("Clock", ["label": "home", "note": "n"])
        try a.relate("home", "timeZone", to: "Europe/Vienna")
        try await Device.settle(a, b)
        return (a, b)
    }

    private func deleteVienna(on device: Device, by deleter: Deleter) throws {
        try device.edit { context in
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Zone")
            fetch.predicate = NSPredicate(format: "name == %@", "Europe/Vienna")
            if deleter == .batch {
                _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
                context.refreshAllObjects()
                return
            }
            for case let zone as NSManagedObject in try context.fetch(fetch) {
                context.delete(zone)
            }
        }
    }

    private func settle(_ a: Device, _ b: Device, isFirst: Bool) async throws {
        if isFirst {
            try await Device.settle(a, b)
        } else {
            try await Device.settle(b, a)
        }
        try expectAgreement(a, b)
    }

    @Test(
        "does not restore an object that the other device has deleted",
        arguments: SMSyncConflictResolutionPolicy.allCases, [true, false])
    func deletion(policy: SMSyncConflictResolutionPolicy, isFirst: Bool) async throws {
        for deleter in Deleter.allCases {
            let (a, b) = try await devices(policy)
            try deleteVienna(on: a, by: deleter)
            try b.delete("home")
            try await settle(a, b, isFirst: isFirst)
            #expect(try a.table().count == 1)
            try b.edit { context in
                let fetch = NSFetchRequest<NSManagedObject>(entityName: "Zone")
                for zone in try context.fetch(fetch) { context.delete(zone) }
            }
            try await Device.settle(b, a)
        }
    }

    @Test(
        "does not override an edit of the other device",
        arguments: SMSyncConflictResolutionPolicy.allCases, [true, false])
    func edit(policy: SMSyncConflictResolutionPolicy, isFirst: Bool) async throws {
        let (a, b) = try await devices(policy)
        try deleteVienna(on: a, by: .save)
        try b.change("home", ["note": "edited"])
        try await settle(a, b, isFirst: isFirst)
        #expect(try a.table().count == 2)
        #expect(try a.value("note", of: "home") == "edited")
        #expect(try a.hasNoValue("timeZone", of: "home"))
    }

    @Test(
        "leads where the other device has set it",
        arguments: SMSyncConflictResolutionPolicy.allCases, [true, false])
    func otherDestination(policy: SMSyncConflictResolutionPolicy, isFirst: Bool) async throws {
        let (a, b) = try await devices(policy)
        try deleteVienna(on: a, by: .save)
        try b.relate("home", "timeZone", to: "Asia/Tokyo")
        try await settle(a, b, isFirst: isFirst)
        #expect(try a.table().count == 2)
        #expect(try !a.hasNoValue("timeZone", of: "home"))
    }

    @Test("merges the saved values of an object whose deletion is not known yet")
    func undoneDeletion() async throws {
        let (a, b) = try await devices(.mergeByProperty)
        let held = a.container.newBackgroundContext()
        held.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try held.performAndWait {
            try Device.clock("home", in: held).setValue("held", forKey: "note")
        }
        try a.delete("home")
        try held.performAndWait { try held.save() }
        try b.change("home", ["position": 5])
        try await Device.settle(b, a)
        try expectAgreement(a, b)
        #expect(try b.value("note", of: "home") == "held")
        #expect(try b.value("position", of: "home") == 5)
    }

    /// A list that is deleted with its items.
    private static func listModel() throws -> NSManagedObjectModel {
        let list = NSEntityDescription(
            "List", [NSAttributeDescription("name", .stringAttributeType)])
        let item = NSEntityDescription(
            "Item", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((list, "items", 0), (item, "list", 1))
        let items = try #require(list.relationshipsByName["items"])
        items.deleteRule = .cascadeDeleteRule
        return NSManagedObjectModel(list, item)
    }

    @Test(
        "deleted with it, and unknown to the server, does not keep the object that has it",
        arguments: Deleter.allCases)
    func unknownToServer(deleter: Deleter) async throws {
        let a = try Device("a", on: cloud, model: Self.listModel())
        try a.add("List", ["name": "list"])
        let records = try FileContents(a).records
        let list = try #require(records.values.first?.split(separator: " ").first)
        try a.add("Item", ["name": "item"])
        try a.edit { context in
            try Device.object("Item", "item", in: context)
                .setValue(try Device.object("List", "list", in: context), forKey: "list")
        }
        let fault = cloud.faults.add(
            .fail(.badRequest), for: .kind(.modifyRecords, item: String(list)),
            occurrences: .always)
        #expect(await a.attemptSync() != nil)
        cloud.faults.remove(fault)
        try a.edit { context in
            guard deleter == .batch else {
                return context.delete(try Device.object("List", "list", in: context))
            }
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "List")
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        }
        let server = RawClient(cloud)
        let record = try #require(try await server.records(ofType: "Item").first)
        try await server.save(record)
        try await a.store.sync()
        #expect(try await server.records(ofType: "Item").isEmpty)
        #expect(try a.count("Item") == 0)
    }

    @Test(
        "is no conflict if both devices have set it before they receive the deletion",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func setOnBoth(policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(policy)
        let c = try Device("c", on: cloud, policy: policy)
        try await c.store.sync()
        for device in [a, b] { try device.relate("home", "timeZone", to: "Asia/Tokyo") }
        try c.edit { context in
            for zone in try Device.all("Zone", in: context)
            where zone.value(forKey: "name") as? String == "Asia/Tokyo" {
                context.delete(zone)
            }
        }
        try await c.store.sync()
        try await settle(a, b, isFirst: true)
        for device in [a, b] {
            #expect(try device.count("Clock") == 1)
            #expect(try device.count("Zone") == 1)
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }
}
