import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The sync state of an object") struct ObjectSyncStateTests {
    let cloud = LocalCloud.inMemory()

    @Test("is an insertion, then synced, then an update with its properties, then a deletion")
    func life() async throws {
        let device = try Device(on: cloud)
        try device.add("Folder", ["name": "family"])
        let clock = try device.add("Clock", ["label": "home"])
        #expect(try device.store.syncState(of: clock) == .waiting(.insertion))
        try await device.store.sync()
        #expect(try device.store.syncState(of: clock) == .synced)
        try device.change("home", ["note": "x", "position": 3])
        try device.relate("home", "folder", to: "family")
        #expect(
            try device.store.syncState(of: clock)
                == .waiting(.update(properties: ["note", "position", "folder"])))
        try device.delete("home")
        #expect(try device.store.syncState(of: clock) == .waiting(.deletion))
        try await device.store.sync()
        #expect(throws: CocoaError.self) { try device.store.syncState(of: clock) }
    }

    @Test("says why the server refuses it, and when it is sent again")
    func refused() async throws {
        let device = try Device(on: cloud)
        let clock = try device.add("Clock", ["label": "home"])
        cloud.faults.add(
            .fail(.badRequest, reason: "no such field"), for: .kind(.modifyRecords),
            occurrences: .always)
        #expect(await device.attemptSync() != nil)
        guard
            case .refused(.insertion, let reason, let next?) = try device.store.syncState(of: clock)
        else {
            Issue.record("\(try device.store.syncState(of: clock))")
            return
        }
        let text = #/invalidArguments \(no such field\), for the record [0-9A-F-]{36} of Clock/#
        #expect(try text.wholeMatch(in: reason) != nil, "\(reason)")
        #expect(
            try device.store.syncStatus().lastError
                == "One change has not been acknowledged by the server:"
                + " The server refuses a change: \(reason).")
        #expect(next > Date())
    }

    @Test("says that it is not saved, in another store, or of an entity that stays here")
    func notSynced() async throws {
        let model = ClockModel.make()
        model.entitiesByName["Folder"]?.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
        let device = try Device(on: cloud, model: model)
        let folder = try device.add("Folder", ["name": "family"])
        #expect(try device.store.syncState(of: folder) == .notSynced(.localEntity("Folder")))
        let unsaved = try device.read { context in
            let object = NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
            defer { context.delete(object) }
            return try device.store.syncState(of: object.objectID)
        }
        #expect(unsaved == .notSynced(.unsaved))
        let other = try Device("other", on: cloud, model: model)
        let clock = try other.add("Clock", ["label": "home"])
        #expect(try device.store.syncState(of: clock) == .notSynced(.otherStore))
    }
}
