import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A zone that another device has deleted and made again", .tags(.lossIsADecision))
struct RecreatedZoneTests {
    let cloud = LocalCloud.inMemory()

    /// The losses that a handler was asked about.
    private final class Losses: @unchecked Sendable {
        // Unchecked because the store asks one question at a time.
        private(set) var all: [SMZoneLoss] = []

        init(_ store: SMStore, _ response: @escaping @Sendable (SMZoneLoss) -> SMZoneLossResponse) {
            store.zoneLossHandler = { loss in
                self.all.append(loss)
                return response(loss)
            }
        }
    }

    /// A device that deletes the data in iCloud and goes on, and one with a synced object, an unsent edit and an unsent
    /// object.
    ///
    /// - Parameter isNoticed: Whether the second device syncs while there is no zone.
    private func devices(
        policy: SMSyncConflictResolutionPolicy = .serverRecordWins, isNoticed: Bool,
        then response: SMZoneLossResponse = .removeLocalData
    ) async throws -> (deleter: Device, other: Device) {
        let (a, b) = (
            try Device("a", on: cloud, policy: policy), try Device("b", on: cloud, policy: policy)
        )
        for label in ["one", "two"] { try a.add("Clock", ["label": label]) }
        try await Device.settle(a, b)
        try b.change("two", ["note": "unsent"])
        try b.add("Clock", ["label": "three"])
        if isNoticed {
            try await RawClient(cloud).deleteZone()
            #expect(await b.attemptSync() as? SMStoreError == .zoneMissing(""))
        }
        a.store.zoneLossHandler = { _ in response }
        if isNoticed {
            try await a.store.sync()
        } else {
            try await a.store.deleteCloudData(then: response) { _ in true }
        }
        try a.add("Clock", ["label": "new"])
        try await a.store.sync()
        return (a, b)
    }

    private func expectKept(_ device: Device) throws {
        #expect(try device.count("Clock") == 3)
        #expect(try device.value("note", of: "two") == "unsent")
        #expect(try device.store.syncStatus().pendingChangeCount == 2)
    }

    @Test(
        "costs no object and no edit without a handler",
        arguments: [SMSyncConflictResolutionPolicy.serverRecordWins, .mergeByProperty],
        [false, true])
    func withoutHandler(policy: SMSyncConflictResolutionPolicy, isNoticed: Bool) async throws {
        let (_, device) = try await devices(policy: policy, isNoticed: isNoticed)
        for _ in 1...3 {
            #expect(await device.attemptSync() as? SMStoreError == .zoneMissing(""))
            try expectKept(device)
        }
        try device.relaunch()
        #expect(await device.attemptSync() as? SMStoreError == .zoneMissing(""))
        try expectKept(device)
    }

    @Test(
        "is reported to a handler as lost, with the reason if the device has noticed it",
        arguments: [false, true])
    func reason(isNoticed: Bool) async throws {
        let (_, device) = try await devices(isNoticed: isNoticed)
        let losses = Losses(device.store) { _ in .stop }
        for _ in 1...2 {
            #expect(await device.attemptSync() as? SMStoreError == .zoneMissing(""))
        }
        #expect(losses.all == (isNoticed ? [.deleted, .deleted] : [.missing, .missing]))
        try expectKept(device)
    }

    @Test("is filled from this device, if the app chooses so", arguments: [false, true])
    func upload(isNoticed: Bool) async throws {
        let (a, b) = try await devices(isNoticed: isNoticed)
        let losses = Losses(b.store) { _ in .upload }
        try await b.store.sync()
        #expect(losses.all.count == 1)
        try await Device.settle(a, b)
        #expect(losses.all.count == 1)
        #expect(try a.count("Clock") == 4)
        #expect(try a.value("note", of: "two") == "unsent")
        try expectAgreement(a, b)
    }

    @Test("takes the place of the objects here, if the app chooses so", arguments: [false, true])
    func remove(isNoticed: Bool) async throws {
        let (a, b) = try await devices(isNoticed: isNoticed)
        let losses = Losses(b.store) { _ in .removeLocalData }
        try await b.store.sync()
        #expect(losses.all.count == 1)
        #expect(try b.count("Clock") == 1)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
    }

    @Test("with the records of another device is asked about, if this device has noticed the loss")
    func filledByAnother() async throws {
        let (_, device) = try await devices(isNoticed: true, then: .upload)
        let losses = Losses(device.store) { _ in .stop }
        #expect(await device.attemptSync() as? SMStoreError == .zoneMissing(""))
        #expect(losses.all == [.deleted])
        try expectKept(device)
    }

    @Test("does not stop a device that has started over", arguments: [false, true])
    func startedOver(keepsObjects: Bool) async throws {
        let (a, b) = try await devices(isNoticed: true)
        if keepsObjects {
            try b.store.resetCloudFieldsInBackingStore()
        } else {
            try b.store.resetBackingStore()
            try b.read { $0.reset() }
        }
        try await b.store.sync()
        try await Device.settle(a, b)
        #expect(try b.count("Clock") == (keepsObjects ? 4 : 1))
        try expectAgreement(a, b)
    }

    @Test("is not what a device assumes whose zone was not found once")
    func falseAlarm() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "one"])
        try await device.store.sync()
        let fault = cloud.faults.add(
            .fail(.zoneNotFound), for: .kind(.fetchZoneChanges), occurrences: .always)
        #expect(await device.attemptSync() as? SMStoreError == .zoneMissing(""))
        cloud.faults.remove(fault)
        let losses = Losses(device.store) { _ in .stop }
        try device.add("Clock", ["label": "two"])
        try await device.store.sync()
        #expect(losses.all.isEmpty)
        #expect(try await RawClient(cloud).records().count == 2)
    }

    @Test("is not what a device assumes that lost the zone before it could fetch anything")
    func nothingFetched() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "one"])
        cloud.faults.add(.fail(.zoneNotFound), for: .kind(.modifySubscriptions))
        #expect(await device.attemptSync() as? SMStoreError == .zoneMissing(""))
        let losses = Losses(device.store) { _ in .stop }
        try await device.store.sync()
        #expect(losses.all.isEmpty)
        #expect(try await RawClient(cloud).records().count == 1)
    }

    @Test(
        "is not what a device assumes whose records others have deleted, if the zone is the same"
    )
    func everythingDeleted() async throws {
        let (a, b) = (try Device("a", on: cloud), try Device("b", on: cloud))
        try a.add("Clock", ["label": "one"])
        try b.add("Clock", ["label": "two"])
        try await Device.settle(a, b)
        try a.deleteAll("Clock")
        try await a.store.sync()
        let client = RawClient(cloud)
        try await cloud.forgetDeletions(inZone: client.zoneID.zoneName, in: client.context)
        try await cloud.expireTokens(ofZone: client.zoneID.zoneName, in: client.context)
        try await b.store.sync()
        #expect(try b.count("Clock") == 0)
    }

    @Test("is not what a device assumes whose token has expired")
    func expiredToken() async throws {
        let (a, b) = (try Device("a", on: cloud), try Device("b", on: cloud))
        for label in ["one", "two"] { try a.add("Clock", ["label": label]) }
        try await Device.settle(a, b)
        try a.delete("one")
        try await a.store.sync()
        let client = RawClient(cloud)
        try await cloud.forgetDeletions(inZone: client.zoneID.zoneName, in: client.context)
        try await cloud.expireTokens(ofZone: client.zoneID.zoneName, in: client.context)
        let losses = Losses(b.store) { _ in .removeLocalData }
        try await b.store.sync()
        #expect(losses.all == [.recordsVanished(count: 1)])
        #expect(try b.count("Clock") == 1)
    }
}
