import CoreData
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

    @Test(
        "Is found to be wrong if a renamed element has no identifier",
        arguments: [VersionJump.Way.inPlace, .mappingModel], ModelRoles.elements.map(\.role))
    func lostElement(way: VersionJump.Way, role: String) async throws {
        var schedule = RenamingSchedule(
            plan: ModelPlan(
                isRich: true, nestsElements: true, levels: [0, 0], names: [[:], [role: "a1"]]),
            steps: [
                .edit(.insert("i0", ["Item.place": 1]), on: 0),
                .migrate([VersionJump(1, way)], on: 0),
            ])
        let comparison = RenamingComparison(kind: .firstNames)
        #expect(try await comparison.complaints(schedule) == [])
        schedule.plan.unidentified = [role]
        let complaints = try await comparison.complaints(schedule)
        #expect(
            complaints.contains { $0.contains("place=[spot:[x:s1,y:w1],x:v1,y:1]") },
            "\(complaints)")
    }

    @Test("Draws other names of elements alone, nested, exchanged and with those of the attribute")
    func elementNames() {
        var found: Set<String> = []
        for seed in Self.seeds {
            let plan = RenamingSchedule(seed: seed, .rich).plan
            for version in plan.names.indices.dropFirst() {
                func isRenamed(_ role: String) -> Bool {
                    plan.name(role, in: version) != plan.name(role, in: version - 1)
                }
                func isExchanged(_ elements: [String]) -> Bool {
                    elements.allSatisfy(isRenamed)
                        && Set(elements.map { plan.name($0, in: version) })
                            == Set(elements.map { plan.name($0, in: version - 1) })
                }
                let (outer, inner) = (
                    plan.elements(of: "Item.place").map(\.role),
                    plan.elements(of: "Item.place.spot").map(\.role)
                )
                guard (outer + inner).contains(where: isRenamed) else { continue }
                found.insert(plan.identifiesPrevious ? "previous" : "first")
                found.insert(isRenamed("Item.place") ? "with attribute" : "alone")
                if isRenamed("Item") { found.insert("with entity") }
                if isExchanged(outer) { found.insert("exchanged") }
                if inner.contains(where: isRenamed) { found.insert("nested") }
                if !inner.isEmpty, isExchanged(inner) { found.insert("exchanged in nested") }
            }
        }
        #expect(
            found == [
                "previous", "first", "with attribute", "alone", "with entity", "exchanged",
                "nested", "exchanged in nested",
            ])
    }

    @Test("Renames an element once if identifiers are previous names, and keeps its identifier")
    func elementIdentifiers() {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
        var plan = ModelPlan(
            fieldNaming: .firstNames, identifiesPrevious: true, isRich: true,
            levels: [0, 0, 0],
            names: [[:], ["Item.place.x": "a1"], ["Item.place.x": "a1", "Item.title": "a2"]])
        #expect(plan.isPossible)
        for version in 1...2 {
            let model = plan.model(version: version, namesOf: version, hasPolicies: false)
            let place = model.entitiesByName["Item"]?.attributesByName["place"]
            let elements = (place as? NSCompositeAttributeDescription)?.elements ?? []
            #expect(elements.first { $0.name == "a1" }?.renamingIdentifier == "x")
        }
        func isPossible(with changes: (inout ModelPlan) -> Void) -> Bool {
            var other = plan
            changes(&other)
            return other.isPossible
        }
        for change: (inout ModelPlan) -> Void in [
            { $0.names[2]["Item.place.x"] = "a3" }, { $0.names[2]["Item.place.x"] = nil },
            { $0.names[2]["Item.place.y"] = "x" }, { $0.names[2]["Item.amount"] = "title" },
            { $0.names[2]["Item.tags"] = "a3" }, { $0.fieldNaming = .identifiers },
        ] {
            #expect(!isPossible(with: change))
        }
        #expect(isPossible { $0.names[2]["Item.place.y"] = "a3" })
        plan.identifiesPrevious = false
        #expect(isPossible { $0.names[2]["Item.place.x"] = nil })
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
