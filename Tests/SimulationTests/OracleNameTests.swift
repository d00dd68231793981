import Seam3
import Testing

@testable import Judge

/// Histories of three devices, 0, 1 and 2, and the server, 3, in which tags are renamed.
@Suite("The judge's oracle, about names")
struct OracleNameTests {
    /// Device 0 creates a tag, names it as device 1 has named one, and then names it otherwise or
    /// deletes it.
    private struct Story {
        /// Whether device 2 creates a tag with the first name, and sends it before device 0 does.
        var second: Bool? = true
        /// Whether device 0 has sent its tag with the first name.
        var isSent = false
        /// Whether device 0 gives it the third name before it sends the second one.
        var isHasty = false
        /// Whether device 1 does not sync until all of this is on the server.
        var isLate = false
        /// Device 0's tag in the end; nil if it is deleted.
        var last: String? = "job"
        /// Whether device 0 deletes device 2's tag, too.
        var deletesAll = false
        /// Whether device 0 knows device 1's tag by then.
        var isKnown = false
        /// Another property of device 1's tag.
        var extra: String?

        func tags(_ own: String?, fun: Bool = false, work: Bool = false) -> Snapshot {
            var tags: [String: [String: Value]] = [:]
            if let own { tags["twork#0"] = ["name": .text(own)] }
            if fun {
                tags["tfun#1"] = ["name": .text("fun"), "x": extra.map { .text($0) } ?? Value.none]
            }
            if work { tags["twork#2"] = ["name": .text("work")] }
            return Snapshot(tags)
        }

        func rules(_ policy: SMSyncConflictResolutionPolicy = .clientRecordWins) -> [String] {
            var history = History(placeCount: 4)
            history.save(
                at: 1, showing: tags(nil, fun: true),
                named: ["tfun": extra == nil ? ["name"] : ["name", "x"]])
            history.save(at: 0, showing: tags("work"))
            if isSent { history.sync(0, showing: tags("work")) }
            history.save(at: 0, showing: tags("fun"))
            if second != nil { history.save(at: 2, showing: tags(nil, work: true)) }
            if second == true { history.sync(2, showing: tags(isSent ? "work" : nil, work: true)) }
            if isHasty { history.save(at: 0, showing: tags("job")) }
            let own = isHasty ? "job" : "fun"
            history.sync(0, showing: tags(own, work: second == true))
            if second == false { history.sync(2, showing: tags(own, work: true)) }
            if !isLate {
                history.sync(
                    1, showing: tags(isHasty ? "job" : nil, fun: true, work: second != nil))
            }
            if isKnown { history.sync(0, showing: tags("fun", work: true)) }
            let final = tags(last, work: second != nil && !deletesAll)
            history.save(at: 0, showing: tags(last, work: second == true && !deletesAll))
            for device in [0, 1, 2] { history.sync(device, showing: final) }
            return Oracle.rules(history, policy, final)
        }
    }

    @Test("lets a name go with an object whose record was that of its second name")
    func recordOfSecondName() {
        #expect(Story().rules() == [])
        #expect(Story().rules(.mergeByProperty) == [])
    }

    @Test("misses a name that an object of another record gave up", arguments: ["job", nil])
    func otherRecord(last: String?) {
        let lost = ["name lost"]
        // No other object had the record of the first name, or not yet.
        #expect(Story(second: nil, last: "job").rules() == lost)
        #expect(Story(second: false, last: last).rules() == lost)
        // The object had that record itself.
        #expect(Story(isSent: true, last: last).rules() == lost)
        // The record was never that of the second name.
        #expect(Story(isHasty: true, last: last).rules() == lost)
        // The record had no longer the second name when the other object met it.
        #expect(Story(isLate: true, last: last).rules() == lost)
    }

    @Test("lets an object go with a deleted one that it has become", arguments: [false, true])
    func deleted(deletesAll: Bool) {
        let story = Story(last: nil, deletesAll: deletesAll)
        #expect(story.rules() == [])
        #expect(story.rules(.mergeByProperty) == [])
        var known = Story(last: nil, deletesAll: deletesAll, isKnown: true, extra: "a")
        #expect(known.rules(.mergeByProperty) == [])
        // It has brought something that the deletion did not know.
        known.isKnown = false
        #expect(
            known.rules(.mergeByProperty)
                == (deletesAll ? ["object lost", "name lost"] : ["name lost"]))
        #expect(known.rules() == [])
    }

    /// Device 0 saves a tag again under another name after its deletion, and then deletes it for good. Device 1
    /// creates a tag with that name.
    ///
    /// - Parameters:
    ///   - isLate: Whether device 1 sends its tag only after the deletion.
    ///   - extra: Another property of device 1's tag.
    private static func madeAgain(
        _ policy: SMSyncConflictResolutionPolicy, isLate: Bool = false, extra: String? = nil
    ) -> [String] {
        let (work, fun) = (["name": Value.text("work")], ["name": Value.text("fun")])
        var history = History(known: Snapshot(["twork": work]))
        history.save(at: 0, showing: Snapshot())
        history.save(at: 0, showing: Snapshot(["twork": fun]))
        history.sync(0, showing: Snapshot(["twork": fun]))
        let own = fun.merging(["x": extra.map { .text($0) } ?? .none]) { $1 }
        history.save(
            at: 1, showing: Snapshot(["twork": work, "tfun": own]),
            named: ["tfun": extra == nil ? ["name"] : ["name", "x"]])
        if !isLate { history.send(from: 1) }
        history.save(at: 0, showing: Snapshot())
        history.sync(0, showing: Snapshot())
        history.sync(1, showing: Snapshot())
        return Oracle.rules(history, policy, Snapshot())
    }

    @Test("lets an object go with a deleted one that was saved again under its name")
    func madeAgain() {
        #expect(Self.madeAgain(.clientRecordWins) == [])
        #expect(Self.madeAgain(.mergeByProperty) == [])
        #expect(Self.madeAgain(.clientRecordWins, extra: "a") == [])
    }

    @Test("misses an object that a deletion of another one under its name need not remove")
    func notMadeAgain() {
        let lost = ["object lost", "name lost"]
        #expect(Self.madeAgain(.mergeByProperty, extra: "a") == lost)
        #expect(Self.madeAgain(.clientRecordWins, isLate: true) == lost)
    }

    /// Device 0 deletes a tag, which device 1 has edited, and saves it again.
    ///
    /// - Parameters:
    ///   - name: The name under which device 0 saves it.
    ///   - isEdited: Whether device 1 has edited it.
    ///   - isKnown: Whether device 0 knew that.
    private static func savedAgain(
        _ policy: SMSyncConflictResolutionPolicy, as name: String = "fun", isEdited: Bool = true,
        isKnown: Bool = false, copies: [String] = ["work", "fun"]
    ) -> [String] {
        func tags(_ names: [String], _ x: String? = nil) -> Snapshot {
            var tags: [String: [String: Value]] = [:]
            for (number, name) in names.enumerated() {
                let isFirst = name == "work" && number == 0
                tags["twork#\(number)"] = [
                    "name": .text(name), "x": isFirst ? x.map { .text($0) } ?? .none : .none,
                ]
            }
            return Snapshot(tags)
        }
        var history = History(known: tags(["work"]))
        let x = isEdited ? "a" : nil
        if isEdited { history.save(at: 1, showing: tags(["work"], x)) }
        if isKnown {
            history.sync(1, showing: tags(["work"], x))
            history.sync(0, showing: tags(["work"], x))
        }
        history.save(at: 0, showing: Snapshot())
        history.save(at: 0, showing: tags([name]))
        let final = tags(copies, x)
        for device in [0, 1] { history.sync(device, showing: final) }
        return Oracle.rules(history, policy, final)
    }

    @Test("expects two tags if one was saved again under another name, and an edit brings it back")
    func savedAgainAndEdited() {
        for policy in [SMSyncConflictResolutionPolicy.clientTellsWhichWins, .mergeByProperty] {
            #expect(Self.savedAgain(policy) == [])
            #expect(Self.savedAgain(policy, copies: ["work"]) == [])
        }
    }

    @Test("expects one tag if nothing brings the first one back, or the name is the same")
    func savedAgainOnly() {
        let doubled = ["doubled"]
        #expect(Self.savedAgain(.mergeByProperty, isEdited: false) == doubled)
        #expect(Self.savedAgain(.mergeByProperty, isKnown: true) == doubled)
        #expect(Self.savedAgain(.clientRecordWins) == doubled)
        #expect(Self.savedAgain(.mergeByProperty, as: "work", copies: ["work", "work"]) == doubled)
        #expect(Self.savedAgain(.mergeByProperty, copies: ["work", "fun", "fun"]) == doubled)
    }

    /// Device 0 gives a tag the name of another device's one, with which it becomes one.
    ///
    /// - Parameters:
    ///   - linked: The nodes to which device 0 links its tag.
    ///   - unlinked: Those from which it removes it again.
    ///   - final: Those that have the other device's tag in the end.
    private static func links(
        _ linked: [String], without unlinked: [String] = [], name: String = "fun",
        _ final: [String]
    ) -> [String] {
        func place(_ tag: String, _ name: String, _ nodes: [String]) -> Snapshot {
            var objects = [tag: ["name": Value.text(name)]]
            for node in ["n1", "n2"] {
                objects[node] = ["tags": .objects(nodes.contains(node) ? [tag] : [])]
            }
            return Snapshot(objects)
        }
        var history = History(known: place("twork", "work", []))
        history.save(at: 0, showing: place("twork", name, linked))
        if !unlinked.isEmpty {
            history.save(
                at: 0, showing: place("twork", name, linked.filter { !unlinked.contains($0) }))
        }
        let both = place("twork", "work", []).objects
            .merging(place("tfun", "fun", []).objects) { first, _ in first }
        var shown = Snapshot()
        shown.objects = both
        history.save(at: 1, showing: shown)
        return Oracle.rules(history, .mergeByProperty, place("tfun", "fun", final))
    }

    @Test("lets a link lead to the object that the linked one has become")
    func linkOfNamesake() { #expect(Self.links(["n1"], ["n1"]) == []) }

    @Test("objects to a link that nobody made with an object of that name")
    func madeUpLink() {
        #expect(Self.links(["n1"], ["n1", "n2"]) == ["made up"])
        #expect(Self.links(["n1"], without: ["n1"], ["n1"]) == ["made up"])
        #expect(Self.links(["n1"], name: "job", ["n1"]).contains("made up"))
    }
}
