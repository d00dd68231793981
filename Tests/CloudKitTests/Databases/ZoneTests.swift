import CloudKit
import LocalCloud
import Testing

@Suite("Zones and deletions")
struct ZoneTests {
    @Test("An ID can be made by its name alone, in an expression whose type is known")
    func implicitMember() {
        let named: CKRecordZone.ID = .init(zoneName: "notes")
        let record = CKRecord.ID(recordName: "note", zoneID: .init(zoneName: "notes"))
        #expect(record.zoneID == named)
        #expect(named.ownerName == CKCurrentUserDefaultName)
        let standard: CKRecordZone.ID = .init()
        #expect(standard == .default)
    }

    @Test("Rule 9: saving an existing zone succeeds and changes nothing")
    func saveTwice() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("a"))
        let zone = try await devices.otherDatabase.save(CKRecordZone(zoneID: devices.zoneID))
        #expect(zone.capabilities.contains([.fetchChanges, .atomic]))
        _ = try await devices.database.record(for: devices.id("a"))
    }

    @Test("Rule 9: deleting a missing zone is zoneNotFound")
    func deleteMissingZone() async throws {
        let devices = Devices()
        let code = await thrownCode {
            try await devices.database.deleteRecordZone(withID: devices.zoneID)
        }
        #expect(code == .zoneNotFound)
    }

    @Test("Rule 9: deleting a missing record succeeds")
    func deleteMissingRecord() async throws {
        let devices = try await Devices.withZone()
        let recordID = try await devices.database.deleteRecord(withID: devices.id("a"))
        #expect(recordID == devices.id("a"))
    }

    @Test("Rule 9: deleting a record of a missing zone is zoneNotFound")
    func deleteInMissingZone() async throws {
        let devices = Devices()
        let code = await thrownCode {
            try await devices.database.deleteRecord(withID: devices.id("a"))
        }
        #expect(code == .zoneNotFound)
    }

    @Test("Fetching a record of a missing zone is zoneNotFound")
    func fetchInMissingZone() async throws {
        let devices = Devices()
        let results = try await devices.database.records(for: [devices.id("a")])
        #expect(code(results[devices.id("a")]) == .zoneNotFound)
    }

    @Test("All zones are the default zone and the saved ones, with the user as their owner")
    func allZones() async throws {
        let devices = try await Devices.withZone()
        let zones = try await devices.otherDatabase.allRecordZones()
        #expect(Set(zones.map(\.zoneID)) == [.default, devices.zoneID])
        let zone = try await devices.database.recordZone(for: devices.zoneID)
        #expect(zone.zoneID == devices.zoneID)
    }

    @Test("The public database accepts no custom zones")
    func publicZones() async throws {
        let devices = Devices()
        let thrown = await thrownCode {
            try await devices.phone.publicCloudDatabase.save(CKRecordZone(zoneID: devices.zoneID))
        }
        #expect(thrown == .badDatabase)
    }

    @Test("Containers with different identifiers share nothing")
    func containers() async throws {
        let devices = try await Devices.withZone()
        let other = CKContainer(identifier: "iCloud.other", service: devices.cloud)
        let zones = try await other.privateCloudDatabase.allRecordZones()
        #expect(zones.map(\.zoneID) == [.default])
    }

    @Test("Rule 10: a parent must exist")
    func missingParent() async throws {
        let devices = try await Devices.withZone()
        let child = devices.note("child")
        child.setParent(devices.id("parent"))
        let code = await thrownCode { try await devices.database.save(child) }
        #expect(code == .referenceViolation)
    }

    @Test("Rule 10: a parent with children cannot be deleted")
    func parentWithChildren() async throws {
        let devices = try await Devices.withZone()
        let parent = devices.note("parent")
        let child = devices.note("child")
        child.setParent(parent)
        _ = try await devices.database.modifyRecords(saving: [child, parent], deleting: [])
        #expect(child.parent?.recordID == parent.recordID)
        let code = await thrownCode {
            try await devices.database.deleteRecord(withID: parent.recordID)
        }
        #expect(code == .referenceViolation)
    }

    @Test("Rule 10: deleteSelf cascades, no other action does")
    func actions() async throws {
        let devices = try await Devices.withZone()
        let target = devices.note("target")
        let cascading = devices.note("cascading")
        cascading["to"] = CKRecord.Reference(record: target, action: .deleteSelf)
        let dangling = devices.note("dangling")
        dangling["to"] = CKRecord.Reference(record: target, action: .none)
        _ = try await devices.database.modifyRecords(
            saving: [target, cascading, dangling], deleting: [])
        try await devices.database.deleteRecord(withID: target.recordID)
        let results = try await devices.database.records(
            for: [cascading.recordID, dangling.recordID])
        #expect(code(results[cascading.recordID]) == .unknownItem)
        let survivor = try results[dangling.recordID]?.get()
        let reference: CKRecord.Reference? = survivor?["to"]
        #expect(reference?.recordID == target.recordID)
    }
}
