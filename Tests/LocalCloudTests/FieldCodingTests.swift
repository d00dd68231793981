import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

@Suite("The stored form of fields")
struct FieldCodingTests {
    private let fields: Fields = [
        "s": RecordFieldDictionary(.string("ü"), isEncrypted: true),
        "l": RecordFieldDictionary(.list([.timestamp(1), .timestamp(-1)])),
        "e": RecordFieldDictionary(.list([])),
        "a": RecordFieldDictionary(
            .asset(AssetDictionary(fileChecksum: "c", size: 5, receipt: "r"))),
        "p": RecordFieldDictionary(
            .location(LocationDictionary(latitude: 1, longitude: 2, course: -1))),
    ]

    @Test("Fields come back unchanged")
    func roundTrip() throws {
        #expect(try FieldCoding.decode(FieldCoding.encode(fields)) == fields)
    }

    @Test("Every truncated form is an error and not a crash")
    func damaged() {
        let data = FieldCoding.encode(fields)
        for count in 0..<data.count {
            #expect(throws: FieldCoding.DamagedFields.self) {
                try FieldCoding.decode(data.prefix(count))
            }
        }
    }

    @Test("Nested lists, however deep, are damage")
    func nestedLists() {
        // Version 1, one field named "a", and nested lists.
        var bytes: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 0, 0, 0x61]
        for _ in 0..<100_000 { bytes += [9, 1, 0, 0, 0] }
        #expect(throws: FieldCoding.DamagedFields.self) {
            try FieldCoding.decode(Data(bytes))
        }
    }
}
