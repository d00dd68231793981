import Seam3
import Testing

@testable import Judge

/// Tests the judge with fictitious results of saves that would give several objects the same unique values,
/// while the store's side wins.
@Suite("The judge of unique values") struct UniqueValuesTests {
    /// Folders by their names. Each has a code, or nil, and the same title.
    private static func folders(_ codes: [String: String?], title: String = "a") -> Snapshot {
        Snapshot(
            codes.mapValues { code in
                ["code": code.map(Value.text) ?? .none, "title": .text(title)]
            })
    }

    /// A context that has changed codes.
    private static func changes(
        from former: [String: String?], to codes: [String: String]
    ) -> OwnChanges {
        var own = OwnChanges()
        for (ident, code) in codes {
            let value = (former[ident] ?? nil).map(Value.text) ?? .none
            own.set("code", of: ident, from: value, to: .text(code))
        }
        return own
    }

    /// Whether the judge objects to codes after a save.
    private static func isWrong(
        _ after: [String: String?], from before: [String: String?], wanted: [String: String]
    ) -> Bool {
        changes(from: before, to: wanted)
            .wrongSide(before: folders(before), after: folders(after)) != nil
    }

    @Test("gives one of two folders the code that a context has given both")
    func two() {
        func isWrong(_ first: String?, _ second: String?) -> Bool {
            Self.isWrong(
                ["f1": first, "f2": second], from: ["f1": nil, "f2": "B"],
                wanted: ["f1": "A", "f2": "A"])
        }
        #expect(!isWrong("A", "B"))
        #expect(!isWrong(nil, "A"))
        // Nobody has it.
        #expect(isWrong(nil, "B"))
        // Both have it.
        #expect(isWrong("A", "A"))
        // The other one has lost its code, or has one that nobody gave it.
        #expect(isWrong("A", nil))
        #expect(isWrong("A", "C"))
    }

    @Test("gives one of three folders the code that a context has given all")
    func three() {
        func isWrong(_ codes: [String: String?]) -> Bool {
            Self.isWrong(
                codes, from: ["f1": nil, "f2": nil, "f3": "B"],
                wanted: ["f1": "A", "f2": "A", "f3": "A"])
        }
        #expect(!isWrong(["f1": nil, "f2": "A", "f3": "B"]))
        #expect(!isWrong(["f1": nil, "f2": nil, "f3": "A"]))
        #expect(isWrong(["f1": nil, "f2": nil, "f3": "B"]))
        #expect(isWrong(["f1": "A", "f2": "A", "f3": "B"]))
    }

    @Test("gives a folder a code that no other one was given")
    func alone() {
        func isWrong(_ third: String?) -> Bool {
            Self.isWrong(
                ["f1": "A", "f2": nil, "f3": third], from: ["f1": nil, "f2": nil, "f3": nil],
                wanted: ["f1": "A", "f2": "A", "f3": "B"])
        }
        #expect(!isWrong("B"))
        #expect(isWrong(nil))
    }

    @Test("lets a folder keep its code if it was given the one that another one has to keep")
    func chain() {
        func isWrong(_ codes: [String: String?], second: String = "A") -> Bool {
            Self.isWrong(
                codes, from: ["f1": "B", "f2": "C", "f3": "D"],
                wanted: ["f1": "A", "f2": second, "f3": "B"])
        }
        #expect(!isWrong(["f1": "B", "f2": "A", "f3": "D"]))
        #expect(!isWrong(["f1": "A", "f2": "C", "f3": "B"]))
        #expect(isWrong(["f1": "A", "f2": "C", "f3": "D"]))
        // The first one does not have to keep its own.
        #expect(isWrong(["f1": "B", "f2": "E", "f3": "D"], second: "E"))
    }

    @Test("objects if two folders that have to swap their codes keep them")
    func swap() {
        func isWrong(_ first: String, _ second: String) -> Bool {
            Self.isWrong(
                ["f1": first, "f2": second], from: ["f1": "A", "f2": "B"],
                wanted: ["f1": "B", "f2": "A"])
        }
        #expect(!isWrong("B", "A"))
        #expect(isWrong("A", "B"))
    }

    @Test("lets a folder keep its code if others have given another one the same new code")
    func storedMeanwhile() {
        func isWrong(stored: String) -> Bool {
            let own = Self.changes(from: ["f1": nil, "f2": nil], to: ["f1": "C", "f2": "A"])
            let state = Self.folders(["f1": stored, "f2": nil])
            return own.wrongSide(before: state, after: state) != nil
        }
        #expect(!isWrong(stored: "A"))
        #expect(isWrong(stored: "B"))
    }

    @Test("requires the title of a folder that keeps its code")
    func otherAttribute() {
        func isWrong(title: String) -> Bool {
            var own = Self.changes(from: ["f1": nil, "f2": nil], to: ["f1": "A", "f2": "A"])
            own.set("title", of: "f1", from: .text("a"), to: .text("b"))
            own.set("title", of: "f2", from: .text("a"), to: .text("b"))
            var after = Self.folders(["f1": "A", "f2": nil], title: "b")
            after.objects["f2"]?.values["title"] = .text(title)
            return own.wrongSide(
                before: Self.folders(["f1": nil, "f2": nil]), after: after) != nil
        }
        #expect(!isWrong(title: "b"))
        #expect(isWrong(title: "a"))
    }

    @Test("gives one of two tags the name that a context has given both")
    func names() {
        func isWrong(_ home: String, _ work: String) -> Bool {
            var own = OwnChanges()
            own.set("name", of: "thome", from: .text("home"), to: .text("fun"))
            own.set("name", of: "twork", from: .text("work"), to: .text("fun"))
            func state(_ home: String, _ work: String) -> Snapshot {
                Snapshot(["thome": ["name": .text(home)], "twork": ["name": .text(work)]])
            }
            return own.wrongSide(before: state("home", "work"), after: state(home, work)) != nil
        }
        #expect(!isWrong("fun", "work"))
        #expect(!isWrong("home", "fun"))
        #expect(isWrong("home", "work"))
        #expect(isWrong("fun", "fun"))
    }

    @Test("lets a folder keep its code if the policy keeps a deleted one that has the new code")
    func keptCode() {
        func isWrong(
            _ first: String, kept: String?, stored: String? = "B", wanted: String? = nil
        ) -> Bool {
            var own = Self.changes(from: ["f1": "A"], to: ["f1": "B"])
            if let wanted { own.set("code", of: "f2", from: .text("B"), to: .text(wanted)) }
            own.delete("f2", [:])
            let after = kept.map { ["f1": first, "f2": $0] } ?? ["f1": first]
            return own.wrongSide(
                before: Self.folders(["f1": "A", "f2": stored]), after: Self.folders(after)) != nil
        }
        #expect(!isWrong("A", kept: "B"))
        #expect(!isWrong("A", kept: "B", wanted: "C"))
        // The context's code of the deleted one may have been written.
        #expect(!isWrong("A", kept: "B", stored: "D", wanted: "C"))
        #expect(!isWrong("B", kept: nil))
        #expect(isWrong("B", kept: "B"))
        #expect(isWrong("C", kept: "B"))
        // Nobody has the new code.
        #expect(isWrong("A", kept: "C", wanted: "C"))
        #expect(isWrong("A", kept: "D", stored: "D"))
    }
}
