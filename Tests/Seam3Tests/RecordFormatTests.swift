import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Records in CloudKit keep the format that Seam3 1 gave them")
struct RecordFormatTests {
    let cloud = LocalCloud.inMemory()

    private static func typesModel() -> NSManagedObjectModel {
        let secret = NSAttributeDescription("secret", .stringAttributeType)
        secret.allowsCloudEncryption = true
        let external = NSAttributeDescription("external", .binaryDataAttributeType)
        external.allowsExternalBinaryDataStorage = true
        let transient = NSAttributeDescription("transient", .stringAttributeType)
        transient.isTransient = true
        return NSManagedObjectModel(
            NSEntityDescription(
                "Item",
                [
                    NSAttributeDescription("text", .stringAttributeType),
                    NSAttributeDescription("number", .integer16AttributeType),
                    NSAttributeDescription("flag", .booleanAttributeType),
                    NSAttributeDescription("real", .floatAttributeType),
                    NSAttributeDescription("price", .decimalAttributeType),
                    NSAttributeDescription("date", .dateAttributeType),
                    NSAttributeDescription("data", .binaryDataAttributeType),
                    NSAttributeDescription("uuid", .UUIDAttributeType),
                    NSAttributeDescription("uri", .URIAttributeType),
                    secret, external, transient,
                ]))
    }

    /// The record of an item that a device has pushed. The files of its assets exist as long as the
    /// client that fetched it.
    private func pushedItem(
        _ values: [String: Any]
    ) async throws -> (client: RawClient, record: CKRecord) {
        let device = try Device(on: cloud, model: Self.typesModel())
        try device.add("Item", values)
        try await device.store.sync()
        let client = RawClient(cloud)
        return (client, try #require(try await client.records(ofType: "Item").first))
    }

    @Test("zone, record type, record name, field names and types")
    func fields() async throws {
        let uuid = UUID()
        let (client, record) = try await pushedItem([
            "text": "t", "number": 5, "flag": true, "real": Float(1.5),
            "price": NSDecimalNumber(string: "19.99"), "date": Date(timeIntervalSince1970: 1.5),
            "data": Data([1]), "uuid": uuid, "uri": try #require(URL(string: "https://a.example")),
            "external": Data([2]), "transient": "not sent",
        ])
        #expect(record.recordID.zoneID.zoneName == "SMStoreCloudStore_CustomZone")
        #expect(UUID(uuidString: record.recordID.recordName) != nil)
        let text: String? = record["text"]
        let number: Int64? = record["number"]
        let flag: Int64? = record["flag"]
        let real: Double? = record["real"]
        let price: Double? = record["price"]
        let date: Date? = record["date"]
        let data: Data? = record["data"]
        let uuidText: String? = record["uuid"]
        let uri: String? = record["uri"]
        let external: CKAsset? = record["external"]
        #expect(text == "t" && number == 5 && flag == 1 && real == 1.5 && price == 19.99)
        #expect(date == Date(timeIntervalSince1970: 1.5) && data == Data([1]))
        #expect(uuidText == uuid.uuidString && uri == "https://a.example")
        #expect(try external?.fileURL.map { try Data(contentsOf: $0) } == Data([2]))
        withExtendedLifetime(client) {}
        #expect(
            Set(record.allKeys())
                == [
                    "text", "number", "flag", "real", "price", "date", "data", "uuid", "uri",
                    "external", "SM_edits",
                ])
    }

    @Test(
        "a decimal that a Double cannot represent has its digits beside it",
        .tags(.everyAttributeRoundTrips))
    func decimal() async throws {
        let (client, record) = try await pushedItem([
            "price": NSDecimalNumber(string: "12345678901234567890.5")
        ])
        let double: Double? = record["price"]
        let digits: String? = record["price_decimal"]
        withExtendedLifetime(client) {}
        #expect(double == 12345678901234567890.5)
        #expect(digits == "12345678901234567890.5")
    }

    @Test("the digits count only as long as they match the Double")
    func staleDigits() async throws {
        let (client, record) = try await pushedItem([
            "price": NSDecimalNumber(string: "12345678901234567890.5")
        ])
        // An app that does not know the second field changes the first.
        record["price"] = 2.5
        try await client.save(record)
        let other = try Device("other", on: cloud, model: Self.typesModel())
        try await other.store.sync()
        let price = try other.read { context in
            try Device.all("Item", in: context).first?.value(forKey: "price") as? NSDecimalNumber
        }
        #expect(price == NSDecimalNumber(string: "2.5"))
    }

    @Test("data that would pass the record's limit goes to an asset field")
    func largeData() async throws {
        let large = Data(repeating: 3, count: 900_000)
        let (client, record) = try await pushedItem(["data": large])
        let inline: Data? = record["data"]
        let asset: CKAsset? = record["data_asset"]
        #expect(inline == nil)
        #expect(try asset?.fileURL.map { try Data(contentsOf: $0) } == large)
        withExtendedLifetime(client) {}
    }

    @Test("an encrypted attribute is in encryptedValues, and reaches another device")
    func encrypted() async throws {
        let (client, record) = try await pushedItem(["secret": "s"])
        let plain: String? = record["secret"]
        let secret: String? = record.encryptedValues["secret"]
        #expect(secret == "s")
        #expect(plain == nil)
        withExtendedLifetime(client) {}
        let other = try Device("other", on: cloud, model: Self.typesModel())
        try await other.store.sync()
        let received = try other.read { context in
            try Device.all("Item", in: context).first?.value(forKey: "secret") as? String
        }
        #expect(received == "s")
    }

    @Test(
        "a reference has the action none, and a to-many has no field",
        .tags(.serverNeverCascades))
    func references() async throws {
        let device = try Device(on: cloud)
        try device.add("Zone", ["name": "z"])
        try device.add("Clock", ["label": "c"])
        try device.relate("c", "timeZone", to: "z")
        try await device.store.sync()
        let client = RawClient(cloud)
        let zone = try #require(try await client.records(ofType: "Zone").first)
        let clock = try #require(try await client.records(ofType: "Clock").first)
        let reference: CKRecord.Reference? = clock["timeZone"]
        #expect(reference?.recordID == zone.recordID)
        #expect(reference?.action == CKRecord.ReferenceAction.none)
        #expect(Set(zone.allKeys()) == ["name", "SM_edits"])
    }

    @Test("an update sends only what changed, and leaves fields of newer apps alone")
    func unknownFields() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "c", "note": "n"])
        try await device.store.sync()
        let client = RawClient(cloud)
        let record = try #require(try await client.records().first)
        record["future"] = "kept"
        try await client.save(record)
        try await device.store.sync()
        try device.change("c", ["note": "m"])
        try await device.store.sync()
        let after = try #require(try await client.records().first)
        let future: String? = after["future"]
        let note: String? = after["note"]
        #expect(future == "kept" && note == "m")
    }

    @Test("records of a type that the model lacks are skipped")
    func unknownType() async throws {
        let client = RawClient(cloud)
        let device = try Device(on: cloud)
        try await device.store.sync()
        try await client.save(
            client.record("Gadget", named: "g", ["name": "?"]),
            client.record("Folder", named: "f", ["name": "known"]))
        let summary = try await device.store.sync()
        #expect(summary.insertedObjectIDs.count == 1)
        try await client.delete("g")
        try await device.store.sync()
        #expect(try device.count("Folder") == 1)
    }

    @Test(
        "a required property that a record lacks takes its default, or keeps its value",
        .tags(.nilIsAValue))
    func requiredProperties() async throws {
        func model() -> NSManagedObjectModel {
            let count = NSAttributeDescription("count", .integer32AttributeType)
            count.isOptional = false
            count.defaultValue = NSNumber(value: 7)
            return NSManagedObjectModel(
                NSEntityDescription(
                    "Item", [NSAttributeDescription("text", .stringAttributeType), count]))
        }
        let device = try Device(on: cloud, model: model())
        try await device.store.sync()
        let client = RawClient(cloud)
        try await client.save(client.record("Item", named: "i", ["text": "old app's"]))
        try await device.store.sync()
        func item<T>(_ body: (NSManagedObject) throws -> T) throws -> T {
            try device.edit { try body(try #require(try Device.all("Item", in: $0).first)) }
        }
        #expect(try item { $0.value(forKey: "count") as? Int } == 7)
        // The default value is not a local edit, so an edit of the text does not conflict.
        try item { $0.setValue("first", forKey: "text") }
        cloud.faults.add(
            .loseAnswer(), for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        try item { $0.setValue("second", forKey: "text") }
        let summary = try await device.store.sync()
        #expect(summary.conflictCount == 0)
        #expect(try item { $0.value(forKey: "text") as? String } == "second")
        #expect(try item { $0.value(forKey: "count") as? Int } == 7)
    }

    @Test(
        "Records that another client wrote become objects, and are edited in place",
        .tags(.existingDataIsAdopted))
    func records() async throws {
        let client = RawClient(cloud)
        // The zone exists already.
        try await Device("first", on: cloud).store.sync()
        let clock = client.record("Clock", named: "clock-of-another-client", ["label": "home"])
        clock["folder"] = client.reference(to: "folder")
        try await client.save(clock, client.record("Folder", named: "folder", ["name": "family"]))
        let device = try Device(on: cloud)
        try await device.store.sync()
        try device.read { context in
            let folder = try Device.clock("home", in: context).value(forKey: "folder")
            #expect((folder as? NSManagedObject)?.value(forKey: "name") as? String == "family")
        }
        try device.change("home", ["note": "ours"])
        try await device.store.sync()
        let records = try await client.records(ofType: "Clock")
        let note: String? = records.first?["note"]
        #expect(records.map(\.recordID.recordName) == ["clock-of-another-client"])
        #expect(note == "ours")
    }
}
