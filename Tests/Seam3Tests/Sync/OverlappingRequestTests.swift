import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Another device's request is under way while this device sends one whose response is lost.
@Suite("A request that overlaps with one whose response is lost") struct OverlappingRequestTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    @Test("does not keep its device from recognizing that one", arguments: Policy.allCases)
    func conflict(policy: Policy) async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try await Device.pairWithNote(on: cloud, policy: policy)
        try a.change("home", ["note": "mine"])
        try b.change("home", ["position": 7])
        cloud.faults.add(
            .call(.beforeCommit) { _ in
                await #expect(throws: Never.self) { try await a.syncLosingAnswer(on: cloud) }
            }, for: .kind(.modifyRecords, device: b.cloudContainer.device))
        try await b.store.sync()
        try #require(try a.store.syncStatus().pendingChangeCount == 1)
        // The edit of an object that has a note, in case a copy was made.
        try b.edit { context in
            for clock in try Device.all("Clock", in: context) {
                clock.setValue("theirs", forKey: "note")
            }
        }
        try await b.store.sync()
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        let notes = try a.read { context in
            try Device.all("Clock", in: context).map { $0.value(forKey: "note") as? String }
        }
        #expect(Set(notes) == ["theirs"])
    }
}
