import CoreData
import Seam3

/// The books of an author in a file of Seam3's.
struct Shelf {
    let container: NSPersistentContainer

    /// Opens the file at a URL, without syncing it.
    init(url: URL) throws {
        SMStore.registerStoreClass()
        // A package's resources are not in the main bundle, where a container searches by default.
        guard let model = NSManagedObjectModel.mergedModel(from: [Bundle.module]) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        container = NSPersistentContainer(name: "Reading", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.type = SMStore.type
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        (container.persistentStoreCoordinator.persistentStores.first as? SMStore)?
            .syncAutomatically = false
    }

    /// Adds a book by an author.
    func add(_ title: String, pages: Int32, by name: String) throws {
        let context = container.viewContext
        let author = Author(context: context)
        author.name = name
        let book = Book(context: context)
        book.title = title
        book.pages = pages
        author.addToBooks(book)
        try context.save()
    }

    /// The titles, each with its author.
    func titles() throws -> [String] {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return try container.viewContext.fetch(request).map {
            "\($0.title ?? "") by \($0.author?.name ?? "")"
        }
    }
}
