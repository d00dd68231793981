import CoreData
import Testing

@testable import Seam3

/// The index that SQLite chooses if a model has compound indexes and indexes on to-one
/// relationships.
@Suite struct QueryIndexPlanTests {
    private let world: QueryStore
    private let owner: NSManagedObject

    /// Entries indexed by kind and number, and by owner and descending date; owners indexed by
    /// name.
    init() throws {
        let entry = NSEntityDescription(
            "Entry",
            [
                NSAttributeDescription("kind", .stringAttributeType),
                NSAttributeDescription("number", .integer64AttributeType),
                NSAttributeDescription("date", .dateAttributeType),
                NSAttributeDescription("note", .stringAttributeType),
            ])
        let owner = NSEntityDescription(
            "Owner", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((entry, "owner", 1), (owner, "entries", 0))
        entry.indexes = [
            Self.index("byKind", [("kind", true), ("number", true)], of: entry),
            Self.index("byOwner", [("owner", true), ("date", false)], of: entry),
        ]
        owner.indexes = [Self.index("byName", [("name", true)], of: owner)]
        world = try QueryStore(model: NSManagedObjectModel(entry, owner))
        self.owner = world.insert("Owner")
        try world.save()
    }

    private static func index(
        _ name: String, _ elements: [(name: String, isAscending: Bool)],
        of entity: NSEntityDescription
    ) -> NSFetchIndexDescription {
        NSFetchIndexDescription(
            name: name,
            elements: elements.map { name, isAscending in
                let element = NSFetchIndexElementDescription(
                    property: entity.propertiesByName[name] ?? NSPropertyDescription(),
                    collationType: .binary)
                element.isAscending = isAscending
                return element
            })
    }

    private func plan(
        _ format: String, _ arguments: [Any] = [], sort: [(String, Bool)] = []
    ) throws -> String {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Entry")
        if !format.isEmpty {
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
        }
        request.sortDescriptors = sort.map { NSSortDescriptor(key: $0.0, ascending: $0.1) }
        return try world.plan(request)
    }

    @Test(
        "A compound index serves its first attribute, and the second after an equal first",
        arguments: [
            ("kind == 'a'", "(kind=?)"),
            ("kind == 'a' AND number == 3", "(kind=? AND number=?)"),
            ("number == 3 AND kind == 'a'", "(kind=? AND number=?)"),
            ("kind == 'a' AND number > 3", "(kind=? AND number>?)"),
            ("kind == 'a' AND number BETWEEN {3, 5}", "(kind=? AND number>? AND number<?)"),
            ("kind IN {'a', 'b'} AND number == 3", "(kind=? AND number=?)"),
            ("kind == nil AND number == 3", "(kind=? AND number=?)"),
            ("kind BEGINSWITH 'ab'", "(kind>? AND kind<?)"),
            ("kind == 'a' AND number == 3 AND note == 'x'", "(kind=? AND number=?)"),
        ])
    func compound(format: String, terms: String) throws {
        #expect(try plan(format).contains("INDEX sm_index Entry byKind \(terms)"))
    }

    @Test("A compound index does not serve its second attribute alone")
    func secondAttribute() throws {
        #expect(!(try plan("number == 3").contains("SEARCH")))
    }

    @Test(
        "A compound index gives its order in either direction",
        arguments: [("", true), ("", false), ("kind == 'a'", true), ("kind == 'a'", false)])
    func order(format: String, isAscending: Bool) throws {
        let sort =
            format.isEmpty
            ? [("kind", isAscending), ("number", isAscending)] : [("number", isAscending)]
        let plan = try plan(format, sort: sort)
        #expect(plan.contains("INDEX sm_index Entry byKind"))
        #expect(!plan.contains("TEMP B-TREE"))
    }

    @Test("An index on a to-one relationship and a descending attribute serves both")
    func ownerAndDate() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        #expect(
            try plan("owner == %@ AND date > %@", [owner, date])
                .contains("INDEX sm_index Entry byOwner (owner=? AND date>?)"))
    }

    @Test(
        "An index on a to-one relationship gives the order of its objects' attributes",
        arguments: [true, false])
    func order(isAscending: Bool) throws {
        let plan = try plan("owner == %@", [owner], sort: [("date", isAscending)])
        #expect(plan.contains("INDEX sm_index Entry byOwner (owner=?)"))
        #expect(!plan.contains("TEMP B-TREE"))
    }

    @Test("The objects of an owner whose name is indexed are found through the owner")
    func throughOwner() throws {
        let plan = try plan("owner.name == 'a'")
        #expect(plan.contains("SEARCH t1 USING COVERING INDEX sm_index Owner byName (name=?)"))
        #expect(plan.contains("SEARCH t0 USING COVERING INDEX sm_index Entry.owner (owner=?)"))
    }

    @Test("An owner is found by the attributes of one of its entries")
    func throughEntries() throws {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Owner")
        request.predicate = NSPredicate(format: "ANY entries.number == 3")
        #expect(
            try world.plan(request).contains("SEARCH t1 USING INDEX sm_index Entry"))
        request.predicate = NSPredicate(format: "entries.@count > 2")
        #expect(
            try world.plan(request).contains("SEARCH t1 USING COVERING INDEX sm_index Entry"))
    }
}
