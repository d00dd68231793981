import CloudKitService
import Foundation
import LocalCloud
import Testing

/// What a cloud tells about itself to those who look after it.
@Suite("Inspection")
struct InspectionTests {
    private let place = LocalCloud.Place(container: "iCloud.test/ü", environment: .development)

    private func context(
        _ device: String, _ scope: RequestContext.DatabaseScope = .private
    ) -> RequestContext {
        RequestContext(
            container: place.container, environment: place.environment, database: scope,
            device: device)
    }

    /// Saves a record in a zone of a device's user.
    private func save(
        _ name: String, type: String, in zone: String, of context: RequestContext,
        to cloud: LocalCloud
    ) async throws {
        let id = ZoneIDDictionary(zoneName: zone)
        if zone != ZoneIDDictionary.defaultZoneName {
            _ = try await cloud.modifyZones(
                ModifyZonesRequest(operations: [ZoneOperation(.create, id)]), in: context)
        }
        let record = RecordDictionary(
            recordName: name, recordType: type,
            fields: [
                "n": RecordFieldDictionary(.int64(1)),
                "s": RecordFieldDictionary(.string("x"), isEncrypted: context.database == .private),
            ])
        let answer = try await cloud.modifyRecords(
            ModifyRecordsRequest(zoneID: id, operations: [RecordOperation(.create, record)]),
            in: context)
        #expect(answer.records.allSatisfy { $0.item != nil })
    }

    @Test("A cloud lists its containers, users, zones and record types", arguments: [true, false])
    func lists(isInMemory: Bool) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("InspectionTests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let cloud = isInMemory ? LocalCloud.inMemory() : LocalCloud(directory: directory)
        #expect(try cloud.places().isEmpty)
        try cloud.signIn("ann", device: "a", container: place.container)
        try cloud.signIn("bob", device: "b")
        try await save("r1", type: "Note", in: "Z", of: context("a"), to: cloud)
        try await save("r2", type: "Note", in: "Z", of: context("a"), to: cloud)
        try await save("r3", type: "Tag", in: "Z", of: context("a"), to: cloud)
        try await save("r4", type: "Note", in: "_defaultZone", of: context("b"), to: cloud)
        try await save("r5", type: "News", in: "_defaultZone", of: context("b", .public), to: cloud)

        #expect(try cloud.places() == [place])
        let users = try await cloud.users(in: place)
        #expect(users.map(\.name) == ["ann", "bob"])
        let caller = try await cloud.fetchCaller(in: context("a"))
        #expect(users.first?.recordName == caller.userRecordName)
        #expect(users.allSatisfy { $0.bytes > 0 })
        let annsZones = try await cloud.zones(in: place, scope: .private, user: "ann")
        #expect(annsZones.map(\.name) == ["Z", "_defaultZone"])
        #expect(annsZones.map(\.recordCounts) == [["Note": 2, "Tag": 1], [:]])
        let publicZones = try await cloud.zones(in: place, scope: .public, user: nil)
        #expect(publicZones.map(\.recordCounts) == [["News": 1]])
        #expect(try await cloud.zones(in: place, scope: .private, user: "eve").isEmpty)
        let types = try await cloud.recordTypes(in: place)
        #expect(types.map(\.name) == ["News", "Note", "Tag"])
        let note = try #require(types.first { $0.name == "Note" })
        #expect(note.fields.map(\.name) == ["n", "s"])
        #expect(note.fields.map(\.isEncrypted) == [false, true])
        #expect(note.fields.map(\.indexes) == [["QUERYABLE", "SORTABLE"], []])
        let entries = try cloud.accountEntries()
        #expect(entries.map(\.device) == ["a", "b"])
        #expect(entries.map(\.container) == [place.container, nil])
        #expect(entries.map(\.user) == ["ann", "bob"])
    }

    @Test("Deleted records and zones are not counted, and asking makes nothing")
    func deletions() async throws {
        let cloud = LocalCloud.inMemory()
        try cloud.signIn("ann")
        try await save("r1", type: "Note", in: "Z", of: context("a"), to: cloud)
        try await save("r2", type: "Note", in: "Y", of: context("a"), to: cloud)
        _ = try await cloud.modifyRecords(
            ModifyRecordsRequest(
                zoneID: ZoneIDDictionary(zoneName: "Z"),
                operations: [
                    RecordOperation(.forceDelete, RecordDictionary(recordName: "r1"))
                ]), in: context("a"))
        try await cloud.purgeZone("Y", in: context("a"))
        let zones = try await cloud.zones(in: place, scope: .private, user: "ann")
        #expect(zones.map(\.name) == ["Z", "_defaultZone"])
        #expect(zones.allSatisfy { $0.recordCounts.isEmpty })
        #expect(try await cloud.users(in: place).map(\.name) == ["ann"])
    }
}
