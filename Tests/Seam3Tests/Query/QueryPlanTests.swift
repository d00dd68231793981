import CoreData
import Testing

@testable import Seam3

/// SQLite uses an index if there is one for the fetch.
@Suite struct QueryPlanTests {
    private func plan(
        _ format: String, _ arguments: [Any] = [], sort: String? = nil, in world: QueryWorld
    ) throws -> String {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        if !format.isEmpty {
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
        }
        request.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return try world.store.plan(request)
    }

    @Test(
        "A fetch index serves equality, prefixes, ranges, lists and sorting",
        arguments: [
            "name == 'abc'", "name BEGINSWITH 'ab'", "name > 'a' AND name < 'b'",
            "name IN {'a', 'b'}", "name == nil", "number == 3 AND name == 'a'",
        ])
    func attributes(format: String) throws {
        let world = try QueryWorld(seed: 1, itemCount: 5)
        #expect(try plan(format, in: world).contains("INDEX sm_index Item byName"))
    }

    @Test("A fetch index gives the order")
    func order() throws {
        let world = try QueryWorld(seed: 1, itemCount: 5)
        let plan = try plan("", sort: "name", in: world)
        #expect(plan.contains("sm_index Item byName"))
        #expect(!plan.contains("TEMP B-TREE"))
    }

    @Test("Relationships are looked up by index in either direction")
    func relationships() throws {
        let world = try QueryWorld(seed: 1, itemCount: 5)
        let box = world.boxes[0]
        #expect(try plan("box == %@", [box], in: world).contains("INDEX sm_index Item.box (box=?)"))
        #expect(
            try plan("box IN %@", [[box, world.boxes[1]]], in: world)
                .contains("INDEX sm_index Item.box (box=?)"))
        #expect(
            try plan("ANY children.number == 3", in: world)
                .contains("SEARCH t1 USING INDEX sm_index Item.parent (parent=?)"))
        #expect(
            try plan("ANY tags.rank == 3", in: world)
                .contains("SEARCH t1 USING COVERING INDEX"))
        #expect(
            try plan("box.name != 'a'", in: world)
                .contains("SEARCH t1 USING INTEGER PRIMARY KEY"))
    }

    @Test("An object and a list of objects are looked up by their keys")
    func keys() throws {
        let world = try QueryWorld(seed: 1, itemCount: 20)
        #expect(
            try plan("self == %@", [world.items[0]], in: world)
                == "SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)")
        #expect(
            try plan("self IN %@", [world.items], in: world)
                .hasPrefix("SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)"))
    }
}
