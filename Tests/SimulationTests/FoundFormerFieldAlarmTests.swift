import CloudKitService
import Seam3
import Testing

@testable import Judge

/// Attributes that some devices store in a new field, and others in the former one. Devices that have got the
/// new field take over what others write to the former one, and those see nothing of the new field.
@Suite("A fleet in which some devices store an attribute in a former field")
struct FoundFormerFieldAlarmTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    private static func node(_ title: String, _ note: String = "a") -> [String: Value] {
        ["title": .text(title), "note": .text(note)]
    }

    private static func state(_ copies: [String: Value]..., of ident: String = "n1") -> Snapshot {
        var all: [String: [String: Value]] = [:]
        for (number, values) in copies.enumerated() { all["\(ident)#\(number)"] = values }
        return Snapshot(all)
    }

    private static func rules(
        _ history: History, _ final: Snapshot, _ policy: Policy = .keepBoth
    ) -> [String] {
        Oracle.rules(history, policy, final)
    }

    /// A pass that sends a device's edits, after which the server may show something else. It shows nothing
    /// of the former field.
    private static func send(
        from place: Int, server: Snapshot? = nil, _ history: inout History
    ) {
        let exchange = history.beginExchange(place)
        history.attempted(place)
        if let server { history.look(at: history.serverPlace, server) }
        history.finish(exchange)
    }

    @Test("does not expect a title in the former field that has never arrived there")
    func neverArrived() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .clientRecordWins, devices: 3, pageSize: 200,
                version: .first, harsh: 1_300_962, traits: [.lostAnswers]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 0, ["title": .text("v4")])
        try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
        try await fleet.sync(0)
        try await fleet.calm(true)
        try await fleet.upgrade(0, to: .titleHasAnotherField)
        try await fleet.sync(0)
        try await fleet.hold(
            10, on: 0, trump: .rollback, follows: true,
            [
                .link("n3", "tags", "thome", isThere: true),
                .insert(
                    .item, "i21",
                    ["share": .double(4.333333492279053), "title": .text("v12")]),
            ])
        try await fleet.sync(2, complete: true)
        try await fleet.saveHeld(10, on: 0)
        try await fleet.judge()
    }

    // MARK: - Copies

    /// What happens to a node whose title device 0 sends again in a new field, and that device 1 changes.
    private struct Edit {
        /// The title that device 1 has sent to the former field before it gets the model.
        var former: String? = "c"
        /// Whether it got an answer.
        var isAnswered = true
        /// What device 1 has after its edit.
        var after = node("b")
        /// Whether device 0 syncs with the model before that title is there.
        var isFirst = true
        /// Whether device 1 gets the model before its edit, and ever.
        var hasModel = true
        var getsModelLater = false
        /// Whether device 1 syncs between getting the model and its edit.
        var syncs = false
        /// Whether device 0 gets the model.
        var isSentAgain = true
        /// Whether the edit is on the server before device 0 syncs.
        var arrivesFirst = false
    }

    private static func history(_ edit: Edit) -> History {
        var history = History(known: state(node("a")))
        let received = edit.isAnswered && !edit.isFirst ? edit.former ?? "a" : "a"
        func sendAgain() {
            if !edit.isSentAgain { return }
            history.moveField(of: "title", at: 0, \.isNode)
            send(from: 0, server: state(node(received)), &history)
        }
        if edit.isFirst, !edit.arrivesFirst { sendAgain() }
        if let title = edit.former {
            history.save(at: 1, showing: state(node(title)))
            if edit.isAnswered { send(from: 1, &history) } else { history.send(from: 1) }
        }
        if !edit.isFirst, !edit.arrivesFirst { sendAgain() }
        if edit.hasModel { history.moveField(of: "title", at: 1, \.isNode) }
        if edit.syncs { send(from: 1, &history) }
        history.save(at: 1, showing: state(edit.after))
        if edit.getsModelLater { history.moveField(of: "title", at: 1, \.isNode) }
        send(from: 1, &history)
        if edit.arrivesFirst { sendAgain() }
        return history
    }

    @Test("copies a node whose title is edited where another one was sent to the former field")
    func copied() async throws {
        let fleet = try Fleet(Setting(mode: .versions, policy: .keepBoth, version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("a")])
        for _ in 0..<2 { try await fleet.syncAll() }
        try await fleet.upgrade(0, to: .titleHasAnotherField)
        try await fleet.sync(0)
        try await fleet.set("n1", on: 1, ["title": .text("c")])
        try await fleet.sync(1)
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.set("n1", on: 1, ["title": .text("b")])
        try await fleet.judge()
    }

    /// What lets the title that is sent again meet the edit.
    private static let harmful: [@Sendable (inout Edit) -> Void] = [
        { _ in }, { ($0.hasModel, $0.getsModelLater) = (false, true) },
        { ($0.isFirst, $0.isAnswered) = (false, false) }, { $0.after = node("b", "b") },
    ]

    @Test("lets a node be copied whose title is edited", arguments: harmful.indices)
    func copies(index: Int) {
        var edit = Edit()
        Self.harmful[index](&edit)
        let history = Self.history(edit)
        let copies = Self.state(Self.node("a"), edit.after)
        #expect(Self.rules(history, copies) == [])
        #expect(Self.rules(history, Self.state(edit.after)) == [])
        #expect(Self.rules(history, copies, .mergeByProperty) == ["doubled"])
        let three = Self.state(Self.node("a"), edit.after, edit.after)
        #expect(Self.rules(history, three) == ["doubled"])
    }

    @Test("objects to a copy without what was edited together with the title")
    func wrongCopies() {
        let history = Self.history(Edit(after: Self.node("b", "b")))
        #expect(Self.rules(history, Self.state(Self.node("a"), Self.node("b", "b"))) == [])
        #expect(Self.rules(history, Self.state(Self.node("a"), Self.node("b"))) == ["value lost"])
    }

    /// What leaves only one version of the title in the new field, or none.
    private static let harmless: [@Sendable (inout Edit) -> Void] = [
        { $0.former = nil }, { ($0.former, $0.isFirst) = (nil, false) }, { $0.isFirst = false },
        { $0.after = node("c", "b") }, { $0.hasModel = false }, { $0.syncs = true },
        { $0.isSentAgain = false }, { $0.arrivesFirst = true },
    ]

    @Test(
        "objects to a copy unless a device with the model edits a title that it lacks in the new field",
        arguments: harmless.indices)
    func noCopies(index: Int) {
        var edit = Edit()
        Self.harmless[index](&edit)
        let copies = Self.state(Self.node("a"), edit.after)
        #expect(Self.rules(Self.history(edit), copies) == ["doubled"])
    }

    @Test("lets the title that an edit meets hold, or one in the former field, and no other")
    func metTitle() {
        for (edit, isOpen) in [(Edit(), true), (Edit(isFirst: false), false)] {
            let history = Self.history(edit)
            for (title, isAllowed) in [("a", isOpen), ("b", true), ("c", isOpen), ("d", false)] {
                #expect(
                    Self.rules(history, Self.state(Self.node(title)), .mergeByProperty)
                        == (isAllowed ? [] : ["value lost"]))
            }
        }
    }

    @Test(
        "objects to a copy on devices, whether one has received the other title before it edits its own",
        arguments: [(true, false), (true, true), (false, false)])
    func received(hasFormer: Bool, hasReceived: Bool) async throws {
        let fleet = try Fleet(Setting(mode: .versions, policy: .keepBoth, version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("a")])
        for _ in 0..<2 { try await fleet.syncAll() }
        try await fleet.upgrade(0, to: .titleHasAnotherField)
        try await fleet.sync(0)
        if hasFormer {
            try await fleet.set("n1", on: 1, ["title": .text("c")])
            try await fleet.sync(1)
        }
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        if hasReceived { for device in 0...1 { try await fleet.sync(device) } }
        try await fleet.set("n1", on: 1, ["title": .text("b")])
        var copies = fleet.history.shows(1)
        for object in copies.objects.values { copies.objects["copy"] = object }
        copies.objects["copy"]?.values["title"] = .text("a")
        try await fleet.sync(1)
        var oracle = fleet.oracle(for: copies)
        oracle.judge()
        #expect(oracle.violations.map(\.rule) == ["doubled"])
    }

    // MARK: - Deletions

    /// What happens to an object that device 0 edits and device 1 deletes.
    private struct Deletion {
        var ident = "n1"
        /// What device 0 has after its edit.
        var after = node("b")
        /// Whether device 1 has the model when it deletes the object, or gets it then.
        var hasModel = true
        var getsModelLater = false
        /// Whether device 0 has the model when it edits the object, or gets it before it first sends that.
        var editorHasModel = false
        var editorGetsModel = false
        /// Whether the deletion is on the server before device 0 sends its edit.
        var arrivesFirst = false
        /// Whether device 1 syncs again before it deletes the object.
        var isKnown = false
    }

    private static func history(_ deletion: Deletion) -> History {
        var history = History(known: state(node("a"), of: deletion.ident))
        func getModel(_ device: Int) { history.moveField(of: "title", at: device, \.isNode) }
        if deletion.hasModel { getModel(1) }
        if deletion.editorHasModel { getModel(0) }
        history.save(at: 0, showing: state(deletion.after, of: deletion.ident))
        if deletion.editorGetsModel { getModel(0) }
        if deletion.isKnown { for device in 0...1 { send(from: device, &history) } }
        history.save(at: 1, showing: Snapshot())
        if deletion.getsModelLater { getModel(1) }
        let order = deletion.arrivesFirst ? [1, 0] : [0, 1]
        for device in order {
            send(from: device, server: device == 1 ? Snapshot() : nil, &history)
        }
        return history
    }

    @Test(
        "follows the policy if a node is deleted whose title was edited in the former field",
        arguments: [Policy.serverRecordWins, .clientRecordWins, .keepBoth, .mergeByProperty])
    func deleted(policy: Policy) async throws {
        let fleet = try Fleet(Setting(mode: .versions, policy: policy, version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("a")])
        for _ in 0..<2 { try await fleet.syncAll() }
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.sync(1)
        try await fleet.set("n1", on: 0, ["title": .text("b")])
        try await fleet.delete("n1", on: 1)
        try await fleet.sync(0)
        try await fleet.judge()
    }

    /// Edits that the deletion's device sees, or that their own devices keep from it.
    private static let visible: [@Sendable (inout Deletion) -> Void] = [
        { _ in }, { $0.ident = "l1" }, { $0.after = node("a", "b") },
        { $0.after = node("b", "b") }, { $0.hasModel = false },
        { ($0.hasModel, $0.getsModelLater) = (false, true) },
        { $0.editorHasModel = true }, { $0.editorGetsModel = true }, { $0.arrivesFirst = true },
    ]

    @Test(
        "objects to a deletion that removes an edit, also if that was written to a former field",
        arguments: visible.indices)
    func noDeletions(index: Int) {
        var deletion = Deletion()
        Self.visible[index](&deletion)
        let history = Self.history(deletion)
        #expect(Self.rules(history, Snapshot(), .mergeByProperty) == ["edit lost to a deletion"])
        // Whichever came first is the server's version.
        #expect(
            Self.rules(history, Snapshot(), .serverRecordWins)
                == (deletion.arrivesFirst ? [] : ["policy not followed"]))
        if deletion.arrivesFirst { return }
        // The local deletion wins against an edit, as always.
        #expect(Self.rules(history, Snapshot(), .clientRecordWins) == [])
        #expect(
            Self.rules(history, Self.state(deletion.after, of: deletion.ident), .clientRecordWins)
                == ["policy not followed"])
    }

    @Test("objects to a deletion that removes an edit of another device, too, or that is undone")
    func others() {
        var history = History(placeCount: 4)
        let all = Self.state(Self.node("a"))
        history.save(at: 0, showing: all)
        Self.send(from: 0, &history)
        for place in [3, 1, 2] { history.look(at: place, all) }
        history.moveField(of: "title", at: 0, \.isNode)
        history.save(at: 0, showing: Self.state(Self.node("b")))
        Self.send(from: 0, &history)
        // Device 2 has the model, too, and knows the title.
        history.moveField(of: "title", at: 2, \.isNode)
        history.sync(2, showing: Self.state(Self.node("b")))
        history.save(at: 2, showing: Self.state(Self.node("b", "b")))
        Self.send(from: 2, &history)
        history.save(at: 1, showing: Snapshot())
        Self.send(from: 1, &history)
        #expect(Self.rules(history, Snapshot(), .mergeByProperty) == ["edit lost to a deletion"])
        for hasModel in [false, true] {
            #expect(
                Self.rules(
                    Self.history(
                        Deletion(hasModel: hasModel, editorHasModel: true, isKnown: true)),
                    Self.state(Self.node("b")), .mergeByProperty) == ["deletion undone"])
        }
    }

    @Test("lets an edit that a deletion has not seen undo it once its device gets the model")
    func undoneByUnseen() {
        for (getsModelLater, policy) in [
            (true, Policy.mergeByProperty), (true, .serverRecordWins), (true, .clientRecordWins),
            (false, .mergeByProperty),
        ] {
            let deletion = Deletion(
                hasModel: false, getsModelLater: getsModelLater, editorHasModel: true,
                isKnown: true)
            let isOpen = getsModelLater && policy != .clientRecordWins
            #expect(
                Self.rules(Self.history(deletion), Self.state(Self.node("b")), policy)
                    == (isOpen ? [] : ["deletion undone"]))
            #expect(Self.rules(Self.history(deletion), Snapshot(), policy) == [])
        }
    }

    // MARK: - Deletions where the model is not

    @Test(
        "lets a node be deleted by a device without the model that another one has renamed with it",
        arguments: [Policy.serverRecordWins, .clientTellsWhichWins, .keepBoth, .mergeByProperty])
    func deletedWithoutModel(policy: Policy) async throws {
        let fleet = try Fleet(Setting(mode: .versions, policy: policy, version: .first))
        defer { fleet.end() }
        try await fleet.upgrade(0, to: .titleHasAnotherField)
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("a")])
        try await fleet.catchUp()
        try await fleet.set("n1", on: 0, ["title": .text("b")])
        try await fleet.delete("n1", on: 1)
        try await fleet.judge()
    }

    @Test(
        "lets such a deletion or the edit win, and nothing else", arguments: [false, true],
        [false, true])
    func deletionsWithoutModel(editorGetsModel: Bool, getsModelLater: Bool) {
        let history = Self.history(
            Deletion(
                hasModel: false, getsModelLater: getsModelLater, editorHasModel: !editorGetsModel,
                editorGetsModel: editorGetsModel))
        for policy in [Policy.serverRecordWins, .keepBoth, .mergeByProperty] {
            #expect(Self.rules(history, Snapshot(), policy) == [])
            #expect(Self.rules(history, Self.state(Self.node("b")), policy) == [])
            #expect(Self.rules(history, Self.state(Self.node("c")), policy) == ["made up"])
        }
    }

    /// What makes the edit one that a deletion by a device without the model has to see, or its own device.
    private static let visibleWithoutModel: [@Sendable (inout Deletion) -> Void] = [
        { $0.ident = "l1" }, { $0.after = node("a", "b") }, { $0.after = node("b", "b") },
        { $0.hasModel = true }, { $0.editorHasModel = false }, { $0.arrivesFirst = true },
    ]

    @Test(
        "objects to such a deletion unless all that it removes was written to the new field",
        arguments: visibleWithoutModel.indices)
    func noDeletionsWithoutModel(index: Int) {
        var deletion = Deletion(hasModel: false, editorHasModel: true)
        Self.visibleWithoutModel[index](&deletion)
        let history = Self.history(deletion)
        #expect(Self.rules(history, Snapshot(), .mergeByProperty) == ["edit lost to a deletion"])
        #expect(
            Self.rules(history, Snapshot(), .serverRecordWins)
                == (deletion.arrivesFirst ? [] : ["policy not followed"]))
    }
}
