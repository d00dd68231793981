import CoreData
import Seam3
import Testing

@testable import Judge

/// Saves that lead a reference to another copy of its destination, which the oracle took for no edits, and
/// what it must still demand.
@Suite("A fleet with copies of a reference's destination")
struct FoundCopyAlarmTests {
    @Test("copies an object that is edited while another device relates it to the other copy")
    func otherCopy() async throws {
        let fleet = try Fleet(Setting(policy: .keepBoth))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("a")])
        try await fleet.insert(.cover, "c2", on: 1, [:])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("n2", on: 0, ["cover": .object("c2")])
        try await fleet.set("n2", on: 0, ["title": .text("b")])
        try await fleet.set("n2", on: 1, ["title": .text("c")])
        try await fleet.syncAll()
        try await fleet.set("c2", on: 0, ["title": .text("d")])
        let hasSaved = try fleet.save(on: fleet.app(1), what: "the other copy") { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
            request.predicate = NSPredicate(format: "ident == 'n2' AND cover == nil")
            let cover = try Change.find("c2", in: context)
            cover?.setValue(try context.fetch(request).first, forKey: "node")
        }
        #expect(hasSaved)
        #expect(fleet.history.edits.last { $0.ident == "c2" }?.values == ["node": .object("n2")])
        try await fleet.judge()
    }

    /// A cover of one of two copies of a node.
    ///
    /// - Parameters:
    ///   - node: The ID of the copy.
    ///   - deleted: The ID of a copy that was deleted.
    private static func cover(
        _ title: String, of node: String, without deleted: String? = nil
    ) -> Snapshot {
        var all: [String: [String: Value]] = [
            "n1#0": ["cover": .none], "n1#1": ["cover": .none],
            "c1": ["title": .text(title), "node": .object("n1")],
        ]
        all[node] = ["cover": .object("c1")]
        if let deleted { all[deleted] = nil }
        var snapshot = Snapshot(all)
        if deleted == nil { snapshot.destinations = ["c1": ["node": node]] }
        return snapshot
    }

    /// The rules that the final covers break. Device 0 has changed the cover's title from "a" to "b", and
    /// device 1 has saved another state.
    private static func rules(
        _ saved: Snapshot, _ titles: [String],
        _ policy: SMSyncConflictResolutionPolicy = .keepBoth
    ) -> [String] {
        let before = cover("a", of: "n1#0")
        var history = History(known: before)
        history.save(at: 0, before: before, after: cover("b", of: "n1#0"))
        history.save(at: 1, before: before, after: saved)
        var final = saved
        final.objects["c1"] = nil
        for (number, title) in titles.enumerated() {
            final.objects["c1#\(number)"] = Snapshot.Object(
                kind: .cover, ident: "c1",
                values: ["title": .text(title), "node": number == 0 ? .object("n1") : .none])
        }
        var oracle = Oracle(history: history, policy: policy, raced: [], final: final)
        oracle.judge("c1", final.byIdent["c1"] ?? [])
        return oracle.violations.map(\.rule)
    }

    @Test("lets an object be copied if its reference was led to another copy, and only then")
    func copies() {
        let (moved, same) = (Self.cover("a", of: "n1#1"), Self.cover("a", of: "n1#0"))
        #expect(Self.rules(moved, ["a", "b"]) == [])
        #expect(Self.rules(moved, ["b"]) == [])
        #expect(Self.rules(moved, ["a"]) == ["value lost"])
        #expect(Self.rules(moved, ["a", "a"]) == ["value lost"])
        #expect(Self.rules(moved, ["a", "b"], .mergeByProperty) == ["doubled"])
        #expect(Self.rules(same, ["b"]) == [])
        #expect(Self.rules(same, ["a", "b"]) == ["doubled"])
    }

    @Test("takes a reference for changed that leads to the copy that is left, and for no other")
    func remainingCopy() {
        let left = Self.cover("a", of: "n1#1", without: "n1#0")
        #expect(Self.rules(left, ["a", "b"]) == [])
        let kept = Self.cover("a", of: "n1#0", without: "n1#1")
        #expect(Self.rules(kept, ["a", "b"]) == ["doubled"])
    }

    @Test("reads which of several copies a reference leads to")
    func destinations() async throws {
        let fleet = try Fleet(Setting(policy: .keepBoth))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0)
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n1")])
        try await fleet.syncAll()
        #expect(try fleet.app(1).read().destinations.isEmpty)
        try await fleet.set("n1", on: 0, ["title": .text("a")])
        try await fleet.set("n1", on: 1, ["title": .text("b")])
        for _ in 0..<2 { try await fleet.syncAll() }
        for app in fleet.apps {
            let read = try app.read()
            #expect(read.byIdent["n1"]?.count == 2)
            let cover = read.objects.first { $0.value.ident == "c1" }
            let owner = read.objects.first { $0.value.values["cover"] == .object("c1") }
            let id = try #require(cover?.key)
            #expect(read.destinations == [id: ["node": try #require(owner?.key)]])
        }
    }
}
