import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("The size of requests", .tags(.requestsShrink)) struct BatchLimitTests {
    @Test("halves after a refusal, by count and by bytes, down to one record")
    func halving() {
        var limits = BatchLimits()
        limits.noteRefusal(ofCount: 300, byteCount: 1_000_000)
        #expect(limits.count == 150)
        #expect(limits.byteCount == 500_000)
        for _ in 1...20 { limits.noteRefusal(ofCount: 1, byteCount: 0) }
        #expect(limits.count == 1)
        #expect(limits.byteCount == 10_000)
    }

    @Test("grows again after some accepted requests, up to CloudKit's own limits")
    func growing() {
        var limits = BatchLimits()
        limits.noteRefusal(ofCount: 100, byteCount: 1_000_000)
        for _ in 1...3 { limits.noteAcceptance() }
        #expect(limits.count == 50)
        limits.noteAcceptance()
        #expect(limits.count == 100)
        for _ in 1...100 { limits.noteAcceptance() }
        #expect(limits == BatchLimits())
    }

    @Test("does not grow as long as refusals occur in between")
    func refusalsBetween() {
        var limits = BatchLimits()
        limits.noteRefusal(ofCount: 8, byteCount: 1_000_000)
        for _ in 1...3 { limits.noteAcceptance() }
        limits.noteRefusal(ofCount: 4, byteCount: 500_000)
        for _ in 1...3 { limits.noteAcceptance() }
        #expect(limits.count == 2)
    }

    /// The sizes of the requests with which a device sends a number of folders.
    private func requests(of device: Device, on cloud: LocalCloud) -> RequestSizes {
        let sizes = RequestSizes()
        cloud.faults.add(
            Fault(
                .call(.beforeCommit) { sizes.note($0.items.count) },
                for: .kind(.modifyRecords, device: device.cloudContainer.device),
                occurrences: .always))
        return sizes
    }

    private final class RequestSizes: @unchecked Sendable {
        // Unchecked because the requests are sent one after another.
        private(set) var counts: [Int] = []
        func note(_ count: Int) { counts.append(count) }
    }

    @Test("follows what the server accepts, and is remembered for the next sync")
    func adapting() async throws {
        var options = LocalCloudOptions()
        options.maximumOperations = 30
        let cloud = LocalCloud.inMemory(options: options)
        let device = try Device(on: cloud)
        try await device.store.sync()
        let sizes = requests(of: device, on: cloud)
        func add(_ count: Int) throws {
            try device.edit { context in
                for index in 0..<count {
                    NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
                        .setValue("\(index)", forKey: "name")
                }
            }
        }
        try add(200)
        try await device.store.sync()
        #expect(sizes.counts.prefix(4) == [200, 100, 50, 25])
        #expect(sizes.counts.contains { $0 > 25 && $0 < 100 })
        let before = sizes.counts.count
        try add(100)
        try await device.store.sync()
        #expect(sizes.counts[before] <= 50)
        #expect(try await RawClient(cloud).records().count == 300)
    }

    @Test(
        "pulls continue although the quota is used up, and what waits is sent when there is space")
    func quota() async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device(on: cloud)
        let other = try Device("other", on: cloud)
        try await device.store.sync()
        let full = cloud.faults.add(
            .fail(.quotaExceeded),
            for: .kind(.modifyRecords, device: device.cloudContainer.device), occurrences: .always)
        try device.add("Clock", ["label": "mine"])
        for number in 1...2 {
            try other.add("Clock", ["label": "theirs \(number)"])
            try await other.store.sync()
            await #expect(throws: CKError.self) { try await device.store.sync() }
            #expect(try device.count("Clock") == 1 + number)
            device.store.syncAutomatically = true
            #expect(try device.store.syncStatus().nextAttempt != nil)
            device.store.syncAutomatically = false
        }
        cloud.faults.remove(full)
        try await device.store.sync()
        try await other.store.sync()
        try expectAgreement(device, other)
    }

    // MARK: - Limits of the server

    /// A cloud that accepts few operations in a request.
    private func smallCloud(_ operations: Int) -> LocalCloud {
        var options = LocalCloudOptions()
        options.maximumOperations = operations
        return LocalCloud.inMemory(options: options)
    }

    @Test("shrinks to what the server accepts, for saves and for deletions")
    func smallBatches() async throws {
        let cloud = smallCloud(7)
        let device = try Device(on: cloud)
        try device.edit { context in
            for index in 0..<50 {
                NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
                    .setValue("\(index)", forKey: "name")
            }
        }
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().count == 50)
        try device.edit { context in
            for folder in try Device.all("Folder", in: context) { context.delete(folder) }
        }
        let summary = try await device.store.sync()
        #expect(summary.deletedRecordCount == 50)
        #expect(try await RawClient(cloud).records().isEmpty)
    }

    @Test(
        "is limited in bytes, and a record beyond the limit is parked alone",
        .tags(.oneFailureStaysAlone))
    func bytes() async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device(on: cloud)
        let text = String(repeating: "x", count: 400_000)
        for index in 0..<5 { try device.add("Clock", ["label": "\(index)", "note": text]) }
        try device.add(
            "Clock", ["label": "too large", "note": String(repeating: "y", count: 1_100_000)])
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        #expect(try await RawClient(cloud).records().count == 5)
        try device.change("too large", ["note": "small"])
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().count == 6)
    }

    @Test("shrinks if the limit is reported for single records")
    func limitForOneRecord() async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device(on: cloud)
        for label in ["a", "b", "c", "d"] { try device.add("Clock", ["label": label]) }
        try await device.store.sync()
        let names = Set(try await RawClient(cloud).records().map(\.recordID.recordName))
        for label in ["a", "b", "c", "d"] { try device.change(label, ["note": "edited"]) }
        cloud.faults.add(
            .failItems(names, .limitExceeded),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        let summary = try await device.store.sync()
        #expect(summary.savedRecordCount == 4)
    }

    @Test(
        "lets deletions be sent although the quota is used up, so that they free space",
        .tags(.oneFailureStaysAlone), arguments: [nil, 300])
    func deletionsOverQuota(retryAfter: Double?) async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "old"])
        try await device.store.sync()
        try device.delete("old")
        try device.add("Clock", ["label": "new"])
        cloud.faults.add(
            .fail(.quotaExceeded, retryAfter: retryAfter),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        let error = await #expect(throws: CKError.self) { try await device.store.sync() }
        #expect(error?.code == .quotaExceeded)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        #expect(try await RawClient(cloud).records().isEmpty)
    }

    /// How the server refuses or loses each save of an object.
    enum Refusal: CaseIterable { case ofRecord, ofRequest, lostConnection }

    @Test(
        "lets a deletion be sent although an object that referred to what is deleted cannot be saved",
        .tags(.oneFailureStaysAlone), arguments: Refusal.allCases)
    func deletionOfDestination(refusal: Refusal) async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device(on: cloud)
        try device.add("Folder", ["name": "old"])
        try device.add("Clock", ["label": "clock"])
        try device.relate("clock", "folder", to: "old")
        try await device.store.sync()
        let records = try await RawClient(cloud).records(ofType: "Clock")
        let clock = try #require(records.first).recordID.recordName
        switch refusal {
        case .ofRecord:
            cloud.faults.add(
                .failItems([clock], .quotaExceeded), for: .kind(.modifyRecords, item: clock),
                occurrences: .always)
        case .ofRequest, .lostConnection:
            let code: ServerErrorCode = refusal == .ofRequest ? .quotaExceeded : .networkFailure
            cloud.faults.add(
                .fail(code), for: .kind(.modifyRecords, item: clock), occurrences: .always)
        }
        try device.edit { context in
            for folder in try Device.all("Folder", in: context) { context.delete(folder) }
        }
        for _ in 1...2 { #expect(await device.attemptSync() != nil) }
        #expect(try await RawClient(cloud).records(ofType: "Folder").isEmpty)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        cloud.faults.removeAll()
        try await device.store.sync()
        let other = try Device("b", on: cloud)
        try await Device.settle(device, other)
        try expectAgreement(device, other)
        #expect(try device.store.checkInvariants() == [])
    }
}
