import CoreData

/// A library in an in-memory store: `Book` (with the subentity `Atlas`), `Author` (many books),
/// `Tag` (many-to-many; the books of a tag are ordered).
struct Library {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    static let source = """
        <entity name='Book'>
            <attribute name='title' attributeType='String'/>
            <attribute name='pages' optional='YES' attributeType='Integer 32'
                defaultValueString='0'/>
            <attribute name='price' optional='YES' attributeType='Decimal'/>
            <attribute name='published' optional='YES' attributeType='Date'/>
            <attribute name='cache' optional='YES' transient='YES' attributeType='String'/>
            <relationship name='author' optional='YES' maxCount='1' deletionRule='Nullify'
                destinationEntity='Author' inverseName='books' inverseEntity='Author'/>
            <relationship name='tags' optional='YES' toMany='YES' deletionRule='Nullify'
                destinationEntity='Tag' inverseName='books' inverseEntity='Tag'/>
        </entity>
        <entity name='Atlas' parentEntity='Book'>
            <attribute name='maps' optional='YES' attributeType='Integer 16'/>
        </entity>
        <entity name='Author'>
            <attribute name='name' attributeType='String'/>
            <relationship name='books' optional='YES' toMany='YES' deletionRule='Cascade'
                destinationEntity='Book' inverseName='author' inverseEntity='Book'/>
        </entity>
        <entity name='Tag'>
            <attribute name='name' attributeType='String'/>
            <relationship name='books' optional='YES' toMany='YES' ordered='YES'
                deletionRule='Nullify' destinationEntity='Book' inverseName='tags'
                inverseEntity='Book'/>
        </entity>
        """

    init() throws {
        try self.init(model: makeModel(Self.source))
    }

    /// An in-memory store with another model.
    init(model: NSManagedObjectModel) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        context = Library.makeContext(coordinator)
    }

    /// Another context on the same store.
    func makeContext() -> NSManagedObjectContext {
        Library.makeContext(coordinator)
    }

    private static func makeContext(
        _ coordinator: NSPersistentStoreCoordinator
    ) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Runs a block on the context's queue.
    func perform<Result>(_ block: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
        try withoutActuallyEscaping(block) { block in
            try Library.perform(on: context, block)
        }
    }

    /// Runs a block on a context's queue and waits, so that it may capture anything.
    static func perform<Result>(
        on context: NSManagedObjectContext,
        _ block: (NSManagedObjectContext) throws -> Result
    ) rethrows -> Result {
        return try withoutActuallyEscaping(block) { block in
            let box = Unchecked(value: (context, block))
            return try context.performAndWait {
                Unchecked(value: try box.value.1(box.value.0))
            }.value
        }
    }

    /// Inserts an object with values.
    @discardableResult
    static func insert(
        _ entity: String, _ values: [String: Any], in context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    /// Three books by two authors, and an atlas.
    func fill() throws {
        try perform { context in
            let anna = Library.insert("Author", ["name": "Anna"], in: context)
            let bert = Library.insert("Author", ["name": "Bert"], in: context)
            let books: [(String, Int, NSManagedObject?)] = [
                ("Alpha", 100, anna), ("Beta", 200, anna), ("Gamma", 300, bert),
            ]
            for (title, pages, author) in books {
                let book = Library.insert("Book", ["title": title, "pages": pages], in: context)
                book.setValue(author, forKey: "author")
            }
            Library.insert("Atlas", ["title": "Delta", "pages": 50, "maps": 7], in: context)
            try context.save()
            context.reset()
        }
    }

    /// The titles of the books that a request finds.
    func titles(
        _ configure: (NSFetchRequest<NSManagedObject>) -> Void
    ) throws -> [String] {
        try perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            configure(request)
            return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
        }
    }
}

/// Passes a value to the queue of a context.
///
/// Unchecked because the sending thread waits until the value is no longer used there.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
}
