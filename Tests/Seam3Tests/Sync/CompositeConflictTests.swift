import CoreData
import LocalCloud
import Seam3
import Testing

/// A composite attribute is one property, as in Core Data's merge policies.
@Suite("A composite attribute that two devices have changed") struct CompositeConflictTests {
    let cloud = LocalCloud.inMemory()

    private static func model() -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription(
                "Pin",
                [
                    NSAttributeDescription("name", .stringAttributeType),
                    .composite(
                        "spot",
                        [
                            NSAttributeDescription("label", .stringAttributeType),
                            NSAttributeDescription("number", .integer64AttributeType),
                        ]),
                ]))
    }

    private func device(_ name: String, _ policy: SMSyncConflictResolutionPolicy) throws -> Device {
        try Device(name, on: cloud, policy: policy, model: Self.model())
    }

    private func set(_ values: [String: Any], on device: Device) throws {
        try device.edit { context in
            try Device.all("Pin", in: context)[0].setValuesForKeys(values)
        }
    }

    private func pin(on device: Device) throws -> (name: String?, spot: NSDictionary?) {
        try device.read { context in
            context.refreshAllObjects()
            let pin = try Device.all("Pin", in: context)[0]
            return (
                pin.value(forKey: "name") as? String, pin.value(forKey: "spot") as? NSDictionary
            )
        }
    }

    @Test(
        "is that of one of them",
        arguments: [
            (SMSyncConflictResolutionPolicy.mergeByProperty, ["label": "b", "number": 2]),
            (.mergeByPropertyClientWins, ["label": "a"]),
        ] as [(SMSyncConflictResolutionPolicy, [String: any Sendable])])
    func whole(policy: SMSyncConflictResolutionPolicy, spot: [String: any Sendable]) async throws {
        let (a, b) = (try device("a", policy), try device("b", policy))
        try a.add("Pin", ["name": "old"])
        try await Device.settle(a, b)
        try set(["spot": ["label": "b", "number": 2]], on: b)
        try await b.store.sync()
        try set(["spot": ["label": "a"], "name": "new"], on: a)
        try await Device.settle(a, b)
        for device in [a, b] {
            let pin = try pin(on: device)
            #expect(pin.spot == spot as NSDictionary)
            #expect(pin.name == "new")
        }
    }

    @Test("is merged with another one")
    func another() async throws {
        let (a, b) = (try device("a", .mergeByProperty), try device("b", .mergeByProperty))
        try a.add("Pin", ["name": "old", "spot": ["label": "old", "number": 1]])
        try await Device.settle(a, b)
        try set(["name": "new"], on: b)
        try await b.store.sync()
        try set(["spot": ["label": "a", "number": 1]], on: a)
        try await Device.settle(a, b)
        for device in [a, b] {
            let pin = try pin(on: device)
            #expect(pin.spot == ["label": "a", "number": 1])
            #expect(pin.name == "new")
        }
    }
}
