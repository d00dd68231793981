import CoreData
import LocalCloud
import Seam3
import Testing

/// A device whose store a mapping model has migrated, and another device's changes that it has yet to fetch.
@Suite("What a mapping model changes counts as nobody's edit:") struct MappedMigrationEditTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    /// What the new model changes.
    enum Change: CaseIterable {
        case becomesRequired, hasAnotherField, becomesSynced, becomesOrdered

        /// - Parameter hasHeight: Whether it is the model of a second migration.
        func model(isNew: Bool, hasHeight: Bool = false) -> NSManagedObjectModel {
            let rank = NSAttributeDescription("rank", .integer64AttributeType)
            switch self {
            case .becomesRequired where isNew:
                rank.isOptional = false
                rank.defaultValue = 7
            case .hasAnotherField where isNew:
                rank.userInfo = [SMStore.SMFieldNameUserInfoKey: "rank2"]
            case .becomesSynced where !isNew:
                rank.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
            default: break
            }
            let plant = NSEntityDescription(
                "Plant", [NSAttributeDescription("name", .stringAttributeType), rank])
            if hasHeight {
                plant.properties.append(NSAttributeDescription("height", .doubleAttributeType))
            }
            let garden = NSEntityDescription("Garden")
            NSRelationshipDescription.join((garden, "plants", 0), (plant, "garden", 1))
            garden.relationshipsByName["plants"]?.isOrdered = self == .becomesOrdered && isNew
            return NSManagedObjectModel(plant, garden)
        }
    }

    private func migrate(_ device: Device, _ change: Change) throws {
        try device.map(from: change.model(isNew: false), to: change.model(isNew: true))
    }

    /// Two devices with a plant in a garden. Its rank is nil if the new model requires one.
    private func devices(_ policy: Policy, _ change: Change) async throws -> (a: Device, b: Device)
    {
        let (a, b) = try await Device.pairWithPlant(
            on: cloud, policy: policy, model: change.model(isNew: false),
            rank: change == .becomesRequired ? nil : 5)
        if change == .becomesSynced { try set("rank", 5, on: b) }
        return (a, b)
    }

    private func set(_ key: String, _ value: Any?, on device: Device) throws {
        try device.edit { context in
            try #require(try Device.all("Plant", in: context).first).setValue(value, forKey: key)
        }
    }

    private func values(_ key: String, on device: Device) throws -> [String] {
        try device.read { context in
            try Device.all("Plant", in: context).map { "\($0.value(forKey: key) ?? "nil")" }
        }
    }

    @Test("it does not undo a deletion", arguments: Change.allCases, Policy.allCases)
    func deletion(change: Change, policy: Policy) async throws {
        let (a, b) = try await devices(policy, change)
        try a.deleteAll("Plant")
        try await a.store.sync()
        try migrate(b, change)
        try await Device.settle(b, a)
        for device in [a, b] { #expect(try values("name", on: device) == []) }
    }

    @Test(
        "it does not bring back an object that was deleted after its answer was lost",
        arguments: Change.allCases, Policy.allCases)
    func deletionAfterLostAnswer(change: Change, policy: Policy) async throws {
        let device = try Device(on: cloud, policy: policy, model: change.model(isNew: false))
        try device.add("Plant", ["name": "fern", "rank": 5])
        try await device.syncLosingAnswer(on: cloud)
        try device.deleteAll("Plant")
        try migrate(device, change)
        try await device.store.sync()
        #expect(try values("name", on: device) == [])
        #expect(try await RawClient(cloud).records(ofType: "Plant").isEmpty)
    }

    @Test(
        "it does not bring back an object that was edited and deleted after its server was forgotten",
        arguments: Change.allCases, Policy.allCases)
    func deletionAfterForgottenServer(change: Change, policy: Policy) async throws {
        let (a, b) = try await devices(policy, change)
        try b.store.resetCloudFieldsInBackingStore()
        try set("name", "palm", on: b)
        try b.deleteAll("Plant")
        try migrate(b, change)
        try await Device.settle(b, a)
        for device in [a, b] { #expect(try values("name", on: device) == []) }
    }

    @Test(
        "it does not bring back an object that was deleted before an earlier migration's changes were sent",
        arguments: Change.allCases, Policy.allCases)
    func deletionAfterMigration(change: Change, policy: Policy) async throws {
        let (a, b) = try await devices(policy, change)
        try migrate(b, change)
        try b.deleteAll("Plant")
        try b.map(
            from: change.model(isNew: true), to: change.model(isNew: true, hasHeight: true))
        try await RawClient(cloud).touchRecords(ofType: "Plant")
        try await Device.settle(b, a)
        for device in [a, b] { #expect(try values("name", on: device) == []) }
    }

    @Test("it does not keep an object from another device's edit", arguments: Policy.allCases)
    func edit(policy: Policy) async throws {
        let (a, b) = try await devices(policy, .becomesRequired)
        try set("rank", 20, on: a)
        try await a.store.sync()
        try migrate(b, .becomesRequired)
        try await Device.settle(b, a)
        try a.relaunch(model: Change.becomesRequired.model(isNew: true))
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try values("rank", on: device) == ["20"]) }
    }

    @Test(
        "it is still sent, and so is what waited before", arguments: Change.allCases,
        Policy.allCases)
    func sent(change: Change, policy: Policy) async throws {
        let (a, b) = try await devices(policy, change)
        try set("name", "palm", on: b)
        try migrate(b, change)
        try await b.store.sync()
        let fresh = try Device("fresh", on: cloud, model: change.model(isNew: true))
        try await fresh.store.sync()
        #expect(try values("name", on: fresh) == ["palm"])
        #expect(try values("rank", on: fresh) == values("rank", on: b))
        try await Device.settle(a, b)
        #expect(try values("name", on: a) == ["palm"])
    }

    @Test("an edit that waited before remains one", arguments: Change.allCases)
    func waiting(change: Change) async throws {
        let (a, b) = try await devices(.mergeByProperty, change)
        try set("name", "palm", on: b)
        try a.deleteAll("Plant")
        try await a.store.sync()
        try migrate(b, change)
        try await Device.settle(b, a)
        for device in [a, b] { #expect(try values("name", on: device) == ["palm"]) }
    }
}
