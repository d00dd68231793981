import Seam3
import Testing

@testable import Judge

/// Tests the judge with fictitious results of saves of contexts whose users have not seen what
/// others have changed in the meantime.
@Suite("The judge of a context's own changes") struct OwnChangesTests {
    /// A node's friends and title, and a list's order.
    private static func state(
        friends: [String] = [], title: String = "a", list: Value = .none, order: [String] = [],
        others: [String] = ["n2", "n3", "n4"]
    ) -> Snapshot {
        var objects: [String: [String: Value]] = [
            "n1": ["friends": .objects(friends), "title": .text(title), "list": list],
            "l1": ["nodes": .ordered(order)],
        ]
        for other in others { objects[other] = ["title": .text("-")] }
        return Snapshot(objects)
    }

    private static func excess(
        _ own: OwnChanges, _ before: Snapshot, _ after: Snapshot, writesAll: Bool = false
    ) -> Bool { own.excess(before: before, after: after, writesAll: writesAll) != nil }

    private static func links(_ links: [(String, Bool)]) -> OwnChanges {
        var own = OwnChanges()
        for (other, isThere) in links { own.link("friends|n1|\(other)", isThere: isThere) }
        return own
    }

    // MARK: - Links

    @Test("objects to a link that a save removes and its context did not")
    func unseenLinkRemoved() {
        let own = Self.links([("n3", true)])
        let before = Self.state(friends: ["n2"])
        #expect(!Self.excess(own, before, Self.state(friends: ["n2", "n3"])))
        #expect(Self.excess(own, before, Self.state(friends: ["n3"])))
        #expect(Self.excess(own, before, Self.state(friends: ["n3"]), writesAll: true))
    }

    @Test("objects to a link that a save makes again and its context did not")
    func removedLinkMade() {
        let own = Self.links([("n3", false)])
        let before = Self.state(friends: ["n3"])
        #expect(!Self.excess(own, before, Self.state()))
        #expect(Self.excess(own, before, Self.state(friends: ["n2"])))
    }

    @Test("accepts the links of objects that the save deletes or makes again")
    func linksOfDeleted() {
        let own = OwnChanges()
        let (with, without) = (Self.state(friends: ["n2"]), Self.state(others: ["n3", "n4"]))
        #expect(!Self.excess(own, with, without))
        #expect(!Self.excess(own, without, with))
    }

    @Test("accepts the links of objects that have become one by their natural key")
    func linksOfMerged() {
        let before = Snapshot([
            "n1": ["tags": .objects(["thome"])], "twork": ["name": .text("work")],
            "thome": ["name": .text("home")],
        ])
        let after = Snapshot([
            "n1": ["tags": .objects(["twork"])], "twork": ["name": .text("work")],
        ])
        #expect(!Self.excess(OwnChanges(), before, after))
    }

    @Test("accepts a value of an object that had another identity when its context changed it")
    func valueOfRenamed() {
        let (before, after) = (Self.state(), Self.state(title: "b"))
        #expect(Self.excess(OwnChanges(), before, after))
        #expect(
            OwnChanges().excess(before: before, after: after, writesAll: false, renamed: ["n1"])
                == nil)
    }

    @Test("counts a link that a context has added and removed as unchanged")
    func linkTakenBack() {
        let own = Self.links([("n2", true), ("n2", false)])
        #expect(own.links.isEmpty)
        #expect(Self.excess(own, Self.state(friends: ["n2"]), Self.state()))
    }

    @Test("objects to a link of the context that a save does not write, unless it need not")
    func linkNotWritten() {
        let own = Self.links([("n2", true), ("n3", false)])
        func isMissing(_ friends: [String], isExcused: Bool = false) -> Bool {
            own.missingLink(
                before: Self.state(friends: ["n3"]), after: Self.state(friends: friends),
                isExcused: { _ in isExcused }) != nil
        }
        #expect(!isMissing(["n2"]))
        #expect(isMissing([]))
        #expect(isMissing(["n2", "n3"]))
        #expect(!isMissing([], isExcused: true))
        #expect(
            own.missingLink(
                before: Self.state(others: []), after: Self.state(others: []),
                isExcused: { _ in false }) == nil)
    }

    // MARK: - Values

    @Test(
        "objects to a value that a save sets and its context did not, unless it writes whole objects"
    )
    func unseenValue() {
        var own = OwnChanges()
        let (before, after) = (Self.state(title: "b"), Self.state(title: "a"))
        #expect(Self.excess(own, before, after))
        #expect(!Self.excess(own, before, after, writesAll: true))
        own.set("title", of: "n1", from: .text("c"), to: .text("a"))
        #expect(!Self.excess(own, before, after))
    }

    @Test("counts a value that a context has changed and set back as unchanged")
    func valueTakenBack() {
        var own = OwnChanges()
        own.set("title", of: "n1", from: .text("a"), to: .text("c"))
        own.set("title", of: "n1", from: .text("c"), to: .text("a"))
        #expect(Self.excess(own, Self.state(title: "b"), Self.state(title: "a")))
    }

    @Test("objects to a reference that a save sets to nil, unless it deletes the destination")
    func unseenReference() {
        let own = OwnChanges()
        let before = Self.state(list: .object("l1"))
        #expect(Self.excess(own, before, Self.state()))
        var after = Self.state()
        after.objects["l1"] = nil
        #expect(!Self.excess(own, before, after))
    }

    @Test("objects to an order that a save changes and its context did not")
    func unseenOrder() {
        var own = OwnChanges()
        let before = Self.state(order: ["n3", "n2"])
        #expect(!Self.excess(own, before, Self.state(order: ["n3", "n4", "n2"])))
        #expect(Self.excess(own, before, Self.state(order: ["n2", "n3"])))
        #expect(!Self.excess(own, before, Self.state(order: ["n2", "n3"]), writesAll: true))
        own.order("nodes", of: "l1")
        #expect(!Self.excess(own, before, Self.state(order: ["n2", "n3"])))
    }

    @Test(
        "gives each property to the store's side if both have changed it, and else to the context's"
    )
    func storeWins() {
        var own = OwnChanges()
        own.set("title", of: "n1", from: .text("a"), to: .text("b"))
        func isWrong(_ stored: String, _ now: String) -> Bool {
            own.wrongSide(before: Self.state(title: stored), after: Self.state(title: now)) != nil
        }
        #expect(!isWrong("a", "b"))
        #expect(isWrong("a", "a"))
        #expect(!isWrong("c", "c"))
        #expect(isWrong("c", "b"))
    }

    @Test("gives an object to the store's side if it would get another one's name, and only then")
    func storeWinsConstraint() {
        func isWrong(
            _ name: String, other: String, _ change: (inout OwnChanges) -> Void = { _ in }
        ) -> Bool {
            var own = OwnChanges()
            own.set("name", of: "thome", from: .text("home"), to: .text("fun"))
            change(&own)
            func state(_ name: String) -> Snapshot {
                Snapshot(["thome": ["name": .text(name)], "tfun": ["name": .text(other)]])
            }
            return own.wrongSide(before: state("home"), after: state(name)) != nil
        }
        #expect(!isWrong("home", other: "fun"))
        #expect(!isWrong("fun", other: "work"))
        #expect(isWrong("home", other: "work"))
        #expect(isWrong("work", other: "fun"))
        // The policy keeps it.
        #expect(!isWrong("home", other: "fun") { $0.delete("tfun", [:]) })
        #expect(isWrong("home", other: "work") { $0.delete("tfun", [:]) })
        #expect(
            isWrong("home", other: "fun") {
                $0.set("name", of: "tfun", from: .text("fun"), to: .text("home"))
            })
    }

    @Test("gives a whole object to the store's side if its code would be another one's")
    func storeWinsCode() {
        func isWrong(_ code: String, title: String) -> Bool {
            var own = OwnChanges()
            own.set("code", of: "f1", from: .text("A"), to: .text("B"))
            own.set("title", of: "f1", from: .text("a"), to: .text("b"))
            func state(_ code: String, _ title: String) -> Snapshot {
                Snapshot([
                    "f1": ["code": .text(code), "title": .text(title)], "f2": ["code": .text("B")],
                ])
            }
            return own.wrongSide(before: state("A", "a"), after: state(code, title)) != nil
        }
        #expect(!isWrong("A", title: "a"))
        #expect(!isWrong("A", title: "b"))
        #expect(isWrong("A", title: "c"))
    }

    // MARK: - Destinations

    @Test("accepts a reference that shows again if the save makes its destination again")
    func returnedDestination() {
        func hasExcess(_ waiting: Set<String>, wasThere: Bool = false) -> Bool {
            var before = Self.state()
            if !wasThere { before.objects["l1"] = nil }
            return OwnChanges().excess(
                before: before, after: Self.state(list: .object("l1")), writesAll: false,
                waiting: waiting) != nil
        }
        #expect(!hasExcess(["list|n1|l1"]))
        #expect(hasExcess([]))
        #expect(hasExcess(["list|n2|l1", "list|n1|l2", "folder|n1|l1"]))
        #expect(hasExcess(["list|n1|l1"], wasThere: true))
    }

    @Test("accepts a reference that shows again to the one of two copies that the save makes again")
    func returnedCopy() {
        func hasExcess(
            leadsTo copy: String, waiting: Set<String> = ["list|n1|l1"], hasMade: Bool = true
        ) -> Bool {
            var before = Snapshot(["n1": ["list": .none], "l1#0": [:], "l1#1": [:]])
            var after = before
            after.objects["n1"]?.values["list"] = .object("l1")
            after.destinations = ["n1": ["list": copy]]
            if hasMade { before.objects["l1#1"] = nil }
            return OwnChanges().excess(
                before: before, after: after, writesAll: false, waiting: waiting) != nil
        }
        #expect(!hasExcess(leadsTo: "l1#1"))
        #expect(hasExcess(leadsTo: "l1#0"))
        #expect(hasExcess(leadsTo: "l1#1", waiting: []))
        #expect(hasExcess(leadsTo: "l1#1", hasMade: false))
    }

    @Test("accepts the nil of a reference whose destination the context has deleted, if it wins")
    func releasedReference() {
        func hasExcess(
            _ ident: String, _ values: [String: Value], keepsOwn: Bool = true,
            now: Value = .none
        ) -> Bool {
            var own = OwnChanges()
            own.delete(ident, values)
            func state(_ node: Value) -> Snapshot {
                Snapshot(["n2": [:], "n3": [:], "c1": ["node": node], "c2": ["node": .none]])
            }
            return own.excess(
                before: state(.object("n2")), after: state(now), writesAll: false,
                keepsOwn: keepsOwn) != nil
        }
        #expect(!hasExcess("n1", ["cover": .object("c1")]))
        #expect(hasExcess("n1", ["cover": .object("c1")], keepsOwn: false))
        #expect(hasExcess("n1", ["cover": .object("c1")], now: .object("n3")))
        #expect(hasExcess("n1", ["cover": .object("c2")]))
        #expect(hasExcess("c1", ["node": .object("n1")]))
        // The other end: others have led the node of a deleted cover to another cover.
        #expect(!hasExcess("c2", ["node": .object("n2")]))
        #expect(hasExcess("c2", ["node": .object("n2")], keepsOwn: false))
        #expect(hasExcess("c2", ["node": .object("n2")], now: .object("n3")))
        #expect(hasExcess("c2", ["node": .object("n3")]))
        #expect(hasExcess("c2", ["node": .none]))
    }

    // MARK: - Objects that become others

    @Test("accepts an attribute that an object has taken from one that has become the same")
    func takenAttribute() {
        func hasExcess(_ taken: [String: [String: Value]], now: Value = .none) -> Bool {
            OwnChanges().excess(
                before: Snapshot(["tfun": ["x": .text("a")]]),
                after: Snapshot(["tfun": ["x": now]]), writesAll: false, taken: taken) != nil
        }
        #expect(!hasExcess(["tfun": ["x": .none]]))
        #expect(!hasExcess(["tfun": ["x": .text("b")]], now: .text("b")))
        #expect(hasExcess([:]))
        #expect(hasExcess(["tfun": ["x": .text("b")]]))
        #expect(hasExcess(["tfun": ["y": .none]]))
        #expect(hasExcess(["twork": ["x": .none]]))
    }

    // MARK: - Deletions

    @Test("accepts that an object that stays loses only the links that were removed with it")
    func linksOfKept() {
        var own = OwnChanges()
        own.delete("n1", ["friends": .objects(["n2"])])
        let before = Self.state(friends: ["n2", "n3"])
        #expect(!Self.excess(own, before, before))
        #expect(!Self.excess(own, before, Self.state(friends: ["n3"])))
        #expect(Self.excess(own, before, Self.state(friends: ["n2"])))
        #expect(Self.excess(own, Self.state(), Self.state(friends: ["n2"])))
    }

    @Test("accepts that an object that stays loses only the references that were removed with it")
    func referencesOfKept() {
        let before = Self.state(list: .object("l1"))
        func hasExcess(_ ident: String, _ values: [String: Value]) -> Bool {
            var own = OwnChanges()
            own.delete(ident, values)
            return Self.excess(own, before, Self.state())
        }
        #expect(!hasExcess("n1", ["list": .object("l1")]))
        #expect(!hasExcess("l1", ["nodes": .ordered(["n1"])]))
        #expect(hasExcess("n1", ["list": .object("l2")]))
        #expect(hasExcess("n1", ["folder": .object("l1")]))
        #expect(hasExcess("l1", ["nodes": .ordered(["n2"])]))
    }

    @Test("accepts that the other end of a one-to-one relationship loses an object that stays")
    func oneToOneOfKept() {
        let before = Snapshot([
            "n1": ["cover": .object("c1")], "c1": ["node": .object("n1")], "n2": [:],
        ])
        let after = Snapshot(["n1": ["cover": .none], "c1": ["node": .none], "n2": [:]])
        func hasExcess(_ ident: String, _ values: [String: Value]) -> Bool {
            var own = OwnChanges()
            own.delete(ident, values)
            return Self.excess(own, before, after)
        }
        #expect(!hasExcess("n1", ["cover": .object("c1")]))
        #expect(!hasExcess("c1", ["node": .object("n1")]))
        #expect(hasExcess("n2", ["cover": .none]))
        #expect(hasExcess("n2", ["cover": .object("c1")]))
    }

    @Test("objects to a value of an object that stays, which its context has not set")
    func valueOfKept() {
        var own = OwnChanges()
        own.delete("n1", ["list": .object("l1")])
        #expect(Self.excess(own, Self.state(title: "b"), Self.state(title: "a")))
        #expect(
            Self.excess(own, Self.state(list: .object("l1")), Self.state(list: .object("l2"))))
    }

    @Test("requires no value of an object that its context has set and deleted")
    func valueOfDeleted() {
        func isWrong(deleting ident: String) -> Bool {
            var own = OwnChanges()
            own.set("title", of: "n1", from: .text("a"), to: .text("b"))
            own.delete(ident, [:])
            let state = Self.state(title: "a")
            return own.wrongSide(before: state, after: state) != nil
        }
        #expect(!isWrong(deleting: "n1"))
        #expect(isWrong(deleting: "n2"))
    }

    @Test("accepts that an ordered relationship loses one of two copies, if that was deleted")
    func copyOfDeleted() {
        func state(_ order: [String], _ copies: [String]) -> Snapshot {
            var objects: [String: [String: Value]] = ["l1": ["nodes": .ordered(order)]]
            for name in ["n2", "n4"] + copies { objects[name] = [:] }
            return Snapshot(objects)
        }
        let before = state(["n2", "n3", "n3", "n4"], ["n3#0", "n3#1"])
        func hasExcess(deleting ident: String, _ order: [String]) -> Bool {
            var own = OwnChanges()
            own.delete(ident, ["list": .object("l1")])
            return Self.excess(own, before, state(order, ["n3#1"]))
        }
        #expect(!hasExcess(deleting: "n3", ["n2", "n3", "n4"]))
        #expect(hasExcess(deleting: "n3", ["n4", "n3", "n2"]))
        #expect(hasExcess(deleting: "n2", ["n2", "n3", "n4"]))
    }

    @Test("accepts that an ordered relationship gets one of two copies, if that was made again")
    func copyOfMadeAgain() {
        func state(_ order: [String], _ copies: [String]) -> Snapshot {
            var objects: [String: [String: Value]] = ["l1": ["nodes": .ordered(order)]]
            for name in ["n2", "n4"] + copies { objects[name] = [:] }
            return Snapshot(objects)
        }
        func hasExcess(
            _ order: [String], from former: [String] = ["n3", "n2", "n4"],
            _ copies: [String] = ["n3#0", "n3#1"]
        ) -> Bool {
            Self.excess(OwnChanges(), state(former, ["n3#0"]), state(order, copies))
        }
        #expect(!hasExcess(["n3", "n2", "n3", "n4"]))
        #expect(hasExcess(["n3", "n2", "n3", "n4"], ["n3#0"]))
        #expect(hasExcess(["n3", "n4", "n3", "n2"]))
        #expect(hasExcess(["n2", "n4", "n3"]))
        #expect(hasExcess(["n3", "n2", "n2", "n4"]))
    }
}
