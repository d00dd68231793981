import CloudKitService
import Seam3
import Testing

@testable import Judge

/// Tells the judge of a pass that did not send a deletion while a record or an asset was bad.
@Suite("The judge of a pass with bad records") struct BadRecordTests {
    private static func fleet(_ policy: SMSyncConflictResolutionPolicy) throws -> Fleet {
        try Fleet(Setting(mode: .poison, policy: policy, devices: 1))
    }

    /// The rules that a pass breaks which sends nothing.
    private static func rules(
        _ fleet: Fleet, bad: Set<String> = [], lost: Set<String> = []
    ) throws -> [String] {
        try fleet.checkDeletions(
            fleet.history.beginExchange(0), fleet.app(0), bad, lost: lost)
        return fleet.violations.map(\.rule)
    }

    @Test(
        "requires a deletion beside a bad record unless a save depends on it",
        arguments: [true, false])
    func neighbor(isRelated: Bool) async throws {
        let fleet = try Self.fleet(.mergeByProperty)
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0)
        try await fleet.insert(.node, "n1", on: 0)
        if isRelated { try await fleet.set("n1", on: 0, ["list": .object("l1")]) }
        try await fleet.sync(0)
        try await fleet.delete("l1", on: 0)
        #expect(
            try Self.rules(fleet, bad: ["n1"])
                == (isRelated ? [] : ["one bad record holds up others"]))
    }

    @Test(
        "requires the deletion of an object with a natural key unless a bad object is of its record",
        arguments: [true, false])
    func naturalKey(isCreated: Bool) async throws {
        let fleet = try Self.fleet(.mergeByProperty)
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
        try await fleet.sync(0)
        try await fleet.delete("twork", on: 0)
        if isCreated {
            try await fleet.insert(.tag, "tjob", on: 0, ["name": .text("work")])
        } else {
            // It keeps its record.
            try await fleet.set("thome", on: 0, ["name": .text("work")])
        }
        #expect(
            try Self.rules(fleet, bad: [isCreated ? "tjob" : "thome"])
                == (isCreated ? [] : ["one bad record holds up others"]))
    }

    @Test(
        "relates an object to a bad one of its name only if that may have its record",
        arguments: [true, false], [true, false])
    func renamed(isTaken: Bool, isSent: Bool) async throws {
        let fleet = try Fleet(Setting(mode: .poison, policy: .mergeByProperty, devices: 2))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun")])
        try await fleet.insert(.tag, "tfun", on: 1, ["name": .text("fun")])
        if isSent { try await fleet.sync(0) }
        if isTaken { try await fleet.sync(1) }
        try await fleet.set("tfun", on: 0, ["name": .text("work")])
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work")])
        // If it was sent, or nobody else has sent the first name, it keeps its record.
        let isOne = isTaken && !isSent
        #expect(fleet.related(to: ["tfun"]).contains("twork") == isOne)
        #expect(fleet.related(to: ["twork"]).contains("tfun") == isOne)
    }

    @Test(
        "requires the deletion of an object without its asset unless its record cannot be fetched")
    func fetched() async throws {
        let fleet = try Self.fleet(.serverRecordWins)
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["photo": .data(105)])
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.loseAsset(ofSize: 105, once: false)
        try await fleet.delete("n1", on: 0)
        #expect(
            try Self.rules(fleet, lost: fleet.lostAssets) == ["one bad record holds up others"])
    }

    @Test(
        "requires it even if its record cannot be fetched if the policy lets deletions win",
        arguments: [SMSyncConflictResolutionPolicy.clientRecordWins, .serverRecordWins, .keepBoth])
    func policy(policy: SMSyncConflictResolutionPolicy) async throws {
        let fleet = try Self.fleet(policy)
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["photo": .data(105)])
        try await fleet.sync(0)
        try await fleet.loseAsset(ofSize: 105, once: false)
        try await fleet.sync(0)
        #expect(try fleet.app(0).store.syncStatus().unfetchedRecords.count == 1)
        try await fleet.delete("n1", on: 0)
        #expect(
            try Self.rules(fleet, lost: fleet.lostAssets)
                == (policy == .clientRecordWins ? ["one bad record holds up others"] : []))
    }

    /// Two copies of a node.
    private static func copies(_ counts: [Int], ids: [String]) -> Snapshot {
        var snapshot = Snapshot()
        for (number, id) in ids.enumerated() {
            snapshot.objects[id] = Snapshot.Object(
                kind: .node, ident: "n1",
                values: ["title": .text("\(number)"), "count": .int(counts[number])])
        }
        return snapshot
    }

    @Test("compares all copies of an object, whatever order they and their other properties have")
    func order() throws {
        let fleet = try Self.fleet(.keepBoth)
        defer { fleet.end() }
        let mine = Self.copies([1, 2], ids: ["a", "b"])
        var shown = mine
        // Only the server has this property, and it comes before the others.
        shown.objects["a"]?.values["code"] = .text("z")
        shown.objects["b"]?.values["code"] = .text("a")
        fleet.history.look(at: 0, mine)
        fleet.history.look(at: 1, shown)
        #expect(fleet.heldUp(on: fleet.app(0), except: []) == nil)
        fleet.history.look(at: 1, Self.copies([2, 1], ids: ["a", "b"]))
        #expect(fleet.heldUp(on: fleet.app(0), except: []) != nil)
        #expect(fleet.heldUp(on: fleet.app(0), except: ["n1"]) == nil)
        fleet.history.look(at: 1, Self.copies([1], ids: ["a"]))
        #expect(fleet.heldUp(on: fleet.app(0), except: []) != nil)
    }

    @Test("lets a deletion wait for a few passes beside a record that the server wants later")
    func postponed() async throws {
        let fleet = try Self.fleet(.mergeByProperty)
        defer { fleet.end() }
        for ident in ["n1", "n2"] { try await fleet.insert(.node, ident, on: 0) }
        try await fleet.sync(0)
        try await fleet.refuseRecord(of: "n1", .zoneBusy, once: false)
        try await fleet.delete("n2", on: 0)
        #expect(try Self.rules(fleet, bad: ["n1"]) == [])
        try await fleet.judgeStandstill()
        #expect(fleet.violations.isEmpty)
    }

    @Test("requires all else to have moved after four passes", arguments: [3, 100])
    func fourPasses(failures: Int) async throws {
        let fleet = try Self.fleet(.mergeByProperty)
        defer { fleet.end() }
        for ident in ["n1", "n2"] { try await fleet.insert(.node, ident, on: 0) }
        try await fleet.sync(0)
        try await fleet.refuseRecord(of: "n1", .tryAgainLater, once: false)
        try await fleet.delete("n2", on: 0)
        try await fleet.fail(.modifyRecords, of: 0, times: failures, done: false)
        try await fleet.judgeStandstill()
        #expect(
            fleet.violations.map(\.rule)
                == (failures > 3 ? ["one bad record holds up others"] : []))
    }
}
