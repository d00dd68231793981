import Seam3
import Testing

@testable import Judge

/// Tests the judge with fictitious results of saves.
@Suite("The judge of a save") struct SaveJudgingTests {
    private static func tag(_ ident: String, _ value: String) -> Snapshot.Object {
        Snapshot.Object(kind: .tag, ident: ident, values: ["y": .text(value)])
    }

    /// The violations if a save has set a value of the object 1, whose identity was `twork`.
    private static func rules(
        _ objects: [String: Snapshot.Object], taken: [String: [String: Value]] = [:]
    ) throws -> [String] {
        let fleet = try Fleet(Setting(devices: 1))
        defer { fleet.end() }
        var after = Snapshot()
        after.objects = objects
        fleet.judgeSaved(
            ["twork": ["y": .text("a")]], of: ["twork": "1"], in: after, "save held", taken: taken)
        return fleet.violations.map(\.rule)
    }

    @Test("finds a value in the object that was changed, whatever its identity is now")
    func otherIdentity() throws {
        #expect(try Self.rules(["1": Self.tag("tfun", "a"), "2": Self.tag("twork", "b")]) == [])
    }

    @Test("objects to a value that only another object has")
    func otherObject() throws {
        let lost = ["save lost"]
        #expect(try Self.rules(["1": Self.tag("tfun", "b"), "2": Self.tag("twork", "a")]) == lost)
        #expect(try Self.rules(["1": Self.tag("twork", "b"), "2": Self.tag("tfun", "a")]) == lost)
    }

    @Test("finds a value in the object that has replaced the one that was changed")
    func replaced() throws {
        #expect(try Self.rules(["2": Self.tag("twork", "a")]) == [])
        #expect(try Self.rules(["2": Self.tag("twork", "b")]) == ["save lost"])
    }

    @Test("accepts the value of an object that has become the same as the one that was changed")
    func taken() throws {
        func rules(
            _ ident: String, _ value: String, id: String = "1", name: String = "y"
        ) throws -> [String] {
            try Self.rules(["1": Self.tag(ident, value)], taken: [id: [name: .text("b")]])
        }
        #expect(try rules("tfun", "b") == [])
        #expect(try rules("tfun", "c") == ["save lost"])
        #expect(try rules("twork", "b") == ["save lost"])
        #expect(try rules("tfun", "b", id: "2") == ["save lost"])
        #expect(try rules("tfun", "b", name: "x") == ["save lost"])
    }
}
