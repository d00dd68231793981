import CloudKit
import CloudKitService
import LocalCloud
import Testing

@Suite("The samples of the local cloud's page do what it says")
struct LocalCloudSampleTests {
    /// Another device of a sample.
    private struct OtherDevice: Sendable {
        func save() async {}
    }

    @Test func lostAnswer() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = CKContainer(identifier: "iCloud.shopping", service: cloud, device: "phone")
        let tablet = CKContainer(identifier: "iCloud.shopping", service: cloud, device: "tablet")
        let zone = try await phone.privateCloudDatabase.save(CKRecordZone(zoneName: "List"))
        let milk = CKRecord(
            recordType: "Item", recordID: CKRecord.ID(recordName: "milk", zoneID: zone.zoneID))

        // 1. The phone's next save is committed, but the response is lost.
        cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords, device: "phone"))
        // 2. Before the phone's second attempt, the tablet changes the record.
        cloud.faults.add(
            Fault(
                .call(.beforeCommit) { _ in
                    do {
                        let item = try await tablet.privateCloudDatabase.record(for: milk.recordID)
                        item["bought"] = true
                        try await tablet.privateCloudDatabase.save(item)
                    } catch {
                        Issue.record(error)
                    }
                },
                for: .kind(.modifyRecords, item: "milk", device: "phone"), occurrences: .nth(2)))

        milk["count"] = 2
        await #expect(throws: CKError.self) { try await phone.privateCloudDatabase.save(milk) }
        let error = await #expect(throws: CKError.self) {
            try await phone.privateCloudDatabase.save(milk)
        }
        #expect(error?.code == .serverRecordChanged)
        #expect(error?.serverRecord?["bought"] == true)
    }

    /// Not called, because the clouds belong to this machine's user.
    private func clouds(in directory: URL) {
        let cloud = LocalCloud.inMemory()  // for a test
        let shared = LocalCloud(directory: directory)  // for several processes
        let usual = LocalCloud.default  // of the current user
        print(cloud.options, shared.options, usual.options)
    }

    /// Not called, because each line is a separate example.
    private func tempers(of cloud: LocalCloud) {
        cloud.temper = .harsh(seed: 7)  // everything, drawn from the seed
        cloud.temper = .harsh(seed: 7, only: [.smallPages])  // one trait, whenever it can
        cloud.temper = .kind

        var temper = LocalCloud.Temper.harsh(seed: 7)
        temper.chances[.expiredTokens] = nil  // all but one
        temper.poisonousRecords = ["record-1"]  // refused for ever
        temper.sparedDevices = ["observer"]  // meets a kind cloud
        cloud.temper = temper
    }

    /// Not called, because each line is a separate situation.
    private func faults(of cloud: LocalCloud, otherDevice: OtherDevice) async {
        // The next save is refused; the client is to come back in three seconds.
        cloud.faults.add(.fail(.zoneBusy, retryAfter: 3), for: .kind(.modifyRecords))

        // The save is carried out, but the answer is lost: the client cannot know.
        cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords))

        // The user's iCloud storage is full, until the fault is removed.
        let full = cloud.faults.add(
            .fail(.quotaExceeded), for: .kind(.modifyRecords), occurrences: .always)
        cloud.faults.remove(full)

        // One record is refused. In an atomic zone its neighbors fail with `batchRequestFailed`.
        cloud.faults.add(.failItems(["record-1"], .badRequest), for: .kind(.modifyRecords))

        // Another device saves between the client's fetch and its save.
        cloud.faults.add(
            .call(.beforeCommit) { _ in await otherDevice.save() },
            for: .kind(.modifyRecords, device: "A"))

        // The app is closed while the save is under way.
        let gate = FaultGate()
        cloud.faults.add(.wait(.afterCommit, gate), for: .kind(.modifyRecords))
        await gate.arrival()  // the server has committed, the client still waits
        gate.open()
    }

    @Test("Held pushes are merged, and delivered")
    func pushDelivery() {
        let cloud = LocalCloud.inMemory()
        cloud.pushDelivery.hold()
        cloud.pushDelivery.mergeHeld()  // one push for each subscription is left
        cloud.pushDelivery.release()
        cloud.pushDelivery.loseNext(2)
        #expect(cloud.pushDelivery.heldPushes.isEmpty)
    }

    @Test("A device of the client's page can be registered for pushes")
    func registration() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = CKContainer(identifier: "iCloud.test", service: cloud)  // a device
        let tablet = CKContainer(identifier: "iCloud.test", service: cloud)  // another
        tablet.remoteNotificationHandler = { userInfo in  // its pushes
            print(CKNotification(fromRemoteNotificationDictionary: userInfo) ?? "not CloudKit's")
        }
        try await tablet.registerForRemoteNotifications()  // none is missed from here on
        #expect(phone.device != tablet.device)
    }
}
