import CloudKit
import LocalCloud
import Testing

@Suite("Saves against the server's record")
struct SaveRuleTests {
    @Test("Rule 1: a missing record is created")
    func creates() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note("n1", "Lunch")
        let saved = try await devices.database.save(record)
        #expect(saved === record)
        #expect(saved.recordChangeTag != nil)
        #expect(saved.changedKeys().isEmpty)
        #expect(saved.creationDate != nil)
        #expect(saved.modificationDate != nil)
    }

    @Test("Rule 1: a save with the current tag changes the changed keys only")
    func equalTag() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note("n1", "Lunch")
        record["place"] = "Home"
        try await devices.database.save(record)
        let tag = record.recordChangeTag
        record["title"] = "Dinner"
        try await devices.database.save(record)
        #expect(record.recordChangeTag != tag)
        let fetched = try await devices.otherDatabase.record(for: record.recordID)
        #expect(fetched["title"] == "Dinner")
        #expect(fetched["place"] == "Home")
        #expect(fetched.recordChangeTag == record.recordChangeTag)
    }

    @Test("Rule 1: a save with an old tag is a conflict")
    func staleTag() async throws {
        let devices = try await Devices.withZone()
        let mine = try await devices.database.save(devices.note("n1", "Lunch"))
        let theirs = try await devices.otherDatabase.record(for: mine.recordID)
        theirs["title"] = "Theirs"
        try await devices.otherDatabase.save(theirs)
        mine["title"] = "Mine"
        let error = await #expect(throws: CKError.self) { try await devices.database.save(mine) }
        #expect(error?.code == .serverRecordChanged)
        #expect(error?.serverRecord?["title"] == "Theirs")
        #expect(error?.clientRecord?["title"] == "Mine")
        #expect(error?.ancestorRecord?["title"] == "Lunch")
        #expect(mine.changedKeys() == ["title"])
    }

    @Test(
        "Rule 1: a save of a new record under an existing name is a conflict without ancestor")
    func existing() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("n1", "Lunch"))
        let error = await #expect(throws: CKError.self) {
            try await devices.otherDatabase.save(devices.note("n1", "Other"))
        }
        #expect(error?.code == .serverRecordChanged)
        #expect(error?.serverRecord?["title"] == "Lunch")
        #expect(error?.ancestorRecord?.allKeys() == [])
    }

    @Test("Rule 1: a tagged record that another device has deleted is unknown")
    func deletedMeanwhile() async throws {
        let devices = try await Devices.withZone()
        let record = try await devices.database.save(devices.note())
        try await devices.otherDatabase.deleteRecord(withID: record.recordID)
        record["title"] = "Mine"
        #expect(await thrownCode { try await devices.database.save(record) } == .unknownItem)
    }

    @Test("Rule 1: a save into a missing zone is zoneNotFound")
    func missingZone() async throws {
        let devices = Devices()
        let code = await thrownCode { try await devices.database.save(devices.note()) }
        #expect(code == .zoneNotFound)
    }

    @Test(
        "Rule 2: the other policies ignore the tag, and keep what only the server has",
        arguments: [CKModifyRecordsOperation.RecordSavePolicy.changedKeys, .allKeys])
    func merges(policy: CKModifyRecordsOperation.RecordSavePolicy) async throws {
        let devices = try await Devices.withZone()
        let mine = try await devices.database.save(devices.note("n1", "Lunch"))
        let theirs = try await devices.otherDatabase.record(for: mine.recordID)
        theirs["title"] = "Theirs"
        theirs["place"] = "Theirs"
        try await devices.otherDatabase.save(theirs)
        mine["count"] = 1
        let results = try await devices.database.modifyRecords(
            saving: [mine], deleting: [], savePolicy: policy)
        #expect(code(results.saveResults[mine.recordID]) == nil)
        let fetched = try await devices.database.record(for: mine.recordID)
        #expect(fetched["title"] == (policy == .allKeys ? "Lunch" : "Theirs"))
        #expect(fetched["place"] == "Theirs")
        #expect(fetched["count"] == 1)
    }

    @Test("A key set to nil is cleared on the server")
    func clearing() async throws {
        let devices = try await Devices.withZone()
        let record = try await devices.database.save(devices.note("n1", "Lunch"))
        record["title"] = nil
        try await devices.database.save(record)
        let fetched = try await devices.database.record(for: record.recordID)
        #expect(fetched.allKeys().isEmpty)
    }

    @Test("A record restored from its system fields saves just the keys that are set")
    func systemFields() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note("n1", "Lunch")
        record["place"] = "Home"
        try await devices.database.save(record)
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let restored = try #require(CKRecord(coder: unarchiver))
        #expect(restored.recordChangeTag == record.recordChangeTag)
        restored["title"] = "Dinner"
        try await devices.database.save(restored)
        let fetched = try await devices.database.record(for: record.recordID)
        #expect(fetched["title"] == "Dinner")
        #expect(fetched["place"] == "Home")
    }

    @Test("A key set during a save remains changed")
    func editDuringSave() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note("n1", "Lunch")
        devices.cloud.faults.add(
            .call(.afterCommit) { _ in record["title"] = "Dinner" }, for: .kind(.modifyRecords))
        try await devices.database.save(record)
        #expect(record.changedKeys() == ["title"])
        #expect(record["title"] == "Dinner")
        let fetched = try await devices.database.record(for: record.recordID)
        #expect(fetched["title"] == "Lunch")
    }

    @Test("Every value type comes back from the server unchanged")
    func valueTypes() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note()
        let date = Date(timeIntervalSince1970: -1.5)
        let location = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.4), altitude: 170,
            horizontalAccuracy: 5, verticalAccuracy: 3, course: 90, speed: 1.5, timestamp: date)
        let reference = CKRecord.Reference(recordID: devices.id("other"), action: .none)
        record["string"] = "ä\u{0}😀"
        record["integer"] = Int64.min
        record["double"] = 0.1
        record["flag"] = true
        record["date"] = date
        record["data"] = Data([0, 1, 255])
        record["location"] = location
        record["reference"] = reference
        record["strings"] = ["a", ""]
        record["integers"] = [1, -1]
        record["references"] = [reference]
        record.encryptedValues["secret"] = "x"
        try await devices.database.save(record)
        let fetched = try await devices.otherDatabase.record(for: record.recordID)
        #expect(fetched["string"] == "ä\u{0}😀")
        #expect(fetched["integer"] == Int64.min)
        #expect(fetched["double"] == 0.1)
        #expect(fetched["flag"] == true)
        #expect(fetched["date"] == date)
        #expect(fetched["data"] == Data([0, 1, 255]))
        #expect(fetched["location"] == location)
        #expect(fetched["reference"] == reference)
        #expect(fetched["strings"] == ["a", ""])
        #expect(fetched["integers"] == [1, -1])
        #expect(fetched["references"] == [reference])
        let secret: String? = fetched.encryptedValues["secret"]
        #expect(secret == "x")
        #expect(fetched.changedKeys().isEmpty)
    }
}
