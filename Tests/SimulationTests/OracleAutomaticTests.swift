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
}
