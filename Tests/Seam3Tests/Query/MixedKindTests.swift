import CoreData
import Testing

@testable import Seam3

/// Comparisons of a text with numbers, which SQLite makes texts of for a column of texts.
@Suite struct MixedKindTests {
    private let world: QueryStore

    init() throws {
        let car = NSEntityDescription(
            "Car",
            [
                NSAttributeDescription("plate", .stringAttributeType),
                NSAttributeDescription("number", .integer64AttributeType),
            ])
        world = try QueryStore(model: NSManagedObjectModel(car))
        for plate in ["8", "9", "10", "9.5", "A9"] {
            world.insert("Car").setValue(plate, forKey: "plate")
        }
        _ = world.insert("Car")
        try world.save()
    }

    @Test(
        "A text is found by numbers as Core Data's SQLite store finds it",
        arguments: [
            ("plate IN %@", [9, 10, 11], ["10", "9"]),
            ("plate IN %@", [9, "A9", 9.5] as [Any], ["9", "9.5", "A9"]),
            ("plate IN %@", Array(0..<20), ["10", "8", "9"]),
            ("plate IN %@", NSSet(array: [9, 10]), ["10", "9"]),
            ("NOT (plate IN %@)", [9, 10, 8, 9.5] as [Any], ["", "A9"]),
            ("plate == %@", 9, ["9"]), ("%@ == plate", 10, ["10"]),
            ("plate != %@", 9, ["", "10", "8", "9.5", "A9"]),
        ] as [(String, Any, [String])])
    func textByNumbers(format: String, value: Any, plates: [String]) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Car")
        request.predicate = NSPredicate(format: format, argumentArray: [value])
        let found = try world.fetch(request).map { $0.value(forKey: "plate") as? String ?? "" }
        #expect(found.sorted() == plates)
    }
}
