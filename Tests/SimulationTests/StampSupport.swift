import Foundation

@testable import Judge

/// Edit stamps in their bytes, with parts that may be wrong.
struct StampBytes {
    var format: UInt8 = 1
    var chain: UInt64 = 0xC1
    var number: UInt64 = 1
    var origin: (chain: UInt64, number: UInt64)?
    var saves: [(file: UInt32, token: UInt64, age: UInt64)] = [(0xF1, 0xA1, 0)]
    /// The field, the version of its last edit, and the digest.
    var stamps: [(name: String, edit: UInt64, digest: UInt32?)] = []
    var isSorted = true

    static func variable(_ number: UInt64) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), number)
        repeat {
            bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes
    }

    static func fixed(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    var data: Data {
        var bytes = [format | (origin == nil ? 0 : 0x80)] + Self.fixed(chain, 8)
        bytes += Self.variable(number)
        if let origin { bytes += Self.fixed(origin.chain, 8) + Self.variable(origin.number) }
        bytes.append(UInt8(saves.count))
        for save in saves {
            bytes += Self.fixed(UInt64(save.file), 4) + Self.fixed(save.token, 8)
            bytes += Self.variable(save.age)
        }
        let entries = stamps.map { (RecordStamps.key(of: $0.name), $0) }
        for (key, stamp) in isSorted ? entries.sorted(by: { $0.0 < $1.0 }) : entries {
            bytes += Self.fixed(UInt64(key), 4)
            let age = (number - stamp.edit) << 1
            bytes += Self.variable(stamp.digest == nil ? age : age | 1)
            if let digest = stamp.digest { bytes += Self.fixed(UInt64(digest), 4) }
        }
        return Data(bytes)
    }

    /// Changes the edit and the digest of a field.
    mutating func set(_ name: String, _ edit: UInt64, _ digest: UInt32?) {
        stamps.removeAll { $0.name == name }
        stamps.append((name, edit, digest))
    }
}

/// A list's record, the stamps that belong to it, and a judge that knows them.
struct StampedList {
    var judge = StampJudge()
    var bytes = StampBytes()
    var record: WireRecord
    private var requestCount = 0

    static let ident = WireValue.text("l1")
    static let title = WireValue.text("milk")

    /// Device 0 has inserted the list.
    init() {
        bytes.stamps = [
            ("ident", 1, Self.ident.digest), ("title", 1, Self.title.digest),
        ]
        record = WireRecord(
            tag: "1", values: ["ident": Self.ident, "title": Self.title], edits: bytes.data)
        judge(insertion())
    }

    var rules: [String] { judge.violations.map(\.rule) }

    /// Judges a save after its request has been noted.
    mutating func judge(_ save: StampedSave) {
        var save = save
        if let edits = save.now.edits {
            save.request = judge.noteRequest(
                [save.name: edits], insertions: save.former == nil ? [save.name] : [])
        }
        judge.judge(save)
    }

    /// An insertion of the list as it is.
    func insertion() -> StampedSave {
        StampedSave(
            device: "device0", request: 0, name: "R", kind: .list, ident: "l1", former: nil,
            now: record, sent: ["ident", "title"], mayBeEdited: ["ident", "title"])
    }

    /// The bytes of the next version, which device 1 saves with another title.
    func next(_ title: WireValue?) -> StampBytes {
        var next = bytes
        next.number += 1
        next.saves = next.saves.map { ($0.file, $0.token, $0.age + 1) } + [(0xF2, 0xA2, 0)]
        next.set("title", next.number, title.map { $0.digest } ?? 0)
        return next
    }

    /// An update of the title by device 1.
    func update(_ title: WireValue?, _ bytes: StampBytes) -> StampedSave {
        var now = record
        now.tag = "2"
        now.values["title"] = title
        now.edits = bytes.data
        return StampedSave(
            device: "device1", request: 0, name: "R", kind: .list, ident: "l1", former: record,
            now: now, sent: ["title"], mayBeEdited: ["title"])
    }

    /// What the judge says about an update with a part that may be wrong.
    static func rules(
        title: WireValue? = .text("bread"), _ change: (inout StampBytes) -> Void
    ) -> [String] {
        var list = StampedList()
        var bytes = list.next(title)
        change(&bytes)
        list.judge(list.update(title, bytes))
        return list.rules
    }

    /// What the judge says about an update that differs from a right one.
    static func rules(
        title: WireValue? = .text("bread"), bytes: (inout StampBytes) -> Void = { _ in },
        save change: (inout StampedSave) -> Void
    ) -> [String] {
        var list = StampedList()
        var next = list.next(title)
        bytes(&next)
        var save = list.update(title, next)
        change(&save)
        list.judge(save)
        return list.rules
    }

    /// What the judge says about an insertion of the list after its record was deleted.
    static func rulesOfReturn(_ change: (inout StampBytes) -> Void) -> [String] {
        var list = StampedList()
        list.bytes.chain = 0xC2
        list.bytes.number = 2
        list.bytes.origin = (0xC1, 1)
        list.bytes.saves = [(0xF1, 0xA2, 0)]
        change(&list.bytes)
        list.record.edits = list.bytes.data
        list.judge(list.insertion())
        return list.rules
    }
}
