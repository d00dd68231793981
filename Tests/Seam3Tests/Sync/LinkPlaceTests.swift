import CloudKit
import CoreData
import LocalCloud
import Seam3
import SeamSQLite
import Testing

@Suite("The place of a member in an ordered many-to-many relationship")
struct LinkPlaceTests {
    let cloud = LocalCloud.inMemory()

    static let policies: [SMSyncConflictResolutionPolicy] = [
        .serverRecordWins, .clientRecordWins, .mergeByProperty,
    ]

    /// A device with an article and its readers, in this order.
    private func device(
        _ policy: SMSyncConflictResolutionPolicy, _ readers: [String]
    ) throws -> Device {
        let device = try Device("a", on: cloud, policy: policy, model: LibraryModel.make())
        try device.addAll("Article", "article")
        try device.addAll("Reader", "r1", "r2", "r3")
        try arrange(readers, on: device)
        return device
    }

    private func arrange(_ readers: [String], on device: Device) throws {
        try device.edit { context in
            try Device.object("Article", "article", in: context).setValue(
                NSOrderedSet(
                    array: try readers.map { try Device.object("Reader", $0, in: context) }),
                forKey: "readers")
        }
    }

    private func readers(on device: Device) throws -> [String] {
        try device.read { context in
            context.refreshAllObjects()
            let article = try Device.object("Article", "article", in: context)
            let readers = article.value(forKey: "readers") as? NSOrderedSet
            return readers?.array.compactMap {
                ($0 as? NSManagedObject)?.value(forKey: "name") as? String
            } ?? []
        }
    }

    private func expectOrder(_ expected: [String], _ device: Device) async throws {
        try await device.store.sync()
        let other = try Device("other", on: cloud, model: LibraryModel.make())
        try await other.store.sync()
        for device in [device, other] {
            #expect(try readers(on: device) == expected, "\(device.name)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "is the one that it got after it was sent without an answer", .tags(.sentIsTheAncestor),
        arguments: policies, LostAnswer.allCases)
    func lostAnswer(policy: SMSyncConflictResolutionPolicy, loss: LostAnswer) async throws {
        let device = try device(policy, ["r1", "r2", "r3"])
        try await device.syncLosingAnswer(loss, on: cloud, model: LibraryModel.make())
        try arrange(["r3", "r1", "r2"], on: device)
        try await expectOrder(["r3", "r1", "r2"], device)
        try await device.syncLosingAnswer(loss, on: cloud, model: LibraryModel.make())
        try arrange(["r2", "r3", "r1"], on: device)
        try await device.syncLosingAnswer(loss, on: cloud, model: LibraryModel.make())
        try arrange(["r1", "r3", "r2"], on: device)
        try await expectOrder(["r1", "r3", "r2"], device)
    }

    @Test(
        "is the one that it got before or after the device forgot the server",
        arguments: policies, [false, true])
    func forgottenServer(policy: SMSyncConflictResolutionPolicy, isAfter: Bool) async throws {
        let device = try device(policy, ["r1", "r2", "r3"])
        try await device.store.sync()
        if isAfter { try device.store.resetCloudFieldsInBackingStore() }
        try arrange(["r3", "r1", "r2"], on: device)
        if !isAfter { try device.store.resetCloudFieldsInBackingStore() }
        try await expectOrder(["r3", "r1", "r2"], device)
    }

    @Test("is the one that it got while it was being sent", arguments: policies)
    func meanwhile(policy: SMSyncConflictResolutionPolicy) async throws {
        let device = try device(policy, ["r1", "r2", "r3"])
        for order in [["r3", "r1", "r2"], ["r2", "r3", "r1"]] {
            try device.add("Tag", ["name": "makes the pass push"])
            cloud.faults.add(
                .call(.beforeCommit) { _ in
                    #expect(throws: Never.self) { try arrange(order, on: device) }
                }, for: .kind(.modifyRecords, device: device.cloudContainer.device))
            try await device.store.sync()
            try await expectOrder(order, device)
        }
    }

    @Test("stays as it is here if the record was only saved again elsewhere", arguments: policies)
    func savedAgain(policy: SMSyncConflictResolutionPolicy) async throws {
        let device = try device(policy, ["r1", "r2", "r3"])
        try await device.store.sync()
        try arrange(["r3", "r1", "r2"], on: device)
        let client = RawClient(cloud)
        for record in try await client.records() where record.recordType.contains("Link") {
            try await client.save(record)
        }
        try await expectOrder(["r3", "r1", "r2"], device)
    }

    @Test("is the server's if another device has moved the same member", arguments: policies)
    func movedElsewhere(policy: SMSyncConflictResolutionPolicy) async throws {
        let device = try device(policy, ["r1", "r2", "r3"])
        try await device.store.sync()
        let other = try Device("b", on: cloud, policy: policy, model: LibraryModel.make())
        try await other.store.sync()
        try arrange(["r3", "r1", "r2"], on: other)
        try await other.store.sync()
        try arrange(["r1", "r3", "r2"], on: device)
        try await expectOrder(["r3", "r1", "r2"], device)
    }

    @Test("is sent although what the file knows of the link's record is damaged")
    func damaged() async throws {
        let device = try device(.serverRecordWins, ["r1", "r2", "r3"])
        try await device.store.sync()
        try arrange(["r3", "r1", "r2"], on: device)
        device.close()
        try SQLiteConnection(path: device.file.path)
            .execute("UPDATE sm_object SET system_fields = x'001122'")
        try device.open(model: LibraryModel.make())
        try await expectOrder(["r3", "r1", "r2"], device)
    }
}
