import Seam3
import Testing

@testable import Judge

/// Passes and saves after which the oracle has demanded more than the documentation promises, and what
/// it must still demand.
@Suite("A fleet in which something is missing for a while, or is there twice")
struct FoundPassAlarmTests {
    // MARK: - Destinations that have not arrived

    @Test("lets a reference read as nil while the server refuses the record of its destination")
    func refusedDestination() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 3,
                version: .second, harsh: 22282, traits: [.lostAnswers, .refusedRecords]))
        defer { fleet.end() }
        try await fleet.insert(.folder, "f1", on: 0, ["title": .text("v1")])
        try await fleet.insert(
            .node, "n1", on: 0, ["count": .int(9_223_372_036_854_775_807), "title": .text("v2")])
        try await fleet.insert(
            .leaf, "n2", on: 0, ["folder": .object("f1"), "title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n2")])
        try await fleet.sync(1)
        try await fleet.link("n1", "friends", "n2", isThere: true, on: 0)
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    /// A node on two devices whose destination has arrived only on the first one.
    private static func fleet(_ name: String, _ kind: Kind, _ target: String) async throws -> Fleet
    {
        let fleet = try Fleet(Setting(mode: .poison, policy: .mergeByProperty))
        try await fleet.insert(kind, target, on: 0)
        try await fleet.insert(.node, "n1", on: 0, [name: .object(target)])
        try await fleet.refuseRecord(of: target, .badRequest, once: false)
        try await fleet.sync(0)
        try await fleet.sync(1)
        #expect(fleet.history.shows(1).byIdent["n1"]?.first?.values[name] == Value.none)
        #expect(fleet.violations.isEmpty, "\(fleet.violations)")
        return fleet
    }

    @Test(
        "lets a reference read as nil until its destination arrives, whatever changes the object",
        arguments: [("folder", Kind.folder, "f1"), ("list", Kind.list, "l1")])
    func laterDestination(name: String, kind: Kind, target: String) async throws {
        let fleet = try await Self.fleet(name, kind, target)
        defer { fleet.end() }
        // A link is no edit of the node.
        try await fleet.insert(.node, "n2", on: 0)
        try await fleet.link("n2", "friends", "n1", on: 0)
        try await fleet.sync(0)
        try await fleet.sync(1)
        #expect(fleet.history.shows(1).byIdent["n1"]?.first?.values["friends"] == .objects(["n2"]))
        try await fleet.judge()
    }

    /// A node whose folder is missing where a pass has given it a cover.
    private static func pass(_ hasFolder: Bool, _ hasCover: Bool, _ folder: String?) -> Snapshot {
        var all: [String: [String: Value]] = [
            "n1": [
                "folder": folder.map { .object($0) } ?? .none,
                "cover": hasCover ? .object("c1") : .none,
            ]
        ]
        if hasFolder { all["f1"] = ["nodes": .objects(folder == nil ? [] : ["n1"])] }
        if hasCover { all["c1"] = ["node": .object("n1")] }
        return Snapshot(all)
    }

    /// The rules that the node breaks on device 1.
    ///
    /// - Parameter wasThere: Whether its folder has been there before.
    private static func rules(wasThere: Bool, isThere: Bool, isPass: Bool = true) -> [String] {
        var history = History(placeCount: 3)
        let whole = pass(true, false, "f1")
        history.save(at: 0, before: Snapshot(), after: whole)
        history.send(from: 0)
        history.look(at: 2, pass(wasThere, false, wasThere ? "f1" : nil))
        history.look(at: 1, wasThere ? whole : pass(false, false, nil))
        let final = pass(isThere, true, nil)
        history.look(at: 1, final)
        var oracle = Oracle(history: history, policy: .mergeByProperty, raced: [], final: final)
        oracle.place = isPass ? 1 : nil
        oracle.judge("n1", final.byIdent["n1"] ?? [])
        return oracle.violations.map(\.rule)
    }

    @Test("requires a reference to what is or was on the device, and to what is nowhere at the end")
    func presentDestination() {
        #expect(Self.rules(wasThere: false, isThere: false) == [])
        #expect(Self.rules(wasThere: false, isThere: true) == ["value lost"])
        #expect(Self.rules(wasThere: true, isThere: true) == ["value lost"])
        #expect(Self.rules(wasThere: true, isThere: false) == ["value lost"])
        #expect(Self.rules(wasThere: false, isThere: false, isPass: false) == ["value lost"])
    }

    @Test("objects to a pass that forgets a reference whose destination had arrived")
    func forgottenReference() async throws {
        let fleet = try await Self.fleet("folder", .folder, "f1")
        defer { fleet.end() }
        fleet.wire.heal()
        try await fleet.relaunch(0)
        for _ in 0..<3 { try await fleet.syncAll() }
        let before = fleet.history.shows(1)
        #expect(before.byIdent["n1"]?.first?.values["folder"] == .object("f1"))
        #expect(fleet.violations.isEmpty, "\(fleet.violations)")
        let exchange = fleet.history.beginExchange(1)
        var after = before
        for (id, object) in before.objects where object.ident == "n1" {
            after.objects[id]?.values["folder"] = Value.none
        }
        fleet.history.look(at: 1, after)
        fleet.judgeKnown(fleet.app(1), exchange, before: before)
        #expect(fleet.violations.map(\.rule) == ["value lost for a while"])
    }

    // MARK: - Objects with a natural key

    @Test("lets an object that was saved again under another name stand beside a new one")
    func savedAgainUnderAnotherName() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientTells, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 1, ["name": .text("fun")])
        try await fleet.hold(
            8, on: 1, trump: .object, follows: false, [.set("tfun", ["name": .text("home")])])
        try await fleet.delete("tfun", on: 1)
        try await fleet.saveHeld(8, on: 1)
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun"), "x": .text("v11")])
        try await fleet.judge()
    }

    private static func tags(_ names: String...) -> Snapshot {
        var all: [String: [String: Value]] = [:]
        for (number, name) in names.enumerated() { all["tfun#\(number)"] = ["name": .text(name)] }
        return Snapshot(all)
    }

    /// A tag named "fun" is deleted and saved again.
    ///
    /// - Parameters:
    ///   - name: Its name then.
    ///   - isDeleted: Whether it is deleted again.
    ///   - other: The name of a tag that is created then.
    private static func again(
        _ name: String, isDeleted: Bool = false, then other: String? = nil
    ) -> History {
        var history = History(known: tags("fun"))
        history.save(at: 0, before: tags("fun"), after: Snapshot())
        history.save(at: 0, before: Snapshot(), after: tags(name))
        if isDeleted { history.save(at: 0, before: tags(name), after: Snapshot()) }
        if let other {
            history.save(
                at: 0, before: isDeleted ? Snapshot() : tags(name),
                after: isDeleted ? tags(other) : tags(name, other))
        }
        return history
    }

    @Test("requires one object unless two with different natural keys were there at once")
    func copies() {
        func rules(_ history: History, _ final: Snapshot) -> [String] {
            Oracle.rules(history, .mergeByProperty, final)
        }
        let (one, two) = (Self.tags("home"), Self.tags("home", "fun"))
        #expect(rules(Self.again("home", then: "fun"), two) == [])
        #expect(rules(Self.again("home", then: "fun"), Self.tags("home", "made up")) == ["made up"])
        #expect(rules(Self.again("home"), one) == [])
        #expect(rules(Self.again("home"), two) == ["doubled"])
        #expect(rules(Self.again("home"), Self.tags("home", "home")) == ["doubled"])
        #expect(rules(Self.again("home"), Self.tags("fun")) == ["value lost"])
        #expect(rules(Self.again("fun", then: "fun"), Self.tags("fun", "fun")) == ["doubled"])
        #expect(rules(Self.again("home", isDeleted: true, then: "fun"), two) == ["doubled"])
    }

    // MARK: - Objects that a screen has not loaded

    @Test("does not require that a list notices an object that arrived while another device synced")
    func unloaded() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .kill, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .none])
        try await fleet.sync(0)
        try await fleet.set("n1", on: 0, ["title": .text("v3")])
        try await fleet.during(.fetchZoneChanges, of: 1, afterwards: true, .sync(0))
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("does not require that a list notices an object that was changed after it arrived so")
    func unloadedAndChanged() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .mergeByProperty, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n2", on: 2, ["count": .int(5), "title": .text("v4")])
        try await fleet.catchUp()
        try await fleet.during(.fetchZoneChanges, of: 1, afterwards: true, .sync(2))
        try await fleet.sync(1)
        try await fleet.set("n2", on: 2, ["count": .int(.max)])
        try await fleet.judge()
    }
}
