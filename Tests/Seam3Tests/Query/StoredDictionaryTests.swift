import CoreData
import Testing

@testable import Seam3

/// Dictionaries have the file's values, regardless of a context's objects and changes.
@Suite struct StoredDictionaryTests {
    private let world: QueryStore

    init() throws {
        let point = NSAttributeDescription.composite(
            "point",
            ["x", "y"].map { NSAttributeDescription($0, .doubleAttributeType) })
        let place = NSEntityDescription(
            "Place",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("colors", .transformableAttributeType), point,
            ])
        world = try QueryStore(model: NSManagedObjectModel(place))
    }

    private func fetch(
        _ properties: [Any]?, _ predicate: NSPredicate? = nil, includesPendingChanges: Bool
    ) throws -> [NSDictionary] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Place")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        request.predicate = predicate
        request.includesPendingChanges = includesPendingChanges
        return try world.fetch(request)
    }

    private func place() throws -> NSManagedObject {
        let place = world.insert("Place")
        place.setValue("home", forKey: "name")
        place.setValue(NSArray(array: ["red"]), forKey: "colors")
        place.setValue(["x": 1.0, "y": 2.0], forKey: "point")
        try world.save()
        return place
    }

    private static let columns: [[Any]?] = [
        nil, ["colors"], ["point"], ["name", "colors", "point"], ["point.x", "colors"],
    ]

    @Test("They have no unsaved values", arguments: [true, false])
    func unsavedValues(includesPendingChanges: Bool) throws {
        let place = try place()
        let before = try Self.columns.map {
            try fetch($0, includesPendingChanges: includesPendingChanges)
        }
        #expect(before[1] == [["colors": NSArray(array: ["red"])]])
        #expect(before[2] == [["point": ["x": 1.0, "y": 2.0] as NSDictionary]])
        place.setValue(NSArray(array: ["blue"]), forKey: "colors")
        place.setValue(["x": 5.0], forKey: "point")
        place.setValue("away", forKey: "name")
        let after = try Self.columns.map {
            try fetch($0, includesPendingChanges: includesPendingChanges)
        }
        #expect(after == before)
    }

    @Test(
        "They are those of the objects whose saved values match a block", arguments: [true, false])
    func block(includesPendingChanges: Bool) throws {
        let place = try place()
        let isHome = NSPredicate { object, _ in
            (object as? NSManagedObject)?.value(forKey: "name") as? String == "home"
        }
        place.setValue("away", forKey: "name")
        for columns in Self.columns {
            let found = try fetch(
                columns, isHome, includesPendingChanges: includesPendingChanges)
            #expect(found.count == 1)
        }
    }

    @Test("They are not older than the last save of another context")
    func otherContext() throws {
        let place = try place()
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = world.context.persistentStoreCoordinator
        let id = place.objectID
        try other.performAndWait {
            let place = try other.existingObject(with: id)
            place.setValue(NSArray(array: ["green"]), forKey: "colors")
            place.setValue(["x": 7.0, "y": 8.0], forKey: "point")
            try other.save()
        }
        #expect(place.value(forKey: "colors") as? NSArray == ["red"])
        let found = try fetch(["colors", "point"], includesPendingChanges: false)
        let expected: NSDictionary = [
            "colors": NSArray(array: ["green"]), "point": ["x": 7.0, "y": 8.0] as NSDictionary,
        ]
        #expect(found == [expected])
    }

    @Test("The fetch leaves nothing behind in the context")
    func registration() throws {
        _ = try place()
        world.context.reset()
        _ = try fetch(nil, includesPendingChanges: false)
        #expect(world.context.registeredObjects.isEmpty)
    }
}
