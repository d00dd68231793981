import CoreData
import SeededRandom
import Testing

/// Compares a fetched results controller with a fetch after everything has been merged.
@Suite struct FetchedResultsAtRestTests {
    private final class Delegate: NSObject, NSFetchedResultsControllerDelegate {}

    /// A context with two controllers, and other contexts' saves that it has not merged yet.
    ///
    /// Unchecked because one thread uses it.
    private final class Reader: @unchecked Sendable {
        let context: NSManagedObjectContext
        let controllers: [NSFetchedResultsController<NSManagedObject>]
        let delegate = Delegate()
        var mailbox: [Notification] = []

        init(_ context: NSManagedObjectContext) throws {
            self.context = context
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let predicates = [nil, NSPredicate(format: "pages < 50")]
            controllers = predicates.map { predicate in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.predicate = predicate
                request.sortDescriptors = [
                    NSSortDescriptor(key: "pages", ascending: true),
                    NSSortDescriptor(key: "title", ascending: true),
                ]
                return NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: context,
                    sectionNameKeyPath: nil, cacheName: nil)
            }
            for controller in controllers {
                controller.delegate = delegate
                try controller.performFetch()
            }
        }

        /// Merges one of the saves, which need not be the oldest.
        func merge(using random: inout SeededGenerator) {
            guard !mailbox.isEmpty else { return }
            let index = Int.random(in: mailbox.indices, using: &random)
            context.mergeChanges(fromContextDidSave: mailbox.remove(at: index))
        }

        func change(using random: inout SeededGenerator) throws {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let books = try context.fetch(request)
            let book = books.randomElement(using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3:
                let book = NSEntityDescription.insertNewObject(
                    forEntityName: "Book", into: context)
                book.setValue(
                    "\(UInt64.random(in: 0...UInt64.max, using: &random))", forKey: "title")
                book.setValue(Int.random(in: 0..<100, using: &random), forKey: "pages")
            case 3..<6: if let book { context.delete(book) }
            default: book?.setValue(Int.random(in: 0..<100, using: &random), forKey: "pages")
            }
        }
    }

    private func run(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let library = try Library()
        let readers = try (0..<10).map { _ in try Reader(library.makeContext()) }
        func save(_ reader: Reader) {
            let recorder = NotificationRecorder(
                reader.context, [.NSManagedObjectContextDidSave])
            do { try reader.context.save() } catch { reader.context.rollback() }
            for other in readers where other !== reader { other.mailbox += recorder.all }
        }
        for _ in 0..<300 {
            guard let reader = readers.randomElement(using: &random) else { continue }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: save(reader)
            case 1: reader.merge(using: &random)
            default: try reader.change(using: &random)
            }
        }
        readers.forEach(save)
        for reader in readers {
            while !reader.mailbox.isEmpty { reader.merge(using: &random) }
            for controller in reader.controllers {
                let fetched = try reader.context.fetch(controller.fetchRequest)
                let shown = controller.fetchedObjects ?? []
                // Printing the objects themselves would be slow.
                let isSame = shown == fetched
                #expect(
                    isSame,
                    """
                    SEAM_FETCHED_RESULTS_SEED=\(seed): \
                    \(shown.filter { !fetched.contains($0) }.map(\.objectID)) too many, \
                    \(fetched.filter { !shown.contains($0) }.map(\.objectID)) missing
                    """)
            }
        }
    }

    @Test("At rest a controller equals its fetch, in whatever order ten contexts learn of saves")
    func crossingSaves() throws {
        let seed = SeededGenerator.seed(from: "SEAM_FETCHED_RESULTS_SEED")
        for offset in 0..<10 { try run(seed: seed &+ UInt64(offset)) }
    }

    @Test("An insertion that is merged after the same object's deletion adds nothing")
    func insertionAfterDeletion() throws {
        let library = try Library()
        let reader = try Reader(library.makeContext())
        let recorder = NotificationRecorder(library.context, [.NSManagedObjectContextDidSave])
        let saves = try library.perform { context in
            let book = Library.insert("Book", ["title": "gone"], in: context)
            try context.save()
            context.delete(book)
            try context.save()
            return recorder.all
        }
        for save in saves.reversed() { reader.context.mergeChanges(fromContextDidSave: save) }
        #expect(reader.controllers.map { $0.fetchedObjects?.count } == [0, 0])
    }
}
