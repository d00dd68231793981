import CoreData
import LocalCloud
import Seam3
import SeamSQLite
import Testing

@Suite("A one-to-one relationship whose ends do not point at each other is found")
struct HalfSetOneToOneTests {
    private static func model() -> NSManagedObjectModel {
        let cover = NSEntityDescription(
            "Cover", [NSAttributeDescription("name", .stringAttributeType)])
        let document = NSEntityDescription(
            "Document", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((cover, "document", 1), (document, "cover", 1))
        return NSManagedObjectModel(cover, document)
    }

    /// The damage done to a file with two pairs, c1 and d1, c2 and d2.
    static let damages = [
        "UPDATE Cover SET document = NULL WHERE name = 'c1'",
        "UPDATE Document SET cover = NULL WHERE name = 'd1'",
        "UPDATE Cover SET document = (SELECT pk FROM Document WHERE name = 'd2')",
        "UPDATE Document SET cover = (SELECT pk FROM Cover WHERE name = 'c2')",
        """
        UPDATE Cover SET document = (SELECT pk FROM Document WHERE name = 'd2') WHERE name = 'c1'
        """,
    ]

    @Test("in a file", arguments: damages)
    func damage(statement: String) throws {
        let device = try Device(on: LocalCloud.inMemory(), model: Self.model())
        for number in 1...2 {
            try device.addAll("Cover", "c\(number)")
            try device.addAll("Document", "d\(number)")
            try device.edit { context in
                try Device.object("Cover", "c\(number)", in: context).setValue(
                    try Device.object("Document", "d\(number)", in: context), forKey: "document")
            }
        }
        #expect(try device.store.checkInvariants() == [])
        device.close()
        try SQLiteConnection(path: device.file.path).execute(statement)
        try device.open(model: Self.model())
        #expect(try device.store.checkInvariants().map(\.rule).contains(.inverseAgrees))
    }

    /// A file of Core Data's own store, in which Ada's favorite is the sports car.
    static let adoptedDamages = [
        "UPDATE ZCAR SET ZFAN = NULL",
        "UPDATE ZPERSON SET ZFAVORITE = NULL, Z1_FAVORITE = NULL",
        "UPDATE ZPERSON SET ZFAVORITE = 2, Z1_FAVORITE = 2",
        "UPDATE ZCAR SET ZFAN = 1",
        "UPDATE ZCAR SET ZFAN = 2 WHERE Z_PK = 2",
    ]

    @Test("or repaired in one that is adopted", arguments: adoptedDamages)
    func adopted(statement: String) throws {
        let folder = try TestFolder()
        _ = try CoreDataFixture(at: folder.store)
        try SQLiteConnection(path: folder.store.path).execute(statement)
        try SMStore.adoptFile(at: folder.store, model: CoreDataFixture.model())
        let stack = try StoreStack(at: folder.store, model: CoreDataFixture.model())
        let agrees = try stack.perform { context in
            for (entity, key, inverse) in [
                ("Person", "favorite", "fan"), ("Car", "fan", "favorite"),
            ] {
                for object in try Device.all(entity, in: context) {
                    guard let other = object.value(forKey: key) as? NSManagedObject else {
                        continue
                    }
                    if other.value(forKey: inverse) as? NSManagedObject != object { return false }
                }
            }
            return true
        }
        let store = try #require(
            stack.container.persistentStoreCoordinator.persistentStores.first as? SMStore)
        let isFound = try store.checkInvariants().map(\.rule).contains(.inverseAgrees)
        #expect(agrees != isFound)
    }

    static let reflexiveDamages = [
        "UPDATE Person SET partner = NULL WHERE name = 'p'",
        "UPDATE Person SET partner = NULL WHERE name = 'q'",
        "UPDATE Person SET partner = (SELECT pk FROM Person WHERE name = 'p') WHERE name = 'r'",
        "UPDATE Person SET partner = pk WHERE name = 'p'",
    ]

    @Test("in an entity that it relates to itself", arguments: reflexiveDamages)
    func reflexive(statement: String) throws {
        let model = {
            let person = NSEntityDescription(
                "Person", [NSAttributeDescription("name", .stringAttributeType)])
            let partner = NSRelationshipDescription()
            partner.name = "partner"
            partner.destinationEntity = person
            partner.maxCount = 1
            partner.isOptional = true
            partner.inverseRelationship = partner
            person.properties += [partner]
            return NSManagedObjectModel(person)
        }
        let device = try Device(on: LocalCloud.inMemory(), model: model())
        try device.addAll("Person", "p", "q", "r")
        try device.edit { context in
            try Device.object("Person", "p", in: context).setValue(
                try Device.object("Person", "q", in: context), forKey: "partner")
        }
        #expect(try device.store.checkInvariants() == [])
        device.close()
        try SQLiteConnection(path: device.file.path).execute(statement)
        try device.open(model: model())
        #expect(try device.store.checkInvariants().map(\.rule).contains(.inverseAgrees))
    }
}
