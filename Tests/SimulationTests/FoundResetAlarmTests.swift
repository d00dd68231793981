import Seam3
import Testing

@testable import Judge

/// What a device sends after it was told to forget the server, and which the oracle did not allow, and what it must
/// still demand.
@Suite("A fleet with a device that has forgotten the server")
struct FoundResetAlarmTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    @Test("replaces a newer order by an older one that is sent again, if the local side wins")
    func olderOrder() async throws {
        let fleet = try Fleet(Setting(mode: .versions, policy: .mergeByPropertyClientWins))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 1)
        for ident in ["n1", "n2"] {
            try await fleet.insert(.node, ident, on: 1)
            try await fleet.place(ident, in: "l1", "nodes", at: 9, on: 1)
        }
        try await fleet.syncAll()
        try await fleet.syncAll()
        try await fleet.place("n2", in: "l1", "nodes", at: 0, on: 1)
        try await fleet.sync(1)
        try await fleet.resetCloudFields(0)
        try await fleet.judge()
    }

    @Test(
        "keeps a tag that another device has made anew, also if it is like the deleted one",
        arguments: [[:], ["x": .text("v1")]] as [[String: Value]])
    func madeAnew(values: [String: Value]) async throws {
        let fleet = try Fleet(Setting(mode: .account, policy: .keepBoth))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work")])
        try await fleet.catchUp()
        try await fleet.sync(0)
        try await fleet.during(.fetchZoneChanges, of: 0, afterwards: true, .delete("twork", 0))
        try await fleet.sync(0)
        try await fleet.resetCloudFields(1)
        try await fleet.delete("twork", on: 1)
        let new = values.merging(["name": .text("work")]) { $1 }
        try await fleet.insert(.tag, "twork", on: 0, new)
        try await fleet.judge()
        #expect(fleet.history.shows(0).byIdent["twork"] != nil)
    }

    @Test("deletes an object there whose deletion another device has undone")
    func undone() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .original, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n1", on: 0, ["title": .text("v1")])
        try await fleet.catchUp()
        try await fleet.resetCloudFields(0)
        try await fleet.delete("n1", on: 0)
        try await fleet.saveAndUndo([.delete("n1")], on: 1, syncs: true)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    private static func list(_ nodes: String..., in name: String = "nodes") -> Snapshot {
        var all: [String: [String: Value]] = ["l1": [name: .ordered(nodes)]]
        for node in nodes {
            all[node] = name == "nodes" ? ["list": .object("l1")] : ["picked": .ordered(["l1"])]
        }
        return Snapshot(all)
    }

    /// The rules that a final order breaks. Device 1 has changed an order that device 0 has, and device 0
    /// sends everything again.
    private static func rules(
        from before: Snapshot, to after: Snapshot, final: Snapshot,
        _ policy: Policy = .mergeByPropertyClientWins, isReset: Bool = true, isKnown: Bool = false
    ) -> [String] {
        var history = History(known: before)
        history.save(at: 1, before: before, after: after)
        history.send(from: 1)
        history.look(at: 2, after)
        if isKnown {
            history.look(at: 0, after)
            history.finish(history.beginExchange(0))
        }
        if isReset { history.sendAgain(from: 0) }
        history.send(from: 0)
        for place in [2, 0, 1] { history.look(at: place, final) }
        return Oracle.rules(history, policy, final)
    }

    @Test("requires the newer order unless a device that sent everything again had not seen it")
    func orders() {
        let (old, new) = (Self.list("n1", "n2", "n3"), Self.list("n3", "n1", "n2"))
        let lost = ["order lost"]
        #expect(Self.rules(from: old, to: new, final: old) == [])
        #expect(Self.rules(from: old, to: new, final: new) == [])
        for policy in [Policy.mergeByProperty, .mergeByPropertyClientTells] {
            #expect(Self.rules(from: old, to: new, final: new, policy) == [])
            #expect(Self.rules(from: old, to: new, final: old, policy) == lost)
        }
        #expect(Self.rules(from: old, to: new, final: old, isReset: false) == lost)
        #expect(Self.rules(from: old, to: new, final: old, isKnown: true) == lost)
    }

    @Test("requires the newer order of members that were not on the device that sent everything")
    func otherMembers() {
        let (old, new) = (Self.list("n1", "n2"), Self.list("n3", "n4", "n2", "n1"))
        #expect(Self.rules(from: old, to: new, final: new) == [])
        #expect(Self.rules(from: old, to: new, final: Self.list("n1", "n2", "n3", "n4")) == [])
        #expect(
            Self.rules(from: old, to: new, final: Self.list("n1", "n2", "n4", "n3"))
                == ["order lost"])
    }

    @Test("requires the newer order if positions are in links, about which no policy decides")
    func links() {
        let (old, new) = (Self.list("n1", "n2", in: "picks"), Self.list("n2", "n1", in: "picks"))
        #expect(Self.rules(from: old, to: new, final: new) == [])
        #expect(Self.rules(from: old, to: new, final: old) == ["order lost"])
    }
}
