import Seam3
import Testing

@testable import Judge

/// Objects that have taken another one's place in the file, and therefore have its record.
extension OracleNameTests {
    /// Device 0 deletes a tag and saves it again under another name, with which it takes another tag's place.
    /// Device 1 has edited the other one.
    private struct Place {
        /// Whether device 1 has edited it.
        var isEdited = true
        /// Whether device 0 knew that.
        var isKnown = false
        /// Whether the server has the edit first.
        var isEditFirst = true
        /// Whether the tag takes the other one's place. Otherwise the other one is only deleted.
        var takesPlace = true
        /// Whether device 0 has been told to forget the server.
        var hasForgotten = false
        /// Whether device 0 makes the tag again after it has lost its place.
        var isMadeAgain = false

        private typealias Tag = (id: String, ident: String, name: String, x: String?)

        private func tags(_ tags: Tag...) -> Snapshot {
            var snapshot = Snapshot()
            for tag in tags {
                let values = ["name": Value.text(tag.name), "x": tag.x.map { .text($0) } ?? .none]
                snapshot.objects[tag.id] = Snapshot.Object(
                    kind: .tag, ident: tag.ident, values: values)
            }
            return snapshot
        }

        /// The rules that are broken if one of the tags is there in the end.
        ///
        /// - Parameter last: Its identity; nil if none is there.
        func rules(
            _ policy: SMSyncConflictResolutionPolicy, _ last: String?, _ name: String = "fun",
            x: String? = nil
        ) -> [String] {
            let work = Tag("1", "twork", "work", isEdited ? "a" : "o")
            let home = Tag("2", "thome", "home", nil)
            let (edited, own) = (
                tags(work, home), tags((takesPlace ? "1" : "3", "thome", "fun", nil))
            )
            var history = History(known: tags(("1", "twork", "work", "o"), home))
            if isEdited { history.save(at: 1, showing: edited) }
            if isKnown { for device in [1, 0] { history.sync(device, showing: edited) } }
            let rest = isKnown ? work : ("1", "twork", "work", "o")
            history.save(at: 0, showing: tags(rest))
            history.sync(0, showing: tags(rest))
            if hasForgotten { history.sendAgain(from: 0) }
            history.save(at: 0, showing: own)
            history.sync(isEditFirst ? 1 : 0, showing: isEditFirst ? tags(work) : own)
            if isMadeAgain {
                history.sync(0, showing: tags(work))
                history.save(at: 0, showing: tags(work, ("4", "thome", "fun", nil)))
            }
            let final = last.map { tags(("1", $0, name, x)) } ?? Snapshot()
            for device in [0, 1] { history.sync(device, showing: final) }
            return Oracle.rules(history, policy, final)
        }

        func rulesIfLost(_ policy: SMSyncConflictResolutionPolicy) -> [String] {
            rules(policy, "twork", "work", x: isEdited ? "a" : "o")
        }
    }

    private static let merging: [SMSyncConflictResolutionPolicy] = [
        .keepBoth, .mergeByProperty, .mergeByPropertyClientWins, .mergeByPropertyClientTells,
    ]
    private static let whole: [SMSyncConflictResolutionPolicy] = [
        .serverRecordWins, .clientRecordWins, .clientTellsWhichWins,
    ]

    @Test("lets an object that has taken another one's place lose to an edit of that one")
    func placeLost() {
        for policy in [SMSyncConflictResolutionPolicy.serverRecordWins, .clientTellsWhichWins] {
            #expect(Place().rulesIfLost(policy) == [])
        }
        #expect(Place(isEditFirst: false).rulesIfLost(.clientRecordWins) == [])
    }

    @Test("requires an object that has taken another one's place if nothing wins against it")
    func placeKept() {
        let lost = ["object lost", "name lost"]
        for policy in Self.merging {
            for isEditFirst in [true, false] {
                #expect(Place(isEditFirst: isEditFirst).rulesIfLost(policy) == lost)
            }
        }
        // The version of the other side wins.
        #expect(Place().rulesIfLost(.clientRecordWins) == lost)
        for policy in [SMSyncConflictResolutionPolicy.serverRecordWins, .clientTellsWhichWins] {
            #expect(Place(isEditFirst: false).rulesIfLost(policy) == lost)
        }
        for policy in Self.whole + Self.merging {
            for place in [Place(isEdited: false), Place(isKnown: true)] {
                #expect(Set(place.rulesIfLost(policy)) == Set(lost + ["deletion undone"]))
            }
            #expect(Place(takesPlace: false).rulesIfLost(policy) == lost)
            #expect(Place(isMadeAgain: true).rulesIfLost(policy) == lost)
        }
    }

    @Test("requires one of two objects of which one has taken the other one's place")
    func oneOfTwo() {
        for policy in Self.whole + Self.merging {
            #expect(Place().rules(policy, nil).starts(with: ["object lost"]))
        }
    }

    @Test("lets an object that has taken another one's place have what was edited there")
    func editInPlace() {
        for policy in Self.merging {
            for isEditFirst in [true, false] {
                #expect(Place(isEditFirst: isEditFirst).rules(policy, "thome", x: "a") == [])
                #expect(Place(isEditFirst: isEditFirst).rules(policy, "thome") == [])
            }
        }
    }

    @Test("lets an object have nothing else, and not what another device has done elsewhere")
    func nothingElse() {
        for policy in Self.whole + Self.merging {
            #expect(Place().rules(policy, "thome", x: "z") == ["made up"])
            // What the other tag had before is gone, unless the app's block takes it.
            let former = Place().rules(policy, "thome", x: "o")
            #expect(former == (policy == .clientTellsWhichWins ? [] : ["made up"]))
            #expect(Place(hasForgotten: true).rules(policy, "thome", x: "o") == [])
            #expect(Place().rules(policy, "thome", "work").contains("name lost"))
            let elsewhere = Place(takesPlace: false).rules(policy, "thome", x: "a")
            #expect(elsewhere.contains("value lost"))
            let unedited = Place(isEdited: false).rules(policy, "thome", x: "a")
            #expect(unedited.contains("value lost"))
        }
    }
}
