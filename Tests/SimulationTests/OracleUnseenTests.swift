import CloudKit
import CloudKitService
import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which a deletion's device cannot see what it meets.
@Suite("The judge's oracle, about deletions that meet what their devices cannot see")
struct OracleUnseenTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    private static let allPolicies: [Policy] = [
        .serverRecordWins, .clientRecordWins, .clientTellsWhichWins, .keepBoth, .mergeByProperty,
        .mergeByPropertyClientWins, .mergeByPropertyClientTells,
    ]

    // MARK: - Attributes that only a newer model has, or syncs

    /// What happens while device 1 edits a node and device 0, which has an older model, deletes it.
    private struct Older {
        var title = "a"
        var subtitle: Value = .text("s")
        /// Whether device 0 gets the newer model before, or after it has deleted the node.
        var isNewer = false
        var getsModel = false
        /// Whether the server has the deletion before the edit.
        var isDeletedFirst = false
    }

    private static func rules(_ older: Older, _ policy: Policy) -> [String] {
        func node(_ title: String, _ subtitle: Value?) -> Snapshot {
            var values = ["title": Value.text(title)]
            values["subtitle"] = subtitle
            return Snapshot(["n1": values])
        }
        var history = History(known: node("a", nil))
        if !older.isNewer { history.unknownNames[0] = ["subtitle"] }
        for place in [1, 2] { history.look(at: place, node("a", Value.none)) }
        func edit() {
            history.save(at: 1, showing: node(older.title, older.subtitle))
            if older.isDeletedFirst { return }
            history.sync(1, showing: node(older.title, older.subtitle))
        }
        func delete() {
            history.save(at: 0, showing: Snapshot())
            if older.getsModel { history.getModel(at: 0, lacking: []) }
            history.sync(0, showing: Snapshot())
        }
        if older.isDeletedFirst {
            edit()
            delete()
            history.sync(1, showing: Snapshot())
        } else {
            edit()
            delete()
        }
        return Oracle.rules(history, policy, Snapshot())
    }

    @Test("does not require that an edit survives which an older model does not show")
    func olderModel() {
        for policy in Self.allPolicies { #expect(Self.rules(Older(), policy) == []) }
    }

    @Test("requires that an edit survives which the deletion's device can see")
    func seenByModel() {
        for older in [
            Older(title: "b"), Older(title: "b", subtitle: .none), Older(isNewer: true),
            Older(getsModel: true), Older(isDeletedFirst: true),
        ] {
            #expect(Self.rules(older, .mergeByProperty) == ["edit lost to a deletion"])
        }
        // The deletion was there first, or the server's edit wins.
        #expect(Self.rules(Older(isDeletedFirst: true), .serverRecordWins) == [])
        #expect(Self.rules(Older(isNewer: true), .serverRecordWins) == ["policy not followed"])
    }

    @Test("knows which attributes a model does not have, or does not sync")
    func unknownNames() {
        #expect(ModelVersion.first.unknownNames == ["rank", "subtitle", "memo"])
        #expect(ModelVersion.memoIsSynced.unknownNames.isEmpty)
        for version in ModelVersion.allCases where ![.first, .memoIsSynced].contains(version) {
            #expect(version.unknownNames == ["memo"])
        }
    }

    // MARK: - Damaged system fields

    private static let there = Snapshot(["n1": ["title": .text("a")]])

    /// Device 0 deletes a node, and then meets a version of its record that it has not received, with damaged
    /// system fields.
    ///
    /// - Parameters:
    ///   - isArrived: Whether the server has had the deletion before.
    ///   - isRepeated: Whether the node is back, and the user deletes it again.
    private static func damaged(
        isMet: Bool = true, isArrived: Bool = false, isRepeated: Bool = false
    ) -> History {
        var history = History(known: there)
        history.save(at: 0, showing: Snapshot())
        if isArrived { history.sync(0, showing: Snapshot()) }
        let exchange = history.beginExchange(0)
        history.attempted(0)
        if isMet { history.meetAnother("n1", at: 0) }
        history.look(at: 0, there)
        history.finish(exchange)
        if isRepeated { history.save(at: 0, showing: Snapshot()) }
        return history
    }

    @Test("lets an object come back whose record may be another one, as far as its device can tell")
    func mayBeAnother() {
        for policy in Self.allPolicies where policy != .clientRecordWins {
            #expect(Oracle.rules(Self.damaged(), policy, Self.there) == [])
        }
    }

    @Test("requires a deletion if the record cannot be another one, or the deletion wins anyway")
    func isTheSame() {
        func rules(_ history: History, _ policy: Policy = .keepBoth) -> [String] {
            Oracle.rules(history, policy, Self.there)
        }
        let undone = ["deletion undone"]
        #expect(rules(Self.damaged(), .clientRecordWins) == undone)
        #expect(rules(Self.damaged(isMet: false)) == undone)
        #expect(rules(Self.damaged(isArrived: true)) == undone)
        #expect(rules(Self.damaged(isRepeated: true)) == undone)
    }

    private static func record(_ name: String, _ tag: String, isDeleted: Bool = false)
        -> RecordDictionary
    {
        var record = RecordDictionary(recordName: name)
        record.recordChangeTag = tag
        record.deleted = isDeleted
        return record
    }

    @Test("knows which damaged records a device has received in another version since")
    func otherVersions() {
        var received = ReceivedVersions()
        let names = ["A", "B", "C", "D"]
        received.receive(names.map { Self.record($0, "1") }, own: false)
        received.receive([Self.record("A", "2")], own: true)
        received.endPass(isWhole: true)
        received.damage()
        received.receive([Self.record("A", "2"), Self.record("B", "2")], own: false)
        received.receive([Self.record("C", "2")], own: true)
        received.receive([Self.record("D", "2", isDeleted: true)], own: false)
        #expect(received.others == ["B"])
        received.endPass(isWhole: true)
        received.forgetOthers()
        // These have been received since the damage.
        received.receive(names.map { Self.record($0, "3") }, own: false)
        #expect(received.others == [])
    }

    @Test("does not know whether a device has a version that a pass has received which failed")
    func receivedInVain() {
        for isWhole in [true, false] {
            var received = ReceivedVersions()
            received.receive([Self.record("A", "1")], own: false)
            received.endPass(isWhole: isWhole)
            received.damage()
            for _ in 0..<2 {
                received.receive([Self.record("A", "1")], own: false)
                received.endPass(isWhole: false)
            }
            #expect(received.others == (isWhole ? [] : ["A"]))
            // It has not certainly been received since the damage.
            received.receive([Self.record("A", "2")], own: false)
            #expect(received.others == ["A"])
        }
    }

    // MARK: - Links

    /// Device 0 sends a link to n1, but not yet the list, and removes the link again. Device 1 sends everything
    /// again, and then the link is there.
    private static func linked(isSentAgain: Bool = true, hasList: Bool = false) -> [String] {
        func state(isLinked: Bool) -> Snapshot {
            Snapshot([
                "n1": ["picked": .ordered(isLinked ? ["l1"] : [])],
                "l1": ["picks": .ordered(isLinked ? ["n1"] : [])],
            ])
        }
        let arrived = hasList ? state(isLinked: false) : Snapshot(["n1": ["picked": .ordered([])]])
        var history = History(known: arrived)
        history.save(at: 0, showing: state(isLinked: true))
        history.send(from: 0)
        history.sync(1, showing: arrived)
        history.save(at: 0, showing: state(isLinked: false))
        if isSentAgain { history.sendAgain(from: 1) }
        let final = state(isLinked: true)
        for place in [2, 0, 1] { history.look(at: place, final) }
        return Oracle.rules(history, .mergeByProperty, final)
    }

    @Test("lets a link be sent again whose list its device has not received")
    func waitingLink() {
        #expect(Self.linked() == [])
        #expect(Self.linked(isSentAgain: false) == ["link undone"])
        #expect(Self.linked(hasList: true) == ["link undone"])
    }

    // MARK: - Edits with a value that another edit has written

    /// Device 0 deletes a node, and device 1 edits it. Device 0 receives that, shows the node again, and deletes
    /// it again in the same pass.
    ///
    /// - Parameters:
    ///   - title: The title that device 1 sets. "a" was there before.
    ///   - count: The number that device 1 sets.
    ///   - shown: The title and the number that device 0 shows; nil if it does not show the node.
    private static func deletedInPass(
        _ title: String, _ count: Int = 7, shown: (String, Int)?
    ) -> [String] {
        func node(_ title: String, _ count: Int) -> Snapshot {
            Snapshot(["n1": ["title": .text(title), "count": .int(count)]])
        }
        var history = History(known: node("a", 7))
        history.save(at: 0, showing: node("b", 7))
        history.sync(0, showing: node("b", 7))
        history.sync(1, showing: node("b", 7))
        history.save(at: 0, showing: Snapshot())
        history.save(at: 1, showing: node(title, count))
        history.send(from: 1)
        history.look(at: 2, node(title, count))
        _ = history.beginExchange(0)
        if let shown {
            history.look(at: 0, node(shown.0, shown.1))
            history.save(at: 0, showing: Snapshot())
        }
        history.attempted(0)
        for place in [2, 1] { history.look(at: place, Snapshot()) }
        return Oracle.rules(history, .mergeByProperty, Snapshot())
    }

    @Test("does not require an edit that a deletion's user may have seen in the same pass")
    func mayBeSeen() {
        // Nobody else has written that title.
        #expect(Self.deletedInPass("c", shown: ("c", 7)) == [])
        #expect(Self.deletedInPass("a", shown: ("a", 7)) == [])
    }

    @Test("requires an edit that a deletion's user certainly did not see")
    func cannotBeSeen() {
        let lost = ["edit lost to a deletion"]
        #expect(Self.deletedInPass("a", shown: nil) == lost)
        #expect(Self.deletedInPass("a", shown: ("b", 7)) == lost)
        #expect(Self.deletedInPass("a", 8, shown: ("a", 7)) == lost)
    }

    /// Device 1 edits a node, device 2 edits it after that, and device 0 deletes it without having seen either.
    ///
    /// - Parameters:
    ///   - title: The title that device 2 sets. "a" was there before.
    ///   - count: The number that device 1 sets, besides the title "b".
    ///   - isLate: Whether the server has the deletion before device 2 sends its edit.
    private static func replaced(
        by title: String, count: Int = 7, isLate: Bool = false
    ) -> [String] {
        func node(_ title: String, _ count: Int = 7) -> Snapshot {
            Snapshot(["n1": ["title": .text(title), "count": .int(count)]])
        }
        var history = History(placeCount: 4)
        history.save(at: 0, showing: node("a"))
        for device in 0...2 { history.sync(device, showing: node("a")) }
        history.save(at: 0, showing: Snapshot())
        history.save(at: 1, showing: node("b", count))
        history.sync(1, showing: node("b", count))
        history.sync(2, showing: node("b", count))
        history.save(at: 2, showing: node(title, count))
        if isLate {
            history.sync(0, showing: Snapshot())
        } else {
            history.sync(2, showing: node(title, count))
        }
        for device in [0, 2, 1] { history.sync(device, showing: Snapshot()) }
        return Oracle.rules(history, .mergeByProperty, Snapshot())
    }

    @Test("does not require an edit that another device has undone before the deletion met it")
    func undoneElsewhere() { #expect(Self.replaced(by: "a") == []) }

    @Test(
        "requires an edit of which something is left, or that a deletion met before it was undone")
    func notUndone() {
        let lost = ["edit lost to a deletion"]
        #expect(Self.replaced(by: "c") == lost)
        #expect(Self.replaced(by: "a", count: 8) == lost)
        #expect(Self.replaced(by: "a", isLate: true) == lost)
    }
}
