import CloudKit
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("An object that was written as default content") struct SeededObjectTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    private static let seed = ["name": "home", "icon": "house"]

    private func device(_ name: String = "a", _ policy: Policy = .serverRecordWins) throws
        -> Device
    {
        try Device(name, on: cloud, policy: policy, model: PlaceModel.make())
    }

    /// In which versions users have edited the fields of the only place; nil for a field without a stamp.
    private func edits() async throws -> [String: UInt64] {
        let record = try #require(try await RawClient(cloud).records(ofType: "Place").first)
        let data: Data = try #require(record[EditStamps.field])
        let stamps = try #require(EditStamps(data))
        return ["name", "icon", "note", "region"].reduce(into: [:]) { edits, field in
            let stamp = stamps.stamps[EditStamps.key(ofField: field)]
            if let stamp, stamp != .unset { edits[field] = stamp.edit }
        }
    }

    @Test(
        "says in its record that nobody has edited it, and later who has edited what",
        arguments: SeedWriting.allCases)
    func stamps(writing: SeedWriting) async throws {
        let device = try device()
        try device.seed(by: writing, Self.seed)
        try await device.store.sync()
        #expect(try await edits() == ["name": 0, "icon": 0])
        try device.write("home", ["icon": "star"])
        try await device.store.sync()
        #expect(try await edits() == ["name": 0, "icon": 2])
    }

    @Test(
        "says what a user has edited before it was sent, and what was removed",
        arguments: SeedWriting.allCases)
    func editsBeforeSending(writing: SeedWriting) async throws {
        let device = try device()
        try device.seed(by: writing, Self.seed)
        try device.write("home", ["icon": nil, "note": "mine"])
        try await device.store.sync()
        #expect(try await edits() == ["name": 0, "icon": 1, "note": 1])
    }

    @Test("has no edit in what a batch update or a save of default content changes")
    func laterContent() async throws {
        let device = try device()
        try device.seed(Self.seed)
        try await device.store.sync()
        try device.asSeed { context in
            try Device.object("Place", "home", in: context).setValue("b", forKey: "note")
            try context.save()
            let request = NSBatchUpdateRequest(entityName: "Place")
            request.propertiesToUpdate = ["icon": "b"]
            _ = try context.execute(request)
        }
        try await device.store.sync()
        #expect(try await edits() == ["name": 0, "icon": 0, "note": 0])
    }

    @Test("has the edits of a user's batch update before it was sent")
    func batchUpdate() async throws {
        let device = try device()
        try device.seed(Self.seed)
        try device.edit { context in
            let request = NSBatchUpdateRequest(entityName: "Place")
            request.propertiesToUpdate = ["icon": "star"]
            _ = try context.execute(request)
        }
        try await device.store.sync()
        #expect(try await edits() == ["name": 0, "icon": 1])
    }

    @Test("has no edit in a reference that could only be sent later") func heldReference()
        async throws
    {
        let device = try device()
        try device.asSeed { context in
            let place = NSEntityDescription.insertNewObject(forEntityName: "Place", into: context)
            place.setValue("home", forKey: "name")
            let region = NSEntityDescription.insertNewObject(forEntityName: "Region", into: context)
            region.setValue("north", forKey: "name")
            place.setValue(region, forKey: "region")
            try context.save()
        }
        try await device.store.sync()
        try await device.store.sync()
        let record = try #require(try await RawClient(cloud).records(ofType: "Place").first)
        let reference: CKRecord.Reference? = record["region"]
        #expect(reference != nil)
        #expect(try await edits() == ["name": 0, "region": 0])
    }

    @Test("is still one after a relaunch between the save and the first sync")
    func relaunch() async throws {
        let (device, other) = (try device("a", .clientRecordWins), try device("b"))
        try other.add("Place", ["name": "home", "icon": "star"])
        try await other.store.sync()
        try device.seed(Self.seed)
        try device.relaunch(model: PlaceModel.make())
        #expect(try await device.store.sync().conflictCount == 0)
        #expect(try device.places() == ["home star - -"])
    }

    @Test("is a user's version when it was edited and the app was launched again")
    func relaunchAfterEdit() async throws {
        let (device, other) = (try device("a", .mergeByPropertyClientWins), try device("b"))
        try other.add("Place", ["name": "home", "icon": "star", "note": "theirs"])
        try await other.store.sync()
        try device.seed(Self.seed)
        try device.relaunch(model: PlaceModel.make())
        try device.write("home", ["icon": "tent"])
        try device.relaunch(model: PlaceModel.make())
        #expect(try await device.store.sync().conflictCount == 1)
        #expect(try device.places() == ["home tent theirs -"])
    }

    @Test("is still one after a migration that renames a property", arguments: Policy.allCases)
    func migration(policy: Policy) async throws {
        let (device, other) = (try device("a", policy), try device("b"))
        try other.add("Place", ["name": "home", "icon": "star", "note": "theirs"])
        try await other.store.sync()
        try device.seed(["name": "home", "icon": "house", "note": "welcome"])
        let model = PlaceModel.make()
        let icon = model.entitiesByName["Place"]?.attributesByName["icon"]
        icon?.name = "symbol"
        icon?.renamingIdentifier = "icon"
        try device.relaunch(model: model)
        #expect(try await device.store.sync().conflictCount == 0)
        let symbol = try device.read { context in
            try Device.object("Place", "home", in: context).value(forKey: "symbol") as? String
        }
        #expect(symbol == "star")
    }

    @Test("has arrived if its response was lost, and a later edit elsewhere is no conflict")
    func lostResponse() async throws {
        let (device, other) = (try device("a", .clientRecordWins), try device("b"))
        try await device.store.sync()
        try device.seed(Self.seed)
        try await device.syncLosingAnswer(on: cloud, model: PlaceModel.make())
        try await other.store.sync()
        try other.write("home", ["icon": "star"])
        try await other.store.sync()
        #expect(try await device.store.sync().conflictCount == 0)
        try await Device.settle(device, other)
        for device in [device, other] { #expect(try device.places() == ["home star - -"]) }
    }

    // MARK: - Written twice

    @Test("is refused a second time, like any object with the same key")
    func twice() throws {
        let device = try device()
        try device.seed(Self.seed)
        for writing in SeedWriting.allCases {
            let error = #expect(throws: CocoaError.self) {
                try device.seed(by: writing, ["name": "home", "icon": "cottage"])
            }
            #expect(error?.code == .managedObjectConstraintMerge)
            try device.read { $0.rollback() }
        }
        #expect(try device.places() == ["home house - -"])
    }

    @Test(
        "stays as its user has edited it if the store's version wins in the context",
        arguments: SeedWriting.allCases)
    func twiceWithPolicy(writing: SeedWriting) async throws {
        let device = try device()
        try device.read { $0.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump }
        for isSynced in [false, true] {
            if isSynced { try await device.store.sync() }
            try device.seed(by: writing, Self.seed, ["name": "work", "icon": "desk"])
            if !isSynced { try device.write("home", ["icon": "star"]) }
            #expect(try device.places() == ["home star - -", "work desk - -"])
        }
        try await device.store.sync()
        #expect(try await RawClient(cloud).records(ofType: "Place").count == 2)
        #expect(try device.store.checkInvariants() == [])
    }

    // MARK: - Deletions

    @Test("leaves no trace when its user deletes it before it is sent")
    func deletedBeforeSending() async throws {
        let device = try device()
        try device.seed(Self.seed)
        try device.deleteAll("Place")
        try await device.store.sync()
        #expect(try await RawClient(cloud).records(ofType: "Place").isEmpty)
    }

    @Test("is deleted everywhere when its user deletes it", arguments: Policy.allCases)
    func deleted(policy: Policy) async throws {
        let (device, other) = (try device("a", policy), try device("b", policy))
        try device.seed(Self.seed)
        try await Device.settle(device, other)
        try other.deleteAll("Place")
        try await Device.settle(other, device)
        for device in [device, other] { #expect(try device.places() == []) }
    }

    @Test("does not survive a deletion by what is not an edit", arguments: Policy.allCases)
    func updatedAndDeleted(policy: Policy) async throws {
        let (device, other) = (try device("a", policy), try device("b", policy))
        try device.seed(Self.seed)
        try await Device.settle(device, other)
        try other.deleteAll("Place")
        try await other.store.sync()
        try device.asSeed { context in
            try Device.object("Place", "home", in: context).setValue("new", forKey: "icon")
            try context.save()
        }
        #expect(try await device.store.sync().conflictCount == 0)
        try await Device.settle(device, other)
        for device in [device, other] { #expect(try device.places() == []) }
    }

    @Test(
        "goes before it is sent if a user has deleted its namesake, unless it was edited",
        arguments: Policy.allCases, [false, true])
    func tombstone(policy: Policy, isEdited: Bool) async throws {
        let (device, other) = (try device("a", policy), try device("b", policy))
        try await device.store.sync()
        try other.add("Place", ["name": "home", "icon": "star"])
        try await other.store.sync()
        try other.deleteAll("Place")
        try await other.store.sync()
        try device.seed(Self.seed)
        if isEdited { try device.write("home", ["icon": "tent"]) }
        #expect(try await device.store.sync().conflictCount == 0)
        try await Device.settle(device, other)
        for device in [device, other] {
            #expect(try device.places() == (isEdited ? ["home tent - -"] : []))
        }
    }

    @Test(
        "that another device makes anew does not undo a deletion that waits",
        arguments: Policy.allCases)
    func madeAnew(policy: Policy) async throws {
        let (device, other) = (try device("a", policy), try device("b", policy))
        try device.add("Place", ["name": "home", "icon": "star"])
        try await Device.settle(device, other)
        try device.deleteAll("Place")
        try other.deleteAll("Place")
        try await other.store.sync()
        let reinstalled = try self.device("c", policy)
        try reinstalled.seed(Self.seed)
        try await reinstalled.store.sync()
        #expect(try await device.store.sync().conflictCount == 0)
        try await Device.settle(device, other, reinstalled)
        for device in [device, other, reinstalled] { #expect(try device.places() == []) }
    }

    @Test("is made again after a reinstall if a user has deleted it before") func reinstalled()
        async throws
    {
        let device = try device()
        try device.seed(Self.seed)
        try await device.store.sync()
        try device.deleteAll("Place")
        try await device.store.sync()
        let reinstalled = try self.device("b")
        try reinstalled.seed(Self.seed)
        try await Device.settle(reinstalled, device)
        for device in [device, reinstalled] {
            #expect(try device.places() == ["home house - -"])
        }
    }

    @Test("that is written over a waiting deletion has no edits") func writtenAgain()
        async throws
    {
        let (device, other) = (try device("a", .clientRecordWins), try device("b"))
        try device.add("Place", ["name": "home", "icon": "star"])
        try await Device.settle(device, other)
        try device.deleteAll("Place")
        try device.seed(Self.seed)
        try other.write("home", ["icon": "tent"])
        try await other.store.sync()
        #expect(try await device.store.sync().conflictCount == 0)
        try await Device.settle(device, other)
        for device in [device, other] { #expect(try device.places() == ["home tent - -"]) }
    }
}
