import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Invariant 13: every attribute type reaches a second device") struct InvariantAttributeTests
{
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

    @Test("with its hard values, and as nil", arguments: EdgeValues.all)
    func roundTrip(example: EdgeValues) async throws {
        let (a, b) = try devices { example.model() }
        for (index, value) in example.values.enumerated() {
            try a.add("Item", ["index": index, "value": value])
        }
        try a.add("Item", ["index": -1])
        try await Device.settle(a, b)
        let received = try values(on: b)
        for (index, value) in example.values.enumerated() {
            let found = try #require(received[index] ?? nil)
            #expect(
                EdgeValues.isSame(found, value)
                    || !(value is NSString) && "\(found)" == "\(value)",
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
        "and an object that is saved without a change of a value queues nothing",
        arguments: EdgeValues.all)
    func unchanged(example: EdgeValues) async throws {
        let (a, b) = try devices { example.model() }
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

    @Test(
        "NaN and infinity stay here, and are no change elsewhere",
        arguments: [Double.nan, .infinity])
    func notANumber(number: Double) async throws {
        let example = EdgeValues(name: "Double", type: .doubleAttributeType, values: [])
        let (a, b) = try devices { example.model() }
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
