import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The events of a store") struct SyncEventTests {
    let cloud = LocalCloud.inMemory()

    /// The events up to the end of the next sync.
    static func eventsOfNextPass(of store: SMStore) -> Task<[SMSyncEvent], Never> {
        let events = store.events
        return Task {
            var collected: [SMSyncEvent] = []
            for await event in events {
                collected.append(event)
                if event.kind == .sync, event.endDate != nil { break }
            }
            return collected
        }
    }

    @Test("report a sync and its steps, as they begin and as they end")
    func order() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "home"])
        let events = Self.eventsOfNextPass(of: device.store)
        try await device.store.sync()
        let told = await events.value.map { "\($0.kind) \($0.endDate == nil ? "begins" : "ends")" }
        #expect(
            told == [
                "sync begins", "setup begins", "setup ends", "setup begins", "setup ends",
                "import begins", "import ends", "export begins", "export ends", "sync ends",
            ])
    }

    @Test("have one identifier for the beginning and the end of a step, and its duration")
    func identifiers() async throws {
        let device = try Device(on: cloud)
        let events = Self.eventsOfNextPass(of: device.store)
        try await device.store.sync()
        let all = await events.value
        #expect(Set(all.map(\.id)).count * 2 == all.count)
        for event in all {
            #expect((event.duration != nil) == (event.endDate != nil))
            #expect(event.succeeded == (event.endDate != nil))
        }
    }

    @Test("count what each step did, and name the objects")
    func counts() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try a.add("Clock", ["label": "home"])
        try a.add("Clock", ["label": "office"])
        try await a.store.sync()
        try b.add("Folder", ["name": "family"])
        let events = Self.eventsOfNextPass(of: b.store)
        try await b.store.sync()
        let ends = await events.value.filter { $0.endDate != nil }
        let imported = try #require(ends.first { $0.kind == .import })
        #expect(imported.summary.insertedObjectIDs.count == 2)
        #expect(imported.summary.savedRecordCount == 0)
        let exported = try #require(ends.first { $0.kind == .export })
        #expect(exported.summary.savedRecordCount == 1)
        #expect(exported.summary.insertedObjectIDs.isEmpty)
        let whole = try #require(ends.last)
        #expect(whole.summary.insertedObjectIDs == imported.summary.insertedObjectIDs)
        #expect(whole.summary.savedRecordCount == 1)
    }

    @Test("carry the error of the step that failed, and of the sync")
    func errors() async throws {
        let device = try Device(on: cloud)
        cloud.faults.add(.fail(.networkFailure), for: .kind(.fetchZoneChanges))
        let events = Self.eventsOfNextPass(of: device.store)
        await #expect(throws: CKError.self) { try await device.store.sync() }
        let failed = await events.value.filter { $0.error != nil }
        #expect(failed.map(\.kind) == [.import, .sync])
        #expect(failed.allSatisfy { ($0.error as? CKError)?.code == .networkFailure })
        #expect(failed.allSatisfy { !$0.succeeded })
    }

    @Test("are delivered to every reader, and end when the store is closed")
    func readers() async throws {
        let device = try Device(on: cloud)
        let streams = [device.store.events, device.store.events]
        let counts = streams.map { stream in
            Task { await stream.reduce(0) { count, _ in count + 1 } }
        }
        try await device.store.sync()
        try device.relaunch()
        for count in counts { #expect(await count.value == 8) }
    }

    @Test("end at once for a store that is closed already")
    func closed() async throws {
        let device = try Device(on: cloud)
        let store = device.store
        try device.relaunch()
        #expect(await store.events.reduce(0) { count, _ in count + 1 } == 0)
    }
}
