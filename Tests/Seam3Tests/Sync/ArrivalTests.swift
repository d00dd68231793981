import CoreData
import Testing

@testable import Seam3

/// Unless a test says otherwise, the object is based on version 5 of chain 1, the record has version 6 of it, and each
/// field was edited last in version 1. A property that a test does not name is nil on both sides.
@Suite("What the server's version of a changed object means") struct ArrivalTests {
    private static let created = Date(timeIntervalSince1970: 1_000_000)
    static let otherDate = Date(timeIntervalSince1970: 2_000_000)
    static let stamped = ["p", "q", "list", "order", "first", "last", "secret"]
    private static let stampKeys = Dictionary(
        uniqueKeysWithValues: stamped.map { ($0, EditStamps.key(ofField: $0)) })

    /// "order" is the order key of the reference "list", and another record decides "end".
    private static var rules: Arrival.Rules {
        Arrival.Rules(
            names: Set(stamped + ["end"]), composites: [["first", "last"]],
            stampKeys: stampKeys.mapValues { [$0, EditStamps.key(ofField: "former")] },
            encrypted: ["secret"], required: ["q"], defaults: PropertyValues(["list": .text("d")]),
            idle: { $0["list"].isNull ? ["order"] : [] })
    }

    static func stamps(
        _ version: UInt64, chain: UInt64 = 1, continuing origin: UInt64? = nil,
        edits: [String: UInt64] = [:], unstamped: Set<String> = [],
        save: (token: UInt64, version: UInt64)? = nil
    ) -> EditStamps {
        var stamps = EditStamps(chain: chain, version: version)
        stamps.origin = origin.map { .init(chain: 1, version: $0) }
        if let save { stamps.note(.init(file: 1, token: save.token, version: save.version)) }
        for (name, key) in stampKeys where !unstamped.contains(name) {
            stamps.stamps[key] = .init(edit: edits[name] ?? 1, digest: name == "secret" ? nil : 0)
        }
        return stamps
    }

    typealias Texts = [String: String?]

    func values(_ texts: Texts) -> PropertyValues {
        PropertyValues(texts.mapValues { SQLiteValue($0) })
    }

    func changes(_ old: Texts, _ cause: ChangeLayers.Cause = .edit) -> ChangeLayers {
        ChangeLayers(values(old), cause, revision: 1)
    }

    func object(
        _ texts: Texts, _ changes: ChangeLayers = ChangeLayers(),
        _ stamps: EditStamps? = Self.stamps(5), requests: [SentRequest] = []
    ) -> Arrival.Object {
        Arrival.Object(
            isNew: stamps == nil, edits: stamps.map { KnownEdits($0) },
            created: stamps.map { _ in Self.created }, values: values(texts), changes: changes,
            requests: requests)
    }

    func arrival(
        at object: Arrival.Object, _ texts: Texts, _ stamps: EditStamps? = Self.stamps(6),
        foreign: String? = nil, created: Date? = Self.created,
        change: (inout Arrival.Record) -> Void = { _ in }
    ) throws -> Arrival {
        var bytes: [UInt8] = [foreign == nil ? 0 : 1]
        if let foreign {
            bytes.append(number: EditStamps.key(ofField: foreign))
            bytes.append(number: UInt32.max)
        }
        if let stamps { bytes += stamps.encoded }
        let edits = try #require(KnownEdits(stored: Data(bytes)))
        var record = Arrival.Record(edits: edits, created: created, values: values(texts))
        change(&record)
        return Arrival(of: record, at: object, Self.rules)
    }

    // MARK: - Relations

    private func relation(
        of there: EditStamps?, to here: EditStamps? = Self.stamps(5), tokens: [UInt64?] = [],
        created: Date? = Self.created, change: (inout Arrival.Record) -> Void = { _ in }
    ) throws -> Arrival.Relation {
        var object = object([:], requests: tokens.map { SentRequest(token: $0, revision: 1) })
        object.edits = here.map { KnownEdits($0) }
        return try arrival(at: object, [:], there, created: created, change: change).relation
    }

    @Test("a smaller number in a chain lags unless it is certainly present") func chain() throws {
        #expect(try relation(of: Self.stamps(5)) { $0.isKnown = true } == .sameVersion)
        #expect(try relation(of: Self.stamps(5)) == .sameChain)
        #expect(try relation(of: Self.stamps(6), created: Self.otherDate) == .sameChain)
        #expect(try relation(of: Self.stamps(4)) == .lagging)
        #expect(try relation(of: Self.stamps(4)) { $0.isCurrent = true } == .continued)
        #expect(try relation(of: Self.stamps(4), created: Self.otherDate) == .continued)
    }

    @Test("a version with the token of a request is one of the same chain") func tokens() throws {
        let other = Self.stamps(1, chain: 2, save: (7, 1))
        #expect(try relation(of: Self.stamps(4, save: (7, 4)), tokens: [7]) == .sameChain)
        #expect(try relation(of: other, tokens: [nil, 8, 7], created: nil) == .sameChain)
        #expect(try relation(of: other, to: nil, tokens: [7], created: nil) == .sameChain)
        #expect(try relation(of: other, tokens: [8], created: nil) == .bornAnew)
    }

    @Test("a record whose stamps do not tell is compared by values") func undecided() throws {
        #expect(try relation(of: Self.stamps(9, chain: 2)) == .byValues)
        #expect(try relation(of: Self.stamps(9, chain: 2, continuing: 5)) == .byValues)
        #expect(try relation(of: nil) == .byValues)
        #expect(try relation(of: Self.stamps(1), to: nil) == .byValues)
        #expect(try relation(of: nil, to: nil, tokens: [nil], created: nil) == .byValues)
    }

    @Test("a new record continues its origin's chain, or is another birth") func origin() throws {
        let other = Self.stamps(9, chain: 2, continuing: 5)
        #expect(try relation(of: other, created: Self.otherDate) == .continued)
        #expect(try relation(of: other, to: Self.stamps(5, chain: 3), created: nil) == .bornAnew)
        #expect(try relation(of: Self.stamps(1, chain: 2), created: nil) == .bornAnew)
        #expect(try relation(of: nil, tokens: [7], created: nil) == .bornAnew)
        #expect(try relation(of: nil, to: nil, created: nil) == .bornAnew)
    }

    // MARK: - Edits

    /// Expects whose edits the values of "list" in a record are, which is "a" here. Each has the number of its edit, or
    /// nil if it was written without a stamp.
    private func expect(
        theirs: [(String?, UInt64?)], nobodys: [(String?, UInt64?)],
        _ relation: Arrival.Relation, _ stamps: EditStamps, created: Date? = Self.otherDate
    ) throws {
        for ((value, edit), isTheirs) in theirs.map({ ($0, true) }) + nobodys.map({ ($0, false) }) {
            var stamps = stamps
            stamps.stamps[EditStamps.key(ofField: "list")]?.edit = edit ?? 0
            let arrival = try arrival(
                at: object(["list": "a"]), ["list": value], stamps,
                foreign: edit == nil ? "list" : nil, created: created)
            let name = Comment(rawValue: "\(value ?? "nil"), \(edit.map { "\($0)" } ?? "foreign")")
            #expect(arrival.relation == relation, name)
            #expect(arrival.theirs == (isTheirs ? ["list"] : []), name)
            if !isTheirs { #expect(arrival.local["list"] == SQLiteValue(value), name) }
        }
    }

    @Test("another value is theirs if edited later, or without a stamp") func later() throws {
        try expect(
            theirs: [("b", 6), (nil, 6), ("b", nil), (nil, nil)],
            nobodys: [("b", 5), (nil, 5), ("a", 6), ("a", nil)], .sameChain, Self.stamps(6))
    }

    @Test("an incarnation is compared with what both sides knew last") func continued() throws {
        for origin: UInt64 in [5, 7] {
            try expect(
                theirs: [("b", 6), ("b", nil)], nobodys: [("b", 5), ("a", 6), ("a", nil)],
                .continued, Self.stamps(9, chain: 2, continuing: origin))
        }
        try expect(
            theirs: [("b", 4), ("b", nil)], nobodys: [("b", 3), ("a", 4), ("a", nil)],
            .continued, Self.stamps(9, chain: 2, continuing: 3))
    }

    @Test("by values, a difference is theirs unless no user has edited it") func byValues() throws {
        try expect(
            theirs: [("b", 1), (nil, 1), ("b", nil)], nobodys: [("b", 0), (nil, 0), ("a", 9)],
            .byValues, Self.stamps(9, chain: 2), created: Self.created)
    }

    @Test("an edit of another birth is theirs unless its value is the default")
    func birth() throws {
        try expect(
            theirs: [("b", 1), ("b", nil), (nil, 1)],
            nobodys: [("b", 0), (nil, 0), ("d", 1), ("d", nil)], .bornAnew, Self.stamps(1, chain: 2)
        )
    }

    @Test("an encrypted value that differs is theirs whatever its edit") func encrypted() throws {
        let object = object(["secret": "a"])
        let other = Self.stamps(9, chain: 2, edits: ["secret": 0])
        #expect(try arrival(at: object, ["secret": "b"]).theirs == ["secret"])
        #expect(try arrival(at: object, ["secret": "b"], other).theirs == ["secret"])
        #expect(try arrival(at: object, ["secret": "a"]).theirs.isEmpty)
        let early = Self.stamps(9, chain: 2, continuing: 3, unstamped: ["secret"])
        #expect(try arrival(at: object, ["secret": "b"], early, created: nil).theirs == ["secret"])
    }

    @Test("an order key is nobody's edit where its reference is nil") func idleOrder() throws {
        let edited = Self.stamps(6, edits: ["order": 6])
        let moved = object(["list": "l", "order": "2"], changes(["order": "1"]))
        let both = try arrival(at: moved, ["list": "l", "order": "3"], edited)
        #expect(both.theirs == ["order"] && both.ours == ["order"])
        let idle = object(["order": "2"], changes(["order": "1"]))
        let neither = try arrival(at: idle, ["order": "3"], edited)
        #expect(neither.theirs.isEmpty && neither.ours.isEmpty)
    }

    @Test("an end that another record decides is nobody's edit") func end() throws {
        let arrival = try arrival(at: object(["end": "b"], changes(["end": "a"])), ["end": "c"])
        #expect(arrival.theirs.isEmpty && arrival.ours.isEmpty)
    }

    @Test("an edit of one element of a composite attribute is one of all") func composite() throws {
        let object = object(["first": "b", "last": "l"], changes(["first": "a"]))
        let stamps = Self.stamps(6, edits: ["last": 6])
        let arrival = try arrival(at: object, ["first": "a", "last": "m"], stamps)
        #expect(arrival.theirs == ["first", "last"] && arrival.ours == ["first", "last"])
    }

    @Test("an edit in a former field is theirs if its value differs") func formerField() throws {
        let key = EditStamps.key(ofField: "former")
        var stamps = Self.stamps(6)
        stamps.stamps[key] = .init(edit: 6, digest: 0)
        let edited = try arrival(at: object(["p": "a"]), ["p": "b"], stamps) {
            $0.formerKeys = ["p": key]
        }
        #expect(edited.theirs == ["p"])
        let equal = try arrival(at: object(["p": "a"]), ["p": "a"], stamps) {
            $0.formerKeys = ["p": key]
        }
        #expect(equal.theirs.isEmpty)
    }

    @Test("an edit is ours if its value differs from the base") func ours() throws {
        let edited = object(["p": "b"], changes(["p": "a"]))
        #expect(try arrival(at: edited, ["p": "a"]).ours == ["p"])
        let both = try arrival(at: edited, ["p": "c"], Self.stamps(6, edits: ["p": 6]))
        #expect(both.ours == ["p"] && both.theirs == ["p"] && both.ancestor?["p"] == .text("a"))
        let reverted = object(["p": "a"], changes(["p": "a"]))
        #expect(try arrival(at: reverted, ["p": "a"]).ours.isEmpty)
    }

    @Test("the known version, and earlier ones, contain no edits of others") func echo() throws {
        let edited = object(["p": "b"], changes(["p": "a"]))
        let texts: Texts = ["p": "a", "list": "l"]
        let known = try arrival(at: edited, texts, foreign: "list") { $0.isKnown = true }
        #expect(known.theirs.isEmpty && known.ours == ["p"])
        let early = try arrival(at: edited, texts, Self.stamps(4), foreign: "list")
        #expect(early.theirs.isEmpty && early.ours.isEmpty && early.automatic.isEmpty)
    }

    @Test("a derived change stays unless the server's value has changed") func derived() throws {
        let object = object(["list": nil], changes(["list": "l"], .deletion))
        let kept = try arrival(at: object, ["list": "l"])
        #expect(kept.automatic == ["list"] && kept.ours.isEmpty)
        let replaced = try arrival(at: object, ["list": "m"])
        #expect(replaced.automatic.isEmpty && replaced.theirs.isEmpty && replaced.ours.isEmpty)
        #expect(replaced.local["list"] == .text("m"))
    }

    @Test("what is known only here is ours, and has no ancestor") func ahead() throws {
        let known = Self.stamps(5, edits: ["p": 4, "list": 3])
        let object = object(["p": "b", "list": "b", "q": "b"], changes(["q": "a"]), known)
        let texts: Texts = ["p": "c", "list": "a", "q": "b"]
        let early = try arrival(at: object, texts, Self.stamps(3)) { $0.isCurrent = true }
        #expect(early.ours == ["p", "q"] && early.theirs.isEmpty)
        let stamps = Self.stamps(9, chain: 2, continuing: 3, edits: ["p": 4, "q": 4])
        let other = try arrival(at: object, texts, stamps, created: Self.otherDate)
        #expect(other.ours == ["p", "q"] && other.theirs == ["p"])
        #expect(other.local["list"] == .text("a"))
        #expect(other.ancestor?["p"] == .null && other.ancestor?["list"] == .text("b"))
    }

    @Test("a value whose base is unknown is ours unless the record has it") func unknown() throws {
        var base = PropertyValues()
        base.addUnknown(["p"])
        let object = object(["p": nil], ChangeLayers(base, .edit, revision: 1))
        #expect(try arrival(at: object, ["p": "b"]).ours == ["p"])
        let known = try arrival(at: object, ["p": "b"], nil) { $0.confirmsUnknown = true }
        #expect(known.ours == ["p"] && known.theirs.isEmpty && known.ancestor?["p"] == .text("b"))
    }

    @Test("of two births, what is unset is nobody's") func births() throws {
        let object = object(["p": "a", "list": "d", "first": "f"], ChangeLayers(), nil)
        let arrival = try arrival(at: object, ["list": "l", "first": "g"], created: nil)
        #expect(arrival.ours == ["p", "first", "last"] && arrival.ancestor == nil)
        #expect(arrival.theirs == ["list", "first", "last"])
    }

    // MARK: - A response is missing

    /// "p" went from "a" to "b" and "q" from "x" to "y", which was sent twice. Then "p" became "c", and "list" nil.
    private func sentObject(held: Texts = [:]) -> Arrival.Object {
        var changes = changes(["p": "a", "q": "x", "list": "k"])
        changes.note(values(["p": "b"]), .edit, revision: 3, sent: 2)
        changes.note(values(["list": "l"]), .deletion, revision: 3, sent: 2)
        let requests = [7, 8].map { SentRequest(token: $0, revision: 2, held: values(held)) }
        return object(["p": "c", "q": "y", "list": nil], changes, requests: requests)
    }

    @Test("what follows a request whose token the record has is ours") func arrived() throws {
        let stamps = Self.stamps(6, edits: ["p": 6, "q": 6, "list": 6], save: (8, 6))
        let arrival = try arrival(at: sentObject(), ["p": "b", "q": "y", "list": "l"], stamps)
        #expect(arrival.theirs.isEmpty && arrival.ours == ["p"] && arrival.automatic == ["list"])
        #expect(arrival.ancestor?["p"] == .text("b"))
    }

    @Test("an edit after an arrived request is theirs, and not contested") func replaced() throws {
        let stamps = Self.stamps(7, edits: ["p": 6, "q": 7, "list": 6], save: (7, 6))
        let arrival = try arrival(at: sentObject(), ["p": "z", "q": "z", "list": "l"], stamps)
        #expect(arrival.theirs == ["q"] && arrival.ours == ["p"])
    }

    @Test("a version without a request's token has none of its changes") func missing() throws {
        let stamps = Self.stamps(6, edits: ["q": 6], save: (9, 6))
        let arrival = try arrival(at: sentObject(), ["p": "a", "q": "z", "list": "k"], stamps)
        #expect(arrival.theirs == ["q"] && arrival.ours == ["p", "q", "list"])
    }

    @Test("of several requests, the one with the record's token arrived") func several() throws {
        var object = sentObject()
        object.requests[1].revision = 3
        let second = try arrival(at: object, ["p": "c", "q": "y"], Self.stamps(6, save: (8, 6)))
        #expect(second.theirs.isEmpty && second.ours.isEmpty && second.automatic.isEmpty)
        let texts: Texts = ["p": "b", "q": "y", "list": "l"]
        let first = try arrival(at: object, texts, Self.stamps(6, save: (7, 6)))
        #expect(first.ours == ["p"] && first.automatic == ["list"])
    }

    @Test("a property that an arrived request held back is still ours") func held() throws {
        let stamps = Self.stamps(6, save: (7, 6))
        let update = try arrival(
            at: sentObject(held: ["list": "k"]), ["p": "b", "q": "y", "list": "k"], stamps)
        #expect(update.ours == ["p", "list"] && update.ancestor?["list"] == .text("k"))
        let request = SentRequest(token: 7, revision: 1, held: values(["list": nil]))
        let new = object(["p": "a", "list": "l"], ChangeLayers(), nil, requests: [request])
        let version = Self.stamps(2, chain: 2, edits: ["p": 2], save: (7, 1))
        let insertion = try arrival(at: new, ["p": "z"], version)
        #expect(insertion.ours == ["list"] && insertion.theirs == ["p"])
    }

    @Test("by values, a value that was sent is the base") func sentValues() throws {
        let arrival = try arrival(at: sentObject(), ["p": "b", "q": "z", "list": "k"], nil)
        #expect(arrival.theirs == ["q"] && arrival.ours == ["p", "q", "list"])
        #expect(arrival.ancestor?["p"] == .text("b") && arrival.ancestor?["q"] == .text("x"))
    }

    @Test("what a record lacks is the base if required, or to be resent and not edited since")
    func lacking() throws {
        var object = object(["p": "b", "q": "x"], changes(["p": "a"]))
        object.resend = ["p"]
        let stamps = Self.stamps(6, edits: ["q": 6])
        let lacking = try arrival(at: object, [:], stamps)
        #expect(lacking.theirs.isEmpty && lacking.ours == ["p"])
        #expect(lacking.server["p"] == .text("a") && lacking.server["q"] == .text("x"))
        let edited = Self.stamps(6, edits: ["p": 6])
        #expect(try arrival(at: object, ["p": "c"], edited).theirs == ["p"])
        #expect(try arrival(at: object, [:], edited).theirs == ["p"])
        object.values["p"] = .null
        #expect(try arrival(at: object, [:], stamps).ours == ["p"])
    }

    @Test("a property that no save ever wrote keeps its local value") func unwritten() throws {
        let stamps = Self.stamps(6, unstamped: ["p", "list", "first", "last"])
        let object = object(["p": "b", "first": "f"], changes(["p": "a"]))
        let arrival = try arrival(at: object, [:], stamps)
        #expect(arrival.unwritten == ["p", "first", "last"] && arrival.theirs.isEmpty)
        #expect(arrival.local["p"] == .text("b") && arrival.local["first"] == .text("f"))
        #expect(try self.arrival(at: object, ["last": "l"], stamps).unwritten == ["p"])
        #expect(try self.arrival(at: object, [:]).unwritten.isEmpty)
    }

    @Test("what no save of another birth ever wrote is not theirs") func unwrittenThere() throws {
        let stamps = Self.stamps(1, chain: 2, unstamped: ["p"])
        let texts: Texts = ["p": "b", "list": "d"]
        let new = object(texts, ChangeLayers(), nil)
        for object in [new, object(texts, changes(["p": "a"]))] {
            let arrival = try arrival(at: object, ["list": "d"], stamps, created: nil)
            #expect(arrival.unwritten == ["p"] && arrival.theirs.isEmpty && arrival.ours == ["p"])
        }
    }

    // MARK: - Deleted objects

    /// Whether a record is edited since the object was deleted. "p" was "a", and became "b", which was sent.
    func isEdited(
        _ p: String?, order: String = "1", _ stamps: EditStamps?, created: Date? = Self.created
    ) throws -> Bool {
        var layers = changes(["p": "a"])
        layers.note(
            values(["p": "b", "list": "l", "order": "1"]), .removal, revision: 2, sent: 1)
        let object = object([:], layers, requests: [SentRequest(token: 7, revision: 1)])
        let texts = ["p": p, "list": "l", "order": order]
        let arrival = try arrival(at: object, texts, stamps, created: created)
        return arrival.isEdited(ignoring: ["order"])
    }

    @Test("a deleted object is edited if a later edit differs") func deletion() throws {
        #expect(try isEdited("z", Self.stamps(6, edits: ["p": 6])))
        #expect(try !isEdited("z", Self.stamps(6, edits: ["p": 5])))
        #expect(try !isEdited("a", Self.stamps(6, edits: ["p": 6])))
        #expect(try !isEdited("b", Self.stamps(6, edits: ["p": 6], save: (7, 6))))
        #expect(try isEdited("a", Self.stamps(7, edits: ["p": 7], save: (7, 6))))
    }

    @Test("a deleted object is not edited by a move or a lagging read") func moves() throws {
        #expect(try !isEdited("a", order: "2", Self.stamps(6, edits: ["order": 6])))
        #expect(try !isEdited("z", Self.stamps(4, edits: ["p": 4])))
    }

    @Test("a deleted object is edited by another birth or an unknown field") func newer() throws {
        #expect(try isEdited("a", Self.stamps(1, chain: 2), created: Self.otherDate))
        for edit: UInt64 in [5, 6] {
            var stamps = Self.stamps(6)
            stamps.stamps[1] = .init(edit: edit, digest: 0)
            #expect(try isEdited("a", stamps) == (edit == 6))
        }
    }
}
