import CloudKit
import Testing

@Suite("Rules of records", .tags(.linuxIsNotKinder))
struct RecordRuleTests {
    @Test("Values are copied when they are set")
    func copies() {
        let record = CKRecord(recordType: "Note")
        let text = NSMutableString(string: "Lunch")
        let data = NSMutableData(data: Data([1]))
        let list = NSMutableArray(array: [NSNumber(value: 1)])
        record["text"] = text
        record["data"] = data
        record["list"] = list
        text.append(" later")
        data.append(Data([2]))
        list.add(NSNumber(value: 2))
        #expect(record["text"] == "Lunch")
        #expect(record["data"] == Data([1]))
        #expect(record["list"] == [1])
    }

    @Test("What the server sets is nil until the record is saved, and new with every save")
    func systemFields() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note("a", "Lunch")
        #expect(record.recordChangeTag == nil && record.creationDate == nil)
        #expect(record.modificationDate == nil && record.creatorUserRecordID == nil)
        #expect(record.lastModifiedUserRecordID == nil && record.share == nil)
        let first = try await devices.database.save(record)
        let (tag, created) = (first.recordChangeTag, first.creationDate)
        #expect(tag != nil && created != nil && first.modificationDate != nil)
        #expect(first.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
        first["title"] = "Dinner"
        let second = try await devices.database.save(first)
        #expect(second.recordChangeTag != tag && second.creationDate == created)
        #expect(try #require(second.modificationDate) >= #require(created))
    }

    @Test("A record's name may be used in every zone and database")
    func sameName() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("a", "custom"))
        let id = CKRecord.ID(recordName: "a")
        for (database, title) in [
            (devices.database, "default"), (devices.phone.publicCloudDatabase, "public"),
        ] {
            let record = CKRecord(recordType: "Note", recordID: id)
            record["title"] = title
            try await database.save(record)
        }
        #expect(try await devices.database.record(for: devices.id("a"))["title"] == "custom")
        #expect(try await devices.database.record(for: id)["title"] == "default")
    }

    @Test("Names that CloudKit reserves are constants")
    func constants() {
        #expect(CKRecordZone.ID.defaultZoneName == "_defaultZone")
        #expect(CKCurrentUserDefaultName == "__defaultOwner__")
        #expect(CKRecord.SystemType.userRecord == "Users")
        #expect(CKRecord.SystemType.share == "cloudkit.share")
        #expect(UUID(uuidString: CKRecord.ID().recordName) != nil)
        #expect(CKRecord.ReferenceAction.none.rawValue == 0)
        #expect(CKRecord.ReferenceAction.deleteSelf.rawValue == 1)
        #expect(CKQueryOperation.maximumResults == 0)
    }

    @Test("A parent with an action is a programming error")
    func parentAction() async {
        await #expect(processExitsWith: .failure) {
            let record = CKRecord(recordType: "Note")
            record.parent = CKRecord.Reference(recordID: CKRecord.ID(), action: .deleteSelf)
        }
    }

    @Test("So is an encrypted reference")
    func encryptedReference() async {
        await #expect(processExitsWith: .failure) {
            let record = CKRecord(recordType: "Note")
            record.encryptedValues["r"] = CKRecord.Reference(
                recordID: CKRecord.ID(), action: .none)
        }
    }

    @Test("And an object that no field can hold")
    func wrongClass() async {
        await #expect(processExitsWith: .failure) {
            CKRecord(recordType: "Note")["list"] = NSArray(array: [NSObject()])
        }
    }

    // Foundation cannot describe some of these dates, so the seconds are the arguments.
    @Test(
        "A date that cannot be sent does not stop the save", .tags(.anyValueOrAnError),
        arguments: [1e12, -1e12, 1e300, .infinity, -.infinity, .nan] as [TimeInterval])
    func extremeDates(seconds: TimeInterval) async throws {
        let devices = try await Devices.withZone()
        let record = devices.note()
        record["date"] = Date(timeIntervalSince1970: seconds)
        try await devices.database.save(record)
    }
}
