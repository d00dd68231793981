import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Merges all albums with the same title into one.
final class AlbumJoiningPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        let title = sInstance.value(forKey: "title") as? String
        let context = manager.destinationContext
        let same = context.insertedObjects.first {
            $0.entity.name == "Album" && $0.value(forKey: "title") as? String == title
        }
        let album =
            same ?? NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
        album.setValue(title, forKey: "title")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: album, for: mapping)
    }
}

/// Albums with ordered photos, each with external data in its own file.
private enum AlbumModel {
    static func make(isNew: Bool = false) -> NSManagedObjectModel {
        let data = NSAttributeDescription("data", .binaryDataAttributeType)
        data.allowsExternalBinaryDataStorage = true
        let album = NSEntityDescription(
            "Album", [NSAttributeDescription("title", .stringAttributeType)])
        let photo = NSEntityDescription(
            "Photo", [NSAttributeDescription("name", .stringAttributeType), data])
        if isNew {
            photo.properties.append(NSAttributeDescription("caption", .stringAttributeType))
        }
        NSRelationshipDescription.join((album, "photos", 0), (photo, "album", 1))
        album.relationshipsByName["photos"]?.isOrdered = true
        return NSManagedObjectModel(album, photo)
    }

    /// A mapping model that copies everything except the policy's entity.
    static func mappings(_ policies: [String: String] = [:]) throws -> NSMappingModel {
        let model = try NSMappingModel.inferredMappingModel(
            forSourceModel: make(), destinationModel: make(isNew: true))
        for mapping in model.entityMappings {
            mapping.entityMigrationPolicyClassName =
                mapping.destinationEntityName.flatMap { policies[$0] }
                ?? mapping.entityMigrationPolicyClassName
        }
        return model
    }
}

@Suite("What a mapping model does not change, it keeps:") struct MappedMigrationStateTests {
    let cloud = LocalCloud.inMemory()

    private func device(
        _ name: String, policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) throws -> Device {
        try Device(name, on: cloud, policy: policy, model: AlbumModel.make())
    }

    private func migrate(_ device: Device, policies: [String: String] = [:]) throws {
        let manager = NSMigrationManager(
            sourceModel: AlbumModel.make(), destinationModel: AlbumModel.make(isNew: true))
        try device.map(by: manager, AlbumModel.mappings(policies))
    }

    private func pending(_ device: Device) throws -> Int {
        try device.store.syncStatus().pendingChangeCount
    }

    /// The names of an album's photos, in order.
    private func photos(_ device: Device, _ title: String) throws -> [String?] {
        try device.read { context in
            let album = try Device.all("Album", in: context).first {
                $0.value(forKey: "title") as? String == title
            }
            let photos = album?.value(forKey: "photos") as? NSOrderedSet
            return (photos?.array ?? []).map {
                ($0 as? NSManagedObject)?.value(forKey: "name") as? String
            }
        }
    }

    private func fill(_ device: Device, _ title: String, _ names: String...) throws {
        try device.edit { context in
            let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
            album.setValue(title, forKey: "title")
            let photos = names.map { name in
                let photo = NSEntityDescription.insertNewObject(
                    forEntityName: "Photo", into: context)
                photo.setValue(name, forKey: "name")
                return photo
            }
            album.setValue(NSOrderedSet(array: photos), forKey: "photos")
        }
    }

    @Test("order keys, none of which is sent again") func order() async throws {
        let device = try device("a")
        try fill(device, "Rome", "c", "a", "b")
        try device.edit { context in
            let album = try #require(try Device.all("Album", in: context).first)
            let photos = album.mutableOrderedSetValue(forKey: "photos")
            photos.moveObjects(at: [2], to: 0)
        }
        try await device.store.sync()
        try migrate(device)
        #expect(try photos(device, "Rome") == ["b", "c", "a"])
        #expect(try pending(device) == 0)
        #expect(try device.store.checkInvariants().isEmpty)
    }

    @Test("what was edited before the store forgot the server") func forgottenServer() async throws
    {
        let (device, other) = (try device("a"), try device("b"))
        try fill(device, "Rome", "x")
        try await Device.settle(device, other)
        try device.edit { context in
            for photo in try Device.all("Photo", in: context) {
                photo.setValue("y", forKey: "name")
            }
        }
        try device.store.resetCloudFieldsInBackingStore()
        try migrate(device)
        device.store.syncConflictResolutionPolicy = .mergeByProperty
        try await device.store.sync()
        try await other.store.sync()
        for device in [device, other] { #expect(try photos(device, "Rome") == ["y"]) }
    }

    @Test(
        "what it needs to learn of deletions, also if its new file was there before",
        arguments: [true, false])
    func deletionOnServer(isDestroyed: Bool) async throws {
        let (device, other) = (try device("a"), try device("b"))
        try fill(device, "Rome", "x")
        try await Device.settle(device, other)
        let former = try Device("c", on: cloud, model: AlbumModel.make(isNew: true))
        try fill(former, "Oslo", "y")
        former.close()
        let file = device.directory.appendingPathComponent("New.sqlite")
        try FileManager.default.copyItem(at: former.file, to: file)
        if isDestroyed {
            try former.container.persistentStoreCoordinator.destroyPersistentStore(
                at: file, ofType: SMStore.type)
        }
        for entity in ["Album", "Photo"] { try other.deleteAll(entity) }
        try await other.store.sync()
        try migrate(device)
        try await Device.settle(device, other)
        #expect(try photos(other, "Oslo") == (isDestroyed ? [] : ["y"]))
        for device in [device, other] {
            #expect(try device.count("Album") == (isDestroyed ? 0 : 1))
            #expect(try pending(device) == 0)
        }
    }

    @Test("a reference to a record that has not arrived, which is set once it arrives")
    func absentReference() async throws {
        let (device, other) = (try device("a"), try device("b"))
        try fill(other, "Rome", "x")
        try await other.store.sync()
        let client = RawClient(cloud)
        let photo = client.record(
            "Photo", named: "photo", ["name": "y", "album_order": "V"])
        photo["album"] = client.reference(to: "album")
        try await client.save(photo)
        try await device.store.sync()
        try migrate(device)
        #expect(try pending(device) == 0)
        try await client.save(client.record("Album", named: "album", ["title": "Oslo"]))
        try await device.store.sync()
        #expect(try photos(device, "Oslo") == ["y"])
        #expect(try device.store.checkInvariants().isEmpty)
    }

    @Test("a reference to an object whose deletion waits, which is set if the object comes back")
    func deletedReference() async throws {
        let (device, other) = (try device("a"), try device("b"))
        try fill(device, "Rome", "x")
        try await Device.settle(device, other)
        try other.edit { try Device.all("Photo", in: $0).first?.setValue("y", forKey: "name") }
        try await other.store.sync()
        try device.edit { context in
            for name in ["Photo", "Album"] {
                for object in try Device.all(name, in: context) { context.delete(object) }
            }
        }
        let fault = cloud.faults.add(
            .fail(.networkFailure), for: .kind(.modifyRecords), occurrences: .always)
        await #expect(throws: CKError.self) { try await device.store.sync() }
        cloud.faults.remove(fault)
        #expect(try device.count("Photo") == 1)
        try migrate(device)
        #expect(try pending(device) == 1)
        #expect(try device.store.checkInvariants().isEmpty)
        try other.edit { try Device.all("Album", in: $0).first?.setValue("Oslo", forKey: "title") }
        try await other.store.sync()
        try await device.store.sync()
        #expect(try photos(device, "Oslo") == ["y"])
        #expect(try pending(device) == 0)
        #expect(try device.store.checkInvariants().isEmpty)
    }

    @Test("large data in files, which is neither sent again nor lost") func externalData()
        async throws
    {
        let device = try device("a")
        let data = PhotoModel.data(7)
        try device.add("Photo", ["name": "x", "data": data])
        try await device.store.sync()
        try migrate(device)
        #expect(try device.values("data", of: "Photo") == ["x": data])
        #expect(try device.externalFileSizes() == [data.count])
        #expect(try pending(device) == 0)
    }

    @Test("one of the records of objects that are merged; the others are deleted")
    func joined() async throws {
        let device = try device("a")
        try fill(device, "Rome", "x")
        try fill(device, "Rome", "y")
        try await device.store.sync()
        let before = Set(try await RawClient(cloud).records(ofType: "Album").map(\.recordID))
        try migrate(device, policies: ["Album": "AlbumJoiningPolicy"])
        #expect(try device.count("Album") == 1)
        try await device.store.sync()
        let after = Set(try await RawClient(cloud).records(ofType: "Album").map(\.recordID))
        #expect(before.count == 2)
        #expect(after.count == 1 && after.isSubset(of: before))
        #expect(Set(try photos(device, "Rome")) == ["x", "y"])
        #expect(try pending(device) == 0)
        #expect(try device.store.checkInvariants().isEmpty)
    }

    @Test(
        "what another device has set in a new attribute, though the local record wins",
        arguments: WaitingChange.allCases)
    func newAttribute(waiting: WaitingChange) async throws {
        let (a, b) = (
            try device("a", policy: .clientRecordWins), try device("b", policy: .clientRecordWins)
        )
        try fill(a, "Rome", "photo")
        try await waiting.share(from: a, with: b, on: cloud)
        try a.edit {
            try #require(Device.all("Photo", in: $0).first).setValue("new", forKey: "name")
        }
        if waiting == .allAfterReset { try a.store.resetCloudFieldsInBackingStore() }
        try b.relaunch(model: AlbumModel.make(isNew: true))
        try b.edit {
            try #require(Device.all("Photo", in: $0).first).setValue("by b", forKey: "caption")
        }
        try await b.store.sync()
        try migrate(a)
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try photos(device, "Rome") == ["new"])
            try device.read { context in
                let caption = try Device.all("Photo", in: context).first?.value(forKey: "caption")
                #expect(caption as? String == "by b", "\(device.name)")
            }
        }
    }

    /// A model of items with a count.
    private static func counts(
        _ type: NSAttributeType, isOptional: Bool = true, hasNote: Bool = false
    ) -> NSManagedObjectModel {
        let count = NSAttributeDescription("count", type)
        count.isOptional = isOptional
        count.defaultValue = isOptional ? nil : 7
        let item = NSEntityDescription(
            "Item", [NSAttributeDescription("name", .stringAttributeType), count])
        if hasNote { item.properties.append(NSAttributeDescription("note", .stringAttributeType)) }
        return NSManagedObjectModel(item)
    }

    @Test(
        "a number from a newer model that its type cannot hold", arguments: [false, true],
        [false, true])
    func unfitNumber(isInferred: Bool, isOptional: Bool) async throws {
        func counts(on device: Device) throws -> [Int64?] {
            try device.read { context in
                try Device.all("Item", in: context).map { $0.value(forKey: "count") as? Int64 }
            }
        }
        let number: Int64 = 193_393_124_661
        let newest = Self.counts(
            .integer64AttributeType, isOptional: isOptional, hasNote: true)
        let newer = try Device("newer", on: cloud, model: newest)
        try newer.add("Item", ["name": "item", "count": number])
        try await newer.store.sync()
        let models = [false, true].map {
            Self.counts(.integer16AttributeType, isOptional: isOptional, hasNote: $0)
        }
        let older = try Device("older", on: cloud, model: models[0])
        try await older.store.sync()
        let mappings = try NSMappingModel.inferredMappingModel(
            forSourceModel: models[0], destinationModel: models[1])
        if !isInferred {
            for mapping in mappings.entityMappings { mapping.name = "ItemToItem" }
        }
        try older.map(
            by: SMMigrationManager(sourceModel: models[0], destinationModel: models[1]), mappings)
        #expect(try counts(on: older) == [number])
        #expect(try pending(older) == 0)
        #expect(try older.store.checkInvariants() == [])
        try older.edit { context in
            for item in try Device.all("Item", in: context) {
                item.setValue("edited", forKey: "name")
            }
        }
        try await Device.settle(older, newer)
        #expect(try counts(on: newer) == [number])
        try older.map(from: models[1], to: newest)
        #expect(try counts(on: older) == [number])
        #expect(try pending(older) == 0)
    }
}
