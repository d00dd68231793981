import CoreData
import SeamSQLite
import Testing

@testable import Seam3

/// On Apple's systems an exception must not pass through the frames of SQLite, which calls functions of the
/// predicate language for its rows.
@Suite("A row for which a function of the predicate language raises an exception")
struct RaisingFunctionTests {
    private static func store() throws -> QueryStore {
        let store = try QueryStore(
            model: NSManagedObjectModel(
                NSEntityDescription(
                    "Part",
                    ["name", "pattern"].map { NSAttributeDescription($0, .stringAttributeType) }
                        + [
                            NSAttributeDescription("count", .integer64AttributeType),
                            NSAttributeDescription("divisor", .doubleAttributeType),
                            NSAttributeDescription("code", .binaryDataAttributeType),
                        ])))
        let parts: [(String, String, Int64, Double)] = [
            ("even", "e.*", 4, 2), ("odd", "e.*", 5, 2), ("zero", "[", 4, 0),
            ("small", "(", 4, 0.5), ("least", "*", .min, -1),
        ]
        for (name, pattern, count, divisor) in parts {
            let part = store.insert("Part")
            part.setValue(name, forKey: "name")
            part.setValue(pattern, forKey: "pattern")
            part.setValue(count, forKey: "count")
            part.setValue(divisor, forKey: "divisor")
            part.setValue(Data(name.utf8.reversed()), forKey: "code")
        }
        try store.save()
        return store
    }

    private static func names(_ format: String) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Part")
        request.predicate = NSPredicate(format: format, argumentArray: [])
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let store = try store()
        return try store.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }

    @Test(
        "has no remainder",
        arguments: [
            ("modulus:by:(count, divisor) == 0", ["even", "least"]),
            ("modulus:by:(count, divisor) == 1", ["odd"]),
            ("modulus:by:(count, divisor) == nil", ["small", "zero"]),
            ("modulus:by:(count, 0) == 0", []),
            ("modulus:by:(7, 0) == 0", []),
        ])
    func remainders(format: String, names: [String]) throws {
        #expect(try Self.names(format) == names)
    }

    @Test(
        "matches no pattern that is none",
        arguments: ["name MATCHES pattern", "name MATCHES[c] pattern", "name MATCHES[cd] pattern"])
    func patterns(format: String) throws {
        #expect(try Self.names(format) == ["even"])
    }

    @Test("is not reached if the pattern is a constant: the fetch fails") func constantPattern()
        throws
    {
        let error = #expect(throws: SMStoreError.self) { try Self.names("name MATCHES '['") }
        #expect(error?.description.contains("[") == true)
    }

    @Test("fails the statement if the function does not exist") func selector() throws {
        let connection = try SQLiteConnection(path: ":memory:")
        try QueryFunctions.register(on: connection)
        for name in ["bogus:", "castObject:toType:", "random"] {
            #expect(throws: (any Error).self, "\(name)") {
                try connection.execute("SELECT seam_call(?, 'ss', 'x')", [.text(name)])
            }
        }
    }

    @Test(
        "is sorted by the bytes of data in memory, too, alone or in groups",
        arguments: [true, false])
    func data(isAscending: Bool) throws {
        let store = try Self.store()
        let parts = ["even", "odd", "zero", "small", "least"]
        let sorted = parts.sorted {
            $0.utf8.reversed().lexicographicallyPrecedes($1.utf8.reversed()) == isAscending
        }
        let median = NSExpressionDescription()
        median.name = "middle"
        median.expression = NSExpression(
            forFunction: "median:", arguments: [NSExpression(forKeyPath: "count")])
        median.expressionResultType = .doubleAttributeType
        let groups = NSFetchRequest<NSDictionary>(entityName: "Part")
        groups.resultType = .dictionaryResultType
        groups.propertiesToFetch = ["code", median]
        groups.propertiesToGroupBy = ["code"]
        groups.sortDescriptors = [NSSortDescriptor(key: "code", ascending: isAscending)]
        let codes = try store.fetch(groups).map { $0["code"] as? Data }
        #expect(codes == sorted.map { Data($0.utf8.reversed()) })
        let objects = NSFetchRequest<NSManagedObject>(entityName: "Part")
        objects.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame },
            NSSortDescriptor(key: "code", ascending: isAscending),
        ]
        #expect(try store.fetch(objects).map { $0.value(forKey: "name") as? String } == sorted)
    }
}
