import CloudKit
import CoreData
import LocalCloud
import Testing

@testable import Seam3

// In separate processes, because it replaces SQLite's file access for all stores.
@Suite("A power cut") struct PowerCutTests {
    @Test(
        "after an object was sent does not make the device forget that it was",
        .tags(.neverSeenMeansNeverSent))
    func sentObject() async {
        await #expect(processExitsWith: .success) {
            let disk = try SyncedFiles()
            let cloud = LocalCloud.inMemory()
            let device = try Device(on: cloud)
            try device.add("Clock", ["label": "sent"])
            // The write-ahead log is checkpointed into the file, and therefore on the disk.
            try device.relaunch()
            cloud.faults.add(
                .call(.afterCommit) { _ in disk.cut() },
                for: .kind(.modifyRecords, device: device.cloudContainer.device))
            await device.attemptSync()
            device.close()
            try disk.putBack(to: device.directory)
            try device.open(model: ClockModel.make())
            let sent = try await RawClient(cloud).records()
            #expect(sent.count == 1)
            try device.edit { context in
                for clock in try Device.all("Clock", in: context) { context.delete(clock) }
            }
            try await device.store.sync()
            let left = try await RawClient(cloud).records()
            #expect(left.isEmpty, "\(left)")
            let clocks = try device.read { try Device.all("Clock", in: $0).count }
            #expect(clocks == 0)
        }
    }

    @Test("loses at most the last saves, and leaves a valid file", .tags(.oneTransaction))
    func lastSaves() async {
        await #expect(processExitsWith: .success) {
            let disk = try SyncedFiles()
            let device = try Device(on: LocalCloud.inMemory())
            try device.add("Clock", ["label": "old"])
            try device.relaunch()
            for index in 0..<20 { try device.add("Clock", ["label": "\(index)"]) }
            disk.cut()
            device.close()
            try disk.putBack(to: device.directory)
            try device.open(model: ClockModel.make())
            let labels = try device.read { context in
                try Device.all("Clock", in: context).compactMap {
                    $0.value(forKey: "label") as? String
                }
            }
            let kept = labels.count - 1
            #expect(Set(labels) == Set(["old"] + (0..<max(kept, 0)).map(String.init)))
            let violations = try device.store.checkInvariants()
            #expect(violations.isEmpty, "\(violations)")
        }
    }
}
