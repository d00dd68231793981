import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("An object that somebody else has saved since it was read", .tags(.honestVersions))
struct OptimisticLockingTests {
    /// The rival that saves in between.
    enum Rival: CaseIterable, Sendable {
        /// Another context of the same coordinator.
        case context
        /// Another coordinator on the same file, like that of another process.
        case coordinator
        /// The sync engine, with another device's changes.
        case server
    }

    /// The behavior of a context whose object was changed or deleted by a rival.
    struct Expectation: Sendable {
        let policy: NSMergePolicyType
        /// The object after both changed it; nil if the save fails and the file has the rival's
        /// version.
        let merged: Item?
        /// Whether the object exists after the rival deleted it and the save succeeded.
        var survivesDeletion = false
        /// Whether the object exists after the context deleted an object that the rival changed.
        var undoesDeletion = false
    }

    /// The values of the object.
    struct Item: Equatable, Sendable {
        /// The property that both change.
        var both = "old"
        /// The property that only the context changes.
        var ours = "old"
        /// The property that only the rival changes.
        var theirs = "old"
    }

    private static let rivalItem = Item(both: "theirs", ours: "old", theirs: "theirs")

    static let expectations: [Expectation] = [
        Expectation(policy: .errorMergePolicyType, merged: nil),
        Expectation(
            policy: .mergeByPropertyStoreTrumpMergePolicyType,
            merged: Item(both: "theirs", ours: "ours", theirs: "theirs"), undoesDeletion: true),
        Expectation(
            policy: .mergeByPropertyObjectTrumpMergePolicyType,
            merged: Item(both: "ours", ours: "ours", theirs: "theirs"), survivesDeletion: true),
        Expectation(
            policy: .overwriteMergePolicyType,
            merged: Item(both: "ours", ours: "ours", theirs: "old"), survivesDeletion: true),
        Expectation(policy: .rollbackMergePolicyType, merged: rivalItem, undoesDeletion: true),
    ]

    private static func model() -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription(
                "Item",
                ["name", "both", "ours", "theirs"].map {
                    NSAttributeDescription($0, .stringAttributeType)
                }))
    }

    /// A device with one object, and a context that has read it.
    private final class Setting: @unchecked Sendable {
        // Unchecked because the object is used on its context's queue only.

        let device: Device
        /// Another device with the same object, for the rival "server".
        let other: Device?
        let rival: Rival
        let context: NSManagedObjectContext
        let object: NSManagedObject

        init(_ policy: NSMergePolicyType, _ rival: Rival) async throws {
            let cloud = LocalCloud.inMemory()
            self.rival = rival
            device = try Device("a", on: cloud, model: OptimisticLockingTests.model())
            try device.add(
                "Item", ["name": "a", "both": "old", "ours": "old", "theirs": "old"])
            if rival == .server {
                let other = try Device("b", on: cloud, model: OptimisticLockingTests.model())
                try await Device.settle(device, other)
                self.other = other
            } else {
                other = nil
            }
            let context = device.container.newBackgroundContext()
            context.mergePolicy = NSMergePolicy(merge: policy)
            self.context = context
            object = try context.performAndWait {
                let object = try Device.object("Item", "a", in: context)
                #expect(object.value(forKey: "both") as? String == "old")
                return object
            }
        }

        /// Makes the rival save a change or a deletion.
        func meetRival(deletes: Bool) async throws {
            switch rival {
            case .context:
                try device.edit { try Self.edit($0, deletes: deletes) }
            case .coordinator:
                let container = try device.anotherContainer(model: OptimisticLockingTests.model())
                let context = container.newBackgroundContext()
                try context.performAndWait {
                    try Self.edit(context, deletes: deletes)
                    try context.save()
                }
            case .server:
                try other?.edit { try Self.edit($0, deletes: deletes) }
                try await other?.store.sync()
                try await device.store.sync()
            }
        }

        private static func edit(_ context: NSManagedObjectContext, deletes: Bool) throws {
            let object = try Device.object("Item", "a", in: context)
            if deletes {
                context.delete(object)
            } else {
                object.setValue("theirs", forKey: "both")
                object.setValue("theirs", forKey: "theirs")
            }
        }

        /// The object in the file, read through a new coordinator.
        func saved() throws -> Item? {
            try device.relaunch(model: OptimisticLockingTests.model())
            return try device.read { context in
                try Device.all("Item", in: context).first.map { object in
                    Item(
                        both: object.value(forKey: "both") as? String ?? "",
                        ours: object.value(forKey: "ours") as? String ?? "",
                        theirs: object.value(forKey: "theirs") as? String ?? "")
                }
            }
        }

        /// Saves, and expects a conflict error about the object if the policy is the one that
        /// fails.
        func save(_ policy: NSMergePolicyType) throws {
            try context.performAndWait {
                guard policy == .errorMergePolicyType else { return try context.save() }
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.code == .managedObjectMerge)
                let conflicts =
                    error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
                #expect(conflicts?.map(\.sourceObject) == [object])
                #expect(conflicts?.first?.oldVersionNumber != conflicts?.first?.newVersionNumber)
                // Nothing is lost: the changes can still be saved.
                #expect(context.hasChanges)
            }
        }
    }

    @Test(
        "is merged as the policy says, whoever saved it", arguments: expectations, Rival.allCases)
    func bothChange(expectation: Expectation, rival: Rival) async throws {
        let setting = try await Setting(expectation.policy, rival)
        try await setting.meetRival(deletes: false)
        setting.context.performAndWait {
            setting.object.setValue("ours", forKey: "both")
            setting.object.setValue("ours", forKey: "ours")
        }
        try setting.save(expectation.policy)
        #expect(try setting.saved() == expectation.merged ?? Self.rivalItem)
        try await expectAgreement(setting)
    }

    @Test(
        "and deleted is restored if the context's values win", arguments: expectations,
        Rival.allCases)
    func deletedThere(expectation: Expectation, rival: Rival) async throws {
        let setting = try await Setting(expectation.policy, rival)
        try await setting.meetRival(deletes: true)
        setting.context.performAndWait { setting.object.setValue("ours", forKey: "ours") }
        try setting.save(expectation.policy)
        let expected = Item(both: "old", ours: "ours", theirs: "old")
        #expect(try setting.saved() == (expectation.survivesDeletion ? expected : nil))
        try await expectAgreement(setting)
    }

    @Test(
        "and is deleted here remains if the store's values win", arguments: expectations,
        Rival.allCases)
    func deletedHere(expectation: Expectation, rival: Rival) async throws {
        let setting = try await Setting(expectation.policy, rival)
        try await setting.meetRival(deletes: false)
        setting.context.performAndWait { setting.context.delete(setting.object) }
        try setting.save(expectation.policy)
        let stays = expectation.undoesDeletion || expectation.merged == nil
        #expect(try setting.saved() == (stays ? Self.rivalItem : nil))
        try await expectAgreement(setting)
    }

    /// Expects that another device gets the same, and that no changes wait afterward.
    private func expectAgreement(_ setting: Setting) async throws {
        guard let other = setting.other else { return }
        try await Device.settle(setting.device, other)
        for key in ["both", "ours", "theirs"] {
            #expect(
                try setting.device.values(key, of: "Item", as: String.self)
                    == other.values(key, of: "Item"))
        }
        #expect(try setting.device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("is saved by two coordinators in turn, each after a refresh, without a conflict")
    func turns() throws {
        let device = try Device(on: LocalCloud.inMemory(), model: Self.model())
        try device.add("Item", ["name": "a", "both": "0"])
        let container = try device.anotherContainer(model: Self.model())
        let contexts = [device.context, container.newBackgroundContext()]
        for turn in 1...6 {
            let context = contexts[turn % 2]
            try context.performAndWait {
                context.refreshAllObjects()
                let object = try Device.object("Item", "a", in: context)
                #expect(object.value(forKey: "both") as? String == "\(turn - 1)")
                object.setValue("\(turn)", forKey: "both")
                try context.save()
            }
        }
    }
}
