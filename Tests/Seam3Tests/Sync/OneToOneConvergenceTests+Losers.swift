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
    ///
    /// - Parameter isSentInVain: Whether the other one has tried to send its change before.
    private func expect(
        _ pairs: [String], _ loser: (end: DecidingEnd, tiedBy: Int),
        _ race: (policy: SMSyncConflictResolutionPolicy, moment: Moment),
        isSentInVain: Bool = false,
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
        if isSentInVain { await devices[1 - loser.tiedBy].syncSendingNothing(on: cloud) }
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
        "does not contest an edit of the object that loses its destination, if that was sent in vain",
        arguments: Self.losers, Self.policiesAndMoments)
    func editOfLoserSentInVain(
        loser: (end: DecidingEnd, tiedBy: Int),
        race: (policy: SMSyncConflictResolutionPolicy, moment: Moment)
    ) async throws {
        try await expect(["c1 d2", "d2 c1", "new -"], loser, race, isSentInVain: true) {
            document, _ in
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
        let (entity, former) = end == .cover ? (end.coverEntity, "c1") : ("Document", "d1")
        try devices[0].addAll(entity, "new")
        if end == .cover {
            try tie("new", to: "d1", end, on: devices[0])
        } else {
            try tie("c1", to: "new", end, on: devices[0])
        }
        try devices[0].edit {
            try Device.object(entity, former, in: $0).setValue("edited", forKey: "name")
        }
        let known = Set(try await RawClient(cloud).records().map(\.recordID.recordName))
        cloud.poisonNextRequest { $0.filter { !known.contains($0) } }
        for _ in 1...2 { await devices[0].attemptSync() }
        try await devices[1].store.sync()
        // The other edit of the loser does not wait.
        let kept = end == .cover ? ["d1 edited", "edited d1"] : ["c1 edited", "edited c1"]
        #expect(try pairs(end, on: devices[1]) == kept)

        cloud.faults.removeAll()
        try await devices[0].store.sync(complete: true)
        try await settle(devices)
        let taken =
            end == .cover
            ? ["d1 new", "edited -", "new d1"] : ["c1 new", "edited -", "new c1"]
        for device in devices {
            #expect(try pairs(end, on: device) == taken)
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
        try await expectServerAgrees()
    }

    @Test(
        "is no conflict if both lose the destination to a deletion",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func deletedDestination(policy: SMSyncConflictResolutionPolicy) async throws {
        // With the other end, the document would have an edit, which may undo its deletion.
        let end = DecidingEnd.cover
        let devices = try (0..<3).map {
            try Device("device \($0)", on: cloud, policy: policy, model: end.model())
        }
        try devices[0].addAll(end.coverEntity, "c1")
        try devices[0].addAll("Document", "d1", "d2")
        try tie("c1", to: "d1", end, on: devices[0])
        try await settle(devices)
        try devices[2].edit { context in
            context.delete(try Device.object("Document", "d2", in: context))
        }
        try await devices[2].store.sync()
        for device in devices.prefix(2) { try tie("c1", to: "d2", end, on: device) }
        try await settle(devices)
        for device in devices {
            #expect(try pairs(end, on: device) == ["c1 -", "d1 -"])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    /// How the cover that takes a document here comes to be.
    enum Taker: String, CaseIterable {
        case known, new
    }

    @Test(
        "lost on another device counts as its edit if only this device has a new owner for the destination",
        arguments: SMSyncConflictResolutionPolicy.allCases, Taker.allCases)
    func releasedByUser(policy: SMSyncConflictResolutionPolicy, taker: Taker) async throws {
        let end = DecidingEnd.cover
        let devices = try (0..<2).map {
            try Device("device \($0)", on: cloud, policy: policy, model: end.model())
        }
        try devices[0].addAll(end.coverEntity, "c1", "c2")
        try devices[0].addAll("Document", "d1")
        try tie("c1", to: "d1", end, on: devices[0])
        try await settle(devices)
        try devices[0].edit { $0.delete(try Device.object(end.coverEntity, "c1", in: $0)) }
        try tie("c1", to: nil, end, on: devices[1])
        try await devices[1].store.sync()
        if taker == .new { try devices[0].addAll(end.coverEntity, "c3") }
        let (owner, others) = taker == .new ? ("c3", ["c2 -"]) : ("c2", [])
        try tie(owner, to: "d1", end, on: devices[0])
        try await settle(devices)
        let survives = policy != .clientRecordWins
        let expected = (survives ? ["c1 -"] : []) + others + ["\(owner) d1", "d1 \(owner)"]
        for device in devices { #expect(try pairs(end, on: device) == expected.sorted()) }
    }

    @Test(
        "does not undo the deletion of an object that was sent with the destination, without an answer",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func deletionAfterLostAnswer(policy: SMSyncConflictResolutionPolicy) async throws {
        let end = DecidingEnd.cover
        let devices = try (0..<2).map {
            try Device("device \($0)", on: cloud, policy: policy, model: end.model())
        }
        let client = RawClient(cloud)
        for device in devices { try await device.store.sync() }
        for cover in ["a", "b"] {
            try await client.save(client.record(end.coverEntity, named: cover, ["name": cover]))
        }
        try await client.save(client.record("Document", named: "d", ["name": "d"]))
        for device in devices { try await device.store.sync() }
        try tie("b", to: "d", end, on: devices[0])
        try await devices[0].syncLosingAnswer(on: cloud)
        try devices[0].edit { $0.delete(try Device.object(end.coverEntity, "b", in: $0)) }
        try tie("a", to: "d", end, on: devices[1])
        try await devices[1].store.sync()
        try await settle(devices)
        for device in devices { #expect(try pairs(end, on: device) == ["a d", "d a"]) }
    }
}
