import CoreData
import LocalCloud
import Seam3
import Testing

/// Objects whose destination another device gives to another object.
extension OneToOneConvergenceTests {
    static let policiesAndMoments = SMSyncConflictResolutionPolicy.allCases.flatMap { policy in
        Moment.allCases.map { (policy, $0) }
    }

    /// The deciding ends, and the device that sets the relationship.
    static let losers = DecidingEnd.allCases.flatMap { [($0, 0), ($0, 1)] }

    /// A device ties the cover of the document "d1" to "d2", and the other one changes "d1". Expects certain
    /// pairs in the end.
    private func expect(
        _ pairs: [String], _ loser: (end: DecidingEnd, tiedBy: Int),
        _ race: (policy: SMSyncConflictResolutionPolicy, moment: Moment),
        change: (_ document: NSManagedObject, _ context: NSManagedObjectContext) -> Void
    ) async throws {
        let devices = try (0..<2).map {
            try Device("device \($0)", on: cloud, policy: race.policy, model: loser.end.model())
        }
        try devices[0].addAll(loser.end.coverEntity, "c1")
        try devices[0].addAll("Document", "d1", "d2")
        try tie("c1", to: "d1", loser.end, on: devices[0])
        try await settle(devices)
        try tie("c1", to: "d2", loser.end, on: devices[loser.tiedBy])
        try devices[1 - loser.tiedBy].edit { context in
            change(try Device.object("Document", "d1", in: context), context)
        }
        try await syncBoth(devices, race.moment)
        try await settle(devices)
        for device in devices { #expect(try self.pairs(loser.end, on: device) == pairs) }
    }

    @Test(
        "does not contest another edit of the object that loses its destination",
        arguments: Self.losers, Self.policiesAndMoments)
    func editOfLoser(
        loser: (end: DecidingEnd, tiedBy: Int),
        race: (policy: SMSyncConflictResolutionPolicy, moment: Moment)
    ) async throws {
        try await expect(["c1 d2", "d2 c1", "new -"], loser, race) { document, _ in
            document.setValue("new", forKey: "name")
        }
    }

    @Test(
        "does not contest the deletion of the object that loses its destination",
        arguments: Self.losers, Self.policiesAndMoments)
    func deletionOfLoser(
        loser: (end: DecidingEnd, tiedBy: Int),
        race: (policy: SMSyncConflictResolutionPolicy, moment: Moment)
    ) async throws {
        try await expect(["c1 d2", "d2 c1"], loser, race) { $1.delete($0) }
    }

    /// Makes the server refuse each record that it does not have.
    private func refuseNewRecords() async throws {
        let known = Set(try await RawClient(cloud).records().map(\.recordID.recordName))
        let cloud = cloud
        cloud.faults.add(
            .call(.beforeCommit) { request in
                for name in request.items where !known.contains(name) {
                    cloud.faults.add(
                        .fail(.serverRejectedRequest), for: .kind(.modifyRecords, item: name),
                        occurrences: .always)
                }
            }, for: .kind(.modifyRecords))
        // The inspected request has no fault of its own yet, so it fails here.
        cloud.faults.add(.fail(.serverRejectedRequest), for: .kind(.modifyRecords))
    }

    @Test(
        "keeps its destination on other devices until the server has the new object that takes it",
        arguments: DecidingEnd.allCases)
    func refusedTaker(end: DecidingEnd) async throws {
        let devices = try (0..<2).map {
            try Device("device \($0)", on: cloud, model: end.model())
        }
        try devices[0].addAll(end.coverEntity, "c1")
        try devices[0].addAll("Document", "d1")
        try tie("c1", to: "d1", end, on: devices[0])
        try await settle(devices)
        switch end {
        case .cover:
            try devices[0].addAll(end.coverEntity, "c2")
            try tie("c2", to: "d1", end, on: devices[0])
            try devices[0].edit {
                try Device.object(end.coverEntity, "c1", in: $0).setValue("c1b", forKey: "name")
            }
        case .document:
            try devices[0].addAll("Document", "d2")
            try tie("c1", to: "d2", end, on: devices[0])
            try devices[0].edit {
                try Device.object("Document", "d1", in: $0).setValue("d1b", forKey: "name")
            }
        }
        try await refuseNewRecords()
        for _ in 1...2 { await devices[0].attemptSync() }
        try await devices[1].store.sync()
        // The other edit of the loser does not wait.
        let kept = end == .cover ? ["c1b d1", "d1 c1b"] : ["c1 d1b", "d1b c1"]
        #expect(try pairs(end, on: devices[1]) == kept)

        cloud.faults.removeAll()
        try await devices[0].store.sync(complete: true)
        try await settle(devices)
        let taken =
            end == .cover ? ["c1b -", "c2 d1", "d1 c2"] : ["c1 d2", "d1b -", "d2 c1"]
        for device in devices {
            #expect(try pairs(end, on: device) == taken)
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
        try await expectServerAgrees()
    }
}
