import CoreData
import Testing

@Suite("Fetching from an in-memory store")
struct InMemoryFetchTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
    }

    @Test("A fetch finds the objects of the entity and of its subentities")
    func subentities() throws {
        #expect(try library.titles { _ in } == ["Alpha", "Beta", "Delta", "Gamma"])
        let books = try library.titles { $0.includesSubentities = false }
        #expect(books == ["Alpha", "Beta", "Gamma"])
        let atlas = library.coordinator.managedObjectModel.entitiesByName["Atlas"]
        let atlases = try library.titles { $0.entity = atlas }
        #expect(atlases == ["Delta"])
    }

    @Test("A column that the entity lacks stops the process, and a to-many one by its name as well")
    func impossibleColumns() async {
        await #expect(processExitsWith: .failure) {
            let library = try Library()
            let request = NSFetchRequest<NSDictionary>(entityName: "Author")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["nothing"]
            _ = try library.context.fetch(request)
        }
        await #expect(processExitsWith: .failure) {
            let library = try Library()
            let request = NSFetchRequest<NSDictionary>(entityName: "Author")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["books"]
            _ = try library.context.fetch(request)
        }
    }

    @Test(
        "A predicate may follow relationships",
        arguments: [
            ("pages >= 200", ["Beta", "Gamma"]),
            ("author.name == 'Anna'", ["Alpha", "Beta"]),
            ("author == nil", ["Delta"]),
            ("author.name != 'Anna'", ["Delta", "Gamma"]),
            ("ANY author.books.pages == 200", ["Alpha", "Beta"]),
            ("author.books.@count == 1", ["Gamma"]),
            ("title BEGINSWITH[c] 'b'", ["Beta"]),
            ("title IN {'Alpha', 'Gamma'}", ["Alpha", "Gamma"]),
            ("NOT (title == 'Alpha')", ["Beta", "Delta", "Gamma"]),
        ])
    func predicates(format: String, expected: [String]) throws {
        #expect(
            try library.titles { $0.predicate = NSPredicate(format: format) } == expected)
    }

    @Test("A predicate may contain an object or its ID")
    func objects() throws {
        try library.perform { context in
            let authors = NSFetchRequest<NSManagedObject>(entityName: "Author")
            authors.predicate = NSPredicate(format: "name == 'Bert'")
            let bert = try #require(context.fetch(authors).first)
            let books = NSFetchRequest<NSManagedObject>(entityName: "Book")
            for constant in [bert, bert.objectID] as [Any] {
                books.predicate = NSPredicate(
                    format: "author == %@", argumentArray: [constant])
                #expect(
                    try context.fetch(books).map { $0.value(forKey: "title") as? String }
                        == ["Gamma"])
            }
            books.predicate = NSPredicate(format: "author IN %@", [bert])
            #expect(try context.count(for: books) == 1)
            authors.predicate = NSPredicate(format: "SELF == %@", bert)
            #expect(try context.fetch(authors) == [bert])
        }
    }

    @Test("Results are sorted by several keys, through relationships too")
    func sorting() throws {
        let titles = try library.titles {
            $0.sortDescriptors = [
                NSSortDescriptor(key: "author.name", ascending: false),
                NSSortDescriptor(key: "pages", ascending: false),
            ]
        }
        #expect(titles == ["Gamma", "Beta", "Alpha", "Delta"])
    }

    @Test("Without sort descriptors objects are in the order of their insertion")
    func insertionOrder() throws {
        let names = (0..<100).map { "Author \($0)" }
        try library.perform { context in
            for name in names { Library.insert("Author", ["name": name], in: context) }
            try context.save()
            context.reset()
            let authors = NSFetchRequest<NSManagedObject>(entityName: "Author")
            authors.predicate = NSPredicate(format: "name BEGINSWITH 'Author'")
            #expect(
                try context.fetch(authors).map { $0.value(forKey: "name") as? String } == names)
        }
    }

    @Test("Offset and limit cut the sorted results")
    func window() throws {
        let titles = try library.titles {
            $0.fetchOffset = 1
            $0.fetchLimit = 2
        }
        #expect(titles == ["Beta", "Delta"])
        #expect(try library.titles { $0.fetchOffset = 9 } == [])
    }

    @Test("A fetch of IDs gives the IDs of the objects")
    func identifiers() throws {
        try library.perform { context in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Author")
            request.resultType = .managedObjectIDResultType
            let objectIDs = try context.fetch(request)
            #expect(objectIDs.count == 2)
            #expect(objectIDs.allSatisfy { !$0.isTemporaryID })
            let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
            #expect(Set(objects.map(\.objectID)) == Set(objectIDs))
        }
    }

    @Test("A count equals the number of results of a fetch")
    func count() throws {
        try library.perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            let all = try context.count(for: request)
            request.predicate = NSPredicate(format: "pages > 99")
            let some = try context.count(for: request)
            #expect((all, some) == (4, 3))
        }
    }

    func dictionaries(
        _ configure: (NSFetchRequest<NSDictionary>) -> Void
    ) throws -> [[String: Any]] {
        try library.perform { context in
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            configure(request)
            return try context.fetch(request).compactMap { $0 as? [String: Any] }
        }
    }

    @Test("Dictionaries contain the stored attributes, and no key for a missing value")
    func allAttributes() throws {
        let rows = try dictionaries { _ in }
        #expect(rows.map { $0["title"] as? String } == ["Alpha", "Beta", "Delta", "Gamma"])
        #expect(rows.first?.keys.sorted() == ["pages", "title"])
    }

    @Test("Dictionaries contain the requested properties, also along a path")
    func someProperties() throws {
        let rows = try dictionaries {
            $0.propertiesToFetch = ["title", "author.name"]
            $0.predicate = NSPredicate(format: "author != nil")
        }
        #expect(rows.map { $0["author.name"] as? String } == ["Anna", "Anna", "Bert"])
        #expect(rows.first?.count == 2)
    }

    @Test("A to-one relationship in a dictionary is the ID of its destination")
    func toOne() throws {
        let rows = try dictionaries { $0.propertiesToFetch = ["author"] }
        #expect(rows.compactMap { $0["author"] as? NSManagedObjectID }.count == 3)
    }

    func sum(of key: String) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = "sum"
        description.expression = NSExpression(
            forFunction: "sum:", arguments: [NSExpression(forKeyPath: key)])
        description.expressionResultType = .integer64AttributeType
        return description
    }

    @Test("An aggregate without a grouping gives one row")
    func aggregate() throws {
        let rows = try dictionaries { $0.propertiesToFetch = [sum(of: "pages")] }
        #expect(rows.map { $0["sum"] as? Int } == [650])
    }

    @Test("An aggregate with a grouping gives a row for each group")
    func grouping() throws {
        let rows = try dictionaries {
            $0.propertiesToFetch = ["author.name", sum(of: "pages")]
            $0.propertiesToGroupBy = ["author.name"]
            $0.predicate = NSPredicate(format: "author != nil")
        }
        #expect(rows.map { $0["author.name"] as? String } == ["Anna", "Bert"])
        #expect(rows.map { $0["sum"] as? Int } == [300, 300])
    }

    @Test("Distinct results leave out equal dictionaries")
    func distinct() throws {
        let rows = try dictionaries {
            $0.propertiesToFetch = ["author.name"]
            $0.predicate = NSPredicate(format: "author != nil")
            $0.returnsDistinctResults = true
        }
        #expect(rows.map { $0["author.name"] as? String } == ["Anna", "Bert"])
    }

    @Test("Groups are sorted by a computed column's name, and by other attributes")
    func sortingByComputedColumn() throws {
        let rows = try dictionaries {
            $0.propertiesToFetch = ["author.name", sum(of: "pages")]
            $0.propertiesToGroupBy = ["author.name"]
            $0.sortDescriptors = [
                NSSortDescriptor(key: "sum", ascending: false),
                NSSortDescriptor(key: "author.name", ascending: false),
            ]
            $0.fetchLimit = 2
        }
        #expect(rows.map { $0["sum"] as? Int } == [300, 300])
        #expect(rows.map { $0["author.name"] as? String } == ["Bert", "Anna"])
    }

    @Test("Groups may be filtered by the name of a column, as a key or as a variable")
    func having() throws {
        let column = sum(of: "pages")
        let predicates = [
            NSPredicate(format: "sum > 250"),
            NSPredicate(format: "%@ > 250", NSExpression(forVariable: "sum")),
            NSPredicate(format: "250 < $sum"),
        ]
        let names = try predicates.map { predicate in
            try dictionaries {
                $0.propertiesToFetch = ["author.name", column]
                $0.propertiesToGroupBy = ["author.name"]
                $0.havingPredicate = predicate
                $0.predicate = NSPredicate(format: "author != nil AND title != 'Beta'")
                $0.sortDescriptors = nil
            }.map { $0["author.name"] as? String }
        }
        #expect(names == [["Bert"], ["Bert"], ["Bert"]])
    }
}
