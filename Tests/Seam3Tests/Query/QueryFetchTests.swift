import CoreData
import Testing

@testable import Seam3

/// The options of fetch requests.
@Suite struct QueryFetchTests {
    private func request(_ entity: String = "Item") -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        return request
    }

    private func dictionaryRequest(_ properties: [Any]? = nil) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        return request
    }

    private func computed(
        _ name: String, _ format: String, _ type: NSAttributeType = .undefinedAttributeType
    ) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(format: format)
        description.expressionResultType = type
        return description
    }

    @Test("Limit and offset cut a window out of the sorted results")
    func window() throws {
        let world = try QueryWorld(seed: 3)
        for (limit, offset) in [(5, 0), (5, 7), (0, 55), (10, 58), (3, 100)] {
            let request = request()
            request.fetchLimit = limit
            request.fetchOffset = offset
            let end = limit > 0 ? min(offset + limit, 60) : 60
            let expected = offset < 60 ? Array(Int64(offset)..<Int64(end)) : []
            #expect(try world.store.fetch(request).map(QueryWorld.number) == expected)
        }
    }

    @Test("A count honors predicate, limit and offset")
    func count() throws {
        let world = try QueryWorld(seed: 3)
        let request = request()
        #expect(try world.store.context.count(for: request) == 60)
        request.predicate = NSPredicate(format: "number < 10")
        #expect(try world.store.context.count(for: request) == 10)
        request.fetchOffset = 3
        request.fetchLimit = 4
        #expect(try world.store.context.count(for: request) == 4)
    }

    @Test("IDs are those of the objects, with their concrete entities")
    func identifiers() throws {
        let world = try QueryWorld(seed: 3)
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
        request.resultType = .managedObjectIDResultType
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        let found = try world.store.fetch(request)
        #expect(found == world.items.map(\.objectID))
        #expect(found.map(\.entity.name) == world.items.map(\.entity.name))
    }

    @Test("Subentities are results only if the request includes them")
    func subentities() throws {
        let world = try QueryWorld(seed: 3)
        let request = request()
        request.includesSubentities = false
        let plain = world.items.filter { $0.entity.name == "Item" }.map(QueryWorld.number)
        #expect(try world.store.fetch(request).map(QueryWorld.number) == plain)
        let special = try world.store.fetch(self.request("SpecialItem"))
        #expect(special.allSatisfy { $0.entity.name == "SpecialItem" })
        #expect(special.count == world.items.filter { $0.entity.name == "SpecialItem" }.count)
    }

    @Test("What SQL cannot express is filtered in memory before the window is cut")
    func residual() throws {
        let world = try QueryWorld(seed: 3)
        let request = request()
        let isEven = NSPredicate { object, _ in
            (object as? NSManagedObject).map { QueryWorld.number($0) % 2 == 0 } ?? false
        }
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "number >= 10"), isEven,
        ])
        request.fetchOffset = 2
        request.fetchLimit = 3
        #expect(try world.store.fetch(request).map(QueryWorld.number) == [14, 16, 18])
        request.fetchOffset = 0
        request.fetchLimit = 0
        #expect(try world.store.context.count(for: request) == 25)
        request.predicate = NSCompoundPredicate(notPredicateWithSubpredicate: isEven)
        #expect(try world.store.fetch(request).count == 30)
    }

    @Test("A sort that SQL cannot do is done in memory")
    func comparator() throws {
        let world = try QueryWorld(seed: 3)
        let request = request()
        request.sortDescriptors = [
            NSSortDescriptor(key: "number", ascending: true) { left, right in
                let left = (left as? NSNumber)?.intValue ?? 0
                let right = (right as? NSNumber)?.intValue ?? 0
                return left % 10 < right % 10
                    ? .orderedAscending : left % 10 > right % 10 ? .orderedDescending : .orderedSame
            }, NSSortDescriptor(key: "number", ascending: false),
        ]
        request.fetchLimit = 3
        #expect(try world.store.fetch(request).map(QueryWorld.number) == [50, 40, 30])
    }

    @Test(
        "SQL sorts as NSSortDescriptor does",
        arguments: [
            "compare:", "caseInsensitiveCompare:", "localizedCompare:",
            "localizedCaseInsensitiveCompare:", "localizedStandardCompare:",
        ])
    func selectors(selector: String) throws {
        let world = try QueryWorld(seed: 5)
        for key in ["name", "box.name", "parent.order"] {
            let descriptors = [
                NSSortDescriptor(
                    key: key, ascending: false, selector: NSSelectorFromString(selector)),
                NSSortDescriptor(key: "number", ascending: true),
            ]
            let request = request()
            request.sortDescriptors = descriptors
            let expected = world.items.sorted { left, right in
                for descriptor in descriptors {
                    let order = descriptor.compare(left, to: right)
                    if order != .orderedSame { return order == .orderedAscending }
                }
                return false
            }
            #expect(
                try world.store.fetch(request).map(QueryWorld.number)
                    == expected.map(QueryWorld.number), "\(key)")
        }
    }

    @Test("Fetched values are read without another statement")
    func rowCache() throws {
        let world = try QueryWorld(seed: 3)
        world.store.context.reset()
        let items = try world.store.fetch(request())
        var statements: [String] = []
        try world.store.store.database().connection.trace = { statements.append($0) }
        for item in items { _ = item.value(forKey: "name") }
        #expect(statements.filter { $0.contains("\"Item\"") }.isEmpty)
        try world.store.store.database().connection.trace = nil
    }

    @Test("Prefetched relationships are read without another statement")
    func prefetch() throws {
        let world = try QueryWorld(seed: 3)
        world.store.context.reset()
        let request = request()
        request.relationshipKeyPathsForPrefetching = ["box.room", "tags"]
        let items = try world.store.fetch(request)
        var statements: [String] = []
        try world.store.store.database().connection.trace = { statements.append($0) }
        for item in items {
            let box = item.value(forKey: "box") as? NSManagedObject
            let room = box?.value(forKey: "room") as? NSManagedObject
            _ = room?.value(forKey: "name")
        }
        let reads = statements.filter { $0.contains("\"Box\"") || $0.contains("\"Transaction\"") }
        #expect(reads.isEmpty)
        try world.store.store.database().connection.trace = nil
    }

    @Test("The caller's request is not changed, and can be used again")
    func requestIsKept() throws {
        let world = try QueryWorld(seed: 3)
        let request = request()
        let predicate = NSPredicate(format: "box == %@", argumentArray: [world.boxes[0]])
        request.predicate = predicate
        let first = try world.store.fetch(request)
        #expect(request.predicate === predicate)
        #expect(!request.returnsDistinctResults)
        #expect(try world.store.fetch(request) == first)
    }

    @Test("A temporary ID matches nothing")
    func temporaryID() throws {
        let world = try QueryWorld(seed: 3)
        let box = world.store.insert("Box")
        let request = request()
        request.includesPendingChanges = false
        request.predicate = NSPredicate(format: "box == %@", argumentArray: [box])
        #expect(try world.store.fetch(request).isEmpty)
        request.predicate = NSPredicate(format: "box IN %@", argumentArray: [[box]])
        #expect(try world.store.fetch(request).isEmpty)
        request.predicate = NSPredicate(format: "NOT (box == %@)", argumentArray: [box])
        #expect(try world.store.fetch(request).count == 60)
    }

    @Test("A list of 10,000 values is one query")
    func longList() throws {
        let world = try QueryWorld(seed: 3)
        let request = request()
        request.predicate = NSPredicate(
            format: "number IN %@ OR weight IN %@",
            argumentArray: [Array(30..<10_030), (0..<10_000).map { Double($0) + 0.25 }])
        #expect(try world.store.fetch(request).count == 30)
        let uuids = (0..<10_000).map { _ in UUID() } + QueryWorld.uuids.compactMap { $0 }
        request.predicate = NSPredicate(format: "uuid IN %@", argumentArray: [uuids])
        let expected = world.items.filter { $0.value(forKey: "uuid") != nil }
        #expect(try world.store.fetch(request).count == expected.count)
    }

    // MARK: - Dictionaries

    @Test("A dictionary has all attributes by default, and no key for nil")
    func allAttributes() throws {
        let world = try QueryWorld(seed: 3)
        let request = dictionaryRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        let rows = try world.store.fetch(request)
        #expect(rows.count == 60)
        for (row, item) in zip(rows, world.items) {
            let names = item.entity.attributesByName.keys.filter {
                item.entity.name == "Item" && item.value(forKey: $0) != nil
            }
            guard item.entity.name == "Item" else { continue }
            #expect(Set(row.allKeys.compactMap { $0 as? String }) == Set(names))
        }
    }

    @Test("A to-one relationship is its destination's ID in a dictionary")
    func toOne() throws {
        let world = try QueryWorld(seed: 3)
        let request = dictionaryRequest(["number", "box", "box.name"])
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        for (row, item) in zip(try world.store.fetch(request), world.items) {
            let box = item.value(forKey: "box") as? NSManagedObject
            #expect(row["box"] as? NSManagedObjectID == box?.objectID)
            #expect(row["box.name"] as? String == box?.value(forKey: "name") as? String)
        }
    }

    @Test("An aggregate without groups is one row")
    func aggregate() throws {
        let world = try QueryWorld(seed: 3)
        let request = dictionaryRequest([
            computed("total", "sum:(number)", .integer64AttributeType),
            computed("most", "max:(number)", .integer64AttributeType),
            computed("mean", "average:(number)", .doubleAttributeType),
            computed("count", "count:(number)", .integer64AttributeType),
        ])
        let rows = try world.store.fetch(request)
        #expect(rows.count == 1)
        #expect(rows.first?["total"] as? Int == 60 * 59 / 2)
        #expect(rows.first?["most"] as? Int == 59)
        #expect(rows.first?["mean"] as? Double == 29.5)
        #expect(rows.first?["count"] as? Int == 60)
    }

    @Test("Groups can be counted, filtered and sorted by name")
    func groups() throws {
        let world = try QueryWorld(seed: 3)
        let request = dictionaryRequest([
            "group", computed("count", "count:(number)", .integer64AttributeType),
        ])
        request.propertiesToGroupBy = ["group"]
        request.havingPredicate = NSPredicate(format: "count > 5")
        request.sortDescriptors = [
            NSSortDescriptor(key: "count", ascending: false),
            NSSortDescriptor(key: "group", ascending: true),
        ]
        let rows = try world.store.fetch(request)
        var counts: [Int?: Int] = [:]
        for item in world.items { counts[item.value(forKey: "group") as? Int, default: 0] += 1 }
        let expected = counts.filter { $0.value > 5 }.sorted { left, right in
            left.value != right.value
                ? left.value > right.value : (left.key ?? .min) < (right.key ?? .min)
        }
        #expect(rows.map { $0["group"] as? Int } == expected.map(\.key))
        #expect(rows.map { $0["count"] as? Int } == expected.map(\.value))
    }

    @Test("Equal dictionaries are returned once if the request says so")
    func distinct() throws {
        let world = try QueryWorld(seed: 3)
        let request = dictionaryRequest(["flag"])
        request.returnsDistinctResults = true
        let values = Set(world.items.map { $0.value(forKey: "flag") as? Bool })
        #expect(try world.store.fetch(request).count == values.count)
    }

    @Test("A dictionary fetch filters in memory too")
    func dictionaryResidual() throws {
        let world = try QueryWorld(seed: 3)
        let request = dictionaryRequest(["number"])
        request.predicate = NSPredicate { object, _ in
            (object as? NSManagedObject).map { QueryWorld.number($0) > 56 } ?? false
        }
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
        #expect(try world.store.fetch(request).map { $0["number"] as? Int } == [59, 58, 57])
    }

    @Test("An unknown key path stops the process with Apple's text")
    func unknownKeyPath() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = try QueryWorld(seed: 3, itemCount: 1)
            _ = try world.found(NSPredicate(format: "box.color == 1"))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("keypath box.color not found in entity <NSSQLEntity Item id="))
    }
}
