import CloudKit
import CoreData
import Testing

@testable import Seam3

/// The vectors were computed by another program, from the format's description.
@Suite("The digest of a field's value") struct FieldDigestTests {
    private static let vectors: [(digest: UInt32, expected: UInt32)] = [
        (FieldDigest.of(Int64(0)), 0x5a8a_4662), (FieldDigest.of(Int64(-1)), 0xd4a4_dffd),
        (FieldDigest.of(Int64.max), 0x0bd1_8560), (FieldDigest.of(0.0), 0xa00b_5aec),
        (FieldDigest.of(-0.0), 0xa00b_5aec), (FieldDigest.of(1.5), 0xfec4_d875),
        (FieldDigest.of(-1e300), 0x9e95_9b91), (FieldDigest.of(""), 0x8123_3ffe),
        (FieldDigest.of("Home"), 0xde84_b900), (FieldDigest.of("Zürich 🏔"), 0x8598_f7f8),
        (FieldDigest.of(Date(timeIntervalSince1970: 0)), 0xee65_5e90),
        (FieldDigest.of(Date(timeIntervalSince1970: 1_764_000_000.123)), 0x7876_044a),
        (FieldDigest.of(Data()), 0x438e_082c), (FieldDigest.of(Data(0...8)), 0x7417_c590),
        (FieldDigest.of(referenceTo: "4B1D"), 0xfcfe_04ee),
        (FieldDigest.of(decimal: 0.1, digits: nil), 0xc7c2_219d),
        (FieldDigest.of(decimal: 0.1, digits: "0.1000000000000000000000000001"), 0x8371_e9a7),
    ]

    @Test("never changes", arguments: vectors)
    func vector(digest: UInt32, expected: UInt32) {
        #expect(digest == expected)
    }

    private static func mapping(
        _ attributes: [NSAttributeDescription]
    ) throws -> RecordMapping {
        let model = NSManagedObjectModel(NSEntityDescription("Note", attributes))
        let schema = StoreSchema(model: model, configuration: nil, assignedNames: AssignedNames())
        return try #require(RecordMappings(schema).mapping(recordType: "Note"))
    }

    private static func digest(
        _ type: NSAttributeType, isEncrypted: Bool = false, _ fill: (CKRecord) -> Void
    ) throws -> UInt32? {
        let attribute = NSAttributeDescription("a", type)
        attribute.allowsCloudEncryption = isEncrypted
        let mapping = try mapping([attribute])
        let record = CKRecord(recordType: "Note")
        fill(record)
        return try #require(mapping.stampedFields.first).digest(in: record)
    }

    @Test("is that of nothing if the field is absent")
    func absent() throws {
        for type in [
            .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .booleanAttributeType, .doubleAttributeType, .floatAttributeType,
            .decimalAttributeType, .stringAttributeType, .URIAttributeType, .UUIDAttributeType,
            .dateAttributeType, .binaryDataAttributeType, .transformableAttributeType,
        ] as [NSAttributeType] {
            #expect(try Self.digest(type) { _ in } == FieldDigest.ofNothing, "\(type)")
        }
    }

    @Test("is that of the value in the record")
    func present() throws {
        #expect(
            try Self.digest(.integer16AttributeType) { $0["a"] = Int64(7) }
                == FieldDigest.of(Int64(7)))
        #expect(try Self.digest(.doubleAttributeType) { $0["a"] = 7.0 } == FieldDigest.of(7.0))
        #expect(try Self.digest(.stringAttributeType) { $0["a"] = "x" } == FieldDigest.of("x"))
        let date = Date(timeIntervalSince1970: 12.5)
        #expect(try Self.digest(.dateAttributeType) { $0["a"] = date } == FieldDigest.of(date))
        #expect(
            try Self.digest(.binaryDataAttributeType) { $0["a"] = Data([1]) }
                == FieldDigest.of(Data([1])))
        #expect(
            try Self.digest(.decimalAttributeType) {
                $0["a"] = 0.1
                $0["a_decimal"] = "0.10000000000000000001"
            } == FieldDigest.of(decimal: 0.1, digits: "0.10000000000000000001"))
    }

    @Test(
        "is the same for data in the record and in an asset, which is read in parts",
        arguments: [0, 3, 8, 1_048_576, 1_048_581, 3_145_727])
    func asset(count: Int) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: url) }
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 + $0 >> 8) })
        try data.write(to: url)
        #expect(
            try Self.digest(.binaryDataAttributeType) { $0["a_asset"] = CKAsset(fileURL: url) }
                == FieldDigest.of(data))
    }

    @Test("of a date beyond those that the server has is that of the last one")
    func farDates() {
        let (last, first) = (
            Date(timeIntervalSince1970: 1e300), Date(timeIntervalSince1970: -1e300)
        )
        #expect(
            FieldDigest.of(last) == FieldDigest.of(Date(timeIntervalSince1970: 0x1p63 / 1000)))
        #expect(
            FieldDigest.of(first) == FieldDigest.of(Date(timeIntervalSince1970: -0x1p63 / 1000)))
        #expect(FieldDigest.of(last) != FieldDigest.of(first))
    }

    @Test("does not exist for an encrypted value, which it would tell something about")
    func encrypted() throws {
        #expect(
            try Self.digest(.stringAttributeType, isEncrypted: true) {
                $0.encryptedValues["a"] = "secret"
            } == nil)
    }
}
