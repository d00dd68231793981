import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A relationship without an inverse", .tags(.everyRelationshipRoundTrips))
struct RelationshipWithoutInverseTests {
    let cloud = LocalCloud.inMemory()

    private func model(isOrdered: Bool = false, isSynced: Bool = false) -> NSManagedObjectModel {
        let name = { NSAttributeDescription("name", .stringAttributeType) }
        let album = NSEntityDescription("Album", [name()])
        let photo = NSEntityDescription("Photo", [name()])
        for (relationship, count) in [("photos", 0), ("cover", 1)] {
            let description = NSRelationshipDescription()
            description.name = relationship
            description.destinationEntity = photo
            description.maxCount = count
            description.isOptional = true
            description.isOrdered = isOrdered && count == 0
            description.deleteRule = .nullifyDeleteRule
            if !isSynced { description.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"] }
            album.properties.append(description)
        }
        return NSManagedObjectModel(album, photo)
    }

    /// A device with an album of three photos.
    private func device(isOrdered: Bool = false) throws -> Device {
        let device = try Device("albums", on: cloud, model: model(isOrdered: isOrdered))
        try device.edit { context in
            func insert(_ entity: String, _ name: String) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(
                    forEntityName: entity, into: context)
                object.setValue(name, forKey: "name")
                return object
            }
            let photos = ["c", "a", "b"].map { insert("Photo", $0) }
            let album = insert("Album", "album")
            album.setValue(
                isOrdered ? NSOrderedSet(array: photos) : NSSet(array: photos), forKey: "photos")
            album.setValue(photos[0], forKey: "cover")
        }
        return device
    }

    @Test("is kept, in order if it has one, and found by predicates", arguments: [true, false])
    func kept(isOrdered: Bool) throws {
        let device = try device(isOrdered: isOrdered)
        for _ in 1...2 {
            #expect(
                try device.text("Album", "album", "photos") == (isOrdered ? "c,a,b" : "a,b,c"))
            #expect(try device.text("Album", "album", "cover") == "c")
            for format in ["ANY photos.name == 'b'", "photos.@count == 3", "cover.name == 'c'"] {
                let count = try device.read { context in
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
                    request.predicate = NSPredicate(format: format)
                    return try context.count(for: request)
                }
                #expect(count == 1, "\(format)")
            }
            try device.relaunch(model: model(isOrdered: isOrdered))
        }
        #expect(try device.store.checkInvariants().isEmpty)
    }

    @Test("can be changed, and loses an object that is deleted", arguments: [true, false])
    func changed(isOrdered: Bool) throws {
        let device = try device(isOrdered: isOrdered)
        try device.edit { context in
            let album = try Device.object("Album", "album", in: context)
            let kept = try ["b", "c"].map { try Device.object("Photo", $0, in: context) }
            album.setValue(
                isOrdered ? NSOrderedSet(array: kept) : NSSet(array: kept), forKey: "photos")
        }
        try device.relaunch(model: model(isOrdered: isOrdered))
        #expect(try device.text("Album", "album", "photos") == "b,c")
        try device.edit { context in
            context.delete(try Device.object("Photo", "b", in: context))
        }
        try device.relaunch(model: model(isOrdered: isOrdered))
        #expect(try device.text("Album", "album", "photos") == "c")
        #expect(try device.store.checkInvariants().isEmpty)
        try device.edit { context in
            context.delete(try Device.object("Album", "album", in: context))
        }
        #expect(try device.store.checkInvariants().isEmpty)
    }

    @Test("stays on the device, while its objects are synced")
    func synced() async throws {
        let device = try device()
        try await device.store.sync()
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        let other = try Device("other", on: cloud, model: model())
        try await other.store.sync()
        #expect(try other.count("Photo") == 3)
        #expect(try other.text("Album", "album", "photos").isEmpty)
        #expect(try other.text("Album", "album", "cover") == "nil")
        // Another device deletes an object that belongs to a relationship on this one.
        try other.edit { context in
            context.delete(try Device.object("Photo", "a", in: context))
        }
        try await other.store.sync()
        try await device.store.sync()
        #expect(try device.text("Album", "album", "photos") == "b,c")
        #expect(try device.store.checkInvariants().isEmpty)
    }

    @Test("that is to be synced is refused by name, with both remedies")
    func refused() throws {
        let error = #expect(throws: SMStoreError.self) {
            try Device("refused", on: cloud, model: model(isSynced: true))
        }
        for word in ["Album.cover", "Album.photos", "inverse", "SMSynced = NO"] {
            #expect(error?.description.contains(word) == true, "\(word)")
        }
    }

    @Test("gets an inverse, and loses it, without losing its objects")
    func migrated() throws {
        let device = try device()
        let joined = model()
        let (album, photo) = (joined.entitiesByName["Album"], joined.entitiesByName["Photo"])
        let back = NSRelationshipDescription()
        back.name = "album"
        back.destinationEntity = album
        back.maxCount = 1
        back.isOptional = true
        photo?.properties.append(back)
        back.inverseRelationship = album?.relationshipsByName["photos"]
        album?.relationshipsByName["photos"]?.inverseRelationship = back
        try device.relaunch(model: joined)
        #expect(try device.text("Photo", "a", "album") == "album")
        #expect(try device.text("Album", "album", "photos") == "a,b,c")
        try device.relaunch(model: model())
        #expect(try device.text("Album", "album", "photos") == "a,b,c")
        #expect(try device.store.checkInvariants().isEmpty)
    }
}
