import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A derived attribute") struct DerivedAttributeTests {
    let cloud = LocalCloud.inMemory()

    private static func derived(_ name: String, _ type: NSAttributeType, _ format: String)
        -> NSDerivedAttributeDescription
    {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationExpression = NSExpression(format: format)
        return attribute
    }

    private static func model(hasMore: Bool = false) -> NSManagedObjectModel {
        let author = NSEntityDescription(
            "Author",
            [
                NSAttributeDescription("name", .stringAttributeType),
                derived("search", .stringAttributeType, "canonical:(name)"),
                derived("upper", .stringAttributeType, "uppercase:(name)"),
                derived("lower", .stringAttributeType, "lowercase:(name)"),
                derived("changed", .dateAttributeType, "now()"),
            ])
        let book = NSEntityDescription(
            "Book",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("pages", .integer32AttributeType),
            ])
        let tag = NSEntityDescription("Tag", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((author, "books", 0), (book, "author", 1))
        NSRelationshipDescription.join((book, "tags", 0), (tag, "books", 0))
        author.properties += [
            derived("bookCount", .integer64AttributeType, "books.@count"),
            derived("pageCount", .integer64AttributeType, "books.pages.@sum"),
        ]
        book.properties.append(derived("authorName", .stringAttributeType, "author.name"))
        tag.properties.append(derived("pages", .integer64AttributeType, "books.pages.@sum"))
        if hasMore {
            book.properties.append(derived("shout", .stringAttributeType, "uppercase:(name)"))
        }
        return NSManagedObjectModel(author, book, tag)
    }

    private func device(_ name: String = "device") throws -> Device {
        try Device(name, on: cloud, model: Self.model())
    }

    /// An author with two books, the first of which has a tag.
    private func fill(_ device: Device) throws {
        try device.addAll("Author", "Zoë Å")
        try device.add("Book", ["name": "a", "pages": 10])
        try device.add("Book", ["name": "b", "pages": 5])
        try device.addAll("Tag", "t")
        try device.setMembers("Author", "Zoë Å", "books", ["a", "b"])
        try device.setMembers("Tag", "t", "books", ["a"])
    }

    @Test("counts the members that a many-to-many relationship gets in one save") func manyToMany()
        throws
    {
        let device = try device()
        try device.addAll("Tag", "s", "t")
        try device.add("Book", ["name": "a", "pages": 10])
        try device.add("Book", ["name": "b", "pages": 5])
        try device.setMembers("Tag", "t", "books", ["a", "b"])
        try device.setMembers("Book", "a", "tags", ["s", "t"])
        #expect(try device.values("pages", of: "Tag", as: Int.self) == ["s": 10, "t": 15])
    }

    @Test(
        "derived from the object's own values is computed by each save",
        arguments: [("search", "zoe a"), ("upper", "ZOË Å"), ("lower", "zoë å")])
    func own(key: String, expected: String) throws {
        let device = try device()
        try fill(device)
        #expect(try device.values(key, of: "Author") == ["Zoë Å": expected])
        try device.edit { context in
            try Device.object("Author", "Zoë Å", in: context).setValue("X", forKey: "name")
        }
        #expect(
            try device.values(key, of: "Author") == ["X": key == "upper" ? "X" : "x"])
    }

    @Test("derived from other objects follows their changes, insertions, moves and deletions")
    func others() throws {
        let device = try device()
        try fill(device)
        func counts() throws -> [Int] {
            let author = "Zoë Å"
            return [
                try device.values("bookCount", of: "Author", as: Int.self)[author] ?? -1,
                try device.values("pageCount", of: "Author", as: Int.self)[author] ?? -1,
                try device.values("pages", of: "Tag", as: Int.self)["t"] ?? -1,
            ]
        }
        #expect(try counts() == [2, 15, 10])
        #expect(try device.values("authorName", of: "Book") == ["a": "Zoë Å", "b": "Zoë Å"])
        try device.edit { context in
            try Device.object("Book", "a", in: context).setValue(20, forKey: "pages")
        }
        #expect(try counts() == [2, 25, 20])
        try device.setMembers("Tag", "t", "books", ["a", "b"])
        #expect(try counts() == [2, 25, 25])
        try device.setMembers("Author", "Zoë Å", "books", ["b"])
        #expect(try counts() == [1, 5, 25])
        #expect(try device.values("authorName", of: "Book") == ["b": "Zoë Å"])
        try device.edit { context in context.delete(try Device.object("Book", "b", in: context)) }
        #expect(try counts() == [0, 0, 20])
    }

    @Test("with the time changes with its object and no other") func now() throws {
        let device = try device()
        let start = Date()
        try fill(device)
        let first = try #require(
            try device.values("changed", of: "Author", as: Date.self)["Zoë Å"])
        #expect(first >= start.addingTimeInterval(-1))
        try device.edit { context in
            try Device.object("Book", "a", in: context).setValue(1, forKey: "pages")
        }
        let second = try device.values("changed", of: "Author", as: Date.self)["Zoë Å"]
        #expect(second == first)
    }

    @Test("is seen by the object that was saved once it is refreshed") func refresh() throws {
        let device = try device()
        try device.edit { context in
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("Ä", forKey: "name")
            try context.save()
            context.refresh(author, mergeChanges: true)
            #expect(author.value(forKey: "search") as? String == "a")
        }
    }

    @Test("follows a batch request") func batch() throws {
        let device = try device()
        try fill(device)
        let update = NSBatchUpdateRequest(entityName: "Book")
        update.propertiesToUpdate = ["pages": NSExpression(format: "pages * 2")]
        _ = try device.execute(update, as: NSBatchUpdateResult.self)
        #expect(try device.values("pageCount", of: "Author") == ["Zoë Å": 30])
        let insert = NSBatchInsertRequest(entityName: "Author", objects: [["name": "É"]])
        _ = try device.execute(insert, as: NSBatchInsertResult.self)
        #expect(try device.values("search", of: "Author", as: String.self)["É"] == "e")
    }

    @Test("is derived by each device and not sent") func sync() async throws {
        let (a, b) = (try device("a"), try device("b"))
        try fill(a)
        try await Device.settle(a, b)
        #expect(try b.values("pageCount", of: "Author") == ["Zoë Å": 15])
        #expect(try b.values("search", of: "Author") == ["Zoë Å": "zoe a"])
        let record = try #require(try await RawClient(cloud).records(ofType: "Author").first)
        #expect(record.valueKeys == ["name"])
        #expect(try b.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("that a new model adds is computed for existing objects") func migration() throws {
        let device = try device()
        try fill(device)
        try device.relaunch(model: Self.model(hasMore: true))
        #expect(try device.values("shout", of: "Book") == ["a": "A", "b": "B"])
    }

    @Test("that SQL cannot compute is refused with the model") func refusal() throws {
        let model = Self.model()
        model.entitiesByName["Book"]?.properties.append(
            Self.derived("odd", .stringAttributeType, "FUNCTION(name, 'odd:')"))
        let error = #expect(throws: SMStoreError.self) { try Device(on: cloud, model: model) }
        #expect(error?.description.contains("Book.odd") == true)
    }
}
