import CloudKit
import Testing

@Suite("Records in archives and copies")
struct RecordCodingTests {
    private let zoneID = CKRecordZone.ID(zoneName: "Zone")

    private func makeRecord() -> CKRecord {
        let record = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: "n1", zoneID: zoneID))
        record["title"] = "Lunch"
        record["tags"] = ["a", "b"]
        record["gone"] = nil
        record["place"] = CLLocation(latitude: 1, longitude: 2)
        record["owner"] = CKRecord.Reference(
            recordID: CKRecord.ID(recordName: "o", zoneID: zoneID), action: .deleteSelf)
        record.encryptedValues["secret"] = Data([7])
        record.setParent(CKRecord.ID(recordName: "p", zoneID: zoneID))
        return record
    }

    @Test("System fields survive a bare keyed archiver without the values")
    func systemFields() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        makeRecord().encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = true
        let record = try #require(CKRecord(coder: unarchiver))
        #expect(record.recordType == "Note")
        #expect(record.recordID == CKRecord.ID(recordName: "n1", zoneID: zoneID))
        #expect(record.parent?.recordID.recordName == "p")
        #expect(record.allKeys().isEmpty)
        #expect(record.changedKeys().isEmpty)
    }

    @Test("A whole record survives an archive with its changed keys")
    func wholeRecord() throws {
        let original = makeRecord()
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: original, requiringSecureCoding: true)
        let record = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: data))
        #expect(record["title"] == "Lunch")
        #expect(record["tags"] == ["a", "b"])
        let place: CLLocation? = record["place"]
        #expect(place?.coordinate.longitude == 2)
        let owner: CKRecord.Reference? = record["owner"]
        #expect(owner?.action == .deleteSelf)
        let secret: Data? = record.encryptedValues["secret"]
        #expect(secret == Data([7]))
        #expect(Set(record.changedKeys()) == ["title", "tags", "gone", "place", "owner"])
    }

    @Test("A copy is independent of its original")
    func copy() throws {
        let original = makeRecord()
        let copy = try #require(original.copy() as? CKRecord)
        copy["title"] = "Dinner"
        #expect(original["title"] == "Lunch")
        #expect(Set(copy.changedKeys()) == Set(original.changedKeys()))
    }

    @Test("Data that is not an archive gives an error, not a record")
    func garbage() {
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver(forReadingFrom: Data([1, 2, 3]))
        }
    }

    @Test("An archive without a record gives nil")
    func emptyArchive() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(CKRecord(coder: unarchiver) == nil)
    }

    @Test("An archive without a query, group or subscription gives one that does nothing")
    func nothingArchived() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.finishEncoding()
        func makeCoder() throws -> NSKeyedUnarchiver {
            let coder = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
            coder.decodingFailurePolicy = .setErrorAndReturn
            return coder
        }
        var coder = try makeCoder()
        #expect(CKQuery(coder: coder).predicate._isStructurallyEqual(to: NSPredicate(value: false)))
        coder = try makeCoder()
        #expect(CKOperationGroup(coder: coder).name == nil)
        let types: [CKSubscription.Type] = [
            CKQuerySubscription.self, CKRecordZoneSubscription.self, CKDatabaseSubscription.self,
        ]
        for type in types {
            coder = try makeCoder()
            #expect(type.init(coder: coder)?.subscriptionID == "")
        }
    }

    @Test("IDs, references, zones, tokens and subscriptions survive archives")
    func otherClasses() throws {
        func roundTrip<T: NSObject & NSSecureCoding>(_ object: T) throws -> T {
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: object, requiringSecureCoding: true)
            return try #require(
                try NSKeyedUnarchiver.unarchivedObject(ofClass: T.self, from: data))
        }
        let recordID = CKRecord.ID(recordName: "n1", zoneID: zoneID)
        #expect(try roundTrip(recordID) == recordID)
        #expect(try roundTrip(zoneID) == zoneID)
        let reference = CKRecord.Reference(recordID: recordID, action: .deleteSelf)
        #expect(try roundTrip(reference).action == .deleteSelf)
        #expect(try roundTrip(CKRecordZone(zoneID: zoneID)).zoneID == zoneID)
        let subscription = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: "s")
        subscription.notificationInfo = CKSubscription.NotificationInfo(
            alertBody: "x", shouldSendContentAvailable: true)
        let decoded = try roundTrip(subscription)
        #expect(decoded.zoneID == zoneID)
        #expect(decoded.notificationInfo?.alertBody == "x")
        #expect(decoded.notificationInfo?.shouldSendContentAvailable == true)
    }
}
