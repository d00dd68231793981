import CoreData
import Testing

@testable import Seam3

/// Each case has a property "p" with the value of the server that is given, and a property "q" that tells whether the
/// request has arrived.
@Suite("What the server's version of a changed object means") struct ArrivalTests {
    private static let rules = Arrival.Rules(
        names: ["p", "q", "list", "first", "last"], composites: [["first", "last"]], required: [],
        key: [], derived: [], defaults: PropertyValues())

    private func values(_ p: String?, _ q: String? = nil, list: String? = nil) -> PropertyValues {
        PropertyValues(["p": SQLiteValue(p), "q": SQLiteValue(q), "list": SQLiteValue(list)])
    }

    private func layer(
        _ name: String, _ old: String?, _ cause: ChangeLayers.Cause = .edit, _ revision: Int64 = 1
    ) -> ChangeLayers {
        ChangeLayers(PropertyValues([name: SQLiteValue(old)]), cause, revision: revision)
    }

    private func request(
        _ revision: Int64, arrived: Bool? = nil, refused: Bool = false,
        held: PropertyValues = PropertyValues()
    ) -> Arrival.Object.Request {
        Arrival.Object.Request(
            request: SentRequest(
                number: revision, revision: revision, held: held, isRefused: refused),
            hasArrived: arrived)
    }

    private func arrival(
        _ server: PropertyValues, _ object: Arrival.Object, _ rules: Arrival.Rules = Self.rules,
        change: (inout Arrival.Record) -> Void = { _ in }
    ) throws -> Arrival {
        var record = Arrival.Record(values: server)
        change(&record)
        return try Arrival(of: record, at: object, rules)
    }

    // MARK: - Nothing was sent

    @Test("a value that only the server has changed is theirs") func theirs() throws {
        let object = Arrival.Object(values: values("a", "y"), changes: layer("q", "x"))
        let arrival = try arrival(values("b", "x"), object)
        #expect(arrival.theirs == ["p"])
        #expect(arrival.ours == ["q"])
    }

    @Test("a value that both sides have changed is theirs and ours") func contested() throws {
        let object = Arrival.Object(values: values("b"), changes: layer("p", "a"))
        let arrival = try arrival(values("c"), object)
        #expect(arrival.theirs == ["p"])
        #expect(arrival.ours == ["p"])
    }

    @Test("a value that is as in the base is nobody's edit, whatever was changed in between")
    func reverted() throws {
        let object = Arrival.Object(values: values("a"), changes: layer("p", "a"))
        let arrival = try arrival(values("a", "y"), object)
        #expect(arrival.ours.isEmpty)
        #expect(arrival.theirs == ["q"])
    }

    @Test("a change by nobody is not ours, and stays unless the server's value has changed")
    func automatic() throws {
        let object = Arrival.Object(values: values(nil), changes: layer("list", "l", .deletion))
        let kept = try arrival(values(nil, list: "l"), object)
        #expect(kept.ours.isEmpty && kept.theirs.isEmpty)
        #expect(kept.automatic == ["list"])
        let replaced = try arrival(values(nil, list: "m"), object)
        #expect(replaced.theirs == ["list"])
        #expect(replaced.automatic.isEmpty)
    }

    @Test("a composite attribute is one property") func composite() throws {
        let object = Arrival.Object(
            values: PropertyValues(["first": .text("b"), "last": .text("l")]),
            changes: layer("first", "a"))
        let arrival = try arrival(
            PropertyValues(["first": .text("a"), "last": .text("m")]), object)
        #expect(arrival.ours == ["first", "last"])
        #expect(arrival.theirs == ["first", "last"])
    }

    @Test("what the record lacks that has yet to be sent, or is required, counts as it was")
    func lacking() throws {
        let object = Arrival.Object(values: values("a", "b"), resend: ["p"])
        var rules = Self.rules
        rules.required = ["q"]
        let arrival = try arrival(values(nil), object, rules)
        #expect(arrival.theirs.isEmpty && arrival.ours.isEmpty)
        #expect(arrival.server["p"] == .text("a"))
        #expect(arrival.server["q"] == .text("b"))
    }

    @Test("an edit of what has yet to be sent is ours, and not contested by what the record lacks")
    func editOfLacking() throws {
        let object = Arrival.Object(
            values: values("b"), changes: layer("p", "a"), resend: ["p"])
        let lacking = try arrival(values(nil), object)
        #expect(lacking.ours == ["p"])
        #expect(lacking.theirs.isEmpty)
        let other = try arrival(values("c"), object)
        #expect(other.theirs == ["p"])
    }

    @Test("a removal of what has yet to be sent is ours although the record lacks it too")
    func removalOfLacking() throws {
        let object = Arrival.Object(
            values: values(nil), changes: layer("p", "a"), resend: ["p"])
        let arrival = try arrival(values(nil), object)
        #expect(arrival.ours == ["p"])
    }

    @Test("a value whose base is unknown is ours") func unknown() throws {
        var base = PropertyValues()
        base.addUnknown(["p"])
        let object = Arrival.Object(
            values: values("a"), changes: ChangeLayers(base, .edit, revision: 1))
        #expect(try arrival(values("b"), object).ours == ["p"])
        let known = try arrival(values("b"), object) { $0.confirmsUnknown = true }
        #expect(known.theirs.isEmpty)
    }

    @Test("a nil that follows from a deletion is not theirs") func released() throws {
        let object = Arrival.Object(values: values("b", list: "l"), changes: layer("p", "a"))
        let edited = try arrival(values("a"), object)
        #expect(edited.theirs == ["list"])
        let released = try arrival(values("a"), object) {
            $0.isReleased = { name, former, _ in name == "list" && former == .text("l") }
        }
        #expect(released.theirs.isEmpty)
    }

    // MARK: - A response is missing

    /// "p" went from "a" to "b", which was sent, and to "c" afterward. "q" went from "x" to "y", and was sent.
    private func sentObject(_ arrived: Bool? = nil) -> Arrival.Object {
        var changes = layer("p", "a")
        changes.note(PropertyValues(["q": .text("x")]), .edit, revision: 1, sent: nil)
        changes.note(PropertyValues(["p": .text("b")]), .edit, revision: 2, sent: 1)
        return Arrival.Object(
            values: values("c", "y"), changes: changes, requests: [request(1, arrived: arrived)])
    }

    @Test(
        "a version as it was sent is nobody's edit, and later edits are ours",
        arguments: [nil, true])
    func answer(arrived: Bool?) throws {
        let arrival = try arrival(values("b", "y"), sentObject(arrived))
        #expect(arrival.theirs.isEmpty)
        #expect(arrival.ours == ["p"])
    }

    @Test("a version from before the request is nobody's edit, and all edits are ours")
    func notArrived() throws {
        let arrival = try arrival(values("a", "x"), sentObject())
        #expect(arrival.theirs.isEmpty)
        #expect(arrival.ours == ["p", "q"])
    }

    @Test("an edit that replaces one that had arrived is theirs and uncontested") func replaced()
        throws
    {
        let arrival = try arrival(values("b", "z"), sentObject())
        #expect(arrival.theirs == ["q"])
        #expect(arrival.ours == ["p"])
    }

    @Test("an edit that replaces one that may not have arrived is contested") func competing()
        throws
    {
        let arrival = try arrival(values("z", "x"), sentObject())
        #expect(arrival.theirs == ["p"])
        #expect(arrival.ours == ["p", "q"])
    }

    @Test("a value from before a request that the log proves is an edit") func proved() throws {
        let arrival = try arrival(values("b", "x"), sentObject(true))
        #expect(arrival.theirs == ["q"])
        #expect(arrival.ours == ["p"])
    }

    @Test("a nil by a deletion after a sent edit is not ours") func nilAfterSentEdit() throws {
        var changes = layer("list", "k")
        changes.note(PropertyValues(["list": .text("l")]), .deletion, revision: 2, sent: 1)
        let object = Arrival.Object(
            values: values("p"), changes: changes, requests: [request(1)])
        let arrival = try arrival(values("z", list: "l"), object)
        #expect(arrival.ours.isEmpty)
        #expect(arrival.automatic == ["list"])
        #expect(arrival.theirs == ["p"])
    }

    @Test("a reference that was held back is ours when its request has arrived") func held() throws
    {
        let object = Arrival.Object(
            isNew: true, values: values("p", list: "l"),
            requests: [request(1, held: PropertyValues(["list": .null]))])
        let arrival = try arrival(values("z"), object)
        #expect(arrival.ours == ["list"])
        #expect(arrival.theirs == ["p"])
    }

    @Test("a request that was refused counts only for exactly its values") func refused() throws {
        let object = Arrival.Object(
            isNew: true, values: values("p", "q"), requests: [request(1, refused: true)])
        #expect(try arrival(values("p", "q"), object).ancestor != nil)
        #expect(try arrival(values("p", "z"), object).ancestor == nil)
    }

    // MARK: - Two births

    @Test("of two births, what is unset is nobody's") func births() throws {
        let object = Arrival.Object(isNew: true, wasSent: false, values: values("a", nil))
        let arrival = try arrival(values(nil, "y"), object)
        #expect(arrival.ancestor == nil)
        #expect(arrival.ours == ["p"])
        #expect(arrival.theirs == ["q"])
    }

    @Test("another device's record with a natural key is another birth, unless it is as sent")
    func naturalKey() throws {
        var rules = Self.rules
        rules.key = ["p"]
        let object = Arrival.Object(
            isNew: true, values: values("key", "mine"), requests: [request(1)])
        let other = try arrival(values("key", "theirs"), object, rules) { $0.isAsCreated = true }
        #expect(other.ancestor == nil)
        #expect(other.ours.contains("q") && other.theirs.contains("q"))
        let own = try arrival(values("key", "mine"), object, rules) { $0.isAsCreated = true }
        #expect(own.theirs.isEmpty && own.ours.isEmpty)
    }

    @Test("the record of a new object proves that its request has arrived") func newObject() throws
    {
        let object = Arrival.Object(
            isNew: true, values: values("a", "b"), requests: [request(1)])
        let arrival = try arrival(values("a", "z"), object)
        #expect(arrival.theirs == ["q"])
        #expect(arrival.ours.isEmpty)
    }

    // MARK: - Deleted objects

    private func deleted(
        _ arrived: Bool? = nil, requests: [Arrival.Object.Request]? = nil
    ) -> Arrival.Object {
        var object = sentObject(arrived)
        object.changes.note(object.values, .removal, revision: 3, sent: 1)
        object.values = PropertyValues()
        if let requests { object.requests = requests }
        return object
    }

    private func isEdited(_ server: PropertyValues, _ object: Arrival.Object) throws -> Bool {
        try Arrival.isEdited(Arrival.Record(values: server), since: object, Self.rules)
    }

    @Test("a deleted object is edited unless the record is a version that the server may have had")
    func deletion() throws {
        #expect(try !isEdited(values("a", "x"), deleted()))
        #expect(try !isEdited(values("b", "y"), deleted()))
        #expect(try isEdited(values("b", "x"), deleted()))
        #expect(try isEdited(values("z", "x"), deleted()))
        #expect(try isEdited(values("a", "x"), deleted(true)))
        #expect(try isEdited(values("c", "y"), deleted(requests: [])))
    }
}
