import CloudKit
import CoreData
import Testing

@Suite("CloudKit's records, without a server") struct RecordFacts {
    private func record() -> CKRecord {
        CKRecord(recordType: "Clock", recordID: CKRecord.ID(recordName: "clock"))
    }

    private func archive(_ record: CKRecord, with key: String? = nil) -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        if let key { archiver.encode(NSString(string: "value"), forKey: key) }
        archiver.finishEncoding()
        return archiver.encodedData
    }

    private func record(from data: Data) throws -> CKRecord? {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = true
        defer { unarchiver.finishDecoding() }
        return CKRecord(coder: unarchiver)
    }

    @Test("Keys that count as changed")
    func changedKeys() throws {
        let known = try #require(try record(from: archive(record())))
        known["label"] = "noon"
        let again = known.changedKeys().count
        known["label"] = "noon"
        fact("CK-1", expected: true, observed: known.changedKeys().count == again && again == 1)
        known["note"] = nil as String?
        fact("CK-2", expected: true, observed: known.changedKeys().contains("note"))
    }

    @Test("Keys of encrypted values")
    func encryptedKeys() {
        let secret = record()
        secret.encryptedValues["secret"] = "hidden"
        fact("CK-3", expected: false, observed: secret.allKeys().contains("secret"))
    }

    @Test("The archive of system fields")
    func systemFields() throws {
        let read = try record(from: archive(record(), with: "SMChangeTag"))
        fact("CK-4", expected: "clock", observed: read?.recordID.recordName)
        fact("CK-7", expected: nil, observed: try record(from: archive(record()))?.recordChangeTag)
    }

    @Test("The payload of a push")
    func push() {
        let payload: [AnyHashable: Any] = [
            "aps": ["content-available": 1],
            "ck": [
                "ce": 2, "cid": "iCloud.test", "nid": "00000000-0000-0000-0000-000000000001",
                "fet": [
                    "dbs": 1, "zid": "zone", "zoid": "__defaultOwner__", "sid": "subscription",
                ],
            ],
        ]
        let notification = CKNotification(fromRemoteNotificationDictionary: payload)
        let zone = (notification as? CKRecordZoneNotification)?.recordZoneID?.zoneName
        fact("CK-5", expected: "zone", observed: zone)
    }

    @Test("An error of CloudKit's domain")
    func errors() {
        let error: any Error = CKError(
            .zoneBusy, userInfo: [CKErrorRetryAfterKey: NSNumber(value: 3)])
        fact("CK-6", expected: 3, observed: (error as? CKError)?.retryAfterSeconds)
    }
}
