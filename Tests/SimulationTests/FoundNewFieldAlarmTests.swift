import Seam3
import Testing

@testable import Judge

/// Values that a device sends again because its new model stores them in another field. They are not edits.
/// Only a device that gets this model at the same time may take them for edits.
@Suite("A fleet in which a new model sends values in another field")
struct FoundNewFieldAlarmTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    @Test("does not copy an object that a device which has had the model before has edited")
    func notCopiedByTheFirst() async throws {
        let fleet = try Fleet(
            Setting(mode: .versions, policy: .keepBoth, devices: 3, version: .first))
        defer { fleet.end() }
        try await fleet.upgrade(2, to: .titleHasAnotherField)
        try await fleet.insert(.leaf, "n21", on: 1, ["count": .int(13), "title": .text("v12")])
        try await fleet.syncAll()
        try await fleet.set("n21", on: 2, ["note": .text("v23")])
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.judge()
    }

    // MARK: - Histories

    private static func node(_ title: String?, _ note: String = "a") -> [String: Value] {
        ["title": title.map { .text($0) } ?? .none, "note": .text(note)]
    }

    private static func state(_ copies: [String: Value]...) -> Snapshot {
        var all: [String: [String: Value]] = [:]
        for (number, values) in copies.enumerated() { all["n1#\(number)"] = values }
        return Snapshot(all)
    }

    /// When something happens.
    private enum Moment { case never, before, after }

    /// What happens to a node that device 1 changes, and whose title device 0 sends again in a new field.
    private struct Course {
        /// What device 1 has after its edit or deletion.
        var after: Snapshot
        /// When device 1 gets the model, compared with device 0.
        var modelOfDevice1 = Moment.before
        /// Whether device 0 gets it.
        var hasModel = true
        /// The title that device 1 shows by then.
        var shown: String?
        /// The title that device 0 shows by then.
        var title: String? = "t"
        /// Whether device 1's change is on the server before device 0 gets the model.
        var arrivesFirst = false
        /// Whether device 1 had got the title when it made its change.
        var hasTitle = false
    }

    private static func history(_ course: Course) -> History {
        var history = History(placeCount: 3)
        func getModel(_ device: Int) { history.moveField(of: "title", at: device, \.isNode) }
        if course.modelOfDevice1 == .before { getModel(1) }
        history.save(at: 0, showing: state(node(course.title)))
        let exchange = history.beginExchange(0)
        history.attempted(0)
        history.finish(exchange)
        history.sync(1, showing: state(node(course.shown)))
        func change() {
            let title = course.hasTitle ? course.title : course.shown
            history.save(at: 1, before: state(node(title)), after: course.after)
            if course.arrivesFirst { history.sync(1, showing: course.after) }
        }
        if !course.hasTitle { change() }
        if course.hasModel { getModel(0) }
        if course.modelOfDevice1 == .after { getModel(1) }
        let second = history.beginExchange(0)
        history.attempted(0)
        if course.hasTitle {
            for place in [0, 2] { history.look(at: place, state(node(course.title))) }
            history.finish(second)
            history.sync(1, showing: state(node(course.title)))
            change()
        }
        history.sync(1, showing: course.after)
        return history
    }

    private static func rules(
        _ course: Course, _ final: Snapshot, _ policy: Policy = .keepBoth
    ) -> [String] {
        Oracle.rules(history(course), policy, final)
    }

    /// What does not let the value count as another edit.
    private static let harmless: [@Sendable (inout Course) -> Void] = [
        { _ in }, { $0.modelOfDevice1 = .never }, { $0.modelOfDevice1 = .after },
        { $0.hasModel = false }, { $0.shown = "t" }, { $0.title = nil },
        { $0.arrivesFirst = true }, { $0.hasTitle = true },
    ]

    @Test("objects to a copy, because the title is no edit", arguments: harmless.indices)
    func noCopies(index: Int) {
        var course = Course(after: Self.state(Self.node(nil, "b")))
        Self.harmless[index](&course)
        // The edit is of another attribute.
        course.after = Self.state(Self.node(course.hasTitle ? course.title : course.shown, "b"))
        let copies = Self.state(Self.node(course.title), Self.node(nil, "b"))
        #expect(Self.rules(course, copies) == ["doubled"])
    }

    @Test(
        "objects to an undone deletion, because the title is no edit", arguments: harmless.indices)
    func noDeletion(index: Int) {
        var course = Course(after: Snapshot())
        Self.harmless[index](&course)
        #expect(
            Self.rules(course, Self.state(Self.node(course.title)), .mergeByProperty)
                == ["deletion undone"])
        #expect(Self.rules(course, Snapshot(), .mergeByProperty) == [])
    }

    // MARK: - Values that an edit has replaced

    /// Device 1 gives a node another title, and device 0 sends the former one again in a new field.
    ///
    /// - Parameters:
    ///   - isFirst: Whether device 1 gets the model first.
    ///   - editsFirst: Whether it edits the title before it gets the model.
    ///   - isSent: Whether it has sent that to the former field by then.
    ///   - rival: What device 0 has after an edit of its own.
    private static func replaced(
        isFirst: Bool, editsFirst: Bool, isSent: Bool = false, hasModel: Bool = true,
        rival: [String: Value]? = nil, deletes: Bool = false
    ) -> History {
        var history = History(known: state(node("a")))
        func getModel(_ device: Int) { history.moveField(of: "title", at: device, \.isNode) }
        func edit() { history.save(at: 1, showing: state(node("b"))) }
        if editsFirst { edit() }
        if isSent { history.send(from: 1) }
        if isFirst, hasModel { getModel(1) }
        getModel(0)
        if let rival { history.save(at: 0, showing: state(rival)) }
        func sendAgain() {
            history.send(from: 0)
            history.look(at: 2, state(rival ?? node("a")))
        }
        if !isFirst { sendAgain() }
        if !isFirst, hasModel { getModel(1) }
        if !editsFirst { edit() }
        if deletes { history.save(at: 1, showing: Snapshot()) }
        if isFirst { sendAgain() }
        history.send(from: 1)
        return history
    }

    private static func rules(
        _ history: History, _ final: Snapshot, _ policy: Policy = .mergeByProperty
    ) -> [String] {
        Oracle.rules(history, policy, final)
    }

    @Test(
        "objects if the title that an edit has replaced is there again",
        arguments: [false, true], [false, true])
    func titleIsBack(isFirst: Bool, editsFirst: Bool) {
        let history = Self.replaced(isFirst: isFirst, editsFirst: editsFirst)
        let policies = [Policy.serverRecordWins, .clientRecordWins, .keepBoth, .mergeByProperty]
        for policy in policies {
            #expect(Self.rules(history, Self.state(Self.node("a")), policy) == ["value lost"])
            #expect(Self.rules(history, Self.state(Self.node("b")), policy) == [])
            let copies = Self.state(Self.node("a"), Self.node("b"))
            #expect(Self.rules(history, copies, policy) == ["doubled"])
        }
    }

    @Test("lets the title be there again if the edit went to the former field, or has a rival")
    func titleMayBeBack() {
        let there = Self.state(Self.node("a"))
        for isFirst in [false, true] {
            let sent = Self.replaced(isFirst: isFirst, editsFirst: true, isSent: true)
            #expect(Self.rules(sent, there) == [])
            // What a device without the model has edited is taken over.
            let without = Self.replaced(isFirst: isFirst, editsFirst: true, hasModel: false)
            #expect(Self.rules(without, there) == ["value lost"])
            let title = Self.replaced(
                isFirst: isFirst, editsFirst: false, rival: Self.node("c"))
            #expect(Self.rules(title, Self.state(Self.node("c"))) == [])
            // The record as a whole wins or loses.
            let note = Self.replaced(
                isFirst: isFirst, editsFirst: false, rival: Self.node("a", "c"))
            let other = Self.state(Self.node("a", "c"))
            #expect(Self.rules(note, other, .serverRecordWins) == [])
            #expect(Self.rules(note, other).contains("value lost"))
        }
    }

    @Test("objects to a deletion undone by the title that its device has replaced before")
    func deletionOfReplaced() {
        let there = Self.state(Self.node("a"))
        for editsFirst in [false, true] {
            let history = Self.replaced(isFirst: true, editsFirst: editsFirst, deletes: true)
            #expect(Self.rules(history, there) == ["deletion undone"])
            #expect(Self.rules(history, Snapshot()) == [])
        }
        // The device does not know what preceded the title that it has sent to the former field.
        let sent = Self.replaced(isFirst: true, editsFirst: true, isSent: true, deletes: true)
        #expect(Self.rules(sent, there) == [])
    }

    // MARK: - Fleets

    @Test("lets a photo be lost with a title that meets another one in the new field")
    func photoLost() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .clientTellsWhichWins, devices: 3, pageSize: 200,
                version: .first, harsh: 1_301_008, traits: [.failingAssets]))
        defer { fleet.end() }
        try await fleet.calm(true)
        try await fleet.upgrade(2, to: .titleHasAnotherField)
        try await fleet.calm(false)
        try await fleet.insert(.leaf, "n22", on: 2, ["title": .text("v13")])
        try await fleet.catchUp()
        try await fleet.save(
            [
                .delete("n29"), .set("n22", ["title": .text("v22")]),
                .set("n22", ["photo": .data(123)]),
            ], on: 0)
        try await fleet.syncAll()
        try await fleet.judge()
    }

    @Test("does not let a string that is sent again in another field contest a deletion")
    func sentInAnotherField() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.upgrade(0, to: .titleHasAnotherField)
        try await fleet.insert(.node, "n11", on: 1, ["title": .text("v3")])
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.batchDelete(.node, ["n11"], on: 0)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("does not copy a node whose title was edited before its device got the model")
    func notCopied() async throws {
        let fleet = try Fleet(Setting(mode: .versions, policy: .keepBoth, version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("a")])
        try await fleet.syncAll()
        try await fleet.upgrade(0, to: .titleHasAnotherField)
        try await fleet.sync(0)
        try await fleet.set("n1", on: 1, ["title": .text("b")])
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.judge()
    }

    @Test(
        "does not lose an edit to the title that the device of a deletion has sent again",
        arguments: [Policy.mergeByProperty, .serverRecordWins])
    func notDeleted(policy: Policy) async throws {
        let fleet = try Fleet(Setting(mode: .versions, policy: policy, version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("a")])
        try await fleet.syncAll()
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.sync(1)
        try await fleet.upgrade(0, to: .titleHasAnotherField)
        try await fleet.set("n1", on: 0, ["title": .text("b")])
        try await fleet.delete("n1", on: 1)
        try await fleet.sync(0)
        try await fleet.judge()
    }

    @Test("objects to a deletion undone by a device that gets the model, whichever does so first")
    func orderOfUpgrades() async throws {
        for devices in [[0, 1], [1, 0]] {
            let fleet = try Fleet(
                Setting(mode: .versions, policy: .mergeByProperty, version: .first))
            defer { fleet.end() }
            try await fleet.insert(.node, "n1", on: 1, ["title": .text("a")])
            try await fleet.sync(1)
            if devices[0] == 0 { try await fleet.upgrade(0, to: .titleHasAnotherField) }
            try await fleet.sync(0)
            let there = fleet.history.shows(1)
            try await fleet.upgrade(1, to: .titleHasAnotherField)
            if devices[0] == 1 { try await fleet.upgrade(0, to: .titleHasAnotherField) }
            try await fleet.delete("n1", on: 0)
            try await fleet.sync(1)
            try await fleet.sync(0)
            var oracle = fleet.oracle(for: there)
            oracle.judge()
            #expect(oracle.violations.map(\.rule) == ["deletion undone"])
        }
    }

    @Test("lets a title be missing until the first successful pass with the model")
    func notYetReceived() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .clientTellsWhichWins, entityPolicies: [.item: .keepBoth],
                devices: 3, pageSize: 200, version: .first, harsh: 1603914, traits: [.lostAnswers]))
        defer { fleet.end() }
        try await fleet.upgrade(0, to: .titleHasAnotherField)
        try await fleet.save(
            [
                .insert(.node, "n37", ["photo": .data(133), "title": .text("v32")]),
                .insert(.node, "n38", ["title": .text("v35")]),
                .insert(.node, "n39", ["photo": .data(0), "title": .text("v36")]),
                .insert(.node, "n40", ["title": .text("v38")]),
                .insert(.node, "n41", ["due": .date(40010.0), "title": .text("v39")]),
                .link("n37", "friends", "n38", isThere: true),
                .link("n37", "friends", "n39", isThere: true),
            ], on: 0)
        try await fleet.catchUp()
        try await fleet.save(
            [
                .link("n40", "friends", "n37", isThere: true),
                .link("n37", "friends", "n38", isThere: false),
            ], on: 1)
        try await fleet.calm(true)
        try await fleet.sync(1)
        try await fleet.calm(false)
        try await fleet.upgrade(2, to: .titleHasAnotherField)
        try await fleet.sync(2)
        try await fleet.judge()
    }
}
