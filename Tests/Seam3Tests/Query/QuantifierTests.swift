import CoreData
import LocalCloud
import Testing

@testable import Seam3

/// Many conditions on the members of a relationship, which are one subselect.
@Suite("Many quantified conditions", .tags(.predicatesMeanTheSame)) struct QuantifierTests {
    private func text(_ format: String) throws -> String {
        let schema = StoreSchema(
            model: BatchModel.make(), configuration: nil, assignedNames: AssignedNames())
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
        request.predicate = NSPredicate(format: format)
        let query = try FetchQuery(
            request, try #require(schema.entity(named: "Author")), in: schema, keyOf: { _ in 7 })
        #expect(query.residual.isEmpty)
        return query.statement(selecting: query.source.key, window: .all).text
    }

    @Test(
        "are one subselect for each relationship",
        arguments: [
            ("ANY books.name == 'a' OR ANY books.pages > 3", 1),
            ("books.name == 'a' OR name == 'b' OR ANY books.pages > 3", 1),
            (
                "ANY books.name == 'a' OR passport.name == 'b' OR (ANY books.pages > 3 OR FALSEPREDICATE)",
                1
            ),
            ("ANY books.tags.name == 'a' OR ANY books.tags.name == 'b'", 2),
            (
                "ANY books.tags.name == 'a' OR ANY books.sequels.name == 'b' OR ANY books.name == 'c'",
                3
            ),
            ("ANY books.author.books.name == 'a' OR ANY books.author.name == 'b'", 2),
            ("ALL books.name == 'a' AND ALL books.pages > 3 AND NOT (ANY books.name == 'b')", 1),
            ("ALL books.name == 'a' OR ALL books.pages > 3", 2),
            ("ANY books.name == 'a' AND ANY books.pages > 3", 2),
            ("'a' IN books.name OR books.name CONTAINS 'b' OR ANY books.name IN {'c', 'd'}", 1),
        ])
    func subselectCounts(format: String, count: Int) throws {
        let text = try text(format)
        #expect(text.components(separatedBy: "EXISTS (SELECT").count - 1 == count, "\(text)")
    }

    /// Authors with up to three books each, with tags.
    private func device() throws -> Device {
        let device = try Device(on: LocalCloud.inMemory(), model: BatchModel.make())
        try device.edit { context in
            func insert(_ entity: String, _ name: String) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(
                    forEntityName: entity, into: context)
                object.setValue(name, forKey: "name")
                return object
            }
            let tags = (0..<5).map { insert("Tag", "tag \($0)") }
            for author in 0..<60 {
                let writer = insert("Author", "author \(author)")
                for book in 0..<author % 4 {
                    let work = insert("Book", "book \(author) \(book)")
                    work.setValue(author + book, forKey: "pages")
                    work.setValue(writer, forKey: "author")
                    work.setValue(Set([tags[(author + book) % 5]]), forKey: "tags")
                }
            }
        }
        return device
    }

    @Test(
        "mean the same in SQL and in memory",
        arguments: [
            "ANY books.name == 'book 7 1' OR ANY books.pages > 50 OR ANY books.tags.name == 'tag 3'",
            "ALL books.pages > 30 AND ALL books.name != 'book 43 1'",
            "NOT (ANY books.pages > 30) AND NOT (ANY books.tags.name == 'tag 1')",
            "NOT (ANY books.pages > 30 OR ANY books.tags.name == 'tag 1') AND ALL books.pages > 9",
            "ANY books.name CONTAINS name OR ANY books.author.name == name",
            "(ANY books.pages < 9 OR books.@count == 0) AND (ALL books.pages > 5 OR name == 'author 9')",
            "ANY books.pages > 50 OR 'book 7 1' IN books.name",
        ])
    func results(format: String) throws {
        let device = try device()
        try device.read { context in
            let predicate = NSPredicate(format: format)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            let all = try context.fetch(request)
            request.predicate = predicate
            let found = Set(try context.fetch(request))
            #expect(found == Set(all.filter { predicate.evaluate(with: $0) }))
        }
    }

    @Test("by the hundreds are one subselect, and select as in memory", arguments: [true, false])
    func hundreds(isNested: Bool) throws {
        let device = try device()
        let formats = (0..<600).map { "ANY books.name == 'book \($0) 0'" }
        let nested = formats.joined(separator: " OR ")
        let predicate =
            isNested
            ? NSPredicate(format: nested)
            : NSCompoundPredicate(
                orPredicateWithSubpredicates: formats.map { NSPredicate(format: $0) })
        #expect(try text(nested).components(separatedBy: "EXISTS (SELECT").count == 2)
        try device.read { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            let all = try context.fetch(request)
            request.predicate = predicate
            #expect(try context.fetch(request).count == 45)
            #expect(all.filter { predicate.evaluate(with: $0) }.count == 45)
        }
    }
}
