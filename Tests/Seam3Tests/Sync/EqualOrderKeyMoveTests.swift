import CoreData
import LocalCloud
import Seam3
import Testing

/// Two devices have each appended two members to an ordered relationship while they were offline, so that pairs of
/// members have the same order key, and only their record names tell which comes first.
@Suite("Members with equal order keys")
struct EqualOrderKeyMoveTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    /// How many lists an item may be in.
    enum Inverse: CaseIterable, Sendable {
        case one, many
    }

    /// Which device syncs first.
    enum First: CaseIterable, Sendable {
        case mover, other
    }

    let cloud = LocalCloud.inMemory()

    private static func model(_ inverse: Inverse) -> NSManagedObjectModel {
        let list = NSEntityDescription(
            "List", [NSAttributeDescription("name", .stringAttributeType)])
        let item = NSEntityDescription(
            "Item", ["name", "title"].map { NSAttributeDescription($0, .stringAttributeType) })
        NSRelationshipDescription.join(
            (list, "items", 0), (item, "lists", inverse == .one ? 1 : 0))
        list.relationshipsByName["items"]?.isOrdered = true
        return NSManagedObjectModel(list, item)
    }

    private static func items(in context: NSManagedObjectContext) throws -> NSMutableOrderedSet {
        try Device.object("List", "list", in: context).mutableOrderedSetValue(forKey: "items")
    }

    private static func names(on device: Device) throws -> [String] {
        try device.read { context in
            context.refreshAllObjects()
            return try items(in: context).array.compactMap {
                ($0 as? NSManagedObject)?.value(forKey: "name") as? String
            }
        }
    }

    private func devices(_ inverse: Inverse, _ policy: Policy) async throws -> [Device] {
        let devices = try ["a", "b"].map {
            try Device($0, on: cloud, policy: policy, model: Self.model(inverse))
        }
        for device in devices {
            device.store.recordConflictResolutionBlock = { server, _, _ in server }
        }
        try devices[0].add("List", ["name": "list"])
        try await Device.settle(devices[0], devices[1])
        for device in devices {
            for number in 1...2 {
                try device.edit { context in
                    let item = NSEntityDescription.insertNewObject(
                        forEntityName: "Item", into: context)
                    item.setValue("\(device.name)\(number)", forKey: "name")
                    try Self.items(in: context).add(item)
                }
            }
        }
        try await Device.settle(devices[0], devices[1])
        return devices
    }

    /// Expects an order on both devices, and on a new one.
    private func expect(_ names: [String], _ inverse: Inverse, _ devices: [Device]) async throws {
        try await Device.settle(devices[0], devices[1])
        let fresh = try Device("fresh", on: cloud, model: Self.model(inverse))
        try await fresh.store.sync()
        for device in devices + [fresh] {
            #expect(try Self.names(on: device) == names, "\(device.name)")
            #expect(try device.store.checkInvariants() == [])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "stay where another device has moved them if one of them is deleted",
        arguments: Inverse.allCases, Policy.ofEachKind)
    func deletion(inverse: Inverse, policy: Policy) async throws {
        for (moved, deleted) in [(1, 2), (2, 1), (3, 0), (1, 0)] {
            for first in First.allCases {
                let test = EqualOrderKeyMoveTests()
                let devices = try await test.devices(inverse, policy)
                let before = try Self.names(on: devices[0])
                try devices[0].edit {
                    try Self.items(in: $0).moveObjects(at: [moved], to: 0)
                }
                try devices[1].edit {
                    $0.delete(try Device.object("Item", before[deleted], in: $0))
                }
                for device in first == .mover ? devices : devices.reversed() {
                    try await device.store.sync()
                }
                let rest = before.filter { $0 != before[moved] && $0 != before[deleted] }
                try await test.expect([before[moved]] + rest, inverse, devices)
            }
        }
    }

    @Test(
        "stay deleted if another device has exchanged their places",
        arguments: Inverse.allCases, Policy.ofEachKind)
    func exchanged(inverse: Inverse, policy: Policy) async throws {
        for first in First.allCases {
            for deleted in [1, 2] {
                let test = EqualOrderKeyMoveTests()
                let devices = try await test.devices(inverse, policy)
                let before = try Self.names(on: devices[0])
                try devices[0].edit {
                    try Self.items(in: $0).exchangeObject(at: 1, withObjectAt: 2)
                }
                try devices[1].edit {
                    $0.delete(try Device.object("Item", before[deleted], in: $0))
                }
                for device in first == .mover ? devices : devices.reversed() {
                    try await device.store.sync()
                }
                try await test.expect(before.filter { $0 != before[deleted] }, inverse, devices)
            }
        }
    }

    @Test("are not sent if one of them is deleted", arguments: Inverse.allCases)
    func nothingToSend(inverse: Inverse) async throws {
        let devices = try await devices(inverse, .serverRecordWins)
        let before = try Self.names(on: devices[0])
        try devices[0].edit { $0.delete(try Device.object("Item", before[1], in: $0)) }
        // The item, and its membership.
        let count = inverse == .one ? 1 : 2
        #expect(try devices[0].store.syncStatus().pendingChangeCount == count)
        #expect(try Self.names(on: devices[0]) == before.filter { $0 != before[1] })
    }

    @Test("are not sent if one is appended", arguments: Inverse.allCases)
    func appended(inverse: Inverse) async throws {
        let devices = try await devices(inverse, .serverRecordWins)
        let before = try Self.names(on: devices[0])
        try devices[0].edit { context in
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            item.setValue("new", forKey: "name")
            try Self.items(in: context).add(item)
        }
        let count = inverse == .one ? 1 : 2
        #expect(try devices[0].store.syncStatus().pendingChangeCount == count)
        try await expect(before + ["new"], inverse, devices)
    }

    /// A move of the members by their places.
    enum Move: CaseIterable, Sendable {
        case between, exchange, toFront

        func carryOut(_ items: NSMutableOrderedSet) {
            switch self {
            case .between: items.moveObjects(at: [3], to: 1)
            case .exchange: items.exchangeObject(at: 1, withObjectAt: 2)
            case .toFront: items.moveObjects(at: [2], to: 0)
            }
        }
    }

    @Test(
        "keep what another device has written if one of them is moved",
        arguments: Move.allCases, Policy.ofEachKind)
    func moved(move: Move, policy: Policy) async throws {
        for first in First.allCases {
            let test = EqualOrderKeyMoveTests()
            let devices = try await test.devices(.one, policy)
            let before = try Self.names(on: devices[0])
            for device in devices {
                device.store.recordConflictResolutionBlock = { server, _, _ in
                    Issue.record("The app is asked about a place.")
                    return server
                }
            }
            try devices[0].edit { move.carryOut(try Self.items(in: $0)) }
            let after = try Self.names(on: devices[0])
            try devices[1].edit { context in
                for name in before {
                    try Device.object("Item", name, in: context).setValue("edited", forKey: "title")
                }
            }
            for device in first == .mover ? devices : devices.reversed() {
                try await device.store.sync()
            }
            try await test.expect(after, .one, devices)
            for device in devices {
                let titles = try device.read { context in
                    try Device.all("Item", in: context).map {
                        $0.value(forKey: "title") as? String
                    }
                }
                #expect(titles == Array(repeating: "edited", count: 4), "\(device.name)")
            }
        }
    }
}
