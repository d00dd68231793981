import CloudKit
import CloudKitService
import Testing

@testable import CloudKit

/// The requirements that sharing, once it exists, will place on the types.
@Suite("The interface of the shared database")
struct SharingShapeTests {
    @Test("In the shared database a zone keeps its owner's name, in others it is the user's own")
    func owners() {
        let wire = ZoneIDDictionary(zoneName: "Z", ownerRecordName: "_owner")
        let shared = CKRecordZone.ID(wire, scope: .shared)
        #expect(shared.ownerName == "_owner")
        #expect(CKRecordZone.ID(wire, scope: .private).ownerName == CKCurrentUserDefaultName)
        #expect(ZoneIDDictionary(shared) == wire)
    }

    @Test("Zones of the same name and different owners are different zones")
    func sameName() {
        let own = CKRecordZone.ID(zoneName: "Z")
        let others = CKRecordZone.ID(zoneName: "Z", ownerName: "_owner")
        #expect(own != others)
        #expect(CKRecord.ID(recordName: "r", zoneID: own) != .init(recordName: "r", zoneID: others))
    }

    @Test("A record's share and parent come from the server and survive an archive")
    func share() throws {
        let zoneID = CKRecordZone.ID(zoneName: "Z", ownerName: "_owner")
        let state = CKRecord.State(
            RecordDictionary(
                recordName: "r", recordType: "T", recordChangeTag: "1",
                parent: .init(recordName: "p"), share: ReferenceDictionary(recordName: "s")),
            zoneID: zoneID, scope: .shared, files: [:])
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        CKRecord(state: state).encodeSystemFields(with: archiver)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let record = try #require(CKRecord(coder: unarchiver))
        #expect(record.share?.recordID == CKRecord.ID(recordName: "s", zoneID: zoneID))
        #expect(record.parent?.recordID == CKRecord.ID(recordName: "p", zoneID: zoneID))
    }

    @Test("The shared database exists, is empty, and accepts database subscriptions")
    func database() async throws {
        let devices = Devices()
        let database = devices.phone.sharedCloudDatabase
        #expect(try await database.allRecordZones().isEmpty)
        #expect(try await database.databaseChanges(since: nil).modifications.isEmpty)
        try await database.save(CKDatabaseSubscription(subscriptionID: "s"))
        #expect(try await database.allSubscriptions().map(\.subscriptionID) == ["s"])
    }

    @Test("A query of the shared database must name a zone")
    func query() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note())
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let code = await thrownCode {
            _ = try await devices.phone.sharedCloudDatabase.records(matching: query)
        }
        #expect(code == .invalidArguments)
    }
}
