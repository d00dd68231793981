import Foundation
import Seam3
import Testing

@testable import Judge

/// An object with a value of every attribute type.
@Suite("An item")
struct ItemTests {
    private static let values: [String: Value] = [
        "title": .text("a"), "flag": .none, "isOpen": .bool(true),
        "ratio": .double(.leastNonzeroMagnitude), "share": .double(Double(Float(0.1))),
        "small": .int(Int(Int16.min)), "medium": .int(Int(Int32.max)), "large": .int(.min),
        "token": .uuid("00000001-0000-4000-8000-00000000000A"),
        "place": .uri("https://example.com/a%20b/?c=d#e"), "moment": .date(-1e9 + 0.1238),
        "words": .texts(["", "\u{e4}"]), "blob": .data(60),
        "spot": .composite(["label": .text("b"), "number": .int(.min)]),
    ]

    /// Another value of each attribute.
    private static let others: [String: Value] = [
        "title": .none, "flag": .bool(false), "isOpen": .bool(false),
        "ratio": .double(0.1 + 0.2), "share": .double(0.25), "small": .none,
        "medium": .int(0), "large": .int(.max), "token": .none, "place": .uri("../a"),
        "moment": .none, "words": .texts([]), "blob": .data(0),
        "spot": .composite(["number": .int(0)]),
    ]

    private static func snapshot(_ values: [String: Value]) -> Snapshot {
        var snapshot = Snapshot()
        snapshot.objects["i1#0"] = Snapshot.Object(
            kind: .item, ident: "i1", values: values.mapValues(\.canonical))
        return snapshot
    }

    @Test("has the same values on each device and on the server, and a value of every type")
    func travels() async throws {
        #expect(Set(Self.values.keys) == Set(Kind.item.attributes.map(\.name)))
        let fleet = try Fleet(Setting(policy: .mergeByProperty))
        defer { fleet.end() }
        try await fleet.insert(.item, "i1", on: 0, Self.values)
        try await fleet.insert(.item, "i2", on: 1)
        try await fleet.syncAll()
        try await fleet.catchUp()
        for name in Self.others.keys.sorted() {
            try await fleet.set("i1", on: 1, [name: Self.others[name] ?? .none])
        }
        try await fleet.judge()
        #expect(fleet.history.shows(fleet.serverPlace).byIdent["i1"]?.count == 1)
        #expect(
            fleet.history.shows(0).byIdent["i1"]?.first?.values
                == Self.others.mapValues(\.canonical))
    }

    @Test("may not lose a value", arguments: values.keys.sorted())
    func lost(name: String) {
        var history = History(placeCount: 3)
        history.save(at: 0, before: Snapshot(), after: Self.snapshot(Self.values))
        history.send(from: 0)
        for place in [2, 1] { history.look(at: place, Self.snapshot(Self.values)) }
        var changed = Self.values
        changed[name] = Self.others[name]
        history.save(at: 1, before: Self.snapshot(Self.values), after: Self.snapshot(changed))
        func rules(_ final: [String: Value]) -> [String] {
            var oracle = Oracle(
                history: history, policy: .mergeByProperty, raced: [], final: Self.snapshot(final))
            oracle.judge()
            return oracle.violations.map(\.rule)
        }
        #expect(rules(changed) == [])
        #expect(rules(Self.values) == ["value lost"])
    }

    @Test("may not have elements of its composite attribute from two devices")
    func mixed() {
        func values(_ label: String, _ number: Int) -> [String: Value] {
            ["spot": .composite(["label": .text(label), "number": .int(number)])]
        }
        var history = History(placeCount: 3)
        let start = Self.snapshot(values("a", 1))
        history.save(at: 0, before: Snapshot(), after: start)
        history.send(from: 0)
        for place in [2, 1] { history.look(at: place, start) }
        history.save(at: 0, before: start, after: Self.snapshot(values("b", 1)))
        history.save(at: 1, before: start, after: Self.snapshot(values("a", 2)))
        func rules(_ final: [String: Value]) -> [String] {
            var oracle = Oracle(
                history: history, policy: .mergeByProperty, raced: [], final: Self.snapshot(final))
            oracle.judge()
            return oracle.violations.map(\.rule)
        }
        #expect(rules(values("b", 1)) == [])
        #expect(rules(values("a", 2)) == [])
        #expect(rules(values("b", 2)) == ["value lost"])
    }

    // MARK: - Zeros

    private static let zeros: [[String: Value]] = [
        ["ratio": .double(-0.0)], ["share": .double(-0.0)], ["moment": .date(-0.0)],
        // It is rounded to the millisecond.
        ["moment": .date(-0.0002)],
        ["spot": .composite(["number": .double(-0.0), "label": .date(-0.0002)])],
    ]

    @Test("has no zero with a sign", arguments: zeros)
    func zero(values: [String: Value]) {
        for value in values.values { #expect(!value.canonical.description.contains("-")) }
    }

    @Test("has no zero with a sign when it is read")
    func zeroRead() {
        for attribute in Kind.item.attributes where ["ratio", "share"].contains(attribute.name) {
            #expect(Value(stored: -0.0, as: attribute).description == ".double(0.0)")
            #expect(Value(stored: -0.5, as: attribute).description == ".double(-0.5)")
        }
        let moment = Date(timeIntervalSinceReferenceDate: -0.0002)
        #expect(Value.date(of: moment).description == ".date(0.0)")
        let earlier = Date(timeIntervalSinceReferenceDate: -0.0012)
        #expect(Value.date(of: earlier).description == ".date(-0.001)")
    }

    @Test("has the same copies on two places whatever the sign of a zero")
    func copiesWithZeros() {
        func copies(_ moments: [Double], _ titles: [String] = ["a", "b"]) -> Snapshot {
            var snapshot = Snapshot()
            for (number, moment) in moments.enumerated() {
                snapshot.objects["i1#\(number)"] = Snapshot.Object(
                    kind: .item, ident: "i1",
                    values: [
                        "moment": Value.date(moment).canonical, "title": .text(titles[number]),
                    ])
            }
            return snapshot
        }
        func difference(_ left: [Double], _ right: [Double]) -> String? {
            Difference.first(copies(left), copies(right), "here", "there")
        }
        let zeros = [0, -0.0, 0.0002, -0.0002]
        for one in zeros {
            for other in zeros {
                #expect(difference([one, other], [0, 0]) == nil)
                let titles = copies([one, other]).byIdent["i1"]?.map { $0.values["title"] }
                #expect(titles == [.text("a"), .text("b")])
            }
        }
        #expect(difference([0, -0.001], [0, 0]) != nil)
        #expect(difference([0, -0.001], [0, 0.001]) != nil)
    }

    @Test("may be copied with a date that is rounded to zero")
    func copiedWithZero() async throws {
        let fleet = try Fleet(Setting(policy: .keepBoth))
        defer { fleet.end() }
        try await fleet.insert(.item, "i1", on: 0, ["moment": .date(-0.0002)])
        try await fleet.catchUp()
        try await fleet.set("i1", on: 1, ["title": .text("v3")])
        try await fleet.set("i1", on: 0, ["title": .text("v5")])
        try await fleet.judge()
        #expect(fleet.history.shows(fleet.serverPlace).byIdent["i1"]?.count == 2)
    }

    @Test("may not have other data than was written")
    func contents() async throws {
        let fleet = try Fleet()
        defer { fleet.end() }
        try await fleet.insert(.item, "i1", on: 0, ["blob": .data(60)])
        let app = fleet.app(0)
        fleet.judgeContents(app)
        #expect(fleet.violations.isEmpty)
        for id in app.seen.objects.keys { app.seen.objects[id]?.values["blob"] = Value.foreignData }
        fleet.judgeContents(app)
        #expect(fleet.violations.map(\.rule) == ["foreign file"])
    }
}
