import CoreData
import LocalCloud
import Seam3
import Testing

/// An attribute that was optional in a former model is required now, and the server's record lacks it.
@Suite("A required value that the server's record lacks") struct RequiredValueTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    /// The default of the required attribute.
    enum Default: CaseIterable {
        case none, some

        var value: NSNumber? { self == .none ? nil : 7 }
    }

    private static func model(isRequired: Bool, _ value: NSNumber?) -> NSManagedObjectModel {
        let rank = NSAttributeDescription("rank", .integer64AttributeType)
        rank.isOptional = !isRequired
        rank.defaultValue = isRequired ? value : nil
        let attributes = ["name", "note"].map { NSAttributeDescription($0, .stringAttributeType) }
        let size = NSAttributeDescription("size", .integer64AttributeType)
        return NSManagedObjectModel(NSEntityDescription("Plant", attributes + [rank, size]))
    }

    private static let former = model(isRequired: false, nil)

    private func set(_ key: String, _ value: Any?, on device: Device) throws {
        try device.edit { context in
            try #require(try Device.all("Plant", in: context).first).setValue(value, forKey: key)
        }
    }

    private func rank(on device: Device) throws -> Int? {
        try device.read { context in
            let plant = try #require(try Device.all("Plant", in: context).first)
            return (plant.value(forKey: "rank") as? NSNumber)?.intValue
        }
    }

    /// Two devices with an object without a rank, or with one.
    private func devices(
        _ policy: Policy, rank: Int? = nil
    ) async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, policy: policy, model: Self.former)
        let b = try Device("b", on: cloud, policy: policy, model: Self.former)
        var values: [String: Any] = ["name": "fern"]
        if let rank { values["rank"] = rank }
        try a.add("Plant", values)
        try await Device.settle(a, b)
        return (a, b)
    }

    /// Expects that all devices, and one that knows only the records, have the same rank.
    private func expectSame(_ a: Device, _ b: Device, _ model: NSManagedObjectModel) async throws {
        let fresh = try Device("fresh", on: cloud, model: model)
        try await Device.settle(a, b, fresh)
        for device in [a, b] { #expect(try rank(on: device) == rank(on: fresh)) }
        for device in [a, b] { try await device.store.sync(complete: true) }
        for device in [a, b] {
            #expect(try rank(on: device) == rank(on: fresh))
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "is sent if it was set before the attribute was required, whoever wins",
        arguments: Policy.allCases)
    func editedBefore(policy: Policy) async throws {
        let (a, b) = try await devices(policy)
        let model = Self.model(isRequired: true, 7)
        try set("rank", 10, on: b)
        try a.relaunch(model: model)
        try b.relaunch(model: model)
        try set("note", "by a", on: a)
        try await a.store.sync()
        try await b.store.sync()
        try await Device.settle(a, b)
        #expect(try rank(on: a) == 10)
        try await expectSame(a, b, model)
    }

    @Test(
        "is the same on all devices if two have different ones", arguments: Policy.allCases,
        Default.allCases)
    func different(policy: Policy, initial: Default) async throws {
        let (a, b) = try await devices(policy)
        let model = Self.model(isRequired: true, initial.value)
        for (device, value) in [(a, 1), (b, 2)] {
            try set("rank", value, on: device)
            try device.relaunch(model: model)
        }
        let old = try Device("old", on: cloud, policy: policy, model: Self.former)
        try await old.store.sync()
        try set("note", "by another", on: old)
        try await old.store.sync()
        try await expectSame(a, b, model)
    }

    @Test("cannot be removed by a batch update", arguments: ["nil", "size", "rank + size"])
    func batchUpdate(expression: String) throws {
        let device = try Device("a", on: cloud, model: Self.model(isRequired: true, nil))
        try device.add("Plant", ["name": "fern", "rank": 3])
        let request = NSBatchUpdateRequest(entityName: "Plant")
        request.propertiesToUpdate = ["rank": NSExpression(format: expression)]
        let error = #expect(throws: CocoaError.self) {
            try device.execute(request, as: NSBatchUpdateResult.self)
        }
        #expect(error?.code == .validationMissingMandatoryProperty)
        #expect(error?.localizedDescription == "Plant.rank is a required value.")
        #expect(try rank(on: device) == 3)
    }

    @Test("cannot be left out in favor of nil by a batch insertion, if it has a default")
    func batchInsertion() throws {
        let device = try Device("a", on: cloud, model: Self.model(isRequired: true, 7))
        let request = NSBatchInsertRequest(
            entityName: "Plant", objects: [["name": "fern"], ["name": "palm", "rank": NSNull()]])
        let error = #expect(throws: CocoaError.self) {
            try device.execute(request, as: NSBatchInsertResult.self)
        }
        #expect(error?.code == .validationMissingMandatoryProperty)
        let count = try device.read { try Device.all("Plant", in: $0).count }
        #expect(count == 0)
    }
}
