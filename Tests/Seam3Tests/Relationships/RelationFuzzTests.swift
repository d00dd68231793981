import CoreData
import LocalCloud
import Seam3
import Testing

/// Random edits of one relationship or one attribute, and nothing else. The environment variable `SEAM_FUZZ_SEEDS` names
/// other seeds: one, `7`, or a range, `100-399`.
@Suite(
    "Devices that edit nothing but one property",
    .tags(.convergenceWithoutLuck, .everyRelationshipRoundTrips, .everyLoopEnds, .contextsFollow))
struct RelationFuzzTests {
    static let kinds: [RelationKind] = [
        .requiredAttribute, .optionalAttribute, .toOneWithoutInverse, .oneToOne, .ownInverseToOne,
        .oneToMany, .orderedOneToMany, .manyToMany, .orderedManyToMany, .ownInverseManyToMany,
        .orderedOwnInverse, .parentAndChildren, .orderedParentAndChildren,
    ]

    static let seeds = ScheduleSeeds.first(1, orThoseIn: "SEAM_FUZZ_SEEDS")
    static let stepCount = 30

    @Test(
        "end up with the same objects, show what is in their files, and lose no undisputed edit",
        arguments: kinds, seeds)
    func converge(kind: RelationKind, seed: UInt64) async throws {
        // The kinds differ in their devices and policies, too.
        let index = Self.kinds.firstIndex { $0.name == kind.name } ?? 0
        let world = try RelationWorld(kind, seed: seed &* 7 &+ UInt64(index))
        do {
            for _ in 1...Self.stepCount where world.failures.isEmpty { try await world.step() }
            if world.failures.isEmpty { try await finish(world) }
        } catch {
            world.fail("\(error)")
        }
        #expect(
            world.failures.isEmpty,
            "\(world.failures.joined(separator: "\n"))\n\nseed \(seed):\n\(world.text)")
    }

    private func finish(_ world: RelationWorld) async throws {
        try await world.settle()
        try world.compareWithEdits()
        guard world.failures.isEmpty else { return }
        try await world.fleet.expectOneTruth("seed \(world.seed)\n\(world.text)")
    }

    @Test("are held to each edit that nobody disputes", arguments: kinds)
    func oracle(kind: RelationKind) throws {
        // Otherwise a test of random edits might expect nothing.
        let before = RelationTable()
        var history = RelationHistory(kind)
        let fleet = try RelationFleet(kind, count: 1)
        try fleet.devices[0].edit { context in
            let owner = RelationKind.insert("Owner", "O", in: context)
            guard kind.attribute == nil else { return owner.setValue("text", forKey: "value") }
            let member = RelationKind.insert(kind.memberEntity, "M", in: context)
            RelationKind.relate(owner, "children", member)
        }
        let after = try RelationTable(kind, inFileOf: fleet.devices[0])
        history.noteEdit(on: "a", from: before, to: after)
        #expect(history.undisputedCount >= (kind.attribute == nil ? 3 : 2))
        #expect(history.contradictions(of: after) == [])
        #expect(history.contradictions(of: before) != [])
    }
}
