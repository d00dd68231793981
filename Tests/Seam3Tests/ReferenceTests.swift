import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("References between records") struct ReferenceTests {
    let cloud = LocalCloud.inMemory()

    // MARK: - Late targets

    @Test(
        "A reference whose target arrives in a later pass is set then",
        .tags(.lateReferencesComplete))
    func laterPass() async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        let client = RawClient(cloud)
        let clock = client.record("Clock", named: "c", ["label": "c"])
        clock["timeZone"] = client.reference(to: "z")
        try await client.save(clock)
        try await device.store.sync()
        let held = try device.read { try Device.clock("c", in: $0) }
        #expect(try device.hasNoValue("timeZone", of: "c"))
        // An edit and a save in between do not remove the missing references.
        try device.change("c", ["note": "edited"])
        try await device.store.sync()
        try await client.save(client.record("Zone", named: "z", ["name": "late"]))
        let summary = try await device.store.sync()
        #expect(summary.updatedObjectIDs.contains(held.objectID))
        let name = try device.read { _ in
            (held.value(forKey: "timeZone") as? NSManagedObject)?.value(forKey: "name") as? String
        }
        #expect(name == "late")
        let after = try #require(try await client.records(ofType: "Clock").first)
        let reference: CKRecord.Reference? = after["timeZone"]
        #expect(reference?.recordID.recordName == "z")
    }

    @Test(
        "A reference whose target arrives in a later page is set", .tags(.lateReferencesComplete))
    func laterPage() async throws {
        let a = try Device("a", on: cloud)
        try a.edit { context in
            let zone = NSEntityDescription.insertNewObject(forEntityName: "Zone", into: context)
            zone.setValue("z", forKey: "name")
            for index in 0..<450 {
                let clock = NSEntityDescription.insertNewObject(
                    forEntityName: "Clock", into: context)
                clock.setValue("\(index)", forKey: "label")
                clock.setValue(zone, forKey: "timeZone")
            }
        }
        try await a.store.sync()
        // The record moves to the end of the feed.
        let client = RawClient(cloud)
        let zone = try #require(try await client.records(ofType: "Zone").first)
        zone["name"] = "moved"
        try await client.save(zone)
        try await a.store.sync()
        let b = try Device("b", on: cloud)
        try await b.store.sync()
        try expectAgreement(a, b)
    }

    @Test(
        "A target that is deleted on another device leaves nil, which its return does not change",
        .tags(.lateReferencesComplete))
    func returningTarget() async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        let client = RawClient(cloud)
        let clock = client.record("Clock", named: "c", ["label": "c"])
        clock["timeZone"] = client.reference(to: "z")
        try await client.save(client.record("Zone", named: "z", ["name": "first"]), clock)
        try await device.store.sync()
        #expect(try !device.hasNoValue("timeZone", of: "c"))
        try await client.delete("z")
        try await device.store.sync()
        #expect(try device.hasNoValue("timeZone", of: "c"))
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        try await client.save(client.record("Zone", named: "z", ["name": "second"]))
        try await device.store.sync()
        #expect(try device.hasNoValue("timeZone", of: "c"))
        #expect(try device.count("Zone") == 1)
        let after = try #require(try await client.records(ofType: "Clock").first)
        let reference: CKRecord.Reference? = after["timeZone"]
        #expect(reference == nil)
    }

    // MARK: - deleteSelf

    /// A device, and a clock on the server that Seam3 1 would have the server delete with its zone.
    private func cascading() async throws -> (device: Device, client: RawClient) {
        let device = try Device(on: cloud)
        try await device.store.sync()
        let client = RawClient(cloud)
        let clock = client.record("Clock", named: "c", ["label": "c"])
        clock["timeZone"] = client.reference(to: "z", action: .deleteSelf)
        try await client.save(client.record("Zone", named: "z", ["name": "z"]), clock)
        return (device, client)
    }

    private func expectRewritten(_ client: RawClient) async throws {
        let after = try #require(try await client.records(ofType: "Clock").first)
        let reference: CKRecord.Reference? = after["timeZone"]
        #expect(reference?.recordID.recordName == "z")
        #expect(reference?.action == CKRecord.ReferenceAction.none)
    }

    @Test(
        "A deleteSelf reference of Seam3 1 is rewritten when it is fetched",
        .tags(.serverNeverCascades))
    func rewriting() async throws {
        let (device, client) = try await cascading()
        try await device.store.sync()
        try await expectRewritten(client)
    }

    @Test(
        "Deleting the target of a deleteSelf reference does not delete the referring object",
        .tags(.serverNeverCascades))
    func noCascade() async throws {
        let (device, client) = try await cascading()
        // The device pulls, and deletes the zone before it has sent the rewritten reference.
        let fault = cloud.faults.add(
            .fail(.networkFailure),
            for: .kind(.modifyRecords, device: device.cloudContainer.device), occurrences: .always)
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        cloud.faults.remove(fault)
        try device.edit { context in
            for zone in try Device.all("Zone", in: context) { context.delete(zone) }
        }
        try await device.store.sync()
        #expect(try await client.records().map(\.recordType) == ["Clock"])
        #expect(try device.count("Clock") == 1)
    }

    @Test(
        "A deleteSelf reference is rewritten even if it is removed and set again before",
        .tags(.serverNeverCascades), arguments: [1, 2])
    func rewritingAndUndone(times: Int) async throws {
        let (device, client) = try await cascading()
        await device.syncSendingNothing(on: cloud)
        for _ in 0..<times {
            try device.edit {
                try Device.clock("c", in: $0).setValue(nil, forKey: "timeZone")
            }
            try device.relate("c", "timeZone", to: "z")
        }
        try await device.store.sync()
        try await expectRewritten(client)
    }

    @Test(
        "The rewriting survives a conflict, and is not an edit that restores a deleted object",
        .tags(.serverNeverCascades))
    func rewritingAndConflicts() async throws {
        let device = try Device(on: cloud, policy: .clientRecordWins)
        try await device.store.sync()
        let client = RawClient(cloud)
        let clock = client.record("Clock", named: "c", ["label": "c", "note": "old"])
        try await client.save(client.record("Zone", named: "z", ["name": "z"]), clock)
        try await device.store.sync()
        device.store.syncConflictResolutionPolicy = .serverRecordWins
        try device.change("c", ["note": "mine"])
        let changed = try #require(try await client.records(ofType: "Clock").first)
        changed["note"] = "theirs"
        changed["timeZone"] = client.reference(to: "z", action: .deleteSelf)
        try await client.save(changed)
        try await device.store.sync()
        let after = try #require(try await client.records(ofType: "Clock").first)
        let reference: CKRecord.Reference? = after["timeZone"]
        #expect(reference?.action == CKRecord.ReferenceAction.none)
        #expect(try device.value("note", of: "c") == "theirs")
        // A waiting rewrite of a reference is not an edit.
        device.store.syncConflictResolutionPolicy = .clientRecordWins
        after["timeZone"] = client.reference(to: "z", action: .deleteSelf)
        try await client.save(after)
        let fault = cloud.faults.add(
            .fail(.networkFailure),
            for: .kind(.modifyRecords, device: device.cloudContainer.device), occurrences: .always)
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        cloud.faults.remove(fault)
        try await client.delete("c")
        try await device.store.sync()
        #expect(try device.count("Clock") == 0)
    }

    // MARK: - Kinds

    /// People with a parent and a spouse; employees are people with a badge and a manager.
    private static func peopleModel() -> NSManagedObjectModel {
        let person = NSEntityDescription(
            "Person", [NSAttributeDescription("name", .stringAttributeType)])
        let employee = NSEntityDescription(
            "Employee", [NSAttributeDescription("badge", .integer32AttributeType)])
        person.subentities = [employee]
        let passport = NSEntityDescription(
            "Passport", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((person, "parent", 1), (person, "children", 0))
        NSRelationshipDescription.join((person, "passport", 1), (passport, "owner", 1))
        NSRelationshipDescription.join((person, "manager", 1), (employee, "reports", 0))
        return NSManagedObjectModel(person, employee, passport)
    }

    private func people() throws -> (a: Device, b: Device) {
        (
            try Device("a", on: cloud, model: Self.peopleModel()),
            try Device("b", on: cloud, model: Self.peopleModel())
        )
    }

    private static func find(
        _ name: String, _ entity: String = "Person", in context: NSManagedObjectContext
    ) throws -> NSManagedObject {
        try #require(
            try Device.all(entity, in: context).first {
                $0.value(forKey: "name") as? String == name
            })
    }

    private func name(_ relationship: String, of name: String, _ entity: String, on device: Device)
        throws -> String?
    {
        try device.read { context in
            let object = try Self.find(name, entity, in: context)
            return (object.value(forKey: relationship) as? NSManagedObject)?
                .value(forKey: "name") as? String
        }
    }

    @Test(
        "Self-referencing and inherited relationships and those to a subentity reach another device",
        .tags(.everyRelationshipRoundTrips))
    func hierarchy() async throws {
        let (a, b) = try people()
        try a.edit { context in
            let make = { NSEntityDescription.insertNewObject(forEntityName: $0, into: context) }
            let (boss, child) = (make("Employee"), make("Person"))
            boss.setValue("boss", forKey: "name")
            boss.setValue(42, forKey: "badge")
            child.setValue("child", forKey: "name")
            child.setValue(boss, forKey: "parent")
            child.setValue(boss, forKey: "manager")
            boss.setValue(boss, forKey: "manager")
        }
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try device.count("Person") == 2)
            #expect(try device.count("Employee") == 1)
            #expect(try name("parent", of: "child", "Person", on: device) == "boss")
            #expect(try name("manager", of: "child", "Person", on: device) == "boss")
            #expect(try name("manager", of: "boss", "Employee", on: device) == "boss")
            try device.read { context in
                let boss = try Self.find("boss", in: context)
                #expect(boss.entity.name == "Employee")
                #expect((boss.value(forKey: "children") as? Set<NSManagedObject>)?.count == 1)
                #expect((boss.value(forKey: "reports") as? Set<NSManagedObject>)?.count == 2)
            }
        }
        let types = try await RawClient(cloud).records().map(\.recordType).sorted()
        #expect(types == ["Employee", "Person"])
        try b.edit { context in
            try Self.find("child", in: context).setValue(nil, forKey: "parent")
            try Self.find("boss", in: context).setValue(nil, forKey: "manager")
        }
        try await Device.settle(b, a)
        #expect(try name("parent", of: "child", "Person", on: a) == nil)
        #expect(try name("manager", of: "boss", "Employee", on: a) == nil)
        #expect(try name("manager", of: "child", "Person", on: a) == "boss")
    }

    @Test(
        "One-to-one is set, moved and cleared from either end", .tags(.everyRelationshipRoundTrips))
    func oneToOne() async throws {
        let (a, b) = try people()
        for name in ["ann", "ben"] { try a.add("Person", ["name": name]) }
        try a.add("Passport", ["name": "p"])
        try await Device.settle(a, b)
        let steps: [(Device, String?)] = [(a, "ann"), (b, "ben"), (a, nil), (b, "ann"), (a, "ben")]
        for (index, (device, owner)) in steps.enumerated() {
            try device.edit { context in
                let passport = try Self.find("p", "Passport", in: context)
                if index % 2 == 0 {
                    passport.setValue(
                        try owner.map { try Self.find($0, in: context) }, forKey: "owner")
                } else {
                    try Self.find(try #require(owner), in: context)
                        .setValue(passport, forKey: "passport")
                }
            }
            try await Device.settle(a, b)
            for device in [a, b] {
                #expect(try name("owner", of: "p", "Passport", on: device) == owner)
                for person in ["ann", "ben"] {
                    #expect(
                        try name("passport", of: person, "Person", on: device)
                            == (person == owner ? "p" : nil))
                }
            }
        }
    }

    @Test(
        "One-to-one that both devices set differently ends the same on both, at both ends",
        .tags(.everyRelationshipRoundTrips, .convergenceWithoutLuck))
    func oneToOneConflict() async throws {
        let (a, b) = try people()
        for name in ["ann", "ben"] { try a.add("Person", ["name": name]) }
        for name in ["p", "q"] { try a.add("Passport", ["name": name]) }
        try await Device.settle(a, b)
        func give(_ passport: String, to owner: String, on device: Device) throws {
            try device.edit { context in
                try Self.find(passport, "Passport", in: context)
                    .setValue(try Self.find(owner, in: context), forKey: "owner")
            }
        }
        try give("p", to: "ann", on: a)
        try give("q", to: "ann", on: b)
        try await Device.settle(a, b)
        try await Device.settle(a, b)
        func pairs(_ device: Device) throws -> [String] {
            var lines: [String] = []
            for passport in ["p", "q"] {
                let owner = try name("owner", of: passport, "Passport", on: device)
                lines.append("\(passport) \(owner ?? "-")")
                if let owner {
                    #expect(try name("passport", of: owner, "Person", on: device) == passport)
                }
            }
            return lines
        }
        #expect(try pairs(a) == pairs(b))
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
    }

    @Test(
        "Required relationships are complete even if the records arrive in any order",
        .tags(.everyRelationshipRoundTrips))
    func requiredRelationships() async throws {
        func model() -> NSManagedObjectModel {
            let item = NSEntityDescription(
                "Item", [NSAttributeDescription("name", .stringAttributeType)])
            let box = NSEntityDescription(
                "Box", [NSAttributeDescription("name", .stringAttributeType)])
            NSRelationshipDescription.join((item, "box", 1), (box, "items", 0))
            let toBox = item.relationshipsByName["box"]
            toBox?.isOptional = false
            toBox?.minCount = 1
            box.relationshipsByName["items"]?.deleteRule = .cascadeDeleteRule
            return NSManagedObjectModel(item, box)
        }
        let a = try Device("a", on: cloud, model: model())
        let b = try Device("b", on: cloud, model: model())
        try await b.store.sync()
        let client = RawClient(cloud)
        let item = client.record("Item", named: "i", ["name": "i"])
        item["box"] = client.reference(to: "b")
        try await client.save(item)
        try await b.store.sync()
        try await client.save(client.record("Box", named: "b", ["name": "b"]))
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try name("box", of: "i", "Item", on: device) == "b") }
        // The cascade runs here, and its deletions are sent.
        try a.edit { context in context.delete(try Self.find("b", "Box", in: context)) }
        try await Device.settle(a, b)
        #expect(try b.count("Item") == 0 && b.count("Box") == 0)
        #expect(try await client.records().isEmpty)
    }
}
