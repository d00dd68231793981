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
    private struct SavedAgain {
        /// The name under which device 0 saves it.
        var name = "fun"
        /// Whether device 1 has edited it.
        var isEdited = true
        /// Another name that it has given it; nil if none.
        var newName: String?
        /// Whether device 0 knew that.
        var isKnown = false
        /// Whether device 1 had sent that before device 0 deleted the tag; nil if this may be so.
        var isEditFirst: Bool? = false
        /// Whether device 0 has sent its deletion before it saves the tag again; nil if this may be so.
        var isSent: Bool? = true

        private static func tags(_ names: [String], _ x: String?) -> Snapshot {
            var tags: [String: [String: Value]] = [:]
            for (number, name) in names.enumerated() {
                let isFirst = name == "work" && number == 0
                tags["twork#\(number)"] = [
                    "name": .text(name), "x": isFirst ? x.map { .text($0) } ?? .none : .none,
                ]
            }
            return Snapshot(tags)
        }

        /// The rules that tags with these names break in the end.
        func rules(
            _ policy: SMSyncConflictResolutionPolicy, _ names: [String] = ["work", "fun"]
        ) -> [String] {
            let x = isEdited ? "a" : nil
            let edited = Self.tags([newName ?? "work"], x)
            var history = History(known: Self.tags(["work"], nil))
            if isEdited { history.save(at: 1, showing: edited) }
            if isKnown || isEditFirst == true { history.sync(1, showing: edited) }
            if isEditFirst == nil { history.send(from: 1) }
            if isKnown { history.sync(0, showing: edited) }
            history.save(at: 0, showing: Snapshot())
            if isSent == true { history.sync(0, showing: Snapshot()) }
            if isSent == nil { history.send(from: 0) }
            history.save(at: 0, showing: Self.tags([name], nil))
            let final = Self.tags(names, x)
            for device in [0, 1] { history.sync(device, showing: final) }
            return Oracle.rules(history, policy, final)
        }
    }

    /// The policies under which an edit survives that meets a deletion.
    private static let surviving: [SMSyncConflictResolutionPolicy] = [
        .clientRecordWins, .clientTellsWhichWins, .keepBoth, .mergeByProperty,
    ]

    @Test("expects two tags if one was saved again under another name, and an edit brings it back")
    func savedAgainAndEdited() {
        for policy in Self.surviving {
            for isSent in [true, nil] {
                #expect(SavedAgain(isSent: isSent).rules(policy) == [])
                #expect(SavedAgain(isSent: isSent).rules(policy, ["fun"]) == [])
            }
        }
        #expect(SavedAgain(isEditFirst: nil).rules(.serverRecordWins) == [])
        #expect(SavedAgain(isEditFirst: nil).rules(.clientRecordWins) == [])
    }

    @Test("expects one tag if the deletion had not been sent when one was saved again")
    func savedAgainUnsent() {
        for policy in Self.surviving + [.serverRecordWins] {
            #expect(SavedAgain(isSent: false).rules(policy) == ["doubled"])
            #expect(SavedAgain(isSent: false).rules(policy, ["fun"]) == [])
            #expect(SavedAgain(isSent: false).rules(policy, ["work"]) == [])
        }
    }

    @Test("expects one tag if nothing brings the first one back, or the name is the same")
    func savedAgainOnly() {
        let doubled = ["doubled"]
        for policy in Self.surviving {
            #expect(SavedAgain(isEdited: false).rules(policy) == doubled)
            #expect(SavedAgain(isKnown: true).rules(policy) == doubled)
            #expect(SavedAgain(name: "work").rules(policy, ["work", "work"]) == doubled)
        }
        // The deletion, or the server's version, wins.
        #expect(SavedAgain(isEditFirst: true).rules(.clientRecordWins) == doubled)
        #expect(SavedAgain().rules(.serverRecordWins) == doubled)
    }

    @Test("expects one tag of each name if one was saved again under another name")
    func savedAgainNames() {
        for policy in Self.surviving {
            #expect(SavedAgain().rules(policy, ["work", "fun", "fun"]) == ["doubled"])
            #expect(SavedAgain().rules(policy, ["fun", "fun"]) == ["doubled"])
            #expect(SavedAgain().rules(policy, ["work", "work"]) == ["doubled", "name lost"])
            // The new tag is another one, which nothing contests.
            #expect(SavedAgain().rules(policy, ["work"]) == ["name lost"])
            #expect(SavedAgain(isSent: nil).rules(policy, ["work"]) == [])
            // Only the policy says which name the tag has.
            #expect(SavedAgain(name: "work", newName: "job").rules(policy, ["job"]) == [])
        }
    }

    /// Device 0 deletes a tag, device 1 saves it again under another name, and device 2 has edited it.
    ///
    /// - Parameter isEdited: Whether device 2 has edited it.
    private static func savedAgainElsewhere(isEdited: Bool) -> [String] {
        func tags(_ names: [String], _ x: String? = nil) -> Snapshot {
            let tags = names.map { name in
                ("twork#\(name)", ["name": Value.text(name), "x": x.map { .text($0) } ?? .none])
            }
            return Snapshot(Dictionary(uniqueKeysWithValues: tags))
        }
        var history = History(placeCount: 4)
        history.save(at: 0, showing: tags(["work"]))
        for device in [0, 1, 2] { history.sync(device, showing: tags(["work"])) }
        if isEdited { history.save(at: 2, showing: tags(["work"], "a")) }
        history.save(at: 0, showing: Snapshot())
        for device in [0, 1] { history.sync(device, showing: Snapshot()) }
        history.save(at: 1, showing: tags(["fun"]))
        var final = tags(["work"], isEdited ? "a" : nil)
        final.objects.merge(tags(["fun"]).objects) { first, _ in first }
        for device in [1, 2, 0] { history.sync(device, showing: final) }
        return Oracle.rules(history, .clientRecordWins, final)
    }

    @Test("expects two tags if another device's deletion was known when one was saved again")
    func savedAgainElsewhere() {
        #expect(Self.savedAgainElsewhere(isEdited: true) == [])
        #expect(Self.savedAgainElsewhere(isEdited: false) == ["doubled"])
    }

    /// Device 0 deletes a tag, saves it again, deletes it, and saves it again.
    ///
    /// - Parameters:
    ///   - isFirstSent: Whether it has sent the first deletion before it saves the tag again.
    ///   - isLastSent: The same of the last deletion.
    private static func savedTwice(isFirstSent: Bool, isLastSent: Bool) -> [String] {
        func tags(_ names: [String], _ x: String? = nil) -> Snapshot {
            let tags = names.map { name in
                ("twork#\(name)", ["name": Value.text(name), "x": x.map { .text($0) } ?? .none])
            }
            return Snapshot(Dictionary(uniqueKeysWithValues: tags))
        }
        var history = History(known: tags(["work"]))
        history.save(at: 1, showing: tags(["work"], "a"))
        for (name, isSent) in [("fun", isFirstSent), ("job", isLastSent)] {
            history.save(at: 0, showing: Snapshot())
            if isSent { history.sync(0, showing: Snapshot()) }
            history.save(at: 0, showing: tags([name]))
        }
        var final = tags(["work"], "a")
        final.objects.merge(tags(["job"]).objects) { first, _ in first }
        for device in [0, 1] { history.sync(device, showing: final) }
        return Oracle.rules(history, .clientRecordWins, final)
    }

    @Test("expects two tags if any of the deletions was sent before one was saved again")
    func savedTwice() {
        #expect(Self.savedTwice(isFirstSent: true, isLastSent: true) == [])
        #expect(Self.savedTwice(isFirstSent: true, isLastSent: false) == [])
        #expect(Self.savedTwice(isFirstSent: false, isLastSent: true) == [])
        #expect(Self.savedTwice(isFirstSent: false, isLastSent: false) == ["doubled"])
    }

    /// Device 0 deletes a tag, which device 1 has edited, and saves it again under the name of another one.
    ///
    /// - Parameter takesPlace: Whether the tag takes the other one's place in the file.
    private static func savedAgainInPlace(takesPlace: Bool) -> [String] {
        func tags(_ tags: [(id: String, ident: String, name: String)], _ x: String? = nil)
            -> Snapshot
        {
            var snapshot = Snapshot()
            for tag in tags {
                let values = ["name": Value.text(tag.name), "x": x.map { .text($0) } ?? .none]
                snapshot.objects[tag.id] = Snapshot.Object(
                    kind: .tag, ident: tag.ident, values: values)
            }
            return snapshot
        }
        let home = ("2", "thome", "home")
        var history = History(known: tags([("1", "twork", "work"), home]))
        history.save(at: 1, showing: tags([("1", "twork", "work"), home], "a"))
        history.save(at: 0, showing: tags([home]))
        let id = takesPlace ? "2" : "3"
        history.save(at: 0, showing: tags([(id, "twork", "fun")]))
        var final = tags([(id, "twork", "fun")])
        final.objects.merge(tags([("1", "twork", "work")], "a").objects) { first, _ in first }
        for device in [0, 1] { history.sync(device, showing: final) }
        return Oracle.rules(history, .clientTellsWhichWins, final)
    }

    @Test("expects two tags if the one that was saved again has taken another one's place")
    func savedAgainInPlace() {
        #expect(!Self.savedAgainInPlace(takesPlace: true).contains("doubled"))
        #expect(Self.savedAgainInPlace(takesPlace: false).contains("doubled"))
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
