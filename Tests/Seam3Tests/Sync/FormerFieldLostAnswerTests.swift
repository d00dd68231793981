import CoreData
import LocalCloud
import Seam3
import Testing

/// A device sets a property, gets no response, and gets a model in which the property has another field. Another
/// device, which has fetched the value, sets the property again.
@Suite("A property that moves to another field after a lost response", .allMigrationKinds)
struct FormerFieldLostAnswerTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    typealias Moved = FormerFieldConflictTests.Moved

    struct Case {
        let moved: Moved
        /// Whether the lost response is that of the object's insertion.
        let isNew: Bool
        /// Whether the model changes before the other device's edit.
        let isEarly: Bool
    }

    static let cases = Moved.allCases.flatMap { moved in
        [false, true].flatMap { isNew in
            [false, true].map { Case(moved: moved, isNew: isNew, isEarly: $0) }
        }
    }

    /// Long enough for the store to remember a digest of it only.
    private static let palm = String(repeating: "palm", count: 700)
    private let cloud = LocalCloud.inMemory()

    private func addPlant(to device: Device) throws {
        try device.edit { context in
            _ = NSEntityDescription.insertNewObject(forEntityName: "Plant", into: context)
        }
    }

    private func set(_ moved: Moved, _ name: String?, on device: Device) throws {
        try device.edit { context in
            let plant = try #require(Device.all("Plant", in: context).first)
            guard moved == .reference else { return plant.setValue(name, forKey: "name") }
            let garden = try Device.all("Garden", in: context).first {
                $0.value(forKey: "name") as? String == name
            }
            plant.setValue(garden, forKey: "garden")
        }
    }

    private func names(_ moved: Moved, on device: Device) throws -> [String?] {
        try device.read { context in
            try Device.all("Plant", in: context).map { plant in
                guard moved == .reference else { return plant.value(forKey: "name") as? String }
                let garden = plant.value(forKey: "garden") as? NSManagedObject
                return garden?.value(forKey: "name") as? String
            }
        }
    }

    /// The value "palm…" is sent and not answered, and the other device changes the object.
    private func devices(
        _ row: Case, _ policy: Policy, change: (Device) throws -> Void
    ) async throws -> (former: Device, updated: Device) {
        let (old, new) = (row.moved.model(isNew: false), row.moved.model(isNew: true))
        let former = try Device("former", on: cloud, policy: policy, model: old)
        let updated = try Device("updated", on: cloud, policy: policy, model: old)
        for name in ["fern", Self.palm, "ivy", "rose"] {
            _ = try former.add("Garden", ["name": name])
        }
        if !row.isNew {
            try addPlant(to: former)
            try set(row.moved, "fern", on: former)
        }
        try await Device.settle(former, updated)
        if row.isNew { try addPlant(to: updated) }
        try set(row.moved, Self.palm, on: updated)
        try await updated.syncLosingAnswer(on: cloud)
        if row.isEarly { try updated.relaunch(model: new) }
        try await former.store.sync()
        try change(former)
        try await former.store.sync()
        if !row.isEarly { try updated.relaunch(model: new) }
        return (former, updated)
    }

    private func expect(
        _ names: [String], _ moved: Moved, _ former: Device, _ updated: Device
    ) async throws {
        try await updated.store.sync()
        try former.relaunch(model: moved.model(isNew: true))
        try await Device.settle(former, updated)
        for device in [former, updated] {
            let found = try self.names(moved, on: device).compactMap { $0 }.sorted()
            #expect(found == names, "\(device.name)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0, "\(device.name)")
        }
    }

    @Test("has the other device's value", arguments: cases, Policy.ofEachKind)
    func laterEdit(row: Case, policy: Policy) async throws {
        let (former, updated) = try await devices(row, policy) { try set(row.moved, "ivy", on: $0) }
        try await expect(["ivy"], row.moved, former, updated)
    }

    @Test(
        "has the other device's value also if that one has moved it", arguments: cases,
        Policy.ofEachKind)
    func movedEdit(row: Case, policy: Policy) async throws {
        let (former, updated) = try await devices(row, policy) { try set(row.moved, "ivy", on: $0) }
        try former.relaunch(model: row.moved.model(isNew: true))
        try set(row.moved, "rose", on: former)
        try await former.store.sync()
        try await expect(["rose"], row.moved, former, updated)
    }

    @Test(
        "does not undo a deletion if the other device has only moved it", arguments: cases,
        Policy.ofEachKind)
    func movedValueOfDeleted(row: Case, policy: Policy) async throws {
        let (former, updated) = try await devices(row, policy) { former in
            try former.relaunch(model: row.moved.model(isNew: true))
        }
        try updated.deleteAll("Plant")
        try await expect([], row.moved, former, updated)
        for device in [former, updated] { #expect(try device.count("Plant") == 0) }
    }

    @Test("has no value if the other device has removed it", arguments: cases, Policy.ofEachKind)
    func laterRemoval(row: Case, policy: Policy) async throws {
        let (former, updated) = try await devices(row, policy) { try set(row.moved, nil, on: $0) }
        try await expect([], row.moved, former, updated)
        for device in [former, updated] { #expect(try device.count("Plant") == 1) }
    }

    @Test("is contested if it was set here as well since", arguments: cases, Policy.ofEachKind)
    func contested(row: Case, policy: Policy) async throws {
        let (former, updated) = try await devices(row, policy) { try set(row.moved, "ivy", on: $0) }
        try set(row.moved, "rose", on: updated)
        let names =
            switch policy {
            case .clientRecordWins, .mergeByPropertyClientWins: ["rose"]
            case .keepBoth: ["ivy", "rose"]
            default: ["ivy"]
            }
        try await expect(names, row.moved, former, updated)
    }

    @Test(
        "is gone with its object if the other device deletes that, unless it may not have known the value",
        arguments: cases, Policy.ofEachKind)
    func deletion(row: Case, policy: Policy) async throws {
        let (former, updated) = try await devices(row, policy) { try $0.deleteAll("Plant") }
        // A deleted record does not tell what it had, except that its object was inserted.
        let isKept = !row.isNew && policy != .serverRecordWins
        try await expect(isKept ? [Self.palm] : [], row.moved, former, updated)
        for device in [former, updated] { #expect(try device.count("Plant") == (isKept ? 1 : 0)) }
    }

    @Test("keeps an object that was set here as well since", arguments: cases, Policy.ofEachKind)
    func survival(row: Case, policy: Policy) async throws {
        let (former, updated) = try await devices(row, policy) { try $0.deleteAll("Plant") }
        try set(row.moved, "rose", on: updated)
        try await expect(policy == .serverRecordWins ? [] : ["rose"], row.moved, former, updated)
    }
}
