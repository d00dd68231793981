import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

/// Three owners have a member each. A device forgets the server while two of these pairs are removed, one at each end.
/// Nobody touches the third one.
@Suite(
    "After resetCloudFieldsInBackingStore(),",
    .tags(.everyRelationshipRoundTrips, .convergenceWithoutLuck))
struct ResetPairTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    /// Who removes the pairs, and when.
    enum Removal: String, CaseIterable, Sendable {
        /// Another device, which sends it before the reset.
        case sentBefore
        /// Another device, which sends it between the reset and the next sync.
        case sentAfter
        /// Another device, which sends it between the pull and the push of the next sync.
        case sentDuring
        /// Another device, before the reset. It sends it after the next sync.
        case sentLater
        /// The device itself. The server has acknowledged it before the reset.
        case ownAcknowledged
        /// The device itself. The response was lost before the reset.
        case ownWithoutResponse
        /// The device itself, before the reset. It was never sent.
        case ownWaiting
        /// The device itself, after the reset.
        case ownLater

        var isOfOtherDevice: Bool {
            [.sentBefore, .sentAfter, .sentDuring, .sentLater].contains(self)
        }
        /// Whether there is nothing to decide: only one side has changed something when the two meet, or both agree.
        var isUndisputed: Bool {
            [.sentLater, .ownAcknowledged, .ownWithoutResponse].contains(self)
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let kind: RelationKind
        let removal: Removal
        let policy: Policy
        let isComplete: Bool
        let pageSize: Int

        var testDescription: String {
            "\(kind.name), \(removal.rawValue), \(policy)\(isComplete ? ", complete" : ""), pages of \(pageSize)"
        }

        /// Whether the removal stands because nothing is disputed or because the policy prefers its side.
        var standsByPolicy: Bool {
            if removal.isUndisputed { return true }
            if kind.hasLinks { return false }
            return policy == (removal.isOfOtherDevice ? .serverRecordWins : .clientRecordWins)
        }

        /// Whether the pair may be there again, on all devices: the policy prefers the other side, or the pair is a record of
        /// its own, which the reset device sends like an object that others have deleted.
        var mayReturn: Bool {
            if removal.isUndisputed { return false }
            if kind.hasLinks { return removal == .sentBefore || removal == .sentAfter }
            return policy == (removal.isOfOtherDevice ? .clientRecordWins : .serverRecordWins)
        }
    }

    static let kinds: [RelationKind] = [
        .oneToOne, .ownInverseToOne, .oneToMany, .orderedOneToMany, .parentAndChildren,
        .manyToMany, .orderedManyToMany, .ownInverseManyToMany,
    ]

    /// Every kind and removal under the default policy and another one; with the environment variable
    /// `SEAM_RESET_MATRIX`, under all of them, with and without a complete sync.
    static let cases: [Case] = {
        let isFull = ProcessInfo.processInfo.environment["SEAM_RESET_MATRIX"] != nil
        let policies: [Policy] = [
            .clientRecordWins, .mergeByProperty, .mergeByPropertyClientWins,
        ]
        var cases: [Case] = []
        for (row, kind) in kinds.enumerated() {
            for (column, removal) in Removal.allCases.enumerated() {
                let other = policies[(row + column) % policies.count]
                // No policy decides about a link.
                let few: [Policy] =
                    kind.hasLinks
                    ? [row % 2 == 0 ? .serverRecordWins : other] : [.serverRecordWins, other]
                for (index, policy) in (isFull ? policies + [.serverRecordWins] : few).enumerated()
                {
                    let isComplete = (row + column / 2 + index) % 2 == 1
                    for isComplete in isFull ? [false, true] : [isComplete] {
                        cases.append(
                            Case(
                                kind: kind, removal: removal, policy: policy,
                                isComplete: isComplete, pageSize: [200, 3, 1][(row + column) % 3]))
                    }
                }
            }
        }
        return cases
    }()

    // MARK: - Tests

    @Test(
        "a removal of a pair stands if nobody disputes it, or if the policy prefers its side",
        arguments: cases.filter(\.standsByPolicy))
    func policy(row: Case) async throws {
        try await expectRemoval(try await run(row), row)
    }

    @Test(
        "a removal of a pair that was sent or made in the meantime stands",
        arguments: cases.filter { !$0.standsByPolicy && !$0.mayReturn })
    func meantime(row: Case) async throws {
        try await expectRemoval(try await run(row), row)
    }

    @Test(
        "the devices agree about a removed pair that is there again",
        arguments: cases.filter(\.mayReturn))
    func restored(row: Case) async throws {
        let truth = try await run(row).expectOneTruth(row.testDescription)
        expectOthers(truth, row)
    }

    @Test(
        "a pair that another device has added meanwhile is kept with those that are here",
        arguments: kinds, [false, true])
    func added(kind: RelationKind, isSentBefore: Bool) async throws {
        let fleet = try await filledFleet(kind, .serverRecordWins, pageSize: 3)
        let (device, other) = (fleet.devices[0], fleet.devices[1])
        if !isSentBefore { try device.store.resetCloudFieldsInBackingStore() }
        try other.edit { context in
            let owner = RelationKind.insert(kind.ownerEntity, "S", in: context)
            let member = RelationKind.insert(kind.memberEntity, "d", in: context)
            RelationKind.relate(owner, "children", member)
        }
        try await other.store.sync()
        if isSentBefore { try device.store.resetCloudFieldsInBackingStore() }
        try await device.store.sync()
        try await fleet.settle()
        let truth = try await fleet.expectOneTruth(kind.name)
        for (owner, member) in [("P", "a"), ("Q", "b"), ("R", "c"), ("S", "d")] {
            #expect(truth[owner, "children"].contains(member), "\(truth)")
        }
    }

    @Test(
        "a member that another device has given to another owner stays with that one",
        arguments: kinds.filter { !$0.hasLinks }, [Removal.sentBefore, .sentAfter, .sentLater])
    func reassigned(kind: RelationKind, removal: Removal) async throws {
        let fleet = try await filledFleet(kind, .serverRecordWins, pageSize: 200)
        let (device, other) = (fleet.devices[0], fleet.devices[1])
        if removal == .sentAfter { try device.store.resetCloudFieldsInBackingStore() }
        try other.edit { context in
            RelationKind.relate(
                try Device.object(kind.ownerEntity, "Q", in: context), "children",
                try Device.object(kind.memberEntity, "a", in: context))
        }
        if removal != .sentLater { try await other.store.sync() }
        if removal != .sentAfter { try device.store.resetCloudFieldsInBackingStore() }
        try await device.store.sync()
        try await fleet.settle()
        let truth = try await fleet.expectOneTruth("\(kind.name), \(removal)")
        #expect(truth["Q", "children"].contains("a"), "\(truth)")
        #expect(!truth["P", "children"].contains("a"), "\(truth)")
        #expect(truth["R", "children"].contains("c"), "\(truth)")
    }

    // MARK: - Steps

    /// Two devices that have P with a, Q with b, and R with c. In a to-many relationship P also has p, and Q has q.
    private func filledFleet(
        _ kind: RelationKind, _ policy: Policy, pageSize: Int
    ) async throws -> RelationFleet {
        let fleet = try RelationFleet(kind, count: 2, policy: policy, pageSize: pageSize)
        try fleet.devices[0].edit { context in
            func fill(_ owner: String, _ members: [String]) {
                let owner = RelationKind.insert(kind.ownerEntity, owner, in: context)
                for member in kind.isToMany ? members : Array(members.prefix(1)) {
                    RelationKind.relate(
                        owner, "children",
                        RelationKind.insert(kind.memberEntity, member, in: context))
                }
            }
            fill("P", ["a", "p"])
            fill("Q", ["b", "q"])
            fill("R", ["c"])
        }
        try await fleet.settle()
        return fleet
    }

    /// Removes the pair of P and a at the owner's end, and that of Q and b at the member's.
    private func remove(on device: Device, _ kind: RelationKind) throws {
        try device.edit { context in
            func object(_ entity: String, _ name: String) throws -> NSManagedObject {
                try Device.object(entity, name, in: context)
            }
            RelationKind.separate(
                try object(kind.ownerEntity, "P"), "children", try object(kind.memberEntity, "a"))
            RelationKind.separate(
                try object(kind.memberEntity, "b"), kind.inverseKey ?? "",
                try object(kind.ownerEntity, "Q"))
        }
    }

    private func run(_ row: Case) async throws -> RelationFleet {
        let fleet = try await filledFleet(row.kind, row.policy, pageSize: row.pageSize)
        let (device, other) = (fleet.devices[0], fleet.devices[1])
        let remover = row.removal.isOfOtherDevice ? other : device
        let isAfterReset = row.removal == .sentAfter || row.removal == .ownLater
        if isAfterReset { try device.store.resetCloudFieldsInBackingStore() }
        try remove(on: remover, row.kind)
        switch row.removal {
        case .sentBefore, .sentAfter, .ownAcknowledged: try await remover.store.sync()
        case .ownWithoutResponse:
            try await device.syncLosingAnswer(on: fleet.cloud, model: fleet.model)
        case .sentDuring: device.interleaveSync(of: other)
        case .sentLater, .ownWaiting, .ownLater: break
        }
        if !isAfterReset { try device.store.resetCloudFieldsInBackingStore() }
        try await device.store.sync(complete: row.isComplete)
        fleet.cloud.faults.removeAll()
        try await fleet.settle()
        return fleet
    }

    private func expectRemoval(_ fleet: RelationFleet, _ row: Case) async throws {
        let truth = try await fleet.expectOneTruth(row.testDescription)
        #expect(!truth["P", "children"].contains("a"), "\(row.testDescription): \(truth)")
        #expect(!truth["Q", "children"].contains("b"), "\(row.testDescription): \(truth)")
        expectOthers(truth, row)
        // Nor is it there again after a relaunch.
        for device in fleet.devices {
            try device.relaunch(model: fleet.model)
            #expect(try RelationTable(row.kind, inFileOf: device) == truth)
        }
    }

    /// Expects the pairs that nobody has removed.
    private func expectOthers(_ truth: RelationTable, _ row: Case) {
        #expect(truth["R", "children"].contains("c"), "\(row.testDescription): \(truth)")
        guard row.kind.isToMany else { return }
        #expect(truth["P", "children"].contains("p"), "\(row.testDescription): \(truth)")
        #expect(truth["Q", "children"].contains("q"), "\(row.testDescription): \(truth)")
    }
}
