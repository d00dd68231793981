import CloudKit
import CoreData
import LocalCloud
import SeamSQLite
import Testing

/// Earlier versions stored the system fields of records as keyed archives on all systems.
@Suite("System fields that are kept as a keyed archive") struct ArchivedSystemFieldsTests {
    let cloud = LocalCloud.inMemory()

    /// A device with the clocks "one" and "two" on the server, whose file contains such archives.
    private func device() async throws -> Device {
        let device = try Device(on: cloud)
        for label in ["one", "two"] { try device.add("Clock", ["label": label]) }
        try await device.store.sync()
        device.close()
        let connection = try SQLiteConnection(path: device.file.path)
        // For containers that are not a `CKContainer`, the store still keeps archives.
        for record in try await RawClient(cloud).records() where record.recordChangeTag != nil {
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            record.encodeSystemFields(with: archiver)
            archiver.finishEncoding()
            try connection.execute(
                "UPDATE sm_object SET system_fields = ? WHERE record_name = ?",
                [.blob(archiver.encodedData), .text(record.recordID.recordName)])
        }
        try device.open(model: ClockModel.make())
        return device
    }

    @Test("are read: an edit and a deletion are sent, and no record is fetched again")
    func edits() async throws {
        let device = try await device()
        let lookUps = RequestLog(.lookUpRecords, on: cloud)
        try device.change("one", ["note": "edited"])
        try device.delete("two")
        try await device.store.sync()
        let records = try await RawClient(cloud).records(ofType: "Clock")
        let notes = records.map { $0["note"] as String? }
        #expect(notes == ["edited"])
        #expect(lookUps.count == 0)
        #expect(try device.store.checkInvariants() == [])
    }

    @Test("show a conflict as ever")
    func conflict() async throws {
        let device = try await device()
        let client = RawClient(cloud)
        for record in try await client.records(ofType: "Clock") where record["label"] == "one" {
            record["note"] = "theirs"
            try await client.save(record)
        }
        try device.change("one", ["note": "mine"])
        try await device.store.sync()
        #expect(try device.value("note", of: "one") == "theirs")
        #expect(try device.store.checkInvariants() == [])
    }
}
