import Seam3
import Testing

@testable import Judge

/// Objects that a save has merged into others of the same name, which other devices have renamed.
extension OracleNameTests {
    /// Device 0 gives a tag the name of another one, which therefore goes, and device 1 receives that. Then device 0
    /// renames the tag, and device 1 saves the other one again, which becomes one with it.
    private struct Merged {
        /// What device 0 changes; nil if nothing.
        var rename: [String: Value]? = ["name": .text("home")]
        /// Whether device 1 has received that.
        var isKnown = false
        /// Whether the server has it first.
        var isFirst = false
        /// Whether the tag that is saved again takes the place of the other one. Otherwise that is only deleted.
        var takesPlace = true
        /// The name with which it is saved again.
        var saved = "work"

        private func tag(_ id: String, _ ident: String, _ values: [String: Value]) -> Snapshot {
            var snapshot = Snapshot()
            let own = ["name": Value.none, "x": .none].merging(values) { $1 }
            snapshot.objects[id] = Snapshot.Object(kind: .tag, ident: ident, values: own)
            return snapshot
        }

        /// The rules that are broken if there is one tag in the end.
        func rules(
            _ policy: SMSyncConflictResolutionPolicy, _ last: String = "home",
            ident: String = "twork"
        ) -> [String] {
            let one = tag("2", "thome", ["name": .text("work")])
            var both = tag("1", "twork", ["name": .text("work")])
            both.objects.merge(tag("2", "thome", ["name": .text("home")]).objects) { $1 }
            var history = History(known: both)
            history.save(at: 0, showing: one)
            for device in [0, 1] { history.sync(device, showing: one) }
            if let rename {
                let renamed = tag("2", "thome", ["name": .text("work")].merging(rename) { $1 })
                history.save(at: 0, showing: renamed)
                if isKnown || isFirst { history.sync(0, showing: renamed) }
                if isKnown { history.sync(1, showing: renamed) }
            }
            history.save(
                at: 1, showing: tag(takesPlace ? "2" : "3", "twork", ["name": .text(saved)]))
            let final = tag("2", ident, ["name": .text(last)])
            for device in [1, 0, 1] { history.sync(device, showing: final) }
            return Oracle.rules(history, policy, final)
        }
    }

    private static let merging: [SMSyncConflictResolutionPolicy] = [
        .keepBoth, .mergeByProperty, .mergeByPropertyClientWins, .mergeByPropertyClientTells,
    ]

    @Test("lets the name of an object go with another one that it has become, and that was renamed")
    func merged() {
        for policy in Self.merging {
            for isFirst in [true, false] {
                #expect(Merged(isFirst: isFirst).rules(policy) == [])
                #expect(Merged(isFirst: isFirst).rules(policy, "work") == [])
            }
        }
    }

    @Test("misses the name of an object that has become another one if nobody has renamed that")
    func unrenamed() {
        let lost = ["name lost"]
        for policy in Self.merging {
            #expect(Merged(rename: nil).rules(policy) == lost)
            #expect(Merged(rename: ["x": .text("a")]).rules(policy) == lost)
            #expect(Merged(rename: ["name": .text("work")]).rules(policy) == lost)
            // It has another name than the one that it was given.
            #expect(Merged(rename: ["name": .text("job")]).rules(policy) == lost)
            #expect(Merged().rules(policy, "job").contains("name lost"))
        }
    }

    @Test("misses a name that an object has got although the renaming of the other one was known")
    func knownRenaming() {
        for policy in Self.merging {
            #expect(Merged(isKnown: true).rules(policy) == ["name lost"])
        }
    }

    @Test("misses the name of an object that is not the renamed one")
    func notMerged() {
        for policy in Self.merging {
            #expect(Merged(takesPlace: false).rules(policy) == ["name lost"])
            // The save has renamed the other one, too.
            #expect(Merged(saved: "fun").rules(policy) == ["name lost"])
        }
    }

    @Test("misses the name of a merged object if one record wins as a whole")
    func whole() {
        let policies: [SMSyncConflictResolutionPolicy] = [
            .serverRecordWins, .clientRecordWins, .clientTellsWhichWins,
        ]
        for policy in policies {
            for isFirst in [true, false] {
                #expect(Merged(isFirst: isFirst).rules(policy) == ["name lost"])
            }
        }
    }
}
