import Foundation
import Testing

@testable import Judge

@Suite("The judge's reader of edit stamps") struct RecordStampsTests {
    @Test("reads the versions, the saves and the stamps that the bytes have")
    func parts() {
        var bytes = StampBytes(chain: 7, number: 300, origin: (9, 299))
        bytes.saves = [(1, 2, 0), (3, 4, 298)]
        bytes.stamps = [("a", 300, 5), ("b", 0, nil), ("c", 2, 0)]
        let stamps = RecordStamps(bytes.data)
        #expect(stamps?.version == .init(chain: 7, number: 300))
        #expect(stamps?.origin == .init(chain: 9, number: 299))
        #expect(
            stamps?.saves == [1: .init(token: 2, version: 300), 3: .init(token: 4, version: 2)])
        let key = RecordStamps.key
        #expect(
            stamps?.stamps == [
                key("a"): .init(edit: 300, digest: 5), key("b"): .init(edit: 0, digest: nil),
                key("c"): .init(edit: 2, digest: 0),
            ])
    }

    @Test("refuses bytes that are not in the form in which they have to be written")
    func refused() {
        var bytes = StampBytes()
        bytes.stamps = [("a", 1, 5), ("b", 0, 6), ("c", 1, nil)]
        let right = bytes.data
        #expect(RecordStamps(right) != nil)
        // Whole stamps may be missing at the end, but no parts.
        let readable = (0...right.count).filter { RecordStamps(right.prefix($0)) != nil }
        #expect(readable.count == 4)
        func isRefused(_ change: (inout StampBytes) -> Void) -> Bool {
            var wrong = bytes
            change(&wrong)
            return RecordStamps(wrong.data) == nil
        }
        #expect(isRefused { $0.format = 2 })
        #expect(isRefused { $0.number = 1 << 62 })
        #expect(!isRefused { $0.number = 1 << 62 - 1 })
        #expect(isRefused { $0.origin = (9, 1) }, "the origin is not older")
        #expect(isRefused { $0.saves[0].age = 1 }, "a save before the first version")
        #expect(isRefused { $0.saves.append($0.saves[0]) }, "a file twice")
        #expect(isRefused { $0.saves = (0..<17).map { (UInt32($0), 1, 0) } })
        #expect(isRefused { $0.stamps.append($0.stamps[0]) }, "a field twice")
        let unsorted = ["a", "b", "c"].sorted {
            RecordStamps.key(of: $0) > RecordStamps.key(of: $1)
        }
        #expect(
            isRefused {
                $0.stamps = unsorted.map { ($0, 1, 1) }
                $0.isSorted = false
            })
        var long = StampBytes().data
        long[9] = 0x81
        long.insert(0, at: 10)
        #expect(RecordStamps(long) == nil, "a number in more bytes than it needs")
    }

    @Test(
        "finds a field by the first bytes of the SHA-256 of its name",
        arguments: [("name", 0x82a3_537f), ("SM_edits", 0xdf7f_f9ea), ("list_order", 0x6060_1e43)])
    func keys(name: String, key: Int) { #expect(RecordStamps.key(of: name) == UInt32(key)) }

    @Test("computes SHA-256 of data of every length")
    func hash() {
        func hex(_ count: Int) -> String {
            SecureHash.digest(Array(repeating: 0x61, count: count))
                .map { String(format: "%02x", $0) }.joined()
        }
        #expect(
            hex(0) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hex(56) == "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a")
        #expect(
            hex(1000) == "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
    }

    @Test("computes the digest of a value of each type")
    func digests() {
        let expected: [(WireValue, UInt32)] = [
            (.int(0), 0x5a8a_4662), (.int(-1), 0xd4a4_dffd), (.int(.max), 0x0bd1_8560),
            (.double(0), 0xa00b_5aec), (.double(-0.0), 0xa00b_5aec), (.double(1.5), 0xfec4_d875),
            (.text(""), 0x8123_3ffe), (.text("Home"), 0xde84_b900),
            (.text("Zürich 🏔"), 0x8598_f7f8), (.date(0), 0xee65_5e90),
            (.date(1_764_000_000_123), 0x7876_044a), (.data(Data()), 0x438e_082c),
            (.data(Data(0...8)), 0x7417_c590), (.reference("4B1D"), 0xfcfe_04ee),
            (.decimal(0.1, nil), 0xc7c2_219d),
            (.decimal(0.1, "0.1000000000000000000000000001"), 0x8371_e9a7),
        ]
        for (value, digest) in expected { #expect(value.digest == digest, "\(value)") }
        #expect(WireValue.unread.digest == nil)
    }
}
