import CoreData
import LocalCloud
import Seam3
import Testing

/// A new model stores a relationship in another place, and devices get it one after the other.
@Suite("A relationship that becomes to-many or to-one") struct RelationshipKindChangeTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    /// Two devices with a plant in a garden.
    private func devices(
        isToMany: Bool, _ policy: Policy = .serverRecordWins
    ) async throws -> (a: Device, b: Device) {
        try await Device.pairWithPlant(
            on: cloud, policy: policy, model: PlantModel.make(isToMany: isToMany))
    }

    /// Gives a device the new model, by an inferred migration or a mapping model.
    private func migrate(_ device: Device, isToMany: Bool, maps: Bool) throws {
        let (old, new) = (PlantModel.make(isToMany: !isToMany), PlantModel.make(isToMany: isToMany))
        guard maps else { return try device.relaunch(model: new) }
        try device.map(from: old, to: new)
    }

    private func plants(_ device: Device) throws -> [Int] {
        try device.read { context in
            try Device.all("Garden", in: context).map {
                ($0.value(forKey: "plants") as? NSSet)?.count ?? 0
            }
        }
    }

    @Test("keeps its pairs on all devices", arguments: [true, false])
    func kept(isToMany: Bool) async throws {
        let (a, b) = try await devices(isToMany: isToMany)
        let new = PlantModel.make(isToMany: !isToMany)
        try a.relaunch(model: new)
        try await a.store.sync()
        try b.relaunch(model: new)
        let fresh = try Device("fresh", on: cloud, model: new)
        try await Device.settle(b, a, fresh)
        for device in [a, b, fresh] {
            #expect(try plants(device) == [1])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
        for device in [a, b] { try await device.store.sync(complete: true) }
        for device in [a, b] { #expect(try plants(device) == [1]) }
    }

    @Test(
        "loses a pair that is removed here before the first sync, although another device has sent it",
        arguments: [false, true])
    func removed(maps: Bool) async throws {
        let (a, b) = try await devices(isToMany: false)
        for device in [a, b] { try migrate(device, isToMany: true, maps: maps) }
        try a.edit { context in
            for garden in try Device.all("Garden", in: context) {
                garden.setValue(NSSet(), forKey: "plants")
            }
        }
        try await b.store.sync()
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try plants(device) == [0]) }
    }

    @Test(
        "does not undo the deletion of an object that another device has sent",
        arguments: [true, false], Policy.allCases)
    func deleted(isToMany: Bool, policy: Policy) async throws {
        let (a, b) = try await devices(isToMany: isToMany, policy)
        try a.deleteAll("Plant")
        try await a.store.sync()
        try b.relaunch(model: PlantModel.make(isToMany: !isToMany))
        try await Device.settle(b, a)
        try a.relaunch(model: PlantModel.make(isToMany: !isToMany))
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try plants(device) == [0]) }
    }
}
