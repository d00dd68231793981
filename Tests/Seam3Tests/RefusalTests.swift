import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A server that refuses, again and again") struct RefusalTests {
    let cloud = LocalCloud.inMemory()

    private func recordNames(of device: Device) async throws -> Set<String> {
        // Only the outbox has them before the first push, so one push is let through.
        try await device.store.sync()
        return Set(try await RawClient(cloud).records().map(\.recordID.recordName))
    }

    @Test(
        "What was refused is sent again by a complete sync",
        .tags(.acknowledgedOnly, .noFalseSuccess))
    func refusedAndComplete() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a"])
        let name = try #require(try await recordNames(of: device).first)
        try device.change("a", ["note": "edited"])
        cloud.faults.add(
            .failItems([name], .badRequest),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        guard case .changesNotAcknowledged(1, let underlying?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((underlying as? SMStoreError)?.code == SMStoreError.refusedByServer("").code)
        let summary = try await device.store.sync(complete: true)
        #expect(summary.savedRecordCount == 1)
    }

    // MARK: - Limits

    /// Codes after which the change is retried.
    static let repeating: [ServerErrorCode] = [
        .conflict, .exists, .atomicError, .limitExceeded, .notFound, .assetFileModified,
    ]

    @Test(
        "A server that repeats the same answer does not keep the pass going forever",
        .tags(.everyLoopEnds),
        arguments: repeating, [SMSyncConflictResolutionPolicy.serverRecordWins, .clientRecordWins])
    func endlessAnswer(code: ServerErrorCode, policy: SMSyncConflictResolutionPolicy) async throws {
        let device = try Device(on: cloud, policy: policy)
        device.store.recordConflictResolutionBlock = { _, client, _ in client }
        try device.add("Clock", ["label": "a"])
        let name = try #require(try await recordNames(of: device).first)
        try device.change("a", ["note": "edited"])
        let fault = cloud.faults.add(
            .failItems([name], code),
            for: .kind(.modifyRecords, device: device.cloudContainer.device), occurrences: .always)
        _ = try? await device.store.sync()
        #expect(cloud.faults.matchCount(of: fault) <= 20)
    }

    @Test(
        "A deletion that the server never accepts ends the pass with an error",
        .tags(.everyLoopEnds, .noFalseSuccess))
    func endlessDeletion() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a"])
        let name = try #require(try await recordNames(of: device).first)
        try device.delete("a")
        let fault = cloud.faults.add(
            .failItems([name], .atomicError),
            for: .kind(.modifyRecords, device: device.cloudContainer.device), occurrences: .always)
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(cloud.faults.matchCount(of: fault) <= 20)
        cloud.faults.removeAll()
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().isEmpty)
    }

    // MARK: - Conflicts

    @Test(
        "Both devices insert the same record, and the error contains no server record",
        .tags(.threeWayConflicts))
    func insertInsert() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "mine", "chime": Data([1])])
        // The response is lost, and another device changes the record at once.
        let client = RawClient(cloud)
        cloud.faults.add(
            .loseAnswer(), for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        let record = try #require(try await client.records().first)
        record["label"] = "theirs"
        try await client.save(record)
        try device.edit { try Device.clock("mine", in: $0).setValue("note", forKey: "note") }
        try await device.store.sync()
        let other = try Device("other", on: cloud)
        try await other.store.sync()
        try expectAgreement(device, other)
        #expect(try other.count("Clock") == 1)
    }

    @Test(
        "The other records of a refused record's request are sent in the same pass",
        .tags(.oneFailureStaysAlone))
    func neighbors() async throws {
        let device = try Device(on: cloud)
        for label in ["a", "b", "c"] { try device.add("Clock", ["label": label]) }
        let names = try await recordNames(of: device).sorted()
        for label in ["a", "b", "c"] { try device.change(label, ["note": "edited"]) }
        cloud.faults.add(
            .failItems([names[0]], .badRequest),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        cloud.faults.add(
            .failItems([names[1], names[2]], .atomicError),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
    }

    @Test(
        "A new object is not deleted because the server lacks something else",
        .tags(.neverSeenMeansNeverSent))
    func unknownItemForInsertion() async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        try device.add("Clock", ["label": "new"])
        cloud.faults.add(
            .fail(.networkFailure),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        let names = NameCollector()
        let gate = cloud.faults.add(
            .call(.beforeCommit) { names.note($0.items) },
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        cloud.faults.add(
            .fail(.networkFailure),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        cloud.faults.remove(gate)
        cloud.faults.add(
            .failItems(names.items, .notFound),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        #expect(try device.count("Clock") == 1)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
    }

    private final class NameCollector: @unchecked Sendable {
        // Unchecked because the requests are sent one after another.
        var items: Set<String> = []
        func note(_ names: Set<String>) { items.formUnion(names) }
    }
}
