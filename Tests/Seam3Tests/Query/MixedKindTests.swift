import CoreData
import Testing

@testable import Seam3

/// Comparisons between strings and numbers. SQLite converts numbers to text for a text column, and
/// text to numbers for a numeric column.
@Suite struct MixedKindTests {
    private let world: QueryStore

    init() throws {
        let car = NSEntityDescription(
            "Car",
            [
                NSAttributeDescription("plate", .stringAttributeType),
                NSAttributeDescription("number", .integer64AttributeType),
                NSAttributeDescription("weight", .doubleAttributeType),
                NSAttributeDescription("price", .decimalAttributeType),
                NSAttributeDescription("isNew", .booleanAttributeType),
            ])
        world = try QueryStore(model: NSManagedObjectModel(car))
        for plate in ["8", "9", "10", "9.5", "A9"] {
            let car = world.insert("Car")
            car.setValue(plate, forKey: "plate")
            guard let weight = Double(plate) else { continue }
            car.setValue(Int64(weight), forKey: "number")
            car.setValue(weight, forKey: "weight")
            car.setValue(NSDecimalNumber(string: plate), forKey: "price")
            car.setValue(weight == 8, forKey: "isNew")
        }
        _ = world.insert("Car")
        try world.save()
    }

    @Test(
        "A string is found by numbers as Core Data's SQLite store finds it",
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
        #expect(try found(format, value) == plates)
    }

    @Test(
        "A number is found by strings that spell numbers",
        arguments: [
            ("number IN %@", ["10", " 8\n", "+7"], ["10", "8"]),
            ("number IN %@", ["8.0", "1e1", "x"], ["10", "8"]),
            ("number IN %@", ["0x8", "inf", "", "8 9"], []),
            ("number IN %@", ["x", 8] as [Any], ["8"]),
            ("number IN %@", (0..<20).map(String.init), ["10", "8", "9", "9.5"]),
            ("NOT (number IN %@)", ["10", "9"], ["", "8", "A9"]),
            ("number == %@", "8", ["8"]), ("%@ == number", "10", ["10"]),
            ("number > %@", "8.5", ["10", "9", "9.5"]),
            ("weight IN %@", ["9.50", "8"], ["8", "9.5"]),
            ("price IN %@", ["9.50", "10"], ["10", "9.5"]),
            ("price == %@", "9.5", ["9.5"]),
            ("isNew IN %@", ["1"], ["8"]),
        ] as [(String, Any, [String])])
    func numberByTexts(format: String, value: Any, plates: [String]) throws {
        #expect(try found(format, value) == plates)
    }

    private func found(_ format: String, _ value: Any) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Car")
        request.predicate = NSPredicate(format: format, argumentArray: [value])
        return try world.fetch(request)
            .map { $0.value(forKey: "plate") as? String ?? "" }.sorted()
    }
}
