import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which a device stores a title in a new field. It
/// takes over what a device without the new model writes to the former field.
@Suite("The judge's oracle, with an attribute in two fields")
struct OracleFieldTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    private static let policies = [
        Policy.serverRecordWins, .clientRecordWins, .keepBoth, .mergeByProperty,
        .mergeByPropertyClientTells,
    ]

    static func state(_ title: String, _ note: String = "a") -> Snapshot {
        Snapshot(["n1": ["title": .text(title), "note": .text(note)]])
    }

    /// A pass that succeeds, after which the device and the server may show something else.
    static func pass(
        _ device: Int, shows state: Snapshot? = nil, server: Snapshot? = nil,
        _ history: inout History
    ) {
        let exchange = history.beginExchange(device)
        history.attempted(device)
        if let state { history.look(at: device, state) }
        if let server { history.look(at: 2, server) }
        history.finish(exchange)
    }

    static func getModel(_ device: Int, _ history: inout History) {
        history.moveField(of: "title", at: device, \.isNode)
    }

    /// Device 1 has had the new field for a while.
    static func start() -> History {
        var history = History(known: state("a"))
        getModel(1, &history)
        pass(1, server: state("a"), &history)
        return history
    }

    static func edit(
        _ title: String, _ note: String = "a", on device: Int, _ history: inout History
    ) {
        history.save(at: device, showing: state(title, note))
        pass(device, server: device == 1 ? state(title, note) : nil, &history)
        if device == 0 { history.inFormerFields = ["n1": ["title": [.text(title)]]] }
    }

    /// The titles that may be there in the end.
    private static func allowed(
        _ history: History, _ policy: Policy = .mergeByProperty, at place: Int? = nil,
        note: String = "a"
    ) -> [String] {
        ["a", "b", "c", "d", "z"].filter { title in
            Oracle.rules(history, policy, state(title, note), at: place) == []
        }
    }

    // MARK: - Who knows what

    @Test("requires what a device without the model has written to the former field")
    func uncontested() {
        for policy in Self.policies {
            var history = Self.start()
            Self.edit("b", on: 0, &history)
            #expect(Self.allowed(history, policy) == ["b"])
        }
    }

    @Test("knows that a device with the model has taken it over")
    func takenOver() {
        for policy in Self.policies {
            var history = Self.start()
            Self.edit("b", on: 0, &history)
            Self.pass(1, shows: Self.state("b"), server: Self.state("b"), &history)
            Self.edit("c", on: 1, &history)
            #expect(Self.allowed(history, policy) == ["c"])
        }
    }

    @Test("lets either of two edits hold if a device did not see the other one in the new field")
    func unseen() {
        for policy in Self.policies {
            var history = Self.start()
            Self.edit("c", on: 1, &history)
            Self.pass(0, &history)
            Self.edit("b", on: 0, &history)
            #expect(Self.allowed(history, policy) == ["b", "c"])
            // If the device has the model, it has seen the edit.
            var seen = Self.start()
            Self.getModel(0, &seen)
            Self.edit("c", on: 1, &seen)
            Self.pass(0, shows: Self.state("c"), &seen)
            Self.edit("b", on: 0, &seen)
            #expect(Self.allowed(seen, policy) == ["b"])
        }
    }

    @Test("requires another attribute's edit by a device that does not see the new field")
    func otherAttribute() {
        for policy in Self.policies {
            var history = Self.start()
            Self.edit("c", on: 1, &history)
            Self.pass(0, &history)
            history.save(at: 0, showing: Self.state("a", "b"))
            Self.pass(0, server: Self.state("c", "b"), &history)
            #expect(Self.allowed(history, policy, note: "b") == ["c"])
            #expect(Self.allowed(history, policy) == [])
        }
    }

    @Test("takes a value for there as long as it is in the former field")
    func formerField() {
        for isThere in [true, false] {
            var history = Self.start()
            Self.edit("b", on: 0, &history)
            if !isThere { history.inFormerFields = [:] }
            Self.getModel(0, &history)
            Self.pass(0, shows: Self.state("a"), &history)
            #expect(Self.allowed(history) == (isThere ? ["b"] : []))
        }
    }

    @Test("does not take a new field that is empty for an edit")
    func emptyField() {
        let (there, without) = (Self.state("a"), Snapshot(["n1": ["title": .none]]))
        for hasMoved in [false, true] {
            var history = History(known: there)
            history.save(at: 0, showing: without)
            history.send(from: 0)
            if hasMoved { Self.getModel(1, &history) }
            history.look(at: 2, without)
            #expect((history.edits(of: "n1").last?.arrival == nil) == hasMoved)
        }
    }

    // MARK: - Getting the model

    /// Device 0 writes a title to the former field, gets the model, and receives the older title that device 1
    /// has sent again.
    private static func behind(isSent: Bool = true) -> History {
        var history = History(known: state("a"))
        getModel(1, &history)
        if isSent { pass(1, server: state("a"), &history) }
        edit("b", on: 0, &history)
        getModel(0, &history)
        pass(0, shows: state("a"), &history)
        return history
    }

    @Test("lets a device that gets the model show what another one has sent again, for a while")
    func showsOlder() {
        var history = Self.behind()
        #expect(Self.allowed(history, at: 0) == ["a", "b"])
        #expect(Self.allowed(history) == ["b"])
        #expect(Self.allowed(Self.behind(isSent: false), at: 0) == ["b"])
        Self.pass(0, &history)
        #expect(Self.allowed(history, at: 0) == ["b"])
    }

    @Test("lets an edit of the older title contest the one that was gone from the screen")
    func editOfOlder() {
        var history = Self.behind()
        history.save(at: 0, showing: Self.state("z"))
        #expect(Self.allowed(history) == ["b", "z"])
        // Device 1 has taken over what was gone.
        history = Self.behind()
        Self.pass(1, shows: Self.state("b"), server: Self.state("b"), &history)
        Self.pass(0, shows: Self.state("b"), &history)
        history.save(at: 0, showing: Self.state("z"))
        #expect(Self.allowed(history) == ["z"])
        // It has taken it over, and decided for another edit.
        history = Self.behind()
        history.save(at: 1, showing: Self.state("c"))
        Self.pass(1, server: Self.state("c"), &history)
        Self.pass(0, shows: Self.state("c"), &history)
        history.save(at: 0, showing: Self.state("z"))
        #expect(Self.allowed(history) == ["z"])
    }

    @Test(
        "knows what is in the new field only after the first pass with it",
        arguments: [false, true])
    func editBeforeFirstPass(hasSynced: Bool) {
        var history = Self.start()
        Self.edit("c", on: 1, &history)
        Self.pass(0, &history)
        Self.getModel(0, &history)
        if hasSynced { Self.pass(0, shows: Self.state("c"), &history) }
        history.save(at: 0, showing: Self.state("z"))
        #expect(Self.allowed(history) == (hasSynced ? ["z"] : ["c", "z"]))
    }

    @Test("expects nothing of the new field on a device that does not have it")
    func withoutField() {
        var history = Self.start()
        Self.edit("c", on: 1, &history)
        Self.pass(0, &history)
        #expect(Self.allowed(history, at: 0) == ["a"])
        #expect(Self.allowed(history, at: 1) == ["c"])
        #expect(Self.allowed(history) == ["c"])
    }

    /// Where the server has a title that device 0 tried to send before it got the model.
    private enum Place: CaseIterable { case nowhere, onlyField, formerField, formerFieldOnce }

    /// Device 0 tries to send a title, gets the model, and sends the title to the new field. Device
    /// 1 does not have the model.
    private static func triedBefore(_ place: Place, isAnswered: Bool = false) -> History {
        var history = History(known: state("a"))
        history.save(at: 0, showing: state("b"))
        history.send(from: 0)
        if isAnswered { history.finish(history.beginExchange(0)) }
        if place == .onlyField { history.look(at: 2, state("b")) }
        getModel(0, &history)
        if place == .formerField || place == .formerFieldOnce {
            history.inFormerFields = ["n1": ["title": [.text("b")]]]
        }
        pass(0, server: state("b"), &history)
        if place == .formerFieldOnce { history.inFormerFields = ["n1": ["title": [.none]]] }
        return history
    }

    @Test("expects a title in the former field only if the server had it there")
    func triedToSend() {
        for place in Place.allCases {
            var history = Self.triedBefore(place)
            Self.pass(1, &history)
            let isThere = place != .nowhere
            #expect(Self.allowed(history, at: 1) == [isThere ? "b" : "a"])
            // In the end, all devices have the model.
            #expect(Self.allowed(history) == ["b"])
        }
        var answered = Self.triedBefore(.nowhere, isAnswered: true)
        Self.pass(1, &answered)
        #expect(Self.allowed(answered, at: 1) == ["b"])
    }

    @Test("does not take an earlier value of the former field for an edit that was tried later")
    func earlierValue() {
        var history = Self.start()
        Self.edit("b", on: 0, &history)
        Self.edit("c", on: 0, &history)
        history.save(at: 0, showing: Self.state("b"))
        history.send(from: 0)
        Self.getModel(0, &history)
        Self.pass(0, server: Self.state("b"), &history)
        let edit = history.edits(of: "n1").last
        #expect(edit.map { history.wasInFormerField($0, "title") } == false)
        history.inFormerFields = ["n1": ["title": [.text("b")]]]
        #expect(edit.map { history.wasInFormerField($0, "title") } == true)
    }

    @Test("expects what another client has written to the former field", arguments: [false, true])
    func anotherClient(hasMoved: Bool) {
        var history = hasMoved ? Self.start() : History(known: Self.state("a"))
        history.save(at: 2, showing: Self.state("b"))
        Self.pass(0, shows: Self.state("b"), &history)
        #expect(Self.allowed(history, at: 0) == ["b"])
    }

    // MARK: - Policies

    /// Device 1 sends a title, and then device 0 another one, without knowing it.
    private static func contested(hasModel: Bool, winner: String = "b") -> History {
        var history = start()
        if hasModel {
            getModel(0, &history)
            pass(0, &history)
        }
        history.save(at: 0, showing: state("b"))
        edit("c", on: 1, &history)
        pass(
            0, shows: state(hasModel ? winner : "b"), server: state(hasModel ? winner : "c"),
            &history)
        return history
    }

    @Test("requires that the policy decides between two edits only if they are in one field")
    func winner() {
        let policies = [
            (Policy.serverRecordWins, "c", "b"), (.mergeByPropertyClientWins, "b", "c"),
        ]
        for (policy, winner, loser) in policies {
            for hasModel in [false, true] {
                let history = Self.contested(hasModel: hasModel, winner: winner)
                #expect(Oracle.rules(history, policy, Self.state(winner)) == [])
                #expect(
                    Oracle.rules(history, policy, Self.state(loser)).contains("policy not followed")
                        == hasModel)
            }
        }
    }

    @Test("requires a copy only of an edit in the same field")
    func copy() {
        #expect(Self.allowed(Self.contested(hasModel: true, winner: "c"), .keepBoth) == [])
        #expect(Self.allowed(Self.contested(hasModel: false), .keepBoth) == ["b", "c"])
    }

    @Test("judges the titles of objects that have only one field")
    func otherKinds() async throws {
        let fleet = try Fleet(Setting(mode: .versions, policy: .mergeByProperty, version: .first))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("a")])
        for _ in 0..<2 { try await fleet.syncAll() }
        let former = fleet.history.shows(0)
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.set("l1", on: 0, ["title": .text("b")])
        var oracle = fleet.oracle(for: former)
        oracle.judge()
        #expect(oracle.violations.map(\.rule) == ["value lost"])
    }

    @Test("lets a device show the former field until its first successful pass with the model")
    func notYetReceived() {
        /// Device 1 writes "b" to the new field, and device 0, which shows "a", gets the model.
        func allowed(
            receives: Bool = false, isFormer: Bool = false
        ) -> [String] {
            var history = Self.start()
            if isFormer {
                history = History(known: Self.state("a"))
                Self.edit("b", on: 1, &history)
                Self.pass(0, shows: Self.state("b"), &history)
                Self.getModel(1, &history)
                Self.getModel(0, &history)
            } else {
                Self.edit("b", on: 1, &history)
                Self.pass(0, shows: Self.state("a"), &history)
                Self.getModel(0, &history)
            }
            history.send(from: 0)
            if receives { Self.pass(0, &history) }
            return Self.allowed(history, at: 0)
        }
        #expect(allowed() == ["a", "b"])
        // The pass has succeeded.
        #expect(allowed(receives: true) == ["b"])
        // It has shown the title, which was in the former field.
        #expect(allowed(isFormer: true) == ["b"])
        // The last edit is its own.
        var history = Self.start()
        Self.getModel(0, &history)
        history.save(at: 0, showing: Self.state("d"))
        history.send(from: 0)
        #expect(Self.allowed(history, at: 0) == ["d"])
    }
}
