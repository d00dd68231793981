import Seam3
import Testing

@testable import Judge

/// Files that are copied, or replaced by a backup.
@Suite("A copy of a file") struct FileCopyTests {
    private static let begin = Snapshot(["n1": ["title": .text("a"), "count": .int(1)]])
    private static func titled(_ title: String) -> Snapshot {
        Snapshot(["n1": ["title": .text(title), "count": .int(1)]])
    }

    @Test("shows what the file shows, and what it knows of edits")
    func known() {
        var history = History(known: Self.begin)
        let (copy, waiting) = history.copyPlace(0)
        #expect(history.shows(copy) == Self.begin)
        #expect(waiting.isEmpty)
        history.save(at: copy, showing: Self.titled("b"))
        #expect(history.edits.last?.past == [0])
        #expect(history.edits.last?.place == copy)
    }

    @Test("lets an edit that it does not know contest one that is made with it")
    func unknown() {
        var history = History(known: Self.begin)
        let (copy, waiting) = history.copyPlace(0)
        history.save(at: 0, showing: Self.titled("b"))
        history.sync(0, showing: Self.titled("b"))
        history.sendTwice(from: copy, waiting)
        history.retire(0)
        history.save(at: copy, showing: Self.titled("c"))
        history.send(from: copy)
        let rules = ["a", "b", "c"].map { title in
            Oracle.rules(history, .mergeByProperty, Self.titled(title))
        }
        #expect(rules == [["value lost", "policy not followed"], [], ["policy not followed"]])
    }

    @Test("sends what waits again, which may win against what followed")
    func waiting() {
        var history = History(known: Self.begin)
        history.save(at: 0, showing: Self.titled("b"))
        let (copy, waiting) = history.copyPlace(0)
        #expect(waiting == [1])
        history.sync(0, showing: Self.titled("b"))
        history.save(at: 0, showing: Self.titled("c"))
        history.sync(0, showing: Self.titled("c"))
        history.sendTwice(from: copy, waiting)
        for title in ["b", "c"] {
            #expect(Oracle.rules(history, .clientRecordWins, Self.titled(title)) == [])
        }
    }

    @Test(
        "leaves an object to nobody's judgment that is deleted here, and that another file has sent"
    )
    func neverSent() {
        var history = History(placeCount: 3)
        history.save(at: 0, showing: Self.begin)
        let (copy, waiting) = history.copyPlace(0)
        for place in [0, copy] { history.sendTwice(from: place, waiting) }
        history.save(at: copy, showing: Snapshot())
        history.sync(0, showing: Self.begin)
        #expect(history.touched == ["n1"])
        #expect(Oracle.rules(history, .mergeByProperty, Self.begin) == [])
    }

    @Test("that is a backup replaces a file only if everything has been sent")
    func replaced() async throws {
        let fleet = try Fleet(Setting(mode: .backups, devices: 1))
        defer { fleet.end() }
        try await fleet.insert(.item, "i1", on: 0, ["title": .text("a")])
        try await fleet.sync(0)
        try await fleet.backUp(0)
        try await fleet.set("i1", on: 0, ["title": .text("b")])
        try await fleet.restore(0)
        #expect(fleet.apps[0].seen.byIdent["i1"]?.first?.values["title"] == .text("b"))
        try await fleet.sync(0)
        try await fleet.restore(0)
        #expect(fleet.apps[0].seen.byIdent["i1"]?.first?.values["title"] == .text("a"))
        try await fleet.judge()
        #expect(fleet.apps[0].seen.byIdent["i1"]?.first?.values["title"] == .text("b"))
    }

    @Test("of another device's file shows the same objects there")
    func copied() async throws {
        let fleet = try Fleet(Setting(mode: .copies))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["photo": .data(200_000)])
        try await fleet.sync(0)
        try await fleet.set("n1", on: 0, ["title": .text("a")])
        try await fleet.copyFile(of: 0, to: 1)
        #expect(fleet.apps[1].seen == fleet.apps[0].seen)
        try await fleet.set("n1", on: 1, ["count": .int(3)])
        try await fleet.judge()
    }
}
