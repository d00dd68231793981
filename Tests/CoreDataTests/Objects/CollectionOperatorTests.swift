import CoreData
import Testing

@Suite struct CollectionOperatorTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
    }

    static let sums: [(path: String, value: Double)] = [
        ("books.@count", 2), ("books.@sum.pages", 300), ("books.@avg.pages", 150),
        ("books.@min.pages", 100), ("books.@max.pages", 200),
    ]

    private func anna(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.predicate = NSPredicate(format: "name == 'Anna'")
        return try #require(try context.fetch(request).first)
    }

    @Test("Operators sum up a to-many relationship")
    func sumsUp() throws {
        try library.perform { context in
            for (path, value) in Self.sums {
                let found = try anna(context).value(forKeyPath: path) as? NSNumber
                #expect(found?.doubleValue == value, "\(path)")
            }
        }
    }

    @Test("The extremes of strings are strings, and those of nothing are nil")
    func extremes() throws {
        try library.perform { context in
            let anna = try anna(context)
            #expect(anna.value(forKeyPath: "books.@min.title") as? String == "Alpha")
            #expect(anna.value(forKeyPath: "books.@max.title") as? String == "Beta")
            anna.setValue(nil, forKey: "books")
            #expect(anna.value(forKeyPath: "books.@max.pages") == nil)
            #expect(anna.value(forKeyPath: "books.@count") as? Int == 0)
            let sum = anna.value(forKeyPath: "books.@sum.pages") as? NSNumber
            #expect(sum?.intValue == 0)
        }
    }

    @Test("Unions of values keep repetitions, distinct unions do not")
    func objects() throws {
        try library.perform { context in
            let anna = try anna(context)
            let all = anna.value(forKeyPath: "books.@unionOfObjects.author.name") as? [String]
            #expect(all == ["Anna", "Anna"])
            let distinct =
                anna.value(forKeyPath: "books.@distinctUnionOfObjects.author.name") as? [String]
            #expect(distinct == ["Anna"])
        }
    }

    @Test("Unions of collections join what each member has")
    func collections() throws {
        try library.perform { context in
            let anna = try anna(context)
            let tags = ["x", "y"].map { Library.insert("Tag", ["name": $0], in: context) }
            let books = (anna.value(forKey: "books") as? Set<NSManagedObject> ?? [])
            for book in books { book.setValue(Set(tags), forKey: "tags") }
            for (path, count) in [
                ("books.@unionOfSets.tags", 4), ("books.@distinctUnionOfSets.tags", 2),
                ("books.@unionOfArrays.tags", 4), ("books.@distinctUnionOfArrays.tags", 2),
            ] {
                let found = anna.value(forKeyPath: path)
                let members = (found as? [Any])?.count ?? (found as? NSSet)?.count
                #expect(members == count, "\(path)")
            }
            #expect(tags[0].value(forKeyPath: "books.@count") as? Int == 2)
        }
    }

    @Test("A path through a to-many gives the set of its members' values, without nil")
    func plainPath() throws {
        try library.perform { context in
            let anna = try anna(context)
            let titles = anna.value(forKeyPath: "books.title") as? NSSet
            #expect(titles == NSSet(array: ["Alpha", "Beta"]))
            let names = anna.value(forKeyPath: "books.author.name") as? Set<String>
            #expect(names?.count == 1)
            for book in anna.value(forKey: "books") as? Set<NSManagedObject> ?? [] {
                book.setValue(nil, forKey: "title")
            }
            #expect((anna.value(forKeyPath: "books.title") as? NSSet)?.count == 0)
        }
    }
}
