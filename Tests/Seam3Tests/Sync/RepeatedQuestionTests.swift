import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A page about which the app is asked more than once") struct RepeatedQuestionTests {
    let cloud = LocalCloud.inMemory()

    private func name(_ type: String, where key: String, is wanted: String) async throws -> String {
        let record = try await RawClient(cloud).records(ofType: type).first { record in
            let value: String? = record[key]
            return value == wanted
        }
        return try #require(record).recordID.recordName
    }

    @Test("is applied if only its other records make a conflict of a change")
    func conflictOfOthers() async throws {
        let device = try Device("a", on: cloud, policy: .mergeByPropertyClientTells)
        try device.add("Folder", ["name": "old"])
        try device.add("Folder", ["name": "new"])
        try device.add("Clock", ["label": "clock"])
        try device.relate("clock", "folder", to: "old")
        try await device.store.sync()
        let client = RawClient(cloud)
        let folder = try await name("Folder", where: "name", is: "old")
        try device.relate("clock", "folder", to: "new")
        try await client.delete(folder)
        let fault = cloud.faults.add(
            .fail(.zoneBusy), for: .kind(.modifyRecords), occurrences: .always)
        await device.attemptSync()
        cloud.faults.remove(fault)
        // The folder exists again, so the other client set the clock's folder to nil on purpose.
        try await client.save(client.record("Folder", named: folder, ["name": "old"]))
        let clock = try await client.record(
            named: name("Clock", where: "label", is: "clock"))
        clock["folder"] = CKRecord.Reference?.none
        try await client.save(clock)
        device.store.recordConflictResolutionBlock = { server, _, _ in server }
        try await device.store.sync()
        #expect(try device.count("Folder") == 2)
        #expect(try device.hasNoValue("folder", of: "clock"))
    }

    @Test("keeps the files of its assets", .tags(.editsDuringAPass))
    func files() async throws {
        let (a, b) = (
            try Device("a", on: cloud, policy: .clientTellsWhichWins), try Device("b", on: cloud)
        )
        try a.add("Clock", ["label": "clock"])
        try await Device.settle(a, b)
        let chime = Data(repeating: 7, count: 300_000)
        try b.add("Clock", ["label": "loud", "chime": chime])
        try b.change("clock", ["note": "by b"])
        try await b.store.sync()
        try a.change("clock", ["note": "by a"])
        nonisolated(unsafe) var calls = 0
        nonisolated(unsafe) let user = a
        a.store.recordConflictResolutionBlock = { server, _, _ in
            calls += 1
            // The user edits the object while the app resolves the conflict.
            if calls == 1 { try? user.change("clock", ["note": "by a, later"]) }
            return server
        }
        try await a.store.sync()
        #expect(calls == 2)
        #expect(try a.value("chime", of: "loud", as: Data.self) == chime)
        #expect(try a.store.checkInvariants() == [])
    }
}
