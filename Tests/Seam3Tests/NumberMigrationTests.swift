import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A double that becomes a decimal") struct NumberMigrationTests {
    let cloud = LocalCloud.inMemory()

    private static func model(_ type: NSAttributeType) -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription(
                "Item",
                [
                    NSAttributeDescription("name", .stringAttributeType),
                    NSAttributeDescription("price", type),
                ]))
    }

    private func price(_ device: Device) throws -> NSNumber? {
        try device.read { context in
            try #require(try Device.all("Item", in: context).first).value(forKey: "price")
                as? NSNumber
        }
    }

    static let numbers = [
        123456.789, 0.1, 0.1 + 0.2, 1.0 / 3, 0.12345678901234568, -2.0 / 3, 0, -19.99, 1e20,
        9_007_199_254_740_993, 1.7976931348623157e100, 4.35, 1e-7,
    ]

    @Test(
        "becomes the shortest one that makes the same double, and is the same for all devices",
        arguments: numbers)
    func exact(number: Double) async throws {
        let device = try Device("a", on: cloud, model: Self.model(.doubleAttributeType))
        try device.add("Item", ["name": "item", "price": NSNumber(value: number)])
        try await device.store.sync()
        try device.relaunch(model: Self.model(.decimalAttributeType))
        let expected = NSDecimalNumber(string: "\(number)")
        #expect(try price(device) == expected)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        try await device.store.sync()
        #expect(try price(device) == expected)
        let fresh = try Device("fresh", on: cloud, model: Self.model(.decimalAttributeType))
        try await fresh.store.sync()
        #expect(try price(fresh) == expected)
        // And back.
        try device.relaunch(model: Self.model(.doubleAttributeType))
        #expect(try price(device)?.doubleValue == number)
    }

    @Test("is refused if no decimal makes the same double", arguments: [1e200, -1e200, 1e-200])
    func refused(number: Double) throws {
        let device = try Device("a", on: cloud, model: Self.model(.doubleAttributeType))
        try device.add("Item", ["name": "item", "price": NSNumber(value: number)])
        let error = #expect(throws: CocoaError.self) {
            try device.relaunch(model: Self.model(.decimalAttributeType))
        }
        #expect(error?.code == .inferredMappingModel)
        try device.open(model: Self.model(.doubleAttributeType))
        #expect(try price(device)?.doubleValue == number)
    }
}
