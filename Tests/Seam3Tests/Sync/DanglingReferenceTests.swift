import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

/// One device deletes an object while another, without knowing this, refers to it.
@Suite("A reference to an object that is deleted in the meantime does not stay on the server")
struct DanglingReferenceTests {
    let cloud = LocalCloud.inMemory()

    /// Clocks in folders. A clock has one key, and a folder's clocks may be ordered.
    enum Kind: String, CaseIterable {
        case toOne, ordered, oneToOne, oneToOneFromOtherEnd

        var relationship: String { self == .toOne || self == .ordered ? "folder" : "lid" }
        /// The type of the object that is deleted, and its name.
        var target: String { self == .toOne || self == .ordered ? "Folder" : targetOfOneToOne }

        private var targetOfOneToOne: String { self == .oneToOne ? "ZLid" : "ALid" }

        func model() -> NSManagedObjectModel {
            func named(_ name: String) -> NSEntityDescription {
                NSEntityDescription(name, [NSAttributeDescription("name", .stringAttributeType)])
            }
            let (clock, folder, lid) = (named("Clock"), named("Folder"), named(targetOfOneToOne))
            let picture = NSAttributeDescription("picture", .binaryDataAttributeType)
            picture.allowsExternalBinaryDataStorage = true
            folder.properties.append(picture)
            NSRelationshipDescription.join((clock, "folder", 1), (folder, "clocks", 0))
            NSRelationshipDescription.join((clock, "lid", 1), (lid, "clock", 1))
            folder.relationshipsByName["clocks"]?.isOrdered = self == .ordered
            return NSManagedObjectModel(clock, folder, lid)
        }
    }

    /// The change that reaches the server first. Neither device has pulled the other's change.
    enum First: String, CaseIterable { case deletion, reference }

    private func devices(_ kind: Kind) async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, model: kind.model())
        let b = try Device("b", on: cloud, model: kind.model())
        try a.addAll("Clock", "clock")
        try a.addAll(kind.target, "target")
        try await Device.settle(a, b)
        return (a, b)
    }

    /// Lets the first device delete the target and the second one refer to it.
    private func collide(
        _ kind: Kind, _ a: Device, _ b: Device, first: First, isNew: Bool
    ) async throws {
        try a.edit { $0.delete(try Device.object(kind.target, "target", in: $0)) }
        try b.edit { context in
            let clock =
                isNew
                ? NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                : try Device.object("Clock", "clock", in: context)
            if isNew { clock.setValue("new", forKey: "name") }
            clock.setValue(
                try Device.object(kind.target, "target", in: context), forKey: kind.relationship)
        }
        let (earlier, later) = first == .deletion ? (a, b) : (b, a)
        later.interleaveSync(of: earlier)
        try await later.store.sync()
    }

    private func expectNoReference(_ kind: Kind, on devices: Device...) async throws {
        for record in try await RawClient(cloud).records() {
            for key in record.allKeys() {
                let reference = record.object(forKey: key) as? CKRecord.Reference
                #expect(reference == nil, "\(record.recordType).\(key)")
            }
        }
        for device in devices {
            for name in try device.read({ context in
                try Device.all("Clock", in: context).compactMap {
                    $0.value(forKey: "name") as? String
                }
            }) {
                #expect(try device.text("Clock", name, kind.relationship) == "nil")
            }
            #expect(try device.count(kind.target) == 0)
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
            #expect(try device.store.checkInvariants() == [])
        }
    }

    @Test("but is sent as nil", arguments: Kind.allCases, First.allCases)
    func nilIsSent(kind: Kind, first: First) async throws {
        for isNew in [false, true] {
            let (a, b) = try await devices(kind)
            try await collide(kind, a, b, first: first, isNew: isNew)
            try await Device.settle(a, b)
            try await expectNoReference(kind, on: a, b)
            try a.edit { context in
                for clock in try Device.all("Clock", in: context) { context.delete(clock) }
            }
            try await a.store.sync()
        }
    }

    @Test(
        "but is sent as nil also by a device that receives both in one page",
        arguments: Kind.allCases)
    func thirdDevice(kind: Kind) async throws {
        let (a, b) = try await devices(kind)
        let third = try Device("third", on: cloud, model: kind.model())
        try await third.store.sync()
        try await collide(kind, a, b, first: .reference, isNew: false)
        for _ in 1...2 { try await third.store.sync() }
        try await expectNoReference(kind, on: third)
    }

    @Test("also one from an older app, which the deleting device pulls later")
    func olderApplication() async throws {
        let (a, b) = try await devices(.toOne)
        let client = RawClient(cloud)
        let folder = try #require(try await client.records(ofType: "Folder").first).recordID
        try a.edit { $0.delete(try Device.object("Folder", "target", in: $0)) }
        try await Device.settle(a, b)
        let clock = client.record("Clock", named: "older", ["name": "older"])
        clock["folder"] = client.reference(to: folder.recordName)
        try await client.save(clock)
        try await Device.settle(a, b)
        try await expectNoReference(.toOne, on: a, b)
    }

    @Test("but stays if the object was created again")
    func madeAgain() async throws {
        let (a, b) = try await devices(.toOne)
        let client = RawClient(cloud)
        let folder = try #require(try await client.records(ofType: "Folder").first).recordID
        try await client.delete(folder.recordName)
        try await client.save(
            client.record("Folder", named: folder.recordName, ["name": "again"]))
        let clock = client.record("Clock", named: "older", ["name": "older"])
        clock["folder"] = client.reference(to: folder.recordName)
        try await client.save(clock)
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try device.text("Clock", "older", "folder") == "again") }
    }

    @Test("but stays if the object was created again and cannot be fetched yet")
    func madeAgainUnfetched() async throws {
        let (a, b) = try await devices(.toOne)
        let client = RawClient(cloud)
        let folder = try #require(try await client.records(ofType: "Folder").first).recordID
        try await client.delete(folder.recordName)
        try await Device.settle(a, b)
        let record = client.record("Folder", named: folder.recordName, ["name": "again"])
        let file = a.directory.appendingPathComponent("picture")
        try Data([1, 2, 3]).write(to: file)
        record["picture"] = CKAsset(fileURL: file)
        let clock = client.record("Clock", named: "older", ["name": "older"])
        clock["folder"] = client.reference(to: folder.recordName)
        try await client.save(record, clock)
        let fault = cloud.faults.add(
            .fail(.assetNotAvailable), for: .kind(.downloadAsset), occurrences: .always)
        #expect(await a.attemptSync() != nil)
        cloud.faults.remove(fault)
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try device.text("Clock", "older", "folder") == "again") }
    }

    @Test(
        "and does not come alive if a save sets it to nil and inserts the object again",
        arguments: Kind.allCases)
    func insertedAgain(kind: Kind) async throws {
        let (a, b) = try await devices(kind)
        try a.edit { context in
            try Device.object("Clock", "clock", in: context).setValue(
                try Device.object(kind.target, "target", in: context), forKey: kind.relationship)
        }
        try await Device.settle(a, b)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = a.container.persistentStoreCoordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try await context.perform {
            try Device.object("Clock", "clock", in: context)
                .setValue(nil, forKey: kind.relationship)
            try Device.object(kind.target, "target", in: context).setValue("kept", forKey: "name")
        }
        // The server's clock wins, and still refers to the object that is then deleted.
        try a.store.resetCloudFieldsInBackingStore()
        try a.edit { $0.delete(try Device.object(kind.target, "target", in: $0)) }
        try await a.store.sync()
        try await context.perform { try context.save() }
        #expect(try a.text("Clock", "clock", kind.relationship) == "nil")
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try device.text("Clock", "clock", kind.relationship) == "nil")
            #expect(try device.count(kind.target) == 1)
            #expect(try device.store.checkInvariants() == [])
        }
    }

    @Test(
        "and does not lead to an earlier object again if its insertion was answered in part",
        arguments: Kind.allCases)
    func moved(kind: Kind) async throws {
        let device = try Device(on: cloud, model: kind.model())
        try device.addAll(kind.target, "first", "second")
        try device.addAll("Clock", "clock")
        func lead(to target: String) throws {
            try device.edit { context in
                try Device.object("Clock", "clock", in: context).setValue(
                    try Device.object(kind.target, target, in: context), forKey: kind.relationship)
            }
        }
        try lead(to: "first")
        cloud.faults.add(
            .interrupt(after: 1, CloudKitServiceError(.networkFailure)), for: .kind(.modifyRecords))
        await device.attemptSync()
        try lead(to: "second")
        try device.edit { $0.delete(try Device.object(kind.target, "second", in: $0)) }
        for _ in 1...2 { try await device.store.sync() }
        #expect(try device.text("Clock", "clock", kind.relationship) == "nil")
        let records = try await RawClient(cloud).records(ofType: "Clock")
        #expect(records.map { $0[kind.relationship] as CKRecord.Reference? } == [nil])
    }
}
