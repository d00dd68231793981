import CoreData
import LocalCloud
import SeamSQLite
import Testing

@testable import CloudKit
@testable import Seam3

/// CloudKit ends a process that makes the ID of a record without a name, or with one of more than 255 characters.
@Suite("A name that no record can have ends nothing", .tags(.oneFailureStaysAlone))
struct ImpossibleNameTests {
    static let names = ["", String(repeating: "x", count: 256)]

    let cloud = LocalCloud.inMemory()

    private func change(_ device: Device, _ sql: String, _ values: [SQLiteValue]) throws {
        device.close()
        try SQLiteConnection(path: device.file.path).execute(sql, values)
        try device.open(model: ClockModel.make())
    }

    @Test("in the list of records that could not be fetched", arguments: names)
    func unfetched(name: String) async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "one"])
        try await device.store.sync()
        try change(
            device, "INSERT INTO sm_unfetched (record_name, reason) VALUES (?, 'none')",
            [.text(name)])
        for _ in 1...2 {
            #expect(try await device.store.sync().unfetchedRecordCount == 0)
        }
    }

    @Test(
        "in the change feed, whether the record arrives, cannot be fetched, or is deleted",
        arguments: names)
    func feed(name: String) async throws {
        let (device, container) = try Device.steered(on: cloud)
        let other = try Device("other", on: cloud)
        try other.add("Clock", ["label": "one"])
        try await other.store.sync()
        container.page = { page in
            let recordID = CKRecord.ID(received: name, zoneID: StoreZone.id)
            if let record = page.records.first?.record {
                let state = CKRecord.State(recordType: record.recordType, recordID: recordID)
                page.records.append(SMCloudRecord(CKRecord(state: state)))
            }
            page.failures[recordID] = CKError(.assetNotAvailable)
            page.deletions.append(recordID)
        }
        for _ in 1...2 {
            #expect(try await device.store.sync().unfetchedRecordCount == 0)
        }
        #expect(try device.count("Clock") == 1)
    }

    @Test("in a reference", arguments: names)
    func reference(name: String) async throws {
        let (device, container) = try Device.steered(on: cloud)
        let other = try Device("other", on: cloud)
        try other.add("Clock", ["label": "one"])
        try await other.store.sync()
        container.page = { page in
            for record in page.records {
                record.record["folder"] = CKRecord.Reference(
                    recordID: CKRecord.ID(received: name, zoneID: StoreZone.id), action: .none)
            }
        }
        try await device.store.sync()
        container.page = nil
        try device.change("one", ["note": "here"])
        try await device.store.sync()
        try await other.store.sync()
        #expect(try other.value("note", of: "one") == "here")
        #expect(try other.hasNoValue("folder", of: "one"))
    }

    @Test(
        "in an object's row, whether the object is new, changed or deleted", arguments: names,
        [false, true])
    func object(name: String, isDeleted: Bool) async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "one"])
        try await device.store.sync()
        if isDeleted { try device.delete("one") }
        try change(device, "UPDATE sm_object SET record_name = ?", [.text(name)])
        if !isDeleted { try device.change("one", ["note": "here"]) }
        try device.add("Clock", ["label": "two"])
        for _ in 1...2 { _ = await device.attemptSync() }
        let other = try Device("other", on: cloud)
        try await other.store.sync()
        #expect(try other.value("label", of: "two") == "two")
        _ = try await RawClient(cloud).records()
    }
}
