import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Other devices change records of each request before it arrives.
@Suite("A zone in which other devices are busy") struct BusyZoneTests {
    @Test("does not keep a device from sending many changes")
    func manyChanges() async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device("a", on: cloud, policy: .mergeByProperty)
        let client = RawClient(cloud)
        let labels = (0..<40).map { "clock \($0)" }
        for label in labels { try device.add("Clock", ["label": label]) }
        try await device.store.sync()
        for label in labels { try device.change(label, ["note": "mine"]) }
        // A request of one or two records arrives in time.
        cloud.faults.add(
            .call(.beforeCommit) { request in
                guard request.items.count > 2, let name = request.items.min() else { return }
                await #expect(throws: Never.self) {
                    let record = try await client.record(named: name)
                    let position: Int? = record["position"]
                    record["position"] = (position ?? 0) + 1
                    try await client.save(record)
                }
            }, for: .kind(.modifyRecords, device: device.cloudContainer.device),
            occurrences: .always)
        try await device.store.sync()
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        let notes = try await client.records(ofType: "Clock").map { $0["note"] as? String }
        #expect(notes == labels.map { _ in "mine" })
    }
}
