import CoreData
import Seam3

/// Places with a natural key, their name, in regions that have one, too; and notes without a key.
enum PlaceModel {
    static func make() -> NSManagedObjectModel {
        let place = NSEntityDescription(
            "Place",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("icon", .stringAttributeType),
                NSAttributeDescription("note", .stringAttributeType),
                NSAttributeDescription("color", .stringAttributeType),
            ])
        let region = NSEntityDescription(
            "Region", [NSAttributeDescription("name", .stringAttributeType)])
        for entity in [place, region] {
            entity.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
        }
        let note = NSEntityDescription(
            "Note",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("icon", .stringAttributeType),
            ])
        NSRelationshipDescription.join((region, "places", 0), (place, "region", 1))
        return NSManagedObjectModel(place, region, note)
    }
}

/// The ways to write default content.
enum SeedWriting: CaseIterable {
    case save, batchInsertion
}

extension Device {
    /// Writes default content.
    func seed(
        of entity: String = "Place", by writing: SeedWriting = .save, _ rows: [String: String]...
    ) throws {
        try asSeed { context in
            switch writing {
            case .save:
                for row in rows {
                    let object = NSEntityDescription.insertNewObject(
                        forEntityName: entity, into: context)
                    for (key, value) in row { object.setValue(value, forKey: key) }
                }
                try context.save()
            case .batchInsertion:
                _ = try context.execute(NSBatchInsertRequest(entityName: entity, objects: rows))
            }
        }
    }

    /// Runs a closure while the context's author is that of default content.
    func asSeed<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        try read { context in
            context.transactionAuthor = SMStore.seedAuthor
            defer { context.transactionAuthor = nil }
            return try body(context)
        }
    }

    /// Sets values of the object with a name, as its user.
    func write(_ name: String, _ values: [String: String?], in entity: String = "Place") throws {
        try edit { context in
            let object = try Self.object(entity, name, in: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
        }
    }

    /// The places, each as its name, icon, note and color.
    func places() throws -> [String] {
        try read { context in
            context.refreshAllObjects()
            return try Self.all("Place", in: context).map { place in
                ["name", "icon", "note", "color"]
                    .map { place.value(forKey: $0) as? String ?? "-" }.joined(separator: " ")
            }.sorted()
        }
    }
}
