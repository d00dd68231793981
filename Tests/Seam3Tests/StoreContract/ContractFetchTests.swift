import CoreData
import Testing

@Suite("Every store answers fetches") struct ContractFetchTests {
    /// Items a to f with numbers 1 to 6 in two boxes, tagged odd or even; f is special.
    private func stack(_ kind: ContractStore) throws -> ContractStack {
        let stack = try ContractStack(kind)
        let boxes = [stack.insert("Box", "left"), stack.insert("Box", "right")]
        let tags = [stack.insert("Tag", "even"), stack.insert("Tag", "odd")]
        for (index, name) in ["a", "b", "c", "d", "e", "f"].enumerated() {
            let item = stack.insert(
                name == "f" ? "Special" : "Item", name, ["number": index + 1])
            item.setValue(boxes[index / 4], forKey: "box")
            item.setValue(Set([tags[(index + 1) % 2]]), forKey: "tags")
        }
        try stack.save()
        return stack
    }

    @Test(
        "for objects, as faults that are one object for each row",
        arguments: ContractStore.allCases)
    func objects(_ kind: ContractStore) throws {
        let stack = try stack(kind)
        let context = stack.newContext()
        let found = try context.all()
        #expect(found.count == 6)
        #expect(found.allSatisfy { $0.managedObjectContext === context })
        #expect(try zip(found, context.all()).allSatisfy { $0 === $1 })
        let request = NSFetchRequest<NSManagedObject>(entityName: "Box")
        #expect(try context.fetch(request).allSatisfy { $0.isFault })
        request.returnsObjectsAsFaults = false
        #expect(try context.fetch(request).allSatisfy { !$0.isFault })
    }

    @Test("for IDs, counts and dictionaries", arguments: ContractStore.allCases)
    func resultTypes(_ kind: ContractStore) throws {
        let stack = try stack(kind)
        let context = stack.newContext()
        let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
        identifiers.resultType = .managedObjectIDResultType
        identifiers.predicate = NSPredicate(format: "number > 4")
        let objectIDs = try context.fetch(identifiers)
        #expect(Set(objectIDs.map { context.object(with: $0).name }) == ["e", "f"])
        let counts = NSFetchRequest<NSNumber>(entityName: "Item")
        counts.resultType = .countResultType
        #expect(try context.fetch(counts) == [6])
        counts.fetchLimit = 4
        counts.fetchOffset = 3
        #expect(try context.count(for: counts) == 3)
        let rows = NSFetchRequest<NSDictionary>(entityName: "Item")
        rows.resultType = .dictionaryResultType
        rows.propertiesToFetch = ["name", "box"]
        rows.predicate = NSPredicate(format: "name == 'a'")
        let row = try #require(try context.fetch(rows).first)
        #expect(row["name"] as? String == "a")
        let boxID = try #require(row["box"] as? NSManagedObjectID)
        #expect(context.object(with: boxID).name == "left")
        #expect(row.count == 2)
    }

    @Test(
        "for dictionaries with all attributes, and nothing for nil",
        arguments: ContractStore.allCases)
    func wholeDictionaries(_ kind: ContractStore) throws {
        let stack = try stack(kind)
        let rows = NSFetchRequest<NSDictionary>(entityName: "Item")
        rows.resultType = .dictionaryResultType
        rows.predicate = NSPredicate(format: "name == 'a'")
        let row = try #require(try stack.context.fetch(rows).first)
        #expect(row["number"] as? Int == 1)
        #expect(row["weight"] == nil)
        #expect(row["box"] == nil)
    }

    @Test("for groups and sums", arguments: ContractStore.allCases)
    func grouping(_ kind: ContractStore) throws {
        let stack = try stack(kind)
        let sum = NSExpressionDescription()
        sum.name = "total"
        sum.expression = NSExpression(
            forFunction: "sum:", arguments: [NSExpression(forKeyPath: "number")])
        sum.expressionResultType = .integer64AttributeType
        let rows = NSFetchRequest<NSDictionary>(entityName: "Item")
        rows.resultType = .dictionaryResultType
        rows.propertiesToFetch = [sum]
        #expect(try stack.context.fetch(rows).map { $0["total"] as? Int } == [21])
        rows.propertiesToFetch = ["box.name", sum]
        rows.propertiesToGroupBy = ["box.name"]
        rows.sortDescriptors = [NSSortDescriptor(key: "box.name", ascending: true)]
        let groups = try stack.context.fetch(rows)
        #expect(groups.map { $0["total"] as? Int } == [10, 11])
        #expect(groups.map { $0["box.name"] as? String } == ["left", "right"])
    }

    @Test("for distinct dictionaries", arguments: ContractStore.allCases)
    func distinct(_ kind: ContractStore) throws {
        let stack = try stack(kind)
        let rows = NSFetchRequest<NSDictionary>(entityName: "Item")
        rows.resultType = .dictionaryResultType
        rows.propertiesToFetch = ["box.name"]
        rows.returnsDistinctResults = true
        let names = try stack.context.fetch(rows).compactMap { $0["box.name"] as? String }
        #expect(names.sorted() == ["left", "right"])
    }

    static let predicates: [(format: String, names: String)] = [
        ("number BETWEEN {2, 3}", "bc"), ("name IN {'a', 'f', 'z'}", "af"), ("name IN {}", ""),
        ("box.name == 'left'", "abcd"), ("NOT box.name == 'left'", "ef"),
        ("ANY tags.name == 'odd'", "ace"), ("NONE tags.name == 'odd'", "bdf"),
        ("tags.@count == 1 AND number < 3", "ab"), ("weight == nil", "abcdef"),
        ("weight != nil", ""), ("name BEGINSWITH[c] 'A'", "a"), ("name MATCHES '[b-d]'", "bcd"),
        ("SUBQUERY(tags, $t, $t.name == 'even').@count > 0", "bdf"),
        ("box.items.@count == 4", "abcd"), ("modulus:by:(number, 2) == 0", "bdf"),
        ("TRUEPREDICATE", "abcdef"), ("FALSEPREDICATE", ""),
        ("ANY box.items.number == 6", "ef"), ("ALL tags.name == 'odd'", "ace"),
    ]

    @Test("with predicates over attributes and relationships", arguments: ContractStore.allCases)
    func predicates(_ kind: ContractStore) throws {
        let context = try stack(kind).newContext()
        for (format, names) in Self.predicates {
            #expect(
                try context.all("Item", format).compactMap(\.name).joined() == names,
                "\(kind) \(format)")
        }
    }

    @Test("with objects and IDs in predicates", arguments: ContractStore.allCases)
    func objectConstants(_ kind: ContractStore) throws {
        let stack = try stack(kind)
        let box = try #require(try stack.context.all("Box", "name == 'right'").first)
        let tag = try #require(try stack.context.all("Tag", "name == 'odd'").first)
        #expect(try stack.context.all("Item", "box == %@", box).compactMap(\.name) == ["e", "f"])
        #expect(
            try stack.context.all("Item", "box == %@", box.objectID).count == 2)
        #expect(try stack.context.all("Item", "box IN %@", [box]).count == 2)
        #expect(
            try stack.context.all("Item", "%@ IN tags", tag).compactMap(\.name) == ["a", "c", "e"])
        let item = try #require(try stack.context.all().first)
        #expect(try stack.context.all("Item", "SELF == %@", item) == [item])
        #expect(try stack.context.all("Item", "SELF IN %@", [item.objectID]) == [item])
    }

    @Test("in any order, with limit and offset", arguments: ContractStore.allCases)
    func sorting(_ kind: ContractStore) throws {
        let context = try stack(kind).newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [
            NSSortDescriptor(key: "box.name", ascending: false),
            NSSortDescriptor(key: "number", ascending: false),
        ]
        #expect(try context.fetch(request).compactMap(\.name).joined() == "fedcba")
        request.fetchOffset = 1
        request.fetchLimit = 3
        #expect(try context.fetch(request).compactMap(\.name).joined() == "edc")
    }

    @Test("with and without subentities", arguments: ContractStore.allCases)
    func subentities(_ kind: ContractStore) throws {
        let context = try stack(kind).newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.includesSubentities = false
        #expect(try context.count(for: request) == 5)
        #expect(try context.all("Special").compactMap(\.name) == ["f"])
    }

    @Test("with unsaved changes on top", arguments: ContractStore.allCases)
    func pendingChanges(_ kind: ContractStore) throws {
        let stack = try stack(kind)
        let items = try stack.context.all()
        items[0].name = "z"
        stack.context.delete(items[1])
        stack.insert("c2")
        #expect(try stack.context.all().compactMap(\.name) == ["c", "c2", "d", "e", "f", "z"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchLimit = 3
        #expect(try stack.context.fetch(request).compactMap(\.name) == ["c", "c2", "d"])
        request.includesPendingChanges = false
        #expect(try stack.context.count(for: request) == 3)
        #expect(try stack.newContext().all().compactMap(\.name).joined() == "abcdef")
    }

    @Test("in batches and with prefetching", arguments: ContractStore.allCases)
    func batches(_ kind: ContractStore) throws {
        let context = try stack(kind).newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        request.fetchBatchSize = 2
        request.relationshipKeyPathsForPrefetching = ["box", "tags", "box.items"]
        let found = try context.fetch(request)
        #expect(found.allSatisfy { $0.isFault })
        #expect(found.compactMap(\.name).joined() == "abcdef")
        #expect(found.map { $0.names("tags") } == (0..<6).map { [$0 % 2 == 0 ? "odd" : "even"] })
        #expect(found[5].value(forKeyPath: "box.items.@count") as? Int == 2)
    }
}
