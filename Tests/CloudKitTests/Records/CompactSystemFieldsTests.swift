import CloudKit
import Testing

@Suite("System fields in the compact form")
struct CompactSystemFieldsTests {
    private func makeRecord(
        _ name: String = "n1", zoneID: CKRecordZone.ID = CKRecordZone.ID(zoneName: "Zone")
    ) -> CKRecord {
        CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zoneID))
    }

    private func archive(_ record: CKRecord) -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        return archiver.encodedData
    }

    private func expectSameSystemFields(_ record: CKRecord, _ other: CKRecord) {
        #expect(record.recordType == other.recordType)
        #expect(record.recordID == other.recordID)
        #expect(record.recordChangeTag == other.recordChangeTag)
        #expect(record.creationDate == other.creationDate)
        #expect(record.modificationDate == other.modificationDate)
        #expect(record.creatorUserRecordID == other.creatorUserRecordID)
        #expect(record.lastModifiedUserRecordID == other.lastModifiedUserRecordID)
        #expect(record.parent?.recordID == other.parent?.recordID)
        #expect(record.share?.recordID == other.share?.recordID)
    }

    @Test("A saved record has the same system fields in either form, and no values")
    func savedRecord() async throws {
        let devices = try await Devices.withZone()
        let saved = try await devices.database.save(devices.note("n1", "Lunch"))
        let read = try #require(CKRecord._record(systemFields: saved._systemFields))
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive(saved))
        expectSameSystemFields(read, saved)
        expectSameSystemFields(read, try #require(CKRecord(coder: unarchiver)))
        #expect(read.recordChangeTag != nil)
        #expect(read.allKeys().isEmpty)
        #expect(read.changedKeys().isEmpty)
        read["title"] = "Dinner"
        try await devices.database.save(read)
        let fetched = try await devices.otherDatabase.record(for: saved.recordID)
        #expect(fetched["title"] == "Dinner")
    }

    @Test(
        "Names of every length and the parent are kept",
        arguments: ["x", "é🎈", String(repeating: "n", count: 255)])
    func names(name: String) throws {
        let record = makeRecord(
            name, zoneID: CKRecordZone.ID(zoneName: name, ownerName: "_other"))
        record.setParent(
            CKRecord.ID(recordName: "p", zoneID: record.recordID.zoneID))
        expectSameSystemFields(
            try #require(CKRecord._record(systemFields: record._systemFields)), record)
    }

    @Test("An archive is not mistaken for the compact form, nor is empty data")
    func otherForms() {
        #expect(!CKRecord._areSystemFields(archive(makeRecord())))
        #expect(!CKRecord._areSystemFields(Data()))
        #expect(CKRecord._record(systemFields: archive(makeRecord())) == nil)
    }

    @Test("Data with a changed, missing or extra byte is not a record")
    func damage() {
        let whole = makeRecord()._systemFields
        for place in whole.indices {
            var damaged = whole
            damaged[place] ^= 0x10
            #expect(CKRecord._record(systemFields: damaged) == nil)
            #expect(CKRecord._record(systemFields: whole.prefix(place)) == nil)
        }
        #expect(CKRecord._record(systemFields: whole + [0]) == nil)
    }
}
