import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("The size of requests") struct BatchLimitTests {
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

    @Test("grows again after some requests that were taken, up to CloudKit's own limits")
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

    @Test("does not grow as long as refusals come between")
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
        // Unchecked because the requests come one after another.
        private(set) var counts: [Int] = []
        func note(_ count: Int) { counts.append(count) }
    }

    @Test("follows what the server takes, and is remembered by the next synchronisation")
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

    @Test("pulls go on though the quota is used up, and what waits is sent when there is room")
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
            #expect(try device.store.syncStatus().nextAttempt != nil)
        }
        cloud.faults.remove(full)
        try await device.store.sync()
        try await other.store.sync()
        try expectAgreement(device, other)
    }
}
