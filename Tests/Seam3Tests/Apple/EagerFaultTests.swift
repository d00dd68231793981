import CoreData
import Seam3
import Testing

/// `hasFault(forRelationshipNamed:)` also considers the destination of a to-one relationship: a
/// relationship that was just set counts as a fault if its destination is one.
@Suite("A relationship that counts as a fault") struct EagerFaultTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private static func model() -> NSManagedObjectModel {
        let entities = ["Clock", "Zone"].map {
            NSEntityDescription($0, [NSAttributeDescription("name", .stringAttributeType)])
        }
        NSRelationshipDescription.join((entities[0], "timeZone", 1), (entities[1], "clocks", 0))
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    @Test("is saved if it was just set", arguments: [false, true])
    func isSaved(isNew: Bool) throws {
        let stack = try StoreStack(at: folder.store, model: Self.model())
        try stack.add("Clock", "Clock")
        try stack.add("Zone", "Zone")
        try stack.perform { context in
            let zoneID = try #require(try Device.all("Zone", in: context).first).objectID
            context.reset()
            let clock =
                try isNew
                ? NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                : #require(try Device.all("Clock", in: context).first)
            let zone = context.object(with: zoneID)
            #expect(zone.isFault)
            clock.setValue(zone, forKey: "timeZone")
            try context.save()
            let id = clock.objectID
            context.reset()
            let saved = context.object(with: id).value(forKey: "timeZone") as? NSManagedObject
            #expect(saved?.objectID == zoneID)
            context.object(with: id).setValue(nil, forKey: "timeZone")
            try context.save()
            context.reset()
            #expect(context.object(with: id).value(forKey: "timeZone") == nil)
        }
    }
}
