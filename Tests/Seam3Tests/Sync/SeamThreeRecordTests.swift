import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Records as Seam3 1.5.8 wrote them") struct SeamThreeRecordTests {
    let cloud = LocalCloud.inMemory()

    /// Every kind of property that Seam3 1 sent.
    private static func model() -> NSManagedObjectModel {
        let external = NSAttributeDescription("photo", .binaryDataAttributeType)
        external.allowsExternalBinaryDataStorage = true
        let device = NSEntityDescription(
            "Device",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("added", .dateAttributeType),
                NSAttributeDescription("isActive", .booleanAttributeType),
                NSAttributeDescription("small", .integer16AttributeType),
                NSAttributeDescription("medium", .integer32AttributeType),
                NSAttributeDescription("large", .integer64AttributeType),
                NSAttributeDescription("price", .decimalAttributeType),
                NSAttributeDescription("exact", .doubleAttributeType),
                NSAttributeDescription("rough", .floatAttributeType),
                NSAttributeDescription("token", .binaryDataAttributeType), external,
                NSAttributeDescription("tags", .transformableAttributeType),
            ])
        let event = NSEntityDescription(
            "Event", [NSAttributeDescription("timestamp", .dateAttributeType)])
        NSRelationshipDescription.join((event, "device", 1), (device, "events", 0))
        return NSManagedObjectModel(device, event)
    }

    /// A record name like those of Seam3 1, an uppercase UUID.
    private static let deviceName = "5B2F6A0E-7C1D-4B43-9E52-3D9B7E3C8A11"
    private static let eventName = "0D8C1E77-24B0-4A9F-8C36-6F1C2A5B9D40"

    /// Saves the records in the zone of Seam3 1. It sent numbers as `NSNumber`s of their size,
    /// large data as a file in the temporary directory, transformable values as plain archives, and
    /// references with the action deleteSelf.
    private func writeRecords(_ folder: TestFolder) async throws -> RawClient {
        let client = RawClient(cloud)
        // The zone exists already.
        try await Device("first", on: cloud, model: Self.model()).store.sync()
        let photo = folder.url.appendingPathComponent("globally-unique_file.bin")
        try Data(repeating: 7, count: 300_000).write(to: photo)
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: NSArray(array: ["red", "blue"]), requiringSecureCoding: false)
        let device = client.record(
            "Device", named: Self.deviceName,
            [
                "name": "Lamp", "added": Date(timeIntervalSince1970: 1_500_000_000.25),
                "isActive": 1, "small": -5, "medium": 70_000, "large": Int64.max, "price": 19.99,
                "exact": 1e-300, "rough": 1.5, "token": Data([0, 255]), "tags": archive,
            ])
        device["photo"] = CKAsset(fileURL: photo)
        let event = client.record(
            "Event", named: Self.eventName, ["timestamp": Date(timeIntervalSince1970: 0)])
        event["device"] = client.reference(to: Self.deviceName, action: .deleteSelf)
        // The referring record may arrive first.
        try await client.save(event, device)
        return client
    }

    @Test("are read with every value and reference")
    func values() async throws {
        let folder = try TestFolder()
        _ = try await writeRecords(folder)
        let device = try Device(on: cloud, model: Self.model())
        try await device.store.sync()
        try device.read { context in
            let lamp = try #require(try Device.all("Device", in: context).first)
            #expect(lamp.value(forKey: "name") as? String == "Lamp")
            #expect(
                lamp.value(forKey: "added") as? Date
                    == Date(timeIntervalSince1970: 1_500_000_000.25))
            #expect(lamp.value(forKey: "isActive") as? Bool == true)
            #expect(lamp.value(forKey: "small") as? Int == -5)
            #expect(lamp.value(forKey: "medium") as? Int == 70_000)
            #expect(lamp.value(forKey: "large") as? Int64 == Int64.max)
            #expect(
                lamp.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "19.99"))
            #expect(lamp.value(forKey: "exact") as? Double == 1e-300)
            #expect(lamp.value(forKey: "rough") as? Float == 1.5)
            #expect(lamp.value(forKey: "token") as? Data == Data([0, 255]))
            #expect(lamp.value(forKey: "photo") as? Data == Data(repeating: 7, count: 300_000))
            #expect(lamp.value(forKey: "tags") as? [String] == ["red", "blue"])
            let event = try #require(try Device.all("Event", in: context).first)
            #expect(event.value(forKey: "device") as? NSManagedObject == lamp)
            #expect(event.value(forKey: "timestamp") as? Date == Date(timeIntervalSince1970: 0))
        }
    }

    @Test("are written back under the same names, with the fields that were edited and no cascade")
    func edits() async throws {
        let folder = try TestFolder()
        let client = try await writeRecords(folder)
        let device = try Device(on: cloud, model: Self.model())
        try await device.store.sync()
        try device.edit { context in
            let lamp = try #require(try Device.all("Device", in: context).first)
            lamp.setValue("Desk lamp", forKey: "name")
            lamp.setValue(nil, forKey: "price")
        }
        try await device.store.sync()
        let records = try await client.records()
        #expect(Set(records.map(\.recordID.recordName)) == [Self.deviceName, Self.eventName])
        let lamp = try #require(records.first { $0.recordType == "Device" })
        let name: String? = lamp["name"]
        let price: Double? = lamp["price"]
        let large: Int64? = lamp["large"]
        #expect(name == "Desk lamp" && price == nil && large == Int64.max)
        let event = try #require(records.first { $0.recordType == "Event" })
        let reference: CKRecord.Reference? = event["device"]
        #expect(reference?.recordID.recordName == Self.deviceName)
        #expect(reference?.action == CKRecord.ReferenceAction.none)
    }

    @Test("of an app that still writes them converge with ours, edit by edit")
    func mixedFleet() async throws {
        let folder = try TestFolder()
        let client = try await writeRecords(folder)
        let device = try Device(on: cloud, model: Self.model())
        try await device.store.sync()
        let record = try await client.record(named: Self.deviceName)
        record["name"] = "Floor lamp"
        try await client.save(record)
        try device.edit { context in
            let event = NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
            event.setValue(try Device.all("Device", in: context).first, forKey: "device")
        }
        try await device.store.sync()
        #expect(try await client.records(ofType: "Event").count == 2)
        try device.read { context in
            let lamp = try #require(try Device.all("Device", in: context).first)
            #expect(lamp.value(forKey: "name") as? String == "Floor lamp")
        }
    }

    @Test("that the server refuses to rewrite are not deleted along with their destinations")
    func refusedRewriting() async throws {
        let device = try Device("device", on: cloud)
        try await device.store.sync()
        let client = RawClient(cloud)
        for folder in ["kept", "unrelated"] {
            try await client.save(client.record("Folder", named: folder, ["name": folder]))
        }
        let clock = client.record("Clock", named: "clock", ["label": "home"])
        clock["folder"] = client.reference(to: "kept", action: .deleteSelf)
        try await client.save(clock)
        cloud.poison(["clock"])
        await device.attemptSync()
        try device.edit { context in
            for folder in try Device.all("Folder", in: context) { context.delete(folder) }
        }
        for _ in 1...2 { await device.attemptSync() }
        #expect(
            try await client.records().map(\.recordID.recordName).sorted() == ["clock", "kept"])

        cloud.faults.removeAll()
        try await device.store.sync(complete: true)
        #expect(try await client.records().map(\.recordID.recordName) == ["clock"])
        #expect(try device.read { try Device.clock("home", in: $0).value(forKey: "folder") } == nil)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }
}
