import CoreData
import Testing

@testable import Seam3

/// Results for which plain SQL would differ from evaluation in memory.
@Suite struct QueryEdgeTests {
    private let world: QueryStore

    /// Things with a title, a weight, a stamp and possibly a bunch of things.
    init() throws {
        let thing = NSEntityDescription(
            "Thing",
            [
                NSAttributeDescription("title", .stringAttributeType),
                NSAttributeDescription("start", .stringAttributeType),
                NSAttributeDescription("weight", .doubleAttributeType),
                NSAttributeDescription("stamp", .integer64AttributeType),
            ])
        let group = NSEntityDescription("Bunch")
        NSRelationshipDescription.join((thing, "bunch", 1), (group, "things", 0))
        world = try QueryStore(model: NSManagedObjectModel(thing, group))
    }

    /// Expects that a predicate finds a number of things in SQL, and the same ones in memory.
    private func expect(
        _ format: String, finds count: Int, at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try world.fetch(request(format)).count == count, sourceLocation: location)
        let thing = try #require(
            try world.fetch(request()).first, sourceLocation: location)
        #expect(
            NSPredicate(format: format).evaluate(with: thing) == (count == 1),
            sourceLocation: location)
    }

    private func add(_ values: [String: Any]) throws {
        let thing = world.insert("Thing")
        for (key, value) in values { thing.setValue(value, forKey: key) }
        try world.save()
    }

    private func request(_ format: String = "TRUEPREDICATE") -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: format)
        return request
    }

    @Test(
        "An operator over the members of an empty set is nil, a function of them is 0",
        arguments: [
            ("bunch.things.@count == 0", 0), ("bunch.things.@count == nil", 1),
            ("bunch.things.@sum.weight == 0", 0), ("bunch.things.@sum.weight == nil", 1),
            ("count:(bunch.things) == 0", 1), ("sum:(bunch.things.weight) == 0", 1),
            ("SUBQUERY(bunch.things, $t, $t.weight > 0).@count == 0", 1),
        ])
    func nothing(format: String, count: Int) throws {
        try add(["title": "alone"])
        try expect(format, finds: count)
    }

    @Test(
        "A double divides as a double, even if it is a whole number",
        arguments: [
            ("length:(title) / 2 == 2", 1), ("length:(title) / 2.0 == 2", 0),
            ("length:(title) / 2.0 == 2.5", 1), ("length:(title) / (2 ** 1) == 2.5", 1),
            ("length:(title) == 5.0", 1), ("length:(title) IN {5.0}", 1),
        ])
    func division(format: String, count: Int) throws {
        try add(["title": "title"])
        try expect(format, finds: count)
    }

    @Test(
        "A double is compared with a large integer as with a double",
        arguments: [
            ("weight == 9223372036854775807", 1), ("weight > 9223372036854775807", 0),
            ("weight IN {9223372036854775807}", 1),
        ])
    func largeInteger(format: String, count: Int) throws {
        try add(["weight": 9_223_372_036_854_775_807.0])
        try expect(format, finds: count)
    }

    @Test(
        "An integer of any size is compared with a double as a double",
        arguments: [
            ("stamp == weight", 1), ("weight == stamp", 1), ("stamp > weight", 0),
            ("stamp + 0 == weight * 1.0", 1), ("stamp == 9007199254740992.0", 1),
            ("stamp > 9007199254740992.0", 0), ("stamp IN {9007199254740992.0}", 1),
            ("stamp == 9007199254740992", 0),
        ])
    func integerAndDouble(format: String, count: Int) throws {
        try add(["stamp": 9_007_199_254_740_993, "weight": 9_007_199_254_740_992.0])
        try expect(format, finds: count)
    }

    @Test(
        "An integer that arithmetic makes too large is a double, in SQL and in memory",
        arguments: [
            ("stamp >= stamp + 1", 1), ("stamp < stamp + 1", 0), ("stamp + 1 <= stamp", 1),
            ("stamp == stamp + 1", 1), ("stamp + 1 == stamp + 2", 1), ("stamp + 1 != stamp", 0),
            ("stamp + 1 == 9223372036854775807", 1), ("stamp + 1 > 9223372036854775807", 0),
            ("stamp + 1 IN {9223372036854775807}", 1), ("stamp - 1 == 9223372036854775807", 0),
            ("abs:(0 - stamp - 2) == 9223372036854775807", 1), ("stamp - 1 < stamp", 1),
            ("(stamp + 1) / 2 == 4611686018427387904", 1), ("stamp / 2 == 4611686018427387903", 1),
            ("1 / ((stamp + 1) - (stamp + 1)) == 1 / 0.0", 1),
            ("TERNARY(weight > 0, stamp + 1, stamp) == stamp", 1), ("stamp + 1 == weight", 1),
            ("floor:(stamp + 1) == stamp", 1), ("stamp + 1 BETWEEN {stamp, stamp}", 1),
        ])
    func overflow(format: String, count: Int) throws {
        try add(["stamp": Int.max, "weight": 9_223_372_036_854_775_807.0])
        try expect(format, finds: count)
    }

    @Test(
        "An integer is compared with a decimal without loss",
        arguments: [
            ("stamp == %@", "9007199254740993", 1), ("stamp > %@", "9007199254740992.5", 1),
            ("stamp < %@", "9007199254740993.5", 1), ("stamp == %@", "9007199254740994", 0),
            ("stamp < %@", "9007199254740993.0000000001", 1),
            ("stamp >= %@", "9007199254740992.9999999999", 1), ("stamp > %@", "2.5", 1),
            ("stamp < %@", "99999999999999999999", 1), ("stamp + 0 > %@", "9007199254740992.5", 1),
        ])
    func decimal(format: String, decimal: String, count: Int) throws {
        try add(["stamp": 9_007_199_254_740_993])
        let predicate = NSPredicate(format: format, NSDecimalNumber(string: decimal))
        let request = request()
        request.predicate = predicate
        let found = try world.fetch(request)
        #expect(found.count == count)
        request.predicate = nil
        let thing = try #require(try world.fetch(request).first)
        #expect(predicate.evaluate(with: thing) == (count == 1))
    }

    @Test(
        "What has no value for any row is nil, also if it depends on a variable",
        arguments: [
            ("abs:(title) == nil", 1), ("abs:(title) == 1", 0), ("title + 1 != 5", 1),
            ("length:(stamp) == nil AND abs:(length:(stamp)) == nil", 1),
            ("SUBQUERY(bunch.things, $t, $t.title + 1 == nil).@count == 1", 1),
            ("SUBQUERY(bunch.things, $t, abs:(abs:($t.title)) == 3).@count == 0", 1),
        ])
    func noValue(format: String, count: Int) throws {
        let bunch = world.insert("Bunch")
        try add(["title": "title", "bunch": bunch])
        try expect(format, finds: count)
    }

    @Test("NaN sorts after all numbers, in SQL and in memory")
    func notANumber() throws {
        for weight in [1, .nan, -.infinity, 3, .nan, .infinity] as [Double] {
            try add(["weight": weight])
        }
        try add([:])
        let request = request()
        request.sortDescriptors = [NSSortDescriptor(key: "weight", ascending: true)]
        let expected = ["nil", "-inf", "1.0", "3.0", "inf", "nan", "nan"]
        let weights = { (things: [NSManagedObject]) in
            things.map { ($0.value(forKey: "weight") as? Double).map { "\($0)" } ?? "nil" }
        }
        #expect(weights(try world.fetch(request)) == expected)
        request.predicate = NSPredicate { _, _ in true }
        #expect(weights(try world.fetch(request)) == expected)
    }

    @Test("Distinct dictionaries keep strings apart that differ only in their normalization")
    func normalization() throws {
        for title in ["\u{E9}", "e\u{301}", "\u{E9}"] { try add(["title": title]) }
        let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
        request.resultType = .dictionaryResultType
        request.returnsDistinctResults = true
        request.propertiesToFetch = ["title"]
        #expect(try world.fetch(request).count == 2)
        let column = NSExpressionDescription()
        column.name = "doubled"
        column.expression = NSExpression(
            format: "FUNCTION(title, 'stringByAppendingString:', title)")
        request.propertiesToFetch = [column]
        #expect(try world.fetch(request).count == 2)
    }

    @Test("Patterns of two rows that differ only in their normalization are not confused")
    func pattern() throws {
        for start in ["\u{E9}", "e\u{301}"] { try add(["title": "\u{E9}t\u{E9}", "start": start]) }
        #expect(try world.fetch(request("title BEGINSWITH start")).count == 1)
    }
}
