import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which something changes that no user has edited.
@Suite("The judge's oracle, about changes that no user has made")
struct OracleAutomaticTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    // MARK: - Migrations

    private static func node(_ memo: String?) -> Snapshot {
        Snapshot(["n1": ["title": .text("a"), "memo": memo.map { .text($0) } ?? .none]])
    }

    /// Device 0 gets a model that syncs a memo, or its user sets the memo. Device 1 deletes the node.
    private static func deleted(isMigrated: Bool, isSentFirst: Bool = false) -> History {
        var history = History(known: node(nil))
        history.save(at: 0, before: node(nil), after: node("b"), isOld: isMigrated)
        if isSentFirst { history.sync(0, showing: node("b")) }
        history.save(at: 1, showing: Snapshot())
        history.sync(1, showing: Snapshot())
        history.send(from: 0)
        return history
    }

    @Test("requires that what a migration sends brings no object back that was deleted before")
    func migratedAfterDeletion() {
        let history = Self.deleted(isMigrated: true)
        for policy in [Policy.mergeByProperty, .clientRecordWins, .keepBoth] {
            #expect(Oracle.rules(history, policy, Snapshot()) == [])
            #expect(Oracle.rules(history, policy, Self.node("b")) == ["deletion undone"])
        }
    }

    @Test("lets another device take what a migration has sent for an edit")
    func migratedBeforeDeletion() {
        let history = Self.deleted(isMigrated: true, isSentFirst: true)
        for policy in [Policy.mergeByProperty, .serverRecordWins] {
            #expect(Oracle.rules(history, policy, Snapshot()) == [])
            #expect(Oracle.rules(history, policy, Self.node("b")) == [])
        }
    }

    @Test("requires that an edit of a user brings the object back")
    func editedAfterDeletion() {
        let history = Self.deleted(isMigrated: false)
        #expect(
            Oracle.rules(history, .mergeByProperty, Snapshot()) == ["edit lost to a deletion"])
        #expect(Oracle.rules(history, .clientRecordWins, Snapshot()) == ["policy not followed"])
    }

    /// Device 0 has sent what a migration has changed. Then its user changes the memo, deletes the node, undoes this,
    /// and changes the memo again. Device 1 deletes the node.
    private static func changedAgain(to memo: String, isArrived: Bool = false) -> History {
        var history = History(known: node(nil))
        history.save(at: 0, before: node(nil), after: node("b"), isOld: true)
        history.sync(0, showing: node("b"))
        history.save(at: 1, showing: Snapshot())
        history.save(at: 0, showing: node("c"))
        history.save(at: 0, showing: Snapshot())
        if isArrived { history.sync(0, showing: Snapshot()) }
        history.save(at: 0, showing: node("c"))
        if memo != "c" { history.save(at: 0, showing: node(memo)) }
        for device in [1, 0] { history.sync(device, showing: Snapshot()) }
        return history
    }

    @Test("does not count an edit that was undone with a deletion, and then taken back")
    func takenBackAfterUndoing() {
        let history = Self.changedAgain(to: "b")
        #expect(Oracle.rules(history, .mergeByProperty, Snapshot()) == [])
    }

    @Test(
        "counts an edit that was undone with a deletion, unless it is taken back before that is sent"
    )
    func notTakenBack() {
        for history in [
            Self.changedAgain(to: "c"), Self.changedAgain(to: "d"),
            Self.changedAgain(to: "b", isArrived: true),
        ] {
            #expect(
                Oracle.rules(history, .mergeByProperty, Snapshot()) == ["edit lost to a deletion"])
        }
    }

    /// Device 1 changes the title. Device 0 sends a memo, and then changes it. Device 1 meets the first memo alone,
    /// unless device 0 has also sent the second one by then. In the end, the first one is there.
    private static func adopted(isMigrated: Bool = true, isChangedBefore: Bool = false) -> History {
        func node(_ title: String, _ memo: String?) -> Snapshot {
            Snapshot(["n1": ["title": .text(title), "memo": memo.map { .text($0) } ?? .none]])
        }
        var history = History(known: node("a", nil))
        history.save(at: 1, showing: node("b", nil))
        history.save(at: 0, before: node("a", nil), after: node("a", "b"), isOld: isMigrated)
        history.sync(0, showing: node("a", "b"))
        history.save(at: 0, showing: node("a", "c"))
        if isChangedBefore { history.sync(0, showing: node("a", "c")) }
        for device in [1, 0] { history.sync(device, showing: node("b", "b")) }
        return history
    }

    @Test("lets an edit lose to another device's version that has met what a migration has sent")
    func lostToMigrated() {
        let final = Snapshot(["n1": ["title": .text("b"), "memo": .text("b")]])
        #expect(Oracle.rules(Self.adopted(), .serverRecordWins, final) == [])
        for policy in [Policy.clientRecordWins, .keepBoth, .mergeByProperty] {
            #expect(Oracle.rules(Self.adopted(), policy, final).contains("value lost"))
        }
        for history in [Self.adopted(isMigrated: false), Self.adopted(isChangedBefore: true)] {
            let rules = Oracle.rules(history, .serverRecordWins, final)
            #expect(rules.contains("value lost"))
        }
    }

    // MARK: - Destinations taken by refused objects

    private static func covers(_ first: String?, _ copies: [(node: String?, title: String)])
        -> Snapshot
    {
        func reference(_ node: String?) -> Value { node.map { .object($0) } ?? .none }
        var objects: [String: [String: Value]] = [
            "n1": ["title": .text("a")], "c1": ["node": reference(first)],
        ]
        for (number, copy) in copies.enumerated() {
            objects["c2#\(number)"] = ["node": reference(copy.node), "title": .text(copy.title)]
        }
        return Snapshot(objects)
    }

    /// Device 1 gives c1 the node that device 0 gives c2, so c2 loses it. The server refuses c1. Then device 0
    /// changes the title of c2, or deletes c2.
    private static func taken(
        isRefused: Bool = true, isKnown: Bool = false, deletes: Bool = false
    ) -> History {
        var history = History(known: covers(nil, []))
        if isRefused { history.refuse("c1") }
        history.save(at: 1, showing: covers("n1", []))
        history.save(at: 0, showing: covers(nil, [("n1", "a")]))
        history.sync(0, showing: covers(nil, [("n1", "a")]))
        history.send(from: 1)
        history.look(at: 1, covers("n1", [(nil, "a")]))
        history.look(at: 2, covers(nil, [(nil, "a")]))
        if isKnown { history.look(at: 0, covers("n1", [(nil, "a")])) }
        let first = isKnown ? "n1" : nil
        let copy = (node: isKnown ? nil : "n1", title: "b")
        history.save(at: 0, showing: covers(first, deletes ? [] : [copy]))
        history.send(from: 0)
        return history
    }

    @Test("lets keepBoth copy an object once whose destination a refused object has taken")
    func copied() {
        let two = Self.covers("n1", [(nil, "a"), (nil, "b")])
        #expect(Oracle.rules(Self.taken(), .keepBoth, two) == [])
        let three = Self.covers("n1", [(nil, "a"), (nil, "b"), (nil, "b")])
        #expect(Oracle.rules(Self.taken(), .keepBoth, three) == ["doubled"])
    }

    @Test("lets keepBoth copy no object if the other one was not refused, or its user knew that")
    func notCopied() {
        let two = Self.covers("n1", [(nil, "a"), (nil, "b")])
        for history in [Self.taken(isRefused: false), Self.taken(isKnown: true)] {
            #expect(Oracle.rules(history, .keepBoth, two) == ["doubled"])
        }
    }

    @Test("lets a deleted object come back only if a refused object has taken its destination")
    func deletedMeanwhile() {
        let there = Self.covers("n1", [(nil, "a")])
        #expect(Oracle.rules(Self.taken(deletes: true), .mergeByProperty, there) == [])
        for history in [
            Self.taken(isRefused: false, deletes: true), Self.taken(isKnown: true, deletes: true),
        ] {
            #expect(Oracle.rules(history, .mergeByProperty, there) == ["deletion undone"])
        }
    }

    // MARK: - Destinations given back

    /// What else happens after device 1 has changed the title of c2, and device 0 has given n1 to c1, sent that, and
    /// given n1 back to c2.
    private enum Meeting {
        /// Device 1 meets the nil and sends the title with it. Then device 0 sends the destination.
        case met
        /// Device 1 meets the nil, and can send the title only after device 0 has sent the destination.
        case metOnly
        /// Device 0 sends the destination before device 1 meets anything.
        case givenBackBefore
        /// Device 1 has sent the title before device 0 sends anything.
        case sentBefore
        /// Device 0 has also changed the title when it gave n1 to c1.
        case edited
        /// Device 1 has also led c2 to another node.
        case ledElsewhere
        /// Device 1 has changed nothing.
        case alone
    }

    /// In the end, c2 has no node.
    private static func givenBack(_ meeting: Meeting) -> History {
        let start = covers(nil, [("n1", "a")])
        var history = History(known: start)
        let (title, node) = meeting == .alone ? ("a", nil) : ("b", Optional("n1"))
        if meeting != .alone {
            history.save(
                at: 1, showing: covers(nil, [(meeting == .ledElsewhere ? "n2" : node, title)]))
        }
        if meeting == .sentBefore { history.sync(1, showing: covers(nil, [(node, title)])) }
        let taken = covers("n1", [(nil, meeting == .edited ? "c" : "a")])
        history.save(at: 0, showing: taken)
        if meeting != .sentBefore { history.sync(0, showing: taken) }
        history.save(at: 0, showing: start)
        if meeting == .metOnly {
            history.send(from: 1)
            history.look(at: 1, covers("n1", [(nil, title)]))
        }
        if [.metOnly, .givenBackBefore].contains(meeting) { history.sync(0, showing: start) }
        if meeting != .sentBefore { history.sync(1, showing: covers("n1", [(nil, title)])) }
        for device in [0, 1] { history.sync(device, showing: covers(nil, [(nil, title)])) }
        return history
    }

    @Test("lets a reference lose to another device's version that has met its nil")
    func lostToAdopted() {
        let final = Self.covers(nil, [(nil, "b")])
        for policy in [Policy.serverRecordWins, .clientTellsWhichWins] {
            #expect(Oracle.rules(Self.givenBack(.met), policy, final) == [])
        }
        #expect(Oracle.rules(Self.givenBack(.metOnly), .clientRecordWins, final) == [])
    }

    @Test("lets no reference lose to such a version if the policy prefers or keeps the reference")
    func preferredToAdopted() {
        let final = Self.covers(nil, [(nil, "b")])
        for policy in [
            Policy.clientRecordWins, .keepBoth, .mergeByProperty, .mergeByPropertyClientWins,
            .mergeByPropertyClientTells,
        ] {
            #expect(Oracle.rules(Self.givenBack(.met), policy, final).contains("value lost"))
        }
    }

    @Test("lets no reference lose to a version that has not met its nil alone, or competes with it")
    func notAdopted() {
        for meeting in [Meeting.givenBackBefore, .sentBefore, .edited, .ledElsewhere, .alone] {
            let final = Self.covers(nil, [(nil, meeting == .alone ? "a" : "b")])
            for policy in [Policy.serverRecordWins, .clientRecordWins] {
                let rules = Oracle.rules(Self.givenBack(meeting), policy, final)
                #expect(rules.contains("value lost"), "\(meeting) \(policy)")
            }
        }
    }
}
