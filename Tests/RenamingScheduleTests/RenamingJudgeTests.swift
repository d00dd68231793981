import Seam3
import Testing

/// Drawing, printing, judging and shortening schedules.
@Suite("A schedule with renamings")
struct RenamingJudgeTests {
    private static let seeds: [UInt64] = Array(0..<100)

    /// A migration without a renaming identifier, which loses the values of the title.
    private static let faulty = RenamingSchedule(
        plan: ModelPlan(
            policy: .keepBoth, deleteRules: ["Box.items": .cascadeDeleteRule],
            levels: [0, 0, 0],
            names: [[:], ["Box.label": "a1"], ["Box.label": "a1", "Item.title": "a2"]],
            unidentified: ["Item.title"]),
        steps: [
            .edit(.insert("b0", ["Box.label": 1]), on: 0),
            .edit(.insert("i0", ["Item.title": 2, "Item.amount": nil]), on: 0),
            .sync(.none, on: 0),
            .sync(.edit(.set("i0", "Item.amount", 3), isBefore: true), on: 1),
            .migrate([VersionJump(1, .inPlace), VersionJump(1, .mappingModel)], on: 1),
            .edit(.link("b0", "Box.items", to: "i0", at: 0), on: 1),
        ])

    @Test("Is found to be wrong if names make a difference, and is shortened")
    func shortening() async throws {
        let comparison = RenamingComparison(kind: .firstNames)
        let complaints = try await comparison.complaints(Self.faulty)
        #expect(complaints.contains { $0.contains("- Item i0 title=v2") })
        let report = try await comparison.report(Self.faulty, complaints)
        #expect(report.hasPrefix(complaints.joined(separator: "\n    ")))
        #expect(
            report.contains(
                """
                RenamingSchedule(
                    plan: ModelPlan(
                        hasOneToOne: false,
                        levels: [0, 0],
                        names: [
                            [:],
                            ["Item.title": "u1Itemtitle"]
                        ],
                        unidentified: ["Item.title"]),
                    steps: [
                        .edit(.insert("i0", ["Item.title": 2]), on: 0),
                        .migrate([VersionJump(1, .inPlace)], on: 1),
                    ])
                """), "\(report)")
    }

    @Test("Is printed as the code that makes it")
    func printing() {
        #expect(
            Self.faulty.swift == """
                RenamingSchedule(
                    plan: ModelPlan(
                        policy: .keepBoth,
                        deleteRules: ["Box.items": .cascadeDeleteRule],
                        levels: [0, 0, 0],
                        names: [
                            [:],
                            ["Box.label": "a1"],
                            ["Box.label": "a1", "Item.title": "a2"]
                        ],
                        unidentified: ["Item.title"]),
                    steps: [
                        .edit(.insert("b0", ["Box.label": 1]), on: 0),
                        .edit(.insert("i0", ["Item.amount": nil, "Item.title": 2]), on: 0),
                        .sync(.none, on: 0),
                        .sync(.edit(.set("i0", "Item.amount", 3), isBefore: true), on: 1),
                        .migrate([VersionJump(1, .inPlace), VersionJump(1, .mappingModel)], on: 1),
                        .edit(.link("b0", "Box.items", to: "i0", at: 0), on: 1),
                    ])
                """)
    }

    @Test("Is the same for the same seed", arguments: RenamingSchedule.Breadth.allCases)
    func repeats(breadth: RenamingSchedule.Breadth) {
        for seed in Self.seeds {
            let schedules = (0..<2).map { _ in RenamingSchedule(seed: seed, breadth).swift }
            #expect(schedules[0] == schedules[1])
        }
    }

    @Test("Has possible names, and draws each kind of step and each policy")
    func variety() {
        var kinds: Set<Substring> = []
        var policies: Set<SMSyncConflictResolutionPolicy> = []
        for seed in Self.seeds {
            let schedule = RenamingSchedule(seed: seed, .rich)
            #expect(schedule.plan.isPossible)
            policies.insert(schedule.plan.policy)
            for step in schedule.steps {
                // The names of the step and of what it does, without their values.
                let names = step.swift.split(separator: "(").prefix(2).map { name in
                    name.prefix { !"\",[0123456789".contains($0) }
                }
                kinds.insert(Substring(names.joined(separator: " ")))
            }
        }
        #expect(policies.count == 7)
        #expect(kinds.count > 30, "\(kinds.sorted())")
    }
}
