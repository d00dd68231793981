import CoreData
import Testing

@Suite("Saving to an in-memory store")
struct InMemorySavingTests {
    let library: Library

    init() throws {
        library = try Library()
    }

    @Test("Another context reads what one has saved")
    func values() throws {
        let date = Date(timeIntervalSinceReferenceDate: 123.456)
        let objectID = try library.perform { context in
            let book = Library.insert(
                "Book",
                ["title": "Alpha", "price": Decimal(9.5), "published": date, "cache": "c"],
                in: context)
            #expect(book.objectID.isTemporaryID)
            try context.save()
            #expect(!book.objectID.isTemporaryID)
            return book.objectID
        }
        try Library.perform(on: library.makeContext()) { context in
            let book = try context.existingObject(with: objectID)
            #expect(book.value(forKey: "title") as? String == "Alpha")
            #expect(book.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(9.5))
            #expect(book.value(forKey: "published") as? Date == date)
            #expect(book.value(forKey: "pages") as? Int == 0)
            #expect(book.value(forKey: "cache") == nil)
        }
    }

    @Test("Relationships are kept from both sides, many-to-many and in order")
    func relationships() throws {
        let (tagID, bookIDs) = try library.perform { context in
            let books = ["A", "B", "C"].map {
                Library.insert("Book", ["title": $0], in: context)
            }
            let tag = Library.insert("Tag", ["name": "new"], in: context)
            tag.setValue(NSOrderedSet(array: [books[2], books[0]]), forKey: "books")
            let other = Library.insert("Tag", ["name": "old"], in: context)
            books[0].setValue(Set([tag, other]), forKey: "tags")
            try context.save()
            return (tag.objectID, books.map(\.objectID))
        }
        try Library.perform(on: library.makeContext()) { context in
            let tag = try context.existingObject(with: tagID)
            let books = tag.value(forKey: "books") as? NSOrderedSet
            #expect(
                books?.array.compactMap { ($0 as? NSManagedObject)?.objectID }
                    == [bookIDs[2], bookIDs[0]])
            let first = try context.existingObject(with: bookIDs[0])
            #expect((first.value(forKey: "tags") as? Set<NSManagedObject>)?.count == 2)
            let second = try context.existingObject(with: bookIDs[1])
            #expect((second.value(forKey: "tags") as? Set<NSManagedObject>)?.isEmpty == true)
        }
    }

    @Test("A one-to-many changed from the side of the one object shows on the other")
    func inverse() throws {
        try library.fill()
        let annaID = try library.perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.predicate = NSPredicate(format: "name == 'Anna'")
            let anna = try #require(context.fetch(request).first)
            let books = NSFetchRequest<NSManagedObject>(entityName: "Book")
            books.predicate = NSPredicate(format: "title == 'Gamma'")
            try #require(context.fetch(books).first).setValue(anna, forKey: "author")
            try context.save()
            return anna.objectID
        }
        try Library.perform(on: library.makeContext()) { context in
            let anna = try context.existingObject(with: annaID)
            #expect((anna.value(forKey: "books") as? Set<NSManagedObject>)?.count == 3)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.predicate = NSPredicate(format: "books.@count == 0")
            #expect(try context.fetch(request).count == 1)
        }
    }

    @Test("A deletion follows the delete rules, and the rows are removed")
    func deletion() throws {
        try library.fill()
        try library.perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.predicate = NSPredicate(format: "name == 'Anna'")
            let anna = try #require(context.fetch(request).first)
            context.delete(anna)
            try context.save()
        }
        #expect(try library.titles { _ in } == ["Delta", "Gamma"])
    }

    @Test("Two saves in a row are not a conflict")
    func twice() throws {
        try library.perform { context in
            let book = Library.insert("Book", ["title": "A"], in: context)
            for title in ["B", "C", "D"] {
                try context.save()
                book.setValue(title, forKey: "title")
            }
            try context.save()
        }
        #expect(try library.titles { _ in } == ["D"])
    }

    @Test("An object that another context has saved since is a conflict")
    func conflict() throws {
        try library.fill()
        let other = library.makeContext()
        func alpha(_ context: NSManagedObjectContext) throws -> NSManagedObject {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "title == 'Alpha'")
            return try #require(context.fetch(request).first)
        }
        try library.perform { context in
            try alpha(context).setValue(1, forKey: "pages")
        }
        try Library.perform(on: other) { context in
            try alpha(context).setValue(2, forKey: "pages")
            try context.save()
        }
        try library.perform { context in
            let error = #expect(throws: (any Error).self) { try context.save() }
            #expect((error as? CocoaError)?.code == .managedObjectMerge)
            let conflicts =
                (error as? CocoaError)?.userInfo[NSPersistentStoreSaveConflictsErrorKey]
                as? [NSMergeConflict]
            #expect(conflicts?.count == 1)
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            try context.save()
        }
        try Library.perform(on: library.makeContext()) { context in
            let pages = try alpha(context).value(forKey: "pages") as? Int
            #expect(pages == 1)
        }
    }

    @Test("An unsupported request is refused")
    func unknownRequest() {
        library.perform { context in
            let request = NSPersistentStoreRequest()
            let error = #expect(throws: (any Error).self) {
                try library.coordinator.execute(request, with: context)
            }
            #expect((error as? CocoaError)?.code == .persistentStoreUnsupportedRequestType)
        }
    }

    @Test("The store has the metadata of every store")
    func metadata() throws {
        let store = try #require(library.coordinator.persistentStores.first)
        #expect(store.type == NSInMemoryStoreType)
        let metadata = library.coordinator.metadata(for: store)
        #expect(metadata[NSStoreTypeKey] as? String == NSInMemoryStoreType)
        #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
        #expect(metadata[NSStoreModelVersionHashesKey] is [String: Data])
    }

    @Test("An object's URI leads back to it")
    func uri() throws {
        try library.fill()
        try library.perform { context in
            let book = try #require(
                context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first)
            let url = book.objectID.uriRepresentation()
            let objectID = library.coordinator.managedObjectID(forURIRepresentation: url)
            #expect(objectID == book.objectID)
        }
    }

    @Test("Derived attributes are not computed: only Apple's SQLite store does that")
    func derivedAttributes() throws {
        func derived(
            _ name: String, _ type: NSAttributeType, _ expression: NSExpression
        ) -> NSDerivedAttributeDescription {
            let attribute = NSDerivedAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            attribute.isOptional = true
            attribute.derivationExpression = expression
            return attribute
        }
        let entity = NSEntityDescription()
        entity.name = "Note"
        entity.properties = [
            TestModel.attribute("title", .stringAttributeType),
            derived(
                "search", .stringAttributeType,
                NSExpression(format: "canonical:(title)")),
            derived("changed", .dateAttributeType, NSExpression(format: "now()")),
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue("Été", forKey: "title")
            try context.save()
            context.refresh(note, mergeChanges: false)
            #expect(note.value(forKey: "title") as? String == "Été")
            #expect(note.value(forKey: "search") == nil)
            #expect(note.value(forKey: "changed") == nil)
        }
    }
}
