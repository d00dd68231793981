import CoreData
import Testing

@testable import Seam3

/// What is default content on one side, or on both.
extension ArrivalTests {
    /// A new object that is default content, with "list", "p" and "first".
    private func seed(_ edits: ChangeLayers = ChangeLayers(), p: String? = "a") -> Arrival.Object {
        var changes = edits
        changes.isSeed = true
        return object(["p": p, "list": "a", "first": "f"], changes, nil)
    }

    private static func birth(
        _ edits: [String: UInt64] = [:], unstamped: Set<String> = []
    ) -> EditStamps {
        let none = Dictionary(uniqueKeysWithValues: stamped.map { ($0, 0 as UInt64) })
        return stamps(
            1, chain: 2, edits: none.merging(edits) { $1 }, unstamped: unstamped)
    }

    @Test("default content is nobody's, so the record's values stand") func seedHere() throws {
        let texts: Texts = ["p": "b", "list": "b"]
        let users = try arrival(
            at: seed(), texts, Self.birth(["p": 1, "list": 1]), created: nil)
        #expect(users.theirs == ["p", "list"] && users.ours.isEmpty && users.automatic.isEmpty)
        let other = try arrival(at: seed(), texts, Self.birth(), created: nil)
        #expect(other.theirs.isEmpty && other.ours.isEmpty && other.automatic.isEmpty)
        let foreign = try arrival(at: seed(), texts, Self.birth(), foreign: "p", created: nil)
        #expect(foreign.theirs == ["p"])
        for arrival in [users, other, foreign] {
            #expect(arrival.relation == .bornAnew && arrival.ancestor != nil)
            #expect(arrival.local["p"] == .text("b") && arrival.local["list"] == .text("b"))
            #expect(arrival.local["first"] == .null)
        }
    }

    @Test("a record without stamps is a user's, where it has values") func seedMeetsForeign()
        throws
    {
        let arrival = try arrival(
            at: seed(), ["p": "b"], nil, foreign: "p", created: nil)
        #expect(arrival.relation == .bornAnew && arrival.theirs == ["p"] && arrival.ours.isEmpty)
        #expect(arrival.local["p"] == .text("b") && arrival.local["list"] == .null)
    }

    @Test("what a user has edited in default content is ours, and nothing else") func editedSeed()
        throws
    {
        let object = seed(changes(["p": "z"]))
        let other = try arrival(at: object, ["p": "z", "list": "b"], Self.birth(), created: nil)
        #expect(other.ours == ["p"] && other.theirs.isEmpty && other.ancestor?["p"] == .text("z"))
        #expect(other.local["p"] == .text("a") && other.local["list"] == .text("b"))
        let users = try arrival(
            at: object, ["p": "b", "list": "b"], Self.birth(["p": 1, "list": 1]), created: nil)
        #expect(users.ours == ["p"] && users.theirs == ["p", "list"])
        #expect(users.local["p"] == .text("a") && users.local["list"] == .text("b"))
        // Even if the user's value is the same as that of the default content.
        let equal = try arrival(at: object, ["p": "z"], Self.birth(["p": 1]), created: nil)
        #expect(equal.ours == ["p"] && equal.theirs == ["p"])
    }

    @Test("what a user has removed is not replaced by default content") func removedThere() throws {
        let texts: Texts = ["list": "a", "first": "f"]
        let removed = try arrival(at: seed(), texts, Self.birth(["p": 1]), created: nil)
        #expect(removed.theirs == ["p"] && removed.unwritten.isEmpty)
        #expect(removed.local["p"] == .null)
        let unwritten = try arrival(at: seed(), texts, Self.birth(unstamped: ["p"]), created: nil)
        #expect(unwritten.unwritten == ["p"] && unwritten.theirs.isEmpty)
        #expect(unwritten.local["p"] == .text("a") && unwritten.server["p"] == .text("a"))
    }

    @Test("a user's new object wins over a record that nobody has edited") func seedThere() throws {
        let object = object(["p": "a", "list": "d", "first": "f"], ChangeLayers(), nil)
        let texts: Texts = ["p": "b", "list": "b", "first": "g", "secret": "s"]
        let content = try arrival(at: object, texts, Self.birth(), created: nil)
        #expect(content.ours == ["p", "first", "last"] && content.theirs.isEmpty)
        #expect(content.ancestor != nil && content.local["list"] == .text("b"))
        #expect(content.local["secret"] == .text("s"))
        let edited = try arrival(
            at: object, texts, Self.birth(["list": 1, "first": 1, "last": 1]), created: nil)
        #expect(edited.theirs == ["list", "first", "last"] && edited.ancestor == nil)
        #expect(edited.unwritten == ["p"])
    }

    @Test("default content that has arrived is not born anew") func arrivedSeed() throws {
        var edits = ChangeLayers()
        edits.note(values(["list": "k"]), .edit, revision: 3, sent: 2)
        var object = seed(edits)
        object.requests = [SentRequest(token: 7, revision: 2, held: values(["p": nil]))]
        let stamps = Self.stamps(2, chain: 2, edits: ["first": 2, "last": 2], save: (7, 1))
        let arrival = try arrival(at: object, ["list": "k", "first": "g"], stamps)
        #expect(arrival.relation == .sameChain && arrival.theirs == ["first", "last"])
        // A reference that was held back is no edit, either.
        #expect(arrival.ours == ["list"] && arrival.automatic == ["p"])
    }

    @Test("a deleted object is not edited by another birth that nobody has edited")
    func seedAndDeletion() throws {
        #expect(try !isEdited("a", Self.birth(), created: Self.otherDate))
        #expect(try isEdited("a", Self.birth(["p": 1]), created: Self.otherDate))
    }
}
