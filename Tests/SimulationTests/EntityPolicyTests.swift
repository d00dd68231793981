import Seam3
import Testing

@testable import Judge

/// Fleets in which an entity has another policy than the store.
@Suite("An entity's policy")
struct EntityPolicyTests {
    /// An object with one title, and the same object with two others, each from one device.
    private static func contest(_ kind: Kind) -> (History, [Snapshot]) {
        func titled(_ titles: String...) -> Snapshot {
            var snapshot = Snapshot()
            for (number, title) in titles.enumerated() {
                snapshot.objects["n1#\(number)"] = Snapshot.Object(
                    kind: kind, ident: "n1", values: ["title": .text(title)])
            }
            return snapshot
        }
        var history = History(placeCount: 3)
        history.save(at: 0, before: Snapshot(), after: titled("a"))
        history.send(from: 0)
        for place in [2, 1] { history.look(at: place, titled("a")) }
        history.save(at: 0, before: titled("a"), after: titled("b"))
        history.save(at: 1, before: titled("a"), after: titled("c"))
        return (history, [titled("b"), titled("b", "c")])
    }

    private static func rules(
        _ history: History, _ final: Snapshot,
        _ policies: [Kind: SMSyncConflictResolutionPolicy]
    ) -> [String] {
        var oracle = Oracle(history: history, policy: .serverRecordWins, raced: [], final: final)
        oracle.entityPolicies = policies
        oracle.judge()
        return oracle.violations.map(\.rule)
    }

    @Test("applies to its objects and those of its subentities", arguments: [Kind.node, .leaf])
    func inherited(kind: Kind) {
        let (history, results) = Self.contest(kind)
        #expect(Self.rules(history, results[0], [.node: .keepBoth]) == ["value lost"])
        #expect(Self.rules(history, results[1], [.node: .keepBoth]) == [])
    }

    @Test("does not apply to objects of other entities")
    func others() {
        let (history, results) = Self.contest(.node)
        #expect(Self.rules(history, results[0], [.item: .keepBoth]) == [])
        #expect(Self.rules(history, results[1], [.item: .keepBoth]) == ["doubled"])
        #expect(Self.rules(history, results[1], [:]) == ["doubled"])
    }

    /// The first device has the policy in its code, the second one in its model.
    @Test("is followed by the device that has the conflict", arguments: [0, 1])
    func followed(device: Int) async throws {
        let fleet = try Fleet(
            Setting(policy: .serverRecordWins, entityPolicies: [.node: .mergeByProperty]))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n1", on: 0, ["title": .text("a"), "count": .int(1)])
        try await fleet.syncAll()
        try await fleet.set("n1", on: device, ["title": .text("b")])
        try await fleet.set("n1", on: 1 - device, ["count": .int(2)])
        try await fleet.sync(1 - device)
        try await fleet.judge()
        let values = fleet.history.shows(fleet.serverPlace).byIdent["n1"]?.first?.values
        #expect(values?["title"] == .text("b"))
        #expect(values?["count"] == .int(2))
    }

    @Test("is part of the setting's code")
    func printed() {
        let setting = Setting(entityPolicies: [.tag: .keepBoth, .node: .clientRecordWins])
        #expect(
            setting.swift.contains(
                "entityPolicies: [.node: .clientRecordWins, .tag: .keepBoth], devices: 2"))
        #expect(!Setting().swift.contains("entityPolicies"))
    }
}
