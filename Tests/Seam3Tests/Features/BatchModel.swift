import CoreData

/// Authors with books, drafts (a kind of book), tags, shelves and passports: with each delete rule
/// once.
enum BatchModel {
    static func make() -> NSManagedObjectModel {
        let pages = NSAttributeDescription("pages", .integer32AttributeType)
        pages.defaultValue = 10
        let author = NSEntityDescription(
            "Author", [NSAttributeDescription("name", .stringAttributeType)])
        let book = NSEntityDescription(
            "Book",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("price", .decimalAttributeType),
                NSAttributeDescription("published", .dateAttributeType), pages,
            ])
        let draft = NSEntityDescription(
            "Draft", [NSAttributeDescription("note", .stringAttributeType)])
        book.subentities = [draft]
        let tag = NSEntityDescription("Tag", [NSAttributeDescription("name", .stringAttributeType)])
        let shelf = NSEntityDescription(
            "Shelf", [NSAttributeDescription("name", .stringAttributeType)])
        let passport = NSEntityDescription(
            "Passport", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((author, "books", 0), (book, "author", 1))
        NSRelationshipDescription.join((book, "tags", 0), (tag, "books", 0))
        NSRelationshipDescription.join((shelf, "items", 0), (book, "shelf", 1))
        NSRelationshipDescription.join((author, "passport", 1), (passport, "owner", 1))
        NSRelationshipDescription.join((book, "sequels", 0), (book, "prequel", 1))
        author.relationshipsByName["books"]?.deleteRule = .cascadeDeleteRule
        book.relationshipsByName["sequels"]?.deleteRule = .cascadeDeleteRule
        shelf.relationshipsByName["items"]?.deleteRule = .denyDeleteRule
        passport.relationshipsByName["owner"]?.isOptional = false
        return NSManagedObjectModel(author, book, draft, tag, shelf, passport)
    }
}

extension Device {
    /// Runs a batch request on the context's queue.
    func execute<Result: NSPersistentStoreResult>(
        _ request: NSPersistentStoreRequest, as type: Result.Type = Result.self
    ) throws -> Result {
        try read { context in
            let result = try context.execute(request)
            guard let result = result as? Result else { throw CocoaError(.featureUnsupported) }
            return result
        }
    }

    /// A fetch request for an entity's objects with certain names.
    static func fetch(
        _ entity: String, _ names: String...
    ) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        request.predicate = NSPredicate(format: "name IN %@", names)
        return request
    }

    /// An attribute of all objects of an entity, by their names, read from the file.
    func values<Value>(
        _ key: String, of entity: String, as type: Value.Type = Value.self
    ) throws -> [String: Value] {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            try Self.all(entity, in: context).reduce(into: [:]) { values, object in
                guard let name = object.value(forKey: "name") as? String else { return }
                values[name] = object.value(forKey: key) as? Value
            }
        }
    }

    /// The names of all objects of an entity, sorted.
    func names(of entity: String) throws -> [String] {
        try values("name", of: entity, as: String.self).keys.sorted()
    }
}
