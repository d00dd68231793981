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

    // MARK: - Attributes that only a newer model has

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

    @Test("knows which attributes an older model does not have")
    func unknownNames() {
        #expect(ModelVersion.first.unknownNames == ["rank", "subtitle"])
        for version in ModelVersion.allCases where version != .first {
            #expect(version.unknownNames.isEmpty)
        }
    }
}
