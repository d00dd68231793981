import Seam3
import Testing

@testable import Judge

/// Histories with versions that must not get lost, on two devices, 0 and 1, and the server, 2.
@Suite("The judge's oracle, about versions")
struct OracleVersionTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    private static func snapshot(_ copies: [String: Value]...) -> Snapshot {
        var snapshot = Snapshot()
        for (number, values) in copies.enumerated() {
            snapshot.objects["n1#\(number)"] = Snapshot.Object(
                kind: .node, ident: "n1", values: values)
        }
        return snapshot
    }

    private static func node(_ title: String, _ count: Int = 7) -> [String: Value] {
        ["title": .text(title), "count": .int(count)]
    }

    /// All places have the same node.
    private static func start() -> History {
        var history = History(placeCount: 3)
        history.save(at: 0, before: Snapshot(), after: snapshot(node("a")))
        history.send(from: 0)
        for place in [2, 1] { history.look(at: place, snapshot(node("a"))) }
        return history
    }

    @Test("requires both versions under keepBoth, also of two properties")
    func bothVersions() {
        var history = Self.start()
        let (mine, theirs) = (Self.node("b"), Self.node("a", 8))
        history.save(at: 0, before: Self.snapshot(Self.node("a")), after: Self.snapshot(mine))
        history.save(at: 1, before: Self.snapshot(Self.node("a")), after: Self.snapshot(theirs))
        #expect(Oracle.rules(history, .keepBoth, Self.snapshot(mine, theirs)) == [])
        #expect(Oracle.rules(history, .keepBoth, Self.snapshot(mine)) == ["value lost"])
        #expect(Oracle.rules(history, .keepBoth, Self.snapshot(theirs)) == ["value lost"])
        #expect(Oracle.rules(history, .serverRecordWins, Self.snapshot(theirs)) == [])
        history.send(from: 1)
        for place in [2, 0] { history.look(at: place, Self.snapshot(theirs)) }
        #expect(Oracle.rules(history, .keepBoth, Self.snapshot(theirs)) == ["value lost"])
    }

    @Test("does not miss an edit under keepBoth that was taken back before anybody else saw it")
    func takenBack() {
        var history = Self.start()
        for (before, after) in [("a", "b"), ("b", "a")] {
            history.save(
                at: 0, before: Self.snapshot(Self.node(before)),
                after: Self.snapshot(Self.node(after)))
        }
        history.save(
            at: 1, before: Self.snapshot(Self.node("a")), after: Self.snapshot(Self.node("c")))
        #expect(Oracle.rules(history, .keepBoth, Self.snapshot(Self.node("c"))) == [])
    }

    @Test(
        "excuses an edit that a deletion removes only if it arrived during the deleting device's pass",
        arguments: [[], [0], [1]] as [Set<Int>])
    func race(raced: Set<Int>) {
        var history = Self.start()
        history.save(
            at: 0, before: Self.snapshot(Self.node("a")), after: Self.snapshot(Self.node("b")))
        history.save(at: 1, before: Self.snapshot(Self.node("a")), after: Snapshot())
        #expect(
            Oracle.rules(history, .mergeByProperty, Snapshot(), raced: raced)
                == (raced == [1] ? [] : ["edit lost to a deletion"]))
    }

    @Test("lets an object be deleted whose edit was taken back")
    func deletedWithoutEdit() {
        for last in ["a", "c"] {
            var history = Self.start()
            for (before, after) in [("a", "b"), ("b", last)] {
                history.save(
                    at: 0, before: Self.snapshot(Self.node(before)),
                    after: Self.snapshot(Self.node(after)))
            }
            history.save(at: 1, before: Self.snapshot(Self.node("a")), after: Snapshot())
            #expect(
                Oracle.rules(history, .mergeByProperty, Snapshot())
                    == (last == "a" ? [] : ["edit lost to a deletion"]))
        }
    }

    /// Device 1 changes a title and deletes the object before it sends anything, and device 0 writes titles.
    private static func deleted(_ titles: [String], own: String? = nil) -> [String] {
        var history = start()
        if let own { history.save(at: 1, showing: snapshot(node(own))) }
        history.save(at: 1, showing: Snapshot())
        for title in titles {
            history.save(at: 0, showing: snapshot(node(title)))
            history.send(from: 0)
            history.look(at: 2, snapshot(node(title)))
        }
        return Oracle.rules(history, .mergeByProperty, Snapshot())
    }

    @Test("lets a deletion win if its device meets what it had, or had before its own edits")
    func meetsWhatItHad() {
        #expect(Self.deleted(["b", "a"]) == [])
        #expect(Self.deleted(["b", "a"], own: "b") == [])
        #expect(Self.deleted(["c", "b"], own: "b") == [])
        let lost = ["edit lost to a deletion"]
        #expect(Self.deleted(["b"]) == lost)
        #expect(Self.deleted(["b", "c"], own: "b") == lost)
        #expect(Self.deleted(["c"], own: "b") == lost)
    }

    @Test(
        "requires that an edit survives a deletion though it was reverted and repeated",
        arguments: [true, false])
    func repeated(isSent: Bool) {
        var history = Self.start()
        for (number, title) in [("a", "b"), ("b", "a"), ("a", "b")].enumerated() {
            history.save(
                at: 0, before: Self.snapshot(Self.node(title.0)),
                after: Self.snapshot(Self.node(title.1)))
            if number == 0, isSent {
                history.send(from: 0)
                history.look(at: 2, Self.snapshot(Self.node("b")))
            }
        }
        history.save(at: 1, before: Self.snapshot(Self.node("a")), after: Snapshot())
        #expect(
            Oracle.rules(history, .mergeByProperty, Snapshot()) == ["edit lost to a deletion"])
    }

    @Test("requires that an edit survives that was tried in vain, replaced, and repeated")
    func triedAndRepeated() {
        var history = Self.start()
        for (number, title) in ["b", "c", "b"].enumerated() {
            history.save(at: 0, showing: Self.snapshot(Self.node(title)))
            // Nothing arrives.
            if number == 0 { history.send(from: 0) }
        }
        history.save(at: 1, showing: Snapshot())
        #expect(
            Oracle.rules(history, .mergeByProperty, Snapshot()) == ["edit lost to a deletion"])
    }

    @Test("does not count what a delete rule has done to an object as an edit")
    func deleteRule() {
        for isDeleted in [true, false] {
            var history = History(placeCount: 3)
            func objects(_ node: Value, hasNode: Bool = true, hasCover: Bool = true) -> Snapshot {
                var snapshot = Snapshot()
                if hasNode {
                    snapshot.objects["n"] = Snapshot.Object(
                        kind: .node, ident: "n1", values: ["title": .text("a")])
                }
                if hasCover {
                    snapshot.objects["c"] = Snapshot.Object(
                        kind: .cover, ident: "c1", values: ["node": node])
                }
                return snapshot
            }
            let all = objects(.object("n1"))
            history.save(at: 0, before: Snapshot(), after: all)
            history.send(from: 0)
            for place in [2, 1] { history.look(at: place, all) }
            history.save(at: 0, before: all, after: objects(.none, hasNode: !isDeleted))
            history.save(at: 1, before: all, after: objects(.none, hasCover: false))
            #expect(
                Oracle.rules(
                    history, .mergeByProperty,
                    objects(.none, hasNode: !isDeleted, hasCover: false))
                    == (isDeleted ? [] : ["edit lost to a deletion"]))
        }
    }

    @Test("knows what a pass was the first to send, and everything that was ever referred to")
    func firstAttempts() {
        var history = History(placeCount: 3)
        history.save(at: 0, before: Snapshot(), after: Self.snapshot(Self.node("a")))
        history.save(
            at: 0, before: Self.snapshot(Self.node("a")), after: Self.snapshot(Self.node("b")))
        let first = history.beginExchange(0)
        #expect(history.firstAttempts(of: first).map(\.action) == [.insert, .update])
        history.attempted(0)
        history.save(at: 0, before: Self.snapshot(Self.node("b")), after: Snapshot())
        let second = history.beginExchange(0)
        #expect(history.firstAttempts(of: second).map(\.action) == [.delete])
        #expect(!history.hasReferrer("n1"))
        var cover = Snapshot()
        cover.objects["c"] = Snapshot.Object(
            kind: .cover, ident: "c1", values: ["node": .object("n1")])
        history.save(at: 1, before: Snapshot(), after: cover)
        #expect(history.hasReferrer("n1"))
    }

    @Test("assumes that a pass may send an edit made during it")
    func editUnderWay() {
        var history = Self.start()
        for isUnderWay in [true, false] {
            let exchange = history.beginExchange(0)
            if !isUnderWay { history.attempted(0) }
            let title = isUnderWay ? ("a", "b") : ("b", "c")
            history.save(
                at: 0, before: Self.snapshot(Self.node(title.0)),
                after: Self.snapshot(Self.node(title.1)))
            #expect((history.edits(of: "n1").last?.firstAttempt != nil) == isUnderWay)
            #expect(
                !history.firstAttempts(of: exchange).contains {
                    $0.values["title"] == .text(title.1)
                })
            history.attempted(0)
        }
    }

    // MARK: - Objects made again

    /// Device 0 deletes a node, device 1 makes it again, and device 0, which has received that, changes its
    /// count. Not knowing this, device 1 changes its title to "b".
    ///
    /// - Parameters:
    ///   - title: The title that device 0 shows and sends with the count; nil if it changes nothing.
    ///   - isKnown: Whether device 1 has received the count.
    private static func madeAgain(_ title: String? = "a", isKnown: Bool = false) -> History {
        let old = snapshot(node("a"))
        var history = History(known: old)
        history.save(at: 0, showing: Snapshot())
        history.sync(0, showing: Snapshot())
        history.sync(1, showing: Snapshot())
        history.save(at: 1, showing: old)
        // It fails because of something else, so it is not certain what has arrived.
        history.send(from: 1)
        history.look(at: 2, old)
        history.sync(0, showing: old)
        if let title {
            let counted = snapshot(node(title, 9))
            history.save(at: 0, showing: counted)
            history.sync(0, showing: counted)
            if isKnown { history.look(at: 1, counted) }
        }
        history.save(at: 1, showing: snapshot(node("b", isKnown ? 9 : 7)))
        history.send(from: 1)
        return history
    }

    @Test("allows the title that an object made again had on the device whose version wins")
    func madeAgainAndChanged() {
        let final = Self.snapshot(Self.node("a", 9))
        #expect(Oracle.rules(Self.madeAgain(), .serverRecordWins, final) == [])
        #expect(
            Oracle.rules(Self.madeAgain(), .serverRecordWins, Self.snapshot(Self.node("b", 7)))
                == [])
    }

    @Test(
        "requires the last title of an object made again unless another version has the former one")
    func madeAgainAndKept() {
        func rules(_ history: History, _ count: Int, _ policy: Policy = .serverRecordWins)
            -> [String]
        { Oracle.rules(history, policy, Self.snapshot(Self.node("a", count))) }
        let lost = ["value lost"]
        // No other version has been made.
        #expect(rules(Self.madeAgain(nil), 7) == lost)
        // The other version has another title.
        #expect(rules(Self.madeAgain("c"), 9) == lost)
        // The user who wrote the last title had seen the other version.
        #expect(rules(Self.madeAgain(isKnown: true), 9) == lost)
        // What only one has edited is merged.
        for policy in [Policy.mergeByProperty, .mergeByPropertyClientWins] {
            #expect(rules(Self.madeAgain(), 9, policy) == lost)
        }
    }
}
