import CoreData
import Testing

@testable import Seam3

/// Fetches that exceed SQLite's default limits.
@Suite struct QueryLimitTests {
    private let world: QueryStore

    /// Things with a title and a number, each in a bunch, which also has both.
    init() throws {
        let attributes = {
            [
                NSAttributeDescription("title", .stringAttributeType),
                NSAttributeDescription("number", .integer64AttributeType),
            ]
        }
        let thing = NSEntityDescription("Thing", attributes())
        let bunch = NSEntityDescription("Bunch", attributes())
        NSRelationshipDescription.join((thing, "bunch", 1), (bunch, "things", 0))
        world = try QueryStore(model: NSManagedObjectModel(thing, bunch))
        for number in 0..<3 {
            let bunch = world.insert("Bunch")
            bunch.setValue(number, forKey: "number")
            let thing = world.insert("Thing")
            thing.setValue(number, forKey: "number")
            thing.setValue("\(number)", forKey: "title")
            thing.setValue(bunch, forKey: "bunch")
        }
        try world.save()
    }

    private func request(_ predicate: NSPredicate? = nil) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = predicate
        return request
    }

    private func comparisons(_ count: Int, _ format: String) -> [NSPredicate] {
        (0..<count).map { NSPredicate(format: format, $0) }
    }

    @Test(
        "Thousands of comparisons are one query",
        arguments: [
            (NSCompoundPredicate.LogicalType.or, "number == %d", 3), (.and, "number != %d", 0),
            (.or, "title == %@", 0),
        ])
    func manyComparisons(
        type: NSCompoundPredicate.LogicalType, format: String, count: Int
    ) throws {
        let parts =
            format.contains("%d")
            ? comparisons(2000, format)
            : (0..<2000).map { NSPredicate(format: "title == %@", "x\($0)") }
        let predicate = NSCompoundPredicate(type: type, subpredicates: parts)
        #expect(try world.fetch(request(predicate)).count == count)
        let negation = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
        #expect(try world.fetch(request(negation)).count == 3 - count)
    }

    @Test("Thousands of comparisons of members are one query")
    func manyComparisonsOfMembers() throws {
        let any = NSCompoundPredicate(
            orPredicateWithSubpredicates: comparisons(2000, "ANY bunch.things.number == %d"))
        #expect(try world.fetch(request(any)).count == 3)
    }

    @Test("More sort keys than SQLite can order by are an error", arguments: [63, 64, 100])
    func manySortKeys(count: Int) throws {
        for keys in [["bunch.number"], ["bunch.title", "number", "bunch.number"]] {
            let request = request()
            request.sortDescriptors = (0..<count).map {
                NSSortDescriptor(key: keys[$0 % keys.count], ascending: $0.isMultiple(of: 2))
            }
            let error = #expect(throws: CocoaError.self) { try world.fetch(request) }
            #expect(error?.code == .coreData)
        }
    }

    @Test(
        "A fetch can be sorted by any number of keys that do not follow a relationship",
        arguments: [62, 63, 200])
    func plainSortKeys(count: Int) throws {
        let request = request()
        request.sortDescriptors = (0..<count).map {
            NSSortDescriptor(key: $0.isMultiple(of: 2) ? "title" : "number", ascending: false)
        }
        #expect(try world.fetch(request).map { $0.value(forKey: "number") as? Int } == [2, 1, 0])
    }

    @Test("Sixty sort keys over a relationship order a fetch")
    func sixtySortKeys() throws {
        let request = request()
        request.sortDescriptors = (0..<60).map {
            NSSortDescriptor(key: $0 == 0 ? "bunch.title" : "bunch.number", ascending: false)
        }
        #expect(try world.fetch(request).map { $0.value(forKey: "number") as? Int } == [2, 1, 0])
        request.sortDescriptors?.append(NSSortDescriptor(key: "number", ascending: true))
        #expect(try world.fetch(request).count == 3)
    }
}
