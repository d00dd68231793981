import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// One device gets a new version of the model, and writes what the former version cannot hold. The
/// other one reads it with the former version, and gets the new version then.
@Suite("What a device has read with a former model that cannot hold it") struct UnreadValueTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    /// An attribute that changes, and the value that the former model cannot hold.
    struct Change: Sendable, CustomTestStringConvertible {
        enum Value: Sendable {
            case uuid, url, text(String), float(Float), double(Double), integer(Int64), flag(Bool)
            case decimal(String), none

            var object: Any? {
                switch self {
                case .uuid: return UUID()
                case .url: return URL(string: "https://example.com/a")
                case .text(let text): return text
                case .float(let number): return NSNumber(value: number)
                case .double(let number): return NSNumber(value: number)
                case .integer(let number): return NSNumber(value: number)
                case .flag(let flag): return NSNumber(value: flag)
                case .decimal(let digits): return NSDecimalNumber(string: digits)
                case .none: return nil
                }
            }
        }

        let testDescription: String
        let types: (old: NSAttributeType, new: NSAttributeType)
        let first: Value
        let second: Value
        /// The default of a former model that requires a value.
        var required: Value?

        init(
            _ name: String, _ old: NSAttributeType, _ new: NSAttributeType, _ first: Value,
            _ second: Value, required: Value? = nil
        ) {
            testDescription = name
            types = (old, new)
            (self.first, self.second, self.required) = (first, second, required)
        }

        func model(isNew: Bool) -> NSManagedObjectModel {
            let value = NSAttributeDescription("value", isNew ? types.new : types.old)
            if let required, !isNew {
                value.isOptional = false
                value.defaultValue = required.object
            }
            return NSManagedObjectModel(
                NSEntityDescription(
                    "Plant", [NSAttributeDescription("name", .stringAttributeType), value]))
        }
    }

    /// Values of which the former model keeps nothing, or not everything.
    static let lost = [
        Change("text that is no UUID", .UUIDAttributeType, .stringAttributeType, .uuid, .text("x")),
        Change(
            "a double with more digits than a float", .floatAttributeType, .doubleAttributeType,
            .float(0.5), .double(1.0 / 3)),
        Change(
            "a double beyond the range of a float", .floatAttributeType, .doubleAttributeType,
            .float(0.5), .double(1e300)),
        Change(
            "a decimal with more digits than a double", .doubleAttributeType,
            .decimalAttributeType, .double(0.5), .decimal("0.12345678901234567890123")),
        optional,
    ]

    /// Values that the former model's file keeps, although objects do not show them.
    static let hidden = [
        Change(
            "text that is no URL", .URIAttributeType, .stringAttributeType, .url, .text("a b ü")),
        Change(
            "a number that is no Boolean", .booleanAttributeType, .integer32AttributeType,
            .flag(true), .integer(77)),
    ]

    /// Values with which the former model does not save an object.
    static let outOfRange = [
        Change(
            "an integer above 16 bits", .integer16AttributeType, .integer64AttributeType,
            .integer(5), .integer(5_000_000_000)),
        Change(
            "an integer above 32 bits", .integer32AttributeType, .integer64AttributeType,
            .integer(5), .integer(5_000_000_000)),
    ]

    static let optional = Change(
        "nil where a value was required", .stringAttributeType, .stringAttributeType, .text("x"),
        .none, required: .text("default"))

    private func set(_ values: [String: Any?], on device: Device) throws {
        try device.edit { context in
            for plant in try Device.all("Plant", in: context) {
                for (key, value) in values { plant.setValue(value, forKey: key) }
            }
        }
    }

    /// The name and the value of the plants on a device.
    private func plants(_ device: Device) throws -> [String] {
        try device.read { context in
            try Device.all("Plant", in: context).map { plant in
                ["name", "value"].map { plant.value(forKey: $0).map { "\($0)" } ?? "nil" }
                    .joined(separator: " ")
            }
        }
    }

    /// The phone has written the second value with the new model, and the tablet has read it with the
    /// former one.
    private func devices(
        _ change: Change, _ policy: Policy = .serverRecordWins
    ) async throws -> (phone: Device, tablet: Device) {
        let phone = try Device(
            "phone", on: cloud, policy: policy, model: change.model(isNew: false))
        let tablet = try Device(
            "tablet", on: cloud, policy: policy, model: change.model(isNew: false))
        try phone.add("Plant", ["name": "fern", "value": try #require(change.first.object)])
        try await Device.settle(phone, tablet)
        try phone.relaunch(model: change.model(isNew: true))
        try set(["value": change.second.object], on: phone)
        try await phone.store.sync()
        try await tablet.store.sync()
        return (phone, tablet)
    }

    private func expectAgreement(
        _ phone: Device, _ tablet: Device, on plants: [String], _ change: Change
    ) async throws {
        let fresh = try Device("fresh", on: cloud, model: change.model(isNew: true))
        try await fresh.store.sync()
        for device in [phone, tablet, fresh] {
            #expect(try self.plants(device) == plants, "\(device.name)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "is there after the first sync with the new model", arguments: lost + hidden + outOfRange)
    func firstSync(change: Change) async throws {
        let (phone, tablet) = try await devices(change)
        let expected = try plants(phone)
        try tablet.relaunch(model: change.model(isNew: true))
        #expect(try tablet.store.syncStatus().pendingChangeCount == 0)
        #expect(try await tablet.store.sync().conflictCount == 0)
        #expect(try plants(tablet) == expected)
        try await phone.store.sync()
        try await expectAgreement(phone, tablet, on: expected, change)
    }

    @Test(
        "is not overwritten by an edit of another property that waits", arguments: lost + hidden,
        Policy.allCases)
    func waitingEdit(change: Change, policy: Policy) async throws {
        let (phone, tablet) = try await devices(change, policy)
        let value = change.second.object.map { "\($0)" } ?? "nil"
        try set(["name": "palm"], on: tablet)
        try tablet.relaunch(model: change.model(isNew: true))
        #expect(try await tablet.store.sync().conflictCount == 0)
        try await Device.settle(phone, tablet)
        try await expectAgreement(phone, tablet, on: ["palm \(value)"], change)
    }

    @Test(
        "is contested by an edit that is made before the first sync, and the policy decides",
        arguments: lost, [Policy.serverRecordWins, .mergeByProperty, .mergeByPropertyClientWins])
    func contested(change: Change, policy: Policy) async throws {
        let (phone, tablet) = try await devices(change, policy)
        let winner = policy == .mergeByPropertyClientWins ? tablet : phone
        try tablet.relaunch(model: change.model(isNew: true))
        var own: Change.Value = .integer(9)
        if change.types.new == .stringAttributeType { own = .text("mine") }
        if change.types.new == .decimalAttributeType { own = .decimal("9") }
        try set(["value": own.object], on: tablet)
        let expected = try plants(winner)
        #expect(try await tablet.store.sync().conflictCount == 1)
        try await Device.settle(tablet, phone)
        try await expectAgreement(phone, tablet, on: expected, change)
    }

    @Test(
        "is there after the first sync with a model that a mapping model led to",
        arguments: (lost + hidden + outOfRange).filter {
            $0.types.old != .UUIDAttributeType && $0.types.old != .URIAttributeType
        })
    func mapped(change: Change) async throws {
        let (phone, tablet) = try await devices(change)
        let expected = try plants(phone)
        let mappings = try NSMappingModel.inferredMappingModel(
            forSourceModel: change.model(isNew: false),
            destinationModel: change.model(isNew: true))
        try tablet.migrate(
            from: change.model(isNew: false), to: change.model(isNew: true), mappings)
        #expect(try tablet.store.syncStatus().pendingChangeCount == 0)
        try await tablet.store.sync()
        try await phone.store.sync()
        try await expectAgreement(phone, tablet, on: expected, change)
    }
}

extension Device {
    /// Migrates the file by a mapping model, and opens it.
    func migrate(
        from old: NSManagedObjectModel, to new: NSManagedObjectModel, _ mappings: NSMappingModel
    ) throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let url = directory.appendingPathComponent("Clocks.sqlite")
        let migrated = directory.appendingPathComponent("New.sqlite")
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, sourceType: SMStore.type, with: mappings,
            toDestinationURL: migrated, destinationType: SMStore.type)
        try coordinator.replacePersistentStore(
            at: url, withPersistentStoreFrom: migrated, ofType: SMStore.type)
        try coordinator.destroyPersistentStore(at: migrated, ofType: SMStore.type)
        try open(model: new)
    }
}
