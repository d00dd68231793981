import CoreData
import LocalCloud
import Seam3
import Testing

/// A device sends a new object, gets no response, and gets a model with another attribute. Another device, which has
/// fetched the object, deletes it.
@Suite("A new object that is migrated after a lost response", .allMigrationKinds)
struct MigratedInsertionTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    enum Addition: CaseIterable {
        case optional, optionalWithDefault, required
    }

    private static func model(with addition: Addition?) -> NSManagedObjectModel {
        let plant = NSEntityDescription(
            "Plant", [NSAttributeDescription("name", .stringAttributeType)])
        if let addition {
            let kind = NSAttributeDescription("kind", .stringAttributeType)
            kind.isOptional = addition != .required
            if addition != .optional { kind.defaultValue = "plain" }
            plant.properties.append(kind)
        }
        return NSManagedObjectModel(plant)
    }

    private let cloud = LocalCloud.inMemory()

    private func devices(
        _ addition: Addition, _ policy: Policy
    ) async throws -> (former: Device, updated: Device) {
        let former = try Device(
            "former", on: cloud, policy: policy, model: Self.model(with: nil))
        let updated = try Device(
            "updated", on: cloud, policy: policy, model: Self.model(with: nil))
        try await Device.settle(former, updated)
        _ = try updated.add("Plant", ["name": "fern"])
        try await updated.syncLosingAnswer(on: cloud)
        try await former.store.sync()
        try former.deleteAll("Plant")
        try await former.store.sync()
        try updated.relaunch(model: Self.model(with: addition))
        return (former, updated)
    }

    @Test(
        "stays deleted if another device deletes it", arguments: Addition.allCases, Policy.allCases)
    func deletion(addition: Addition, policy: Policy) async throws {
        let (former, updated) = try await devices(addition, policy)
        try await Device.settle(updated, former)
        for device in [former, updated] { #expect(try device.count("Plant") == 0) }
    }

    @Test(
        "comes back if its new attribute was set before", arguments: Addition.allCases,
        Policy.allCases)
    func edit(addition: Addition, policy: Policy) async throws {
        let (former, updated) = try await devices(addition, policy)
        try updated.edit { context in
            try #require(Device.all("Plant", in: context).first).setValue("rare", forKey: "kind")
        }
        try await Device.settle(updated, former)
        let count = policy == .serverRecordWins ? 0 : 1
        for device in [former, updated] { #expect(try device.count("Plant") == count) }
    }
}
