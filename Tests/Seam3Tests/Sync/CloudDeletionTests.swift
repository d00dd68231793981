import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Deleting the user's data in iCloud", .tags(.lossIsADecision)) struct CloudDeletionTests {
    let cloud = LocalCloud.inMemory()

    /// Two devices with two clocks, of which device a has another one that was not sent.
    private func devices() async throws -> (a: Device, b: Device) {
        let (a, b) = (try Device("a", on: cloud), try Device("b", on: cloud))
        for label in ["one", "two"] { try a.add("Clock", ["label": label]) }
        try await Device.settle(a, b)
        try a.add("Clock", ["label": "unsent"])
        return (a, b)
    }

    /// The labels on the server; nil if there is no zone.
    private func labels() async throws -> [String]? {
        do {
            return try await RawClient(cloud).records().compactMap { $0["label"] }.sorted()
        } catch let error as CKError where [.zoneNotFound, .userDeletedZone].contains(error.code) {
            return nil
        }
    }

    @Test("does nothing if the user does not confirm, who is told what would be deleted")
    func refused() async throws {
        let (a, _) = try await devices()
        let isDeleted = try await a.store.deleteCloudData(then: .removeLocalData) { deletion in
            #expect(deletion.objectCount == 3)
            #expect(deletion.pendingChangeCount == 1)
            return false
        }
        #expect(!isDeleted)
        #expect(try await labels() == ["one", "two"])
        #expect(try a.count("Clock") == 3)
    }

    @Test("removes everything there and here, and later objects are synced as in a new app")
    func removed() async throws {
        let (a, _) = try await devices()
        #expect(try await a.store.deleteCloudData(then: .removeLocalData) { _ in true })
        #expect(try await labels() == nil)
        #expect(try a.count("Clock") == 0)
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
        try a.add("Clock", ["label": "later"])
        try await a.store.sync()
        #expect(try await labels() == ["later"])
        #expect(try a.store.checkInvariants().isEmpty)
    }

    @Test("with an upload sends what this device has at once, and nothing else stays")
    func uploaded() async throws {
        let (a, b) = try await devices()
        try b.add("Clock", ["label": "b's"])
        try await b.store.sync()
        try a.delete("two")
        #expect(try await a.store.deleteCloudData(then: .upload) { _ in true })
        #expect(try await labels() == ["one", "unsent"])
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
        #expect(try a.store.checkInvariants().isEmpty)
    }

    @Test(
        "with a stop keeps the objects here, and the store no longer syncs until its handler decides"
    )
    func stopped() async throws {
        let (a, _) = try await devices()
        #expect(try await a.store.deleteCloudData(then: .stop) { _ in true })
        #expect(try a.count("Clock") == 3)
        await #expect(throws: SMStoreError.zoneMissing("")) { try await a.store.sync() }
        #expect(try await labels() == nil)
        a.store.zoneLossHandler = { loss in loss == .deleted ? .upload : .stop }
        try await a.store.sync()
        #expect(try await labels() == ["one", "two", "unsent"])
    }

    @Test("stops other devices, which keep their objects, unless their handlers decide otherwise")
    func otherDevices() async throws {
        let (a, b) = try await devices()
        let c = try Device("c", on: cloud)
        try await c.store.sync()
        try await a.store.deleteCloudData(then: .removeLocalData) { _ in true }
        await #expect(throws: SMStoreError.zoneMissing("")) { try await b.store.sync() }
        #expect(try b.count("Clock") == 2)
        c.store.zoneLossHandler = { loss in loss == .deleted ? .removeLocalData : .stop }
        try await c.store.sync()
        #expect(try c.count("Clock") == 0)
        #expect(try await labels() == [])
    }

    @Test("stops other devices also if this device has already synced again")
    func otherDevicesAfterUpload() async throws {
        let (a, b) = try await devices()
        try await a.store.deleteCloudData(then: .upload) { _ in true }
        b.store.zoneLossHandler = { _ in .removeLocalData }
        try await Device.settle(b, a)
        try expectAgreement(a, b)
        #expect(try await labels() == ["one", "two", "unsent"])
    }

    @Test("of another user than the one whose data the store holds is refused")
    func anotherUser() async throws {
        let (a, _) = try await devices()
        try cloud.signIn("somebody else")
        await #expect(throws: SMStoreError.accountChanged) {
            try await a.store.deleteCloudData(then: .removeLocalData) { _ in true }
        }
        #expect(try a.count("Clock") == 3)
        try cloud.signIn("default")
        #expect(try await labels() == ["one", "two"])
    }

    @Test("that fails changes nothing here, and can be repeated")
    func failure() async throws {
        let (a, _) = try await devices()
        cloud.faults.add(
            .fail(.zoneBusy), for: .kind(.modifyZones, device: a.cloudContainer.device))
        await #expect(throws: CKError.self) {
            try await a.store.deleteCloudData(then: .removeLocalData) { _ in true }
        }
        #expect(try a.count("Clock") == 3)
        cloud.faults.add(.loseAnswer(), for: .kind(.modifyZones, device: a.cloudContainer.device))
        await #expect(throws: CKError.self) {
            try await a.store.deleteCloudData(then: .removeLocalData) { _ in true }
        }
        // The zone is gone, and nobody here knows.
        #expect(try await a.store.deleteCloudData(then: .removeLocalData) { _ in true })
        #expect(try a.count("Clock") == 0)
    }

    @Test("ends with an error of the store if the account changes meanwhile, and the objects stay")
    func accountChange() async throws {
        let (device, container) = try Device.steered(on: cloud)
        try device.add("Clock", ["label": "one"])
        try await device.store.sync()
        container.afterDeletion = { [weak container] in
            NotificationCenter.default.post(name: .CKAccountChanged, object: container)
        }
        let error = await #expect(throws: SMStoreError.self) {
            try await device.store.deleteCloudData(then: .removeLocalData) { _ in true }
        }
        #expect(error?.code == SMStoreError.accountUnavailable("").code)
        #expect(try device.count("Clock") == 1)
    }
}
