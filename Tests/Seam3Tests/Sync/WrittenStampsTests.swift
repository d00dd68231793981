import CloudKit
import CoreData
import LocalCloud
import SeamSQLite
import Testing

@testable import Seam3

@Suite("The edit stamps of a saved record") struct WrittenStampsTests {
    let cloud = LocalCloud.inMemory()
    private var client: RawClient { RawClient(cloud) }

    /// The record of the only clock, and what it says about its edits.
    private func clock() async throws -> (record: CKRecord, stamps: EditStamps) {
        let record = try #require(try await client.records(ofType: "Clock").first)
        return (record, try Self.stamps(record))
    }

    private static func stamps(_ record: CKRecord) throws -> EditStamps {
        let data: Data = try #require(record[EditStamps.field])
        return try #require(EditStamps(data))
    }

    private static func stamp(_ field: String, _ stamps: EditStamps) -> EditStamps.Stamp? {
        stamps.stamps[EditStamps.key(ofField: field)]
    }

    private static func edit(_ field: String, _ stamps: EditStamps) -> UInt64? {
        stamp(field, stamps)?.edit
    }

    @Test("of a new object are those of a first version, in which its user has set each value")
    func insertion() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a", "note": "b"])
        try await device.store.sync()
        let (_, stamps) = try await clock()
        #expect(stamps.version == 1)
        #expect(stamps.origin == nil)
        #expect(stamps.saves.map(\.version) == [1])
        #expect(stamps.saves.first?.token == stamps.chain)
        #expect(Self.stamp("label", stamps) == .init(edit: 1, digest: FieldDigest.of("a")))
        #expect(Self.stamp("note", stamps) == .init(edit: 1, digest: FieldDigest.of("b")))
        #expect(Self.stamp("position", stamps) == .unset)
        #expect(Self.stamp("stranger", stamps) == nil)
    }

    @Test("count the versions, and say in which of them a user has edited each property")
    func updates() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a", "note": "b", "position": 1])
        try await device.store.sync()
        let first = try await clock().stamps
        try device.change("a", ["note": "c"])
        try await device.store.sync()
        try device.change("a", ["note": nil, "position": 2])
        try await device.store.sync()
        let (_, stamps) = try await clock()
        #expect(stamps.version == 3)
        #expect(stamps.chain == first.chain)
        #expect(stamps.saves.count == 1)
        #expect(stamps.saves.first?.file == first.saves.first?.file)
        #expect(stamps.saves.first?.token != first.saves.first?.token)
        #expect(Self.edit("label", stamps) == 1)
        #expect(Self.stamp("note", stamps) == .init(edit: 3, digest: FieldDigest.ofNothing))
        #expect(Self.stamp("position", stamps) == .init(edit: 3, digest: FieldDigest.of(Int64(2))))
    }

    @Test("remember the last save of each file")
    func devices() async throws {
        let (left, right) = (try Device("left", on: cloud), try Device("right", on: cloud))
        try left.add("Clock", ["label": "a"])
        try await left.store.sync()
        try await right.store.sync()
        try right.change("a", ["note": "b"])
        try await right.store.sync()
        let (_, stamps) = try await clock()
        #expect(stamps.saves.map(\.version).sorted() == [1, 2])
        #expect(Set(stamps.saves.map(\.file)).count == 2)
    }

    @Test("do not take a reference that follows from a deletion for an edit")
    func nullified() async throws {
        let device = try Device(on: cloud)
        try device.add("Folder", ["name": "f"])
        try device.add("Clock", ["label": "a"])
        try device.relate("a", "folder", to: "f")
        try await device.store.sync()
        try device.deleteAll("Folder")
        try await device.store.sync()
        let (record, stamps) = try await clock()
        #expect(record["folder"] == nil)
        #expect(stamps.version == 2)
        #expect(Self.stamp("folder", stamps) == .init(edit: 1, digest: FieldDigest.ofNothing))
    }

    @Test("let the next save sign what somebody has written who writes no stamps")
    func foreign() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a", "note": "b", "position": 1])
        try await device.store.sync()
        let record = try await clock().record
        record["note"] = "theirs"
        try await client.save(record)
        try await device.store.sync()
        try device.change("a", ["position": 2])
        try await device.store.sync()
        let (_, stamps) = try await clock()
        #expect(stamps.version == 2)
        #expect(Self.edit("label", stamps) == 1)
        #expect(Self.stamp("note", stamps) == .init(edit: 2, digest: FieldDigest.of("theirs")))
        #expect(Self.edit("position", stamps) == 2)
    }

    @Test("begin with the first save of a record that had none, and sign all of its values")
    func unstamped() async throws {
        let device = try Device(on: cloud)
        try await client.createZone()
        try await client.save(
            client.record("Clock", named: "c", ["label": "a", "note": "b", "other": "x"]))
        try await device.store.sync()
        try device.change("a", ["position": 2])
        try await device.store.sync()
        let (_, stamps) = try await clock()
        #expect(stamps.version == 1)
        #expect(stamps.origin == nil)
        #expect(Self.stamp("note", stamps) == .init(edit: 1, digest: FieldDigest.of("b")))
        #expect(Self.edit("position", stamps) == 1)
        #expect(Self.stamp("other", stamps) == nil)
    }

    @Test("keep those of fields that the model does not know")
    func unknownField() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a"])
        try await device.store.sync()
        var (record, stamps) = try await clock()
        let key = EditStamps.key(ofField: "other")
        stamps.stamps[key] = .init(edit: 1, digest: 7)
        record["other"] = "x"
        record[EditStamps.field] = stamps.encoded
        try await client.save(record)
        try await device.store.sync()
        try device.change("a", ["note": "b"])
        try await device.store.sync()
        #expect(try await clock().stamps.stamps[key] == .init(edit: 1, digest: 7))
    }

    @Test("name the request after a response was lost, so that the file recognizes its save")
    func lostResponse() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a"])
        cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords))
        await #expect(throws: CKError.self) { try await device.store.sync() }
        let (_, stamps) = try await clock()
        let database = try SQLiteConnection(path: device.file.path)
        let requests = try database.firstRow("SELECT requests FROM sm_outbox") {
            [SentRequest](stored: $0.value(at: 0))
        }
        #expect(requests?.map(\.token) == [stamps.chain])
        let file = try database.firstRow("SELECT file FROM sm_sync") { $0.integer(at: 0) }
        #expect(file == stamps.saves.first.map { Int64($0.file) })
    }

    @Test("continue those of the lost zone when the objects are sent again")
    func lostZone() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a", "note": "b"])
        try await device.store.sync()
        try device.change("a", ["note": nil])
        try await device.store.sync()
        let former = try await clock().stamps
        try await client.deleteZone()
        device.store.zoneLossHandler = { _ in .upload }
        try await device.store.sync()
        let (_, stamps) = try await clock()
        #expect(stamps.chain != former.chain)
        #expect(stamps.origin == .init(chain: former.chain, version: 2))
        #expect(stamps.version == 3)
        #expect(Self.stamp("label", stamps) == .init(edit: 1, digest: FieldDigest.of("a")))
        #expect(Self.stamp("note", stamps) == .init(edit: 2, digest: FieldDigest.ofNothing))
    }

    @Test("say of an encrypted value who has edited it, and nothing of the value")
    func encrypted() async throws {
        let model = ClockModel.make()
        model.entitiesByName["Clock"]?.attributesByName["note"]?.allowsCloudEncryption = true
        let device = try Device(on: cloud, model: model)
        try device.add("Clock", ["label": "a", "note": "b"])
        try await device.store.sync()
        #expect(Self.stamp("note", try await clock().stamps) == .init(edit: 1, digest: nil))
    }

    @Test("are not in the records of links")
    func links() async throws {
        let device = try Device(on: cloud, model: LibraryModel.make())
        try device.addAll("Article", "a")
        try device.addAll("Tag", "t")
        try device.setMembers("Article", "a", "tags", ["t"])
        try await device.store.sync()
        let records = try await client.records()
        #expect(records.count == 3)
        for record in records {
            let isLink = record.recordType.hasPrefix("SM_Link")
            #expect((record[EditStamps.field] == nil) == isLink)
        }
    }
}
