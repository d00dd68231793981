import CoreData
import SeededRandom
import Testing

@testable import Seam3

/// The vectors were computed by another program, from the format's description.
@Suite("Edit stamps") struct EditStampsTests {
    private static let least = EditStamps(chain: 0x0123_4567_89ab_cdef, version: 1)
    private static let full: EditStamps = {
        var stamps = EditStamps(chain: 0x0123_4567_89ab_cdef, version: 300)
        stamps.origin = .init(chain: 0xfedc_ba98_7654_3210, version: 7)
        stamps.note(.init(file: 0x9f3a_21c0, token: 0x1122_3344_5566_7788, version: 300))
        stamps.note(.init(file: 1, token: 1, version: 5))
        stamps.stamps = [
            EditStamps.key(ofField: "name"): .init(edit: 5, digest: 0xdead_beef),
            2: .init(edit: 0, digest: nil), .max: .init(edit: 300, digest: 0),
        ]
        return stamps
    }()
    private static let vectors: [(EditStamps, String)] = [
        (least, "01efcdab89674523010100"),
        (
            full,
            "81efcdab8967452301ac021032547698badcfe0702c0213a9f88776655443322110001000000010000000000"
                + "0000a70202000000d8047f53a382cf04efbeaddeffffffff0100000000"
        ),
    ]

    private static func data(_ digits: String) -> Data {
        var rest = digits[...]
        var data = Data()
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            data.append(byte)
            rest = rest.dropFirst(2)
        }
        return data
    }

    @Test("have the bytes that the format's description says", arguments: vectors)
    func vector(stamps: EditStamps, digits: String) {
        #expect(stamps.encoded == Self.data(digits))
        #expect(EditStamps(Self.data(digits)) == stamps)
    }

    @Test(
        "name a field by the first bytes of its SHA-256",
        arguments: [("name", 0x82a3_537f), ("SM_edits", 0xdf7f_f9ea), ("list_order", 0x6060_1e43)])
    func key(field: String, key: UInt32) {
        #expect(EditStamps.key(ofField: field) == key)
    }

    private static func random(_ random: inout SeededGenerator) -> EditStamps {
        let version =
            UInt64.random(in: 1...EditStamps.lastVersion, using: &random)
            >> UInt64.random(in: 0...61, using: &random) | 1
        var stamps = EditStamps(chain: random.next(), version: version)
        if Bool.random(using: &random) {
            stamps.origin = .init(
                chain: random.next(),
                version: .random(in: 1...EditStamps.lastVersion, using: &random))
        }
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            stamps.note(
                .init(
                    file: .random(in: 0...30, using: &random), token: random.next(),
                    version: .random(in: 1...version, using: &random)))
        }
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            stamps.stamps[.random(in: 0 ... .max, using: &random)] = .init(
                edit: .random(in: 0...version, using: &random),
                digest: Bool.random(using: &random) ? .random(in: 0 ... .max, using: &random) : nil)
        }
        return stamps
    }

    @Test("are the same after they were written and read", arguments: 0..<50 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let stamps = Self.random(&random)
        #expect(EditStamps(stamps.encoded) == stamps, "seed \(seed)")
    }

    @Test("are none if bytes are missing, and none if there are too many")
    func lengths() {
        let data = Self.full.encoded
        // A stamp that is missing as a whole leaves another valid field.
        let ends = [data.count - 8 - 1, data.count - 8 - 1 - 10, data.count - 8 - 1 - 10 - 6]
        for count in 0..<data.count where EditStamps(data.prefix(count)) != nil {
            #expect(ends.contains(count), "\(count) bytes")
        }
        for byte in UInt8.min...UInt8.max { #expect(EditStamps(data + [byte]) == nil) }
    }

    @Test(
        "that are read from any bytes are written as these bytes",
        arguments: 0..<50 as Range<UInt64>)
    func hostile(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var data = Self.random(&random).encoded
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                data[.random(in: data.indices, using: &random)] = .random(
                    in: 0 ... .max, using: &random)
            }
            if Bool.random(using: &random) {
                data.removeSubrange(.random(in: data.indices, using: &random)...)
            }
            guard let stamps = EditStamps(data) else { continue }
            #expect(stamps.encoded == data, "seed \(seed)")
        }
    }

    @Test("are none with a version of 0, or one that is too large")
    func versions() {
        let head = Self.data("01efcdab8967452301")
        #expect(EditStamps(head + [0, 0]) == nil)
        let most = Data(repeating: 0xFF, count: 8)
        #expect(EditStamps(head + most + [0x3F, 0])?.version == EditStamps.lastVersion)
        #expect(EditStamps(head + most + [0x40, 0]) == nil)
        #expect(EditStamps(head + most + [0xFF, 0x01, 0]) == nil)
    }

    @Test("remember the last save of each file, and forget the smallest version beyond 16")
    func saves() {
        var stamps = EditStamps(chain: 1, version: 40)
        for file in 1...17 as ClosedRange<UInt32> {
            stamps.note(.init(file: file, token: 0, version: UInt64(file == 9 ? 1 : 20 + file)))
        }
        #expect(stamps.saves.map(\.file) == Array(1...8) + Array(10...17))
        stamps.note(.init(file: 3, token: 5, version: 40))
        #expect(stamps.saves.count == 16)
        #expect(stamps.saves.filter { $0.file == 3 } == [.init(file: 3, token: 5, version: 40)])
    }

    @Test("take 250 bytes at most for 20 fields and three files")
    func size() {
        var stamps = EditStamps(chain: .max, version: 60)
        for file in 1...3 as ClosedRange<UInt32> {
            stamps.note(.init(file: file, token: .max, version: 50))
        }
        for field in 0..<20 {
            stamps.stamps[EditStamps.key(ofField: "field\(field)")] = .init(edit: 1, digest: .max)
        }
        #expect(stamps.encoded.count <= 250)
    }

    @Test("are readable: the version, who saved it, and which fields were edited")
    func readable() throws {
        let edits = try #require(
            SMRecordEdits(Self.full.encoded, fields: ["name", "other", "SM_edits"]))
        #expect(edits.edits == ["name": 5])
        #expect(edits.saves.map(\.file) == ["9f3a21c0", "00000001"])
        #expect(
            "\(edits)" == "version 300, saved by 9f3a21c0 (300), 00000001 (5); edited: name (5)")
        #expect(SMRecordEdits(Data([2]), fields: []) == nil)
    }
}
