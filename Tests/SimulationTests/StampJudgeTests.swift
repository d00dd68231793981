import Foundation
import Testing

@testable import Judge

@Suite("The judge of edit stamps") struct StampJudgeTests {
    // MARK: - Right saves

    @Test("accepts an insertion with a new chain, and an update that is the next version")
    func right() {
        #expect(StampedList().rules == [])
        #expect(StampedList.rules { _ in } == [])
    }

    @Test("accepts an update that sets a field to nil, with the digest 0")
    func setToNil() { #expect(StampedList.rules(title: nil) { _ in } == []) }

    @Test(
        "accepts an update that sends a field for another reason than an edit, and keeps its edit")
    func sentAgain() {
        let rules = StampedList.rules(
            bytes: { $0.set("title", 1, WireValue.text("bread").digest) },
            save: { $0.mayBeEdited = [] })
        #expect(rules == [])
    }

    @Test("accepts an insertion that continues a former one as its origin")
    func returned() { #expect(StampedList.rulesOfReturn { _ in } == []) }

    @Test("accepts a request that the network repeats")
    func repeated() {
        var list = StampedList()
        list.judge(list.insertion())
        #expect(list.rules == [])
    }

    @Test("accepts that an update begins a chain if the former version has no stamps")
    func afterStranger() {
        for edits in [nil, Data([1, 2, 3])] {
            var list = StampedList()
            var bytes = StampBytes(chain: 0xC2, saves: [(0xF2, 0xA2, 0)])
            bytes.stamps = [("ident", 1, StampedList.ident.digest), ("title", 1, 0)]
            list.record.edits = edits
            list.judge(list.update(nil, bytes))
            #expect(list.rules == [])
        }
    }

    @Test("accepts that the value of somebody without stamps is noted as an edit by the next save")
    func noted() {
        #expect(Self.afterForeignTitle { $0.set("title", 2, Self.foreign.digest) } == [])
    }

    @Test("accepts that a value is sent to a new field with the edit of its former field")
    func moved() {
        #expect(Self.rulesOfMove(edit: 1) == [])
        #expect(Self.rulesOfMove(edit: 2, mayBeEdited: ["title"]) == [])
    }

    @Test("accepts an encrypted value without a digest")
    func encrypted() { #expect(Self.rulesOfEncryption(digest: nil) == []) }

    // MARK: - Missing and unreadable

    @Test("notices a save without the field")
    func missing() {
        let rules = StampedList.rules { $0.now.edits = nil }
        #expect(rules == ["a save lacks edit stamps"])
    }

    @Test("notices a save that leaves the former stamps in the record")
    func left() {
        var list = StampedList()
        var save = list.update(.text("bread"), list.next(.text("bread")))
        save.former?.edits = save.now.edits
        list.judge(save)
        #expect(list.rules == ["a save lacks edit stamps"])
    }

    @Test("notices stamps that nobody can read")
    func unreadable() {
        #expect(StampedList.rules { $0.now.edits?.append(1) } == ["unreadable edit stamps"])
        #expect(
            StampedList.rules(bytes: { $0.number = 1 << 62 }, save: { _ in })
                == ["unreadable edit stamps"])
    }

    @Test("notices stamps in the record of a link")
    func link() {
        var judge = StampJudge()
        judge.judgeLink("L", by: "device0", edits: nil)
        #expect(judge.violations.isEmpty)
        judge.judgeLink("L", by: "device0", edits: Data())
        #expect(judge.violations.map(\.rule) == ["edit stamps of a link"])
    }

    // MARK: - Versions

    @Test("notices an update that begins another chain")
    func otherChain() {
        #expect(StampedList.rules { $0.chain = 0xC9 } == ["edit stamps of another chain"])
    }

    @Test("notices an update that is not the next version")
    func otherVersion() {
        let rules = StampedList.rules { bytes in
            bytes.number = 3
            bytes.saves[0].age = 2
            bytes.set("title", 3, WireValue.text("bread").digest)
        }
        #expect(rules == ["edit stamps of a wrong version"])
    }

    @Test("notices an update that changes the origin")
    func otherOrigin() {
        #expect(StampedList.rules { $0.origin = (0xC0, 1) } == ["edit stamps of a wrong origin"])
    }

    @Test("notices an insertion with a chain that the record has had")
    func chainAgain() {
        var list = StampedList()
        list.bytes.saves = [(0xF1, 0xA7, 0)]
        list.record.edits = list.bytes.data
        list.judge(list.insertion())
        #expect(list.rules == ["edit stamps of another chain"])
    }

    @Test("notices an insertion that does not begin with the first version")
    func lateBeginning() {
        let rules = StampedList.rulesOfReturn { bytes in
            bytes.origin = nil
            bytes.stamps = bytes.stamps.map { ($0.name, 2, $0.digest) }
        }
        #expect(rules == ["edit stamps of a wrong version"])
    }

    @Test("notices an insertion that does not follow its origin")
    func gap() {
        #expect(
            StampedList.rulesOfReturn { $0.number = 3 } == ["edit stamps of a wrong version"])
    }

    @Test("notices an origin that the record never had")
    func falseOrigin() {
        let rule = "edit stamps of a wrong origin"
        #expect(StampedList.rulesOfReturn { $0.origin = (0xC7, 1) } == [rule])
        let rules = StampedList.rulesOfReturn { bytes in
            bytes.number = 3
            bytes.origin = (0xC1, 2)
        }
        #expect(rules == [rule])
    }

    @Test("accepts as origin a request that had no response, if the zone was lost since")
    func lostZone() {
        for isLost in [true, false] {
            var list = StampedList()
            var first = StampBytes(chain: 0xC5, saves: [(0xF1, 0xA5, 0)])
            first.stamps = list.bytes.stamps
            _ = list.judge.noteRequest(["R": first.data], insertions: ["R"])
            if isLost { list.judge.noteZoneLoss() }
            list.bytes.chain = 0xC6
            list.bytes.number = 2
            list.bytes.origin = (0xC5, 1)
            list.bytes.saves = [(0xF1, 0xA6, 0)]
            list.record.edits = list.bytes.data
            list.judge(list.insertion())
            #expect(list.rules == (isLost ? [] : ["edit stamps of a wrong origin"]))
        }
    }

    // MARK: - The files' saves

    @Test("notices a save that is not among the files' saves, or more than once")
    func noSave() {
        let rule = "wrong saves in edit stamps"
        #expect(StampedList.rules { $0.saves[1].age = 1 } == [rule])
        #expect(StampedList.rules { $0.saves.removeLast() } == [rule])
        #expect(StampedList.rules { $0.saves.append((0xF3, 0xA3, 0)) } == [rule])
    }

    @Test("notices the save of another device's file, and a device with two files")
    func otherFile() {
        let rules = StampedList.rules { $0.saves = [(0xF1, 0xA2, 0)] }
        #expect(rules == ["wrong saves in edit stamps"])
        let again = StampedList.rulesOfReturn { $0.saves = [(0xF1, 0xA1, 1), (0xF4, 0xA2, 0)] }
        #expect(again.first == "wrong saves in edit stamps")
    }

    @Test("notices a random number that another request had")
    func tokenAgain() {
        #expect(StampedList.rules { $0.saves[1].token = 0xA1 } == ["wrong saves in edit stamps"])
    }

    @Test("notices that another file's save is changed, added or removed")
    func otherSaves() {
        let rule = "wrong saves in edit stamps"
        #expect(StampedList.rules { $0.saves[0].token = 0xA9 } == [rule])
        #expect(StampedList.rules { $0.saves.append((0xF3, 0xA3, 1)) } == [rule])
        #expect(StampedList.rules { $0.saves.removeFirst() } == [rule])
    }

    @Test("accepts that the oldest of 17 files' saves goes, and no other one")
    func manyFiles() {
        for lost in [0, 1] {
            var list = StampedList()
            list.bytes.number = 20
            list.bytes.saves = []
            for number in 0..<16 as Range<UInt64> {
                list.bytes.saves.append((0x100 + UInt32(number), number + 1, 15 - number))
            }
            list.bytes.stamps = [
                ("ident", 1, StampedList.ident.digest), ("title", 1, StampedList.title.digest),
            ]
            list.record.edits = list.bytes.data
            var bytes = list.next(.text("bread"))
            bytes.saves.remove(at: lost)
            list.judge(list.update(.text("bread"), bytes))
            #expect(Set(list.rules) == (lost == 0 ? [] : ["wrong saves in edit stamps"]))
        }
    }

    // MARK: - Digests

    @Test("notices a digest that does not fit the value in the record")
    func wrongDigest() {
        #expect(StampedList.rules { $0.set("title", 2, 1) } == ["a stamp does not fit"])
        #expect(StampedList.rules { $0.set("title", 2, nil) } == ["a stamp does not fit"])
        #expect(StampedList.rules(title: nil) { $0.set("title", 2, 1) } == ["a stamp does not fit"])
        #expect(
            StampedList.rules(title: nil) { $0.set("title", 2, nil) } == ["a stamp does not fit"])
    }

    @Test("notices a sent field without a stamp")
    func noStamp() {
        let rules = StampedList.rules { bytes in bytes.stamps.removeAll { $0.name == "title" } }
        #expect(rules == ["a stamp is missing"])
    }

    @Test("notices an encrypted value with a digest")
    func digestOfEncrypted() {
        #expect(
            Self.rulesOfEncryption(digest: WireValue.text("bread").digest)
                == ["a stamp does not fit"])
    }

    @Test("notices a stamp of the end of a one-to-one relationship that the other end decides")
    func otherEnd() {
        let rules = StampedList.rules(
            bytes: { $0.set("cover", 2, WireValue.reference("C").digest) },
            save: { save in
                save.kind = .node
                save.sent.insert("cover")
                save.now.values["cover"] = .reference("C")
            })
        #expect(rules == ["a stamp of a field without one"])
    }

    // MARK: - Edits

    @Test("notices an edit of nobody")
    func noEdit() {
        #expect(StampedList.rules { $0.mayBeEdited = [] } == ["a stamp has an edit of nobody"])
        #expect(StampedList.rules { $0.mayBeEdited = nil } == [])
    }

    @Test("notices that an edit is missing")
    func missingEdit() {
        let rules = StampedList.rules(
            bytes: { $0.set("title", 1, WireValue.text("bread").digest) },
            save: { $0.isEdited = ["title"] })
        #expect(rules == ["a stamp lacks an edit"])
    }

    @Test("notices an edit in a version in which there was none")
    func otherEdit() {
        #expect(
            StampedList.rules { $0.set("title", 0, WireValue.text("bread").digest) }
                == ["a stamp has a wrong edit"])
    }

    @Test("notices an edit in a new field that neither field had")
    func wrongMove() {
        #expect(Self.rulesOfMove(edit: 0) == ["a stamp has a wrong edit"])
        #expect(Self.rulesOfMove(edit: 2) == ["a stamp has an edit of nobody"])
    }

    // MARK: - Fields that are not sent

    @Test("notices a stamp that changes although its field is not sent")
    func changed() {
        let digest = StampedList.ident.digest
        #expect(StampedList.rules { $0.set("ident", 2, digest) } == ["a stamp is changed"])
        #expect(StampedList.rules { $0.set("ident", 1, 3) } == ["a stamp is changed"])
        #expect(
            StampedList.rules { $0.stamps.removeAll { $0.name == "ident" } }
                == ["a stamp is changed"])
    }

    @Test("notices a new stamp of a field that the device does not know")
    func unknown() {
        #expect(StampedList.rules { $0.set("other", 2, 3) } == ["a stamp is changed"])
        let rules = StampedList.rules(bytes: { $0.set("other", 0, WireValue.int(1).digest) }) {
            save in
            save.former?.values["other"] = .int(1)
            save.now.values["other"] = .int(1)
        }
        #expect(rules == ["a stamp is changed"])
    }

    @Test("notices that the value of somebody without stamps is not noted")
    func notNoted() {
        let rule = "a stranger's value is not noted"
        #expect(Self.afterForeignTitle { _ in } == [rule])
        #expect(Self.afterForeignTitle { $0.set("title", 1, Self.foreign.digest) } == [rule])
    }

    @Test(
        "notices that a record made anew loses a stamp, or keeps the digest of a field that it lacks"
    )
    func leftOut() {
        func rules(_ digest: UInt32?, isThere: Bool = true) -> [String] {
            var list = StampedList()
            list.bytes = StampBytes(
                chain: 0xC2, number: 2, origin: (0xC1, 1), saves: [(0xF1, 0xA2, 0)])
            list.bytes.stamps = [("ident", 1, StampedList.ident.digest)]
            if isThere { list.bytes.set("title", 1, digest) }
            list.record.values["title"] = nil
            list.record.edits = list.bytes.data
            var save = list.insertion()
            save.sent = ["ident"]
            list.judge(save)
            return list.rules
        }
        #expect(rules(0) == [])
        #expect(rules(StampedList.title.digest) == ["a stamp does not fit"])
        #expect(rules(nil) == ["a stamp does not fit"])
        #expect(rules(0, isThere: false) == ["a stamp is missing"])
    }

    @Test("says who saves which record, field and version")
    func text() throws {
        var list = StampedList()
        var bytes = list.next(.text("bread"))
        bytes.set("title", 2, 1)
        list.judge(list.update(.text("bread"), bytes))
        let text = try #require(list.judge.violations.first?.text)
        for part in ["device1", "l1", "R", "title", "version 2", "version 1"] {
            #expect(text.contains(part), "\(text)")
        }
    }

    // MARK: - Support

    private static let foreign = WireValue.text("by another client")

    /// The rules that a save of the identity breaks after another client has written the title.
    private static func afterForeignTitle(_ change: (inout StampBytes) -> Void) -> [String] {
        var list = StampedList()
        var bytes = list.next(nil)
        bytes.set("title", 1, StampedList.title.digest)
        bytes.set("ident", 2, StampedList.ident.digest)
        change(&bytes)
        list.record.values["title"] = foreign
        var save = list.update(foreign, bytes)
        save.sent = ["ident"]
        save.mayBeEdited = ["ident"]
        list.judge(save)
        return list.rules
    }

    /// The rules that a save of a node's title to a new field breaks.
    private static func rulesOfMove(edit: UInt64, mayBeEdited: Set<String> = []) -> [String] {
        StampedList.rules(
            title: StampedList.title,
            bytes: { bytes in
                bytes.set("title", 1, StampedList.title.digest)
                bytes.set("heading", edit, StampedList.title.digest)
            },
            save: { save in
                save.kind = .node
                save.versions = [.titleHasAnotherField]
                save.sent = ["heading"]
                save.now.values["heading"] = StampedList.title
                save.mayBeEdited = mayBeEdited
            })
    }

    private static func rulesOfEncryption(digest: UInt32?) -> [String] {
        StampedList.rules(
            bytes: { $0.set("title", 2, digest) }, save: { $0.now.encrypted = ["title"] })
    }
}
