import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A member of an ordered relationship that two devices have moved")
struct MovedMemberTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    let cloud = LocalCloud.inMemory()

    private func model() -> NSManagedObjectModel {
        let list = NSEntityDescription(
            "List", [NSAttributeDescription("name", .stringAttributeType)])
        let item = NSEntityDescription(
            "Item",
            ["name", "title", "note"].map { NSAttributeDescription($0, .stringAttributeType) })
        NSRelationshipDescription.join((list, "items", 0), (item, "list", 1))
        list.relationshipsByName["items"]?.isOrdered = true
        return NSManagedObjectModel(list, item)
    }

    /// Two devices with a list of the items a, b and c.
    private func devices(_ policy: Policy) async throws -> (first: Device, second: Device) {
        let first = try Device("first", on: cloud, policy: policy, model: model())
        let second = try Device("second", on: cloud, policy: policy, model: model())
        try first.add("List", ["name": "list"])
        for name in ["a", "b", "c"] {
            try first.edit { context in
                let item = NSEntityDescription.insertNewObject(
                    forEntityName: "Item", into: context)
                item.setValue(name, forKey: "name")
                try items(in: context).add(item)
            }
        }
        try await Device.settle(first, second)
        return (first, second)
    }

    private func items(in context: NSManagedObjectContext) throws -> NSMutableOrderedSet {
        try Device.object("List", "list", in: context).mutableOrderedSetValue(forKey: "items")
    }

    private func move(
        _ name: String, to index: Int, on device: Device, _ values: [String: String] = [:]
    ) throws {
        try device.edit { context in
            let item = try Device.object("Item", name, in: context)
            let items = try items(in: context)
            items.moveObjects(at: [items.index(of: item)], to: index)
            item.setValuesForKeys(values)
        }
    }

    private func expect(
        _ order: [String], on devices: Device..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for device in devices {
            let names = try device.read { context in
                try items(in: context).compactMap {
                    ($0 as? NSManagedObject)?.value(forKey: "name") as? String
                }
            }
            #expect(names == order, sourceLocation: sourceLocation)
            #expect(try device.count("Item") == 3, sourceLocation: sourceLocation)
            #expect(
                try device.store.syncStatus().pendingChangeCount == 0,
                sourceLocation: sourceLocation)
        }
    }

    private func value(_ key: String, on device: Device) throws -> String? {
        try device.read {
            try Device.object("Item", "c", in: $0).value(forKey: key) as? String
        }
    }

    @Test("has the place that the server has, under every policy", arguments: Policy.allCases)
    func moved(policy: Policy) async throws {
        let (first, second) = try await devices(policy)
        second.store.recordConflictResolutionBlock = { _, client, _ in
            Issue.record("The app is asked about an order.")
            return client
        }
        try move("c", to: 0, on: first)
        try move("c", to: 1, on: second)
        try await Device.settle(first, second)
        try expect(["c", "a", "b"], on: first, second)
    }

    @Test(
        "keeps what one of the devices has edited besides", arguments: Policy.allCases,
        [false, true])
    func movedAndEdited(policy: Policy, isFirst: Bool) async throws {
        let (first, second) = try await devices(policy)
        try move("c", to: 0, on: first, isFirst ? ["title": "edited"] : [:])
        try move("c", to: 1, on: second, isFirst ? [:] : ["title": "edited"])
        try await Device.settle(first, second)
        try expect(["c", "a", "b"], on: first, second)
        for device in [first, second] { #expect(try value("title", on: device) == "edited") }
    }

    @Test("has the server's place and both edits if properties are merged")
    func movedAndEditedOnBoth() async throws {
        let (first, second) = try await devices(.mergeByPropertyClientWins)
        try move("c", to: 0, on: first, ["title": "first", "note": "first"])
        try move("c", to: 1, on: second, ["title": "second"])
        try await Device.settle(first, second)
        try expect(["c", "a", "b"], on: first, second)
        for device in [first, second] {
            #expect(try value("title", on: device) == "second")
            #expect(try value("note", on: device) == "first")
        }
    }
}
