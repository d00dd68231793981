import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Invariant 13: every attribute type reaches a second device") struct InvariantAttributeTests
{
    /// An attribute type with the values that are hard for it.
    struct Case: @unchecked Sendable, CustomTestStringConvertible {
        // Unchecked because the values are Foundation's immutable ones.

        let name: String
        let type: NSAttributeType
        var isExternal = false
        let values: [NSObject]

        var testDescription: String { name }
    }

    private static func numbers<N: FixedWidthInteger>(_: N.Type) -> [NSObject] {
        [N.min, -1, 0, 1, N.max].map { NSNumber(value: Int64($0)) }
    }

    private static func decimals(_ texts: String...) -> [NSObject] {
        texts.map { NSDecimalNumber(string: $0) }
    }

    static let cases: [Case] = [
        Case(name: "Integer 16", type: .integer16AttributeType, values: numbers(Int16.self)),
        Case(name: "Integer 32", type: .integer32AttributeType, values: numbers(Int32.self)),
        Case(name: "Integer 64", type: .integer64AttributeType, values: numbers(Int64.self)),
        Case(
            name: "Boolean", type: .booleanAttributeType,
            values: [NSNumber(value: true), NSNumber(value: false)]),
        Case(
            name: "Double", type: .doubleAttributeType,
            values: [
                0, -1.5, .pi, 0.1, 1e-300, Double.greatestFiniteMagnitude,
                -Double.greatestFiniteMagnitude, Double.leastNormalMagnitude, 9_007_199_254_740_991,
            ].map { NSNumber(value: $0) }),
        Case(
            name: "Float", type: .floatAttributeType,
            values: [
                0, -1.5, .pi, 0.1, Float.greatestFiniteMagnitude, Float.leastNormalMagnitude,
            ].map { NSNumber(value: $0) }),
        Case(
            name: "Decimal", type: .decimalAttributeType,
            values: decimals(
                "0", "1.50", "-0.1", "19.99", "12345678901234567890", "1234567890.0123456789",
                "99999999999999999999999999999999999999",
                "0.00000000000000000000000000000000000001",
                "-12345678901234567890.123456789012345678", "1e100")),
        Case(
            name: "String", type: .stringAttributeType,
            values: [
                "", " ", "plain", "👩‍👩‍👧‍👦🏳️‍🌈", "e\u{301} é", "שלום", "a\u{0}b", "'; DROP TABLE x; --",
                String(repeating: "long ", count: 50_000),
            ].map { NSString(string: $0) }),
        Case(
            name: "Date", type: .dateAttributeType,
            values: [
                -62_135_596_800, -2_208_988_800, -0.001, 0, 0.001, 978_307_200, 1_700_000_000.123,
                253_402_300_799.999,
            ].map { NSDate(timeIntervalSince1970: $0) }),
        Case(
            name: "Binary", type: .binaryDataAttributeType,
            values: [
                Data(), Data([0]), Data((0...255).map { UInt8($0) }),
                Data(repeating: 0xAB, count: 2_000_000),
            ].map { NSData(data: $0) }),
        Case(
            name: "Binary, external", type: .binaryDataAttributeType, isExternal: true,
            values: [Data(), Data([0]), Data(repeating: 7, count: 300_000)].map { NSData(data: $0) }
        ),
        Case(
            name: "Transformable", type: .transformableAttributeType,
            values: [
                NSArray(array: [NSString(string: "a"), NSNumber(value: 2)]), NSArray(),
                NSString(string: "text"),
                NSDictionary(dictionary: ["k": NSNumber(value: 1), "l": NSString(string: "v")]),
            ]),
    ]

    private static func model(_ example: Case) -> NSManagedObjectModel {
        let value = NSAttributeDescription("value", example.type)
        value.allowsExternalBinaryDataStorage = example.isExternal
        return NSManagedObjectModel(
            NSEntityDescription(
                "Item", [NSAttributeDescription("index", .integer64AttributeType), value]))
    }

    private func devices(_ model: () -> NSManagedObjectModel) throws -> (Device, Device) {
        let cloud = LocalCloud.inMemory()
        return (
            try Device("a", on: cloud, model: model()), try Device("b", on: cloud, model: model())
        )
    }

    /// The values of the items by their index, as the device reads them.
    private func values(on device: Device) throws -> [Int: Any?] {
        try device.read { context in
            var values: [Int: Any?] = [:]
            for item in try Device.all("Item", in: context) {
                values[item.value(forKey: "index") as? Int ?? -1] = item.value(forKey: "value")
            }
            return values
        }
    }

    @Test("with its hard values, and as nil", arguments: cases)
    func roundTrip(example: Case) async throws {
        let (a, b) = try devices { Self.model(example) }
        for (index, value) in example.values.enumerated() {
            try a.add("Item", ["index": index, "value": value])
        }
        try a.add("Item", ["index": -1])
        try await Device.settle(a, b)
        let received = try values(on: b)
        for (index, value) in example.values.enumerated() {
            let found = try #require(received[index] ?? nil)
            #expect(
                (found as? NSObject)?.isEqual(value) == true || "\(found)" == "\(value)",
                "\(example.name): \(String("\(value)".prefix(80))) became \(String("\(found)".prefix(80)))"
            )
        }
        #expect(received[-1].flatMap { $0 } == nil)
        // What has a value becomes nil, and what had none gets one.
        try b.edit { context in
            for item in try Device.all("Item", in: context) {
                let isNil = item.value(forKey: "value") == nil
                item.setValue(isNil ? example.values.last : nil, forKey: "value")
            }
        }
        let summary = try await b.store.sync()
        #expect(summary.savedRecordCount == example.values.count + 1)
        try await a.store.sync()
        let returned = try values(on: a)
        for index in example.values.indices { #expect(returned[index].flatMap { $0 } == nil) }
        #expect(returned[-1].flatMap { $0 } != nil)
    }

    @Test(
        "and an object that is saved without a change of a value queues nothing", arguments: cases)
    func unchanged(example: Case) async throws {
        let (a, b) = try devices { Self.model(example) }
        for (index, value) in example.values.enumerated()
        where ((value as? NSData)?.length ?? 0) < 1_000_000 {
            try a.add("Item", ["index": index, "value": value])
        }
        try await Device.settle(a, b)
        try b.edit { context in
            for item in try Device.all("Item", in: context) {
                item.setValue(item.value(forKey: "index"), forKey: "index")
                let value = item.value(forKey: "value")
                item.setValue(value, forKey: "value")
            }
        }
        #expect(try b.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("UUID and URI as strings")
    func identifiers() async throws {
        func model() -> NSManagedObjectModel {
            NSManagedObjectModel(
                NSEntityDescription(
                    "Item",
                    [
                        NSAttributeDescription("uuid", .UUIDAttributeType),
                        NSAttributeDescription("uri", .URIAttributeType),
                    ]))
        }
        let (a, b) = try devices(model)
        let zero = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
        let values: [(UUID, String)] = [
            (UUID(), "https://example.com/a%20b?c=d&e=f#g"), (zero, "mailto:a@example.com"),
            (UUID(), "file:///tmp/x"), (UUID(), "relative/path"),
        ]
        for (uuid, text) in values {
            try a.add("Item", ["uuid": uuid, "uri": try #require(URL(string: text))])
        }
        try await Device.settle(a, b)
        let received = try b.read { context in
            Dictionary(
                uniqueKeysWithValues: try Device.all("Item", in: context).map {
                    ($0.value(forKey: "uuid") as? UUID, $0.value(forKey: "uri") as? URL)
                })
        }
        #expect(received.count == values.count)
        for (uuid, text) in values { #expect(received[uuid] == URL(string: text)) }
    }

    @Test(
        "NaN and infinity stay here, and are no change elsewhere",
        arguments: [Double.nan, .infinity])
    func notANumber(number: Double) async throws {
        let example = Case(name: "Double", type: .doubleAttributeType, values: [])
        let (a, b) = try devices { Self.model(example) }
        try a.add("Item", ["index": 1, "value": number])
        try await Device.settle(a, b)
        #expect(try values(on: b)[1].flatMap { $0 } == nil)
        try b.edit { context in
            try Device.all("Item", in: context).first?.setValue(1, forKey: "index")
        }
        try await Device.settle(b, a)
        let kept = try #require(try values(on: a)[1] as? Double)
        #expect(kept.isNaN == number.isNaN && kept.isInfinite == number.isInfinite)
    }

    @Test("two large binary attributes, whichever of them grows, shrinks or goes")
    func twoLargeAttributes() async throws {
        func model() -> NSManagedObjectModel {
            NSManagedObjectModel(
                NSEntityDescription(
                    "Item",
                    [
                        NSAttributeDescription("first", .binaryDataAttributeType),
                        NSAttributeDescription("second", .binaryDataAttributeType),
                    ]))
        }
        let (a, b) = try devices(model)
        func data(_ kilobytes: Int) -> Data { Data(repeating: 1, count: kilobytes * 1000) }
        try a.add("Item", ["first": data(600), "second": data(500)])
        let steps: [(String, Data?)] = [
            ("second", nil), ("first", nil), ("first", data(600)), ("second", data(650)),
            ("first", data(1)), ("second", data(2)), ("first", nil),
        ]
        for (key, value) in steps {
            try a.edit { try Device.all("Item", in: $0).first?.setValue(value, forKey: key) }
            try await Device.settle(a, b)
            let both = try [a, b].map { device in
                try device.read { context -> [Data?] in
                    let item = try #require(try Device.all("Item", in: context).first)
                    return ["first", "second"].map { item.value(forKey: $0) as? Data }
                }
            }
            #expect(both[0] == both[1])
        }
    }

    @Test("and a type that CloudKit has no counterpart for is refused by its name")
    func refusal() throws {
        let model = NSManagedObjectModel(
            NSEntityDescription("Item", [NSAttributeDescription("odd", .objectIDAttributeType)]))
        let error = #expect(throws: SMStoreError.self) {
            try Device(on: LocalCloud.inMemory(), model: model)
        }
        #expect(error?.description.contains("Item.odd") == true)
    }
}
