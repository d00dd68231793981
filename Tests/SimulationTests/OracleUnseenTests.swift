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

    // MARK: - Such attributes, and one that is in another field

    /// What device 0, which stores titles in a new field, edits one after the other while device 1, which has an
    /// older model, deletes the node.
    private struct Elsewhere {
        var edits: [[String: Value]] = [["title": .text("b"), "rank": .int(4)]]
        /// Whether device 1 knows the rank, and the new field, before the edits, or when it sends the deletion.
        var knowsRank = false
        var hasField = false
        var getsModel = false
        /// Whether the server has the deletion before the edits.
        var isDeletedFirst = false
        /// Whether the edits empty the former field, too.
        var empties = false
    }

    private static let separate: [[String: Value]] = [["title": .text("b")], ["rank": .int(4)]]

    private static func rules(_ elsewhere: Elsewhere, _ policy: Policy) -> [String] {
        var values: [String: Value] = ["title": .text("a"), "count": .int(7)]
        var history = History(known: Snapshot(["n1": values]))
        if !elsewhere.knowsRank { history.unknownNames[1] = ["rank"] }
        values["rank"] = .int(3)
        for place in [0, 2] { history.look(at: place, Snapshot(["n1": values])) }
        for device in elsewhere.hasField ? [0, 1] : [0] {
            history.moveField(of: "title", at: device, \.isNode)
            if device == 1 { history.sync(1, showing: Snapshot(["n1": values])) }
        }
        for edit in elsewhere.edits {
            values.merge(edit) { $1 }
            history.save(at: 0, showing: Snapshot(["n1": values]))
        }
        if !elsewhere.isDeletedFirst { history.sync(0, showing: Snapshot(["n1": values])) }
        history.inFormerFields = ["n1": ["title": [elsewhere.empties ? .none : .text("a")]]]
        history.save(at: 1, showing: Snapshot())
        if elsewhere.getsModel {
            history.getModel(at: 1, lacking: [])
            history.moveField(of: "title", at: 1, \.isNode)
        }
        for device in [1, 0] { history.sync(device, showing: Snapshot()) }
        return Oracle.rules(history, policy, Snapshot())
    }

    @Test("does not require edits of what an older model lacks, and what it has in another field")
    func unseenInTwoWays() {
        for edits in [Elsewhere().edits, Self.separate, Self.separate.reversed()] {
            for policy in Self.allPolicies {
                #expect(Self.rules(Elsewhere(edits: edits), policy) == [])
            }
        }
    }

    @Test("requires such edits if the deletion's device can see one attribute, or meets them later")
    func seenInOneWay() {
        let (count, both) = (["count": Value.int(8)], Elsewhere().edits)
        for elsewhere in [
            Elsewhere(edits: [both[0].merging(count) { $1 }]), Elsewhere(edits: both + [count]),
            Elsewhere(edits: Self.separate + [count]), Elsewhere(edits: [count] + Self.separate),
            Elsewhere(knowsRank: true), Elsewhere(edits: Self.separate, knowsRank: true),
            Elsewhere(hasField: true), Elsewhere(knowsRank: true, hasField: true),
            Elsewhere(edits: Self.separate, knowsRank: true, hasField: true),
        ] {
            #expect(Self.rules(elsewhere, .mergeByProperty) == ["edit lost to a deletion"])
            #expect(Self.rules(elsewhere, .serverRecordWins) == ["policy not followed"])
        }
        for elsewhere in [Elsewhere(getsModel: true), Elsewhere(isDeletedFirst: true)] {
            #expect(Self.rules(elsewhere, .mergeByProperty) == ["edit lost to a deletion"])
        }
    }

    @Test("requires that an edit survives which has removed the title, also from the former field")
    func removed() {
        let title = ["title": Value.none]
        for edits in [[title], [["title": .none, "rank": .int(4)]], [title, ["rank": .int(4)]]] {
            for empties in [false, true] {
                #expect(
                    Self.rules(Elsewhere(edits: edits, empties: empties), .mergeByProperty)
                        == (empties ? ["edit lost to a deletion"] : []))
            }
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
