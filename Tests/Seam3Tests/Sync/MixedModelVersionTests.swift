import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Devices of one user with an older and a newer model. The newer one has an additional attribute.
@Suite("A new attribute that the server's records lack") struct MixedModelVersionTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    /// The newer model's addition.
    enum Addition: String, CaseIterable {
        case requiredWithDefault, optionalWithDefault, optional

        func model() -> NSManagedObjectModel {
            let rank = NSAttributeDescription("rank", .integer64AttributeType)
            rank.isOptional = self != .requiredWithDefault
            rank.defaultValue = self == .optional ? nil : NSNumber(value: 5)
            return NSManagedObjectModel(
                NSEntityDescription("Plant", MixedModelVersionTests.attributes + [rank]))
        }

        var initial: Int? { self == .optional ? nil : 5 }
    }

    private static var attributes: [NSAttributeDescription] {
        [
            NSAttributeDescription("name", .stringAttributeType),
            NSAttributeDescription("note", .stringAttributeType),
        ]
    }

    private static func oldModel() -> NSManagedObjectModel {
        NSManagedObjectModel(NSEntityDescription("Plant", attributes))
    }

    private func device(
        _ name: String, _ policy: Policy, _ model: NSManagedObjectModel
    ) throws -> Device {
        try Device(name, on: cloud, policy: policy, model: model)
    }

    /// A device with the older model, and one with the newer, which has set the new attribute and synced.
    private func devices(
        _ addition: Addition, _ policy: Policy
    ) async throws -> (a: Device, b: Device) {
        let a = try device("a", policy, Self.oldModel())
        let b = try device("b", policy, addition.model())
        try a.add("Plant", ["name": "fern"])
        try await Device.settle(a, b)
        try set(["rank": 9], on: b)
        try await b.store.sync()
        return (a, b)
    }

    private func set(_ values: [String: Any?], on device: Device) throws {
        try device.edit { context in
            let plant = try #require(try Device.all("Plant", in: context).first)
            for (key, value) in values { plant.setValue(value, forKey: key) }
        }
    }

    private func value(_ key: String, on device: Device) throws -> String {
        try device.read { context in
            let plant = try #require(try Device.all("Plant", in: context).first)
            return plant.value(forKey: key).map { "\($0)" } ?? "nil"
        }
    }

    private func removeAll(_ devices: Device...) async throws {
        for device in devices {
            try device.deleteAll("Plant")
            try await device.store.sync()
        }
    }

    /// The policies under which an edit of another property, or no edit, reverts nothing.
    static let merging: [Policy] = [.mergeByProperty, .mergeByPropertyClientWins]

    @Test(
        "is sent when it was edited before the first sync after the migration",
        arguments: Addition.allCases, Policy.allCases)
    func editedBeforeFirstSync(addition: Addition, policy: Policy) async throws {
        let a = try device("a", policy, Self.oldModel())
        let b = try device("b", policy, addition.model())
        try a.add("Plant", ["name": "fern"])
        try await Device.settle(a, b)
        try a.relaunch(model: addition.model())
        try set(["rank": 9], on: a)
        #expect(try await a.store.sync().conflictCount == 0)
        try await Device.settle(a, b)
        #expect(try value("rank", on: a) == "9")
        #expect(try value("rank", on: b) == "9")
        let record = try #require(try await RawClient(cloud).records().first)
        let rank: Int64? = record["rank"]
        #expect(rank == 9)
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
    }

    @Test(
        "is no conflict with an older device's edit of another property",
        arguments: Addition.allCases, merging)
    func olderDeviceEdits(addition: Addition, policy: Policy) async throws {
        let old = try device("old", policy, Self.oldModel())
        let new = try device("new", policy, addition.model())
        try old.add("Plant", ["name": "fern"])
        try await Device.settle(old, new)
        try set(["rank": 9], on: new)
        try set(["name": "palm"], on: old)
        try await old.store.sync()
        try await Device.settle(new, old)
        for device in [old, new] { #expect(try value("name", on: device) == "palm") }
        #expect(try value("rank", on: new) == "9")
        let third = try device("third", policy, addition.model())
        try await third.store.sync()
        #expect(try value("rank", on: third) == "9")
    }

    @Test(
        "does not lose another edit that waits with it", arguments: Addition.allCases,
        Policy.allCases)
    func waitingTitle(addition: Addition, policy: Policy) async throws {
        let a = try device("a", policy, Self.oldModel())
        let b = try device("b", policy, addition.model())
        try a.add("Plant", ["name": "fern"])
        try await Device.settle(a, b)
        try set(["name": "by a"], on: a)
        try a.relaunch(model: addition.model())
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try value("name", on: device) == "by a")
            #expect(try device.count("Plant") == 1)
            if addition != .optionalWithDefault {
                #expect(try value("rank", on: device) == addition.initial.map { "\($0)" } ?? "nil")
            }
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
        #expect(try value("rank", on: a) == value("rank", on: b))
    }

    @Test(
        "is sent with a title that is edited along with it, before the first sync",
        arguments: Addition.allCases, Policy.allCases)
    func bothEdited(addition: Addition, policy: Policy) async throws {
        let a = try device("a", policy, Self.oldModel())
        let b = try device("b", policy, addition.model())
        try a.add("Plant", ["name": "fern"])
        try await Device.settle(a, b)
        try a.relaunch(model: addition.model())
        try set(["name": "by a", "rank": 9], on: a)
        #expect(try await a.store.sync(complete: true).conflictCount == 0)
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try value("name", on: device) == "by a")
            #expect(try value("rank", on: device) == "9")
            #expect(try device.count("Plant") == 1)
        }
    }

    @Test(
        "does not bring back an object that was sent without an answer, migrated and deleted",
        arguments: Addition.allCases, Policy.allCases)
    func deletedAfterLostAnswer(addition: Addition, policy: Policy) async throws {
        let a = try device("a", policy, Self.oldModel())
        let b = try device("b", policy, addition.model())
        try b.add("Plant", ["name": "fern"])
        try await Device.settle(b, a)
        try set(["name": "by a"], on: a)
        try await a.syncLosingAnswer(on: cloud)
        try a.relaunch(model: addition.model())
        try a.edit { try Device.all("Plant", in: $0).forEach($0.delete) }
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try device.count("Plant") == 0) }
    }

    @Test("keeps the title edited here, while an older device edits the note", arguments: merging)
    func titleAndNote(policy: Policy) async throws {
        for addition in Addition.allCases {
            let old = try device("old", policy, Self.oldModel())
            let new = try device("new", policy, Self.oldModel())
            try old.add("Plant", ["name": "fern", "note": "old"])
            try await Device.settle(old, new)
            try set(["name": "by new"], on: new)
            try new.relaunch(model: addition.model())
            try set(["rank": 9], on: new)
            try set(["note": "by old"], on: old)
            try await old.store.sync()
            try await Device.settle(new, old)
            for device in [old, new] {
                #expect(try value("name", on: device) == "by new", "\(addition)")
                #expect(try value("note", on: device) == "by old", "\(addition)")
            }
            #expect(try value("rank", on: new) == "9", "\(addition)")
            try await removeAll(old, new)
        }
    }

    @Test(
        "set back to its default is sent as the default, and a nil as nil",
        arguments: Policy.allCases)
    func setBack(policy: Policy) async throws {
        let addition = Addition.optionalWithDefault
        let (a, b) = try await devices(addition, policy)
        try a.relaunch(model: addition.model())
        try await a.store.sync()
        #expect(try value("rank", on: a) == "9")
        for (rank, text) in [(5 as Int?, "5"), (nil, "nil")] {
            try set(["rank": rank], on: a)
            try await Device.settle(a, b)
            for device in [a, b] { #expect(try value("rank", on: device) == text) }
        }
    }

    @Test(
        "that another device has set in the meantime is not overwritten by the default",
        arguments: Policy.allCases)
    func setElsewhere(policy: Policy) async throws {
        let addition = Addition.requiredWithDefault
        let (a, b) = try await devices(addition, policy)
        try set(["name": "by a"], on: a)
        try a.relaunch(model: addition.model())
        try await Device.settle(a, b)
        if Self.merging.contains(policy) {
            for device in [a, b] { #expect(try value("name", on: device) == "by a") }
        }
        if policy != .clientRecordWins {
            for device in [a, b] { #expect(try value("rank", on: device) == "9") }
        }
    }

    @Test(
        "that another device has set is kept if another property is edited before the first sync",
        arguments: merging, [false, true])
    func setElsewhereAndEdited(policy: Policy, isBatch: Bool) async throws {
        let addition = Addition.requiredWithDefault
        let (a, b) = try await devices(addition, policy)
        try a.relaunch(model: addition.model())
        if isBatch {
            try a.edit { context in
                let request = NSBatchUpdateRequest(entityName: "Plant")
                request.propertiesToUpdate = ["name": "by a"]
                _ = try context.execute(request)
            }
        } else {
            try set(["name": "by a"], on: a)
        }
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try value("name", on: device) == "by a")
            #expect(try value("rank", on: device) == "9")
        }
    }

    static let waits = Addition.allCases.flatMap { addition in
        WaitingChange.allCases.map { (addition, $0) }
    }

    @Test(
        "keeps another device's value if another edit of the object waits while the model changes",
        arguments: waits, Policy.allCases)
    func editWaits(_ change: (Addition, WaitingChange), policy: Policy) async throws {
        let (addition, waiting) = change
        let a = try device("a", policy, Self.oldModel())
        let b = try device("b", policy, addition.model())
        try a.add("Plant", ["name": "fern"])
        try await waiting.share(from: a, with: b, on: cloud)
        try set(["name": "by a"], on: a)
        if waiting == .allAfterReset { try a.store.resetCloudFieldsInBackingStore() }
        try set(["rank": 9, "note": "by b"], on: b)
        try await b.store.sync()
        try a.relaunch(model: addition.model())
        try await Device.settle(a, b)
        for device in [a, b] {
            try device.read { context in
                let ranks = try Device.all("Plant", in: context)
                    .map { $0.value(forKey: "rank") as? Int }
                #expect(ranks.contains(9), "\(device.name)")
                if policy != .keepBoth { #expect(ranks == [9], "\(device.name)") }
            }
        }
    }

    @Test("leaves an object editable whose number only the new type can hold")
    func widenedInteger() async throws {
        func model(_ type: NSAttributeType) -> NSManagedObjectModel {
            let attributes = Self.attributes + [NSAttributeDescription("rank", type)]
            return NSManagedObjectModel(NSEntityDescription("Plant", attributes))
        }
        let old = try device("old", .mergeByProperty, model(.integer16AttributeType))
        let new = try device("new", .mergeByProperty, model(.integer64AttributeType))
        try new.add("Plant", ["name": "fern", "rank": 100_000])
        try await Device.settle(new, old)
        try set(["note": "by old"], on: old)
        try await Device.settle(old, new)
        for device in [old, new] {
            #expect(try value("note", on: device) == "by old")
            #expect(try value("rank", on: device) == "100000")
        }
        #expect(throws: CocoaError.self) { try set(["rank": 100_001], on: old) }
    }
}
