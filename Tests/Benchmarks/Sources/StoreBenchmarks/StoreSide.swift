import CloudKit
import CoreData
import LocalCloud
import Measurement
import Seam3

/// The work done with Core Data on `SMStore`, without a cloud but with the outbox.
final class StoreSide: @unchecked Sendable {
    // Unchecked because its objects are only used on the context's queue.

    let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private let store: NSPersistentStore
    /// Objects that a measurement has before it begins.
    private var held: [NSManagedObject] = []

    init(_ url: URL, model: NSManagedObjectModel = ShelfModel.model) throws {
        SMStore.registerStoreClass()
        SMStore.syncAutomatically = false
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let container = CKContainer(identifier: "iCloud.benchmark", service: LocalCloud.inMemory())
        store = try coordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: nil, at: url,
            options: [SMStore.SMStoreContainerOption: container])
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// A filled store, created once for each size, in the state after its changes have been sent.
    static func filled(_ size: Int) throws -> URL {
        try BenchmarkFiles.shared.filled("store", size) { url, size in
            for start in stride(from: 0, to: size, by: 100_000) {
                let side = try StoreSide(url)
                try side.insert(start..<min(start + 100_000, size))
            }
            let file = try CSide(url)
            try file.execute("DELETE FROM sm_outbox")
            try file.execute("UPDATE sm_object SET change_tag = '1', was_sent = 1")
            try file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    func insert(_ numbers: Range<Int>) throws {
        try context.performAndWait {
            make(numbers)
            try context.save()
        }
    }

    /// Makes books and their readers, on the context's queue.
    func make(_ numbers: Range<Int>) {
        var reader: NSManagedObject?
        for number in numbers {
            let values = BookValues(number: number)
            if number % ShelfModel.booksPerReader == 0 || reader == nil {
                reader = NSEntityDescription.insertNewObject(forEntityName: "Reader", into: context)
                reader?.setValue("Reader \(values.reader)", forKey: "name")
                reader?.setValue(values.reader, forKey: "number")
            }
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue(values.title, forKey: "title")
            book.setValue(values.code, forKey: "code")
            book.setValue(number, forKey: "number")
            book.setValue(values.pages, forKey: "pages")
            book.setValue(values.shelf, forKey: "shelf")
            book.setValue(values.price, forKey: "price")
            book.setValue(Date(timeIntervalSinceReferenceDate: values.added), forKey: "added")
            book.setValue(values.isLent, forKey: "isLent")
            book.setValue(values.note, forKey: "note")
            book.setValue(reader, forKey: "reader")
        }
    }

    func books(_ format: String = "", _ arguments: [Any] = []) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        if !format.isEmpty {
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
        }
        return request
    }

    /// A checksum of all values of a book, which reads each of them.
    static func checksum(_ book: NSManagedObject) -> Int {
        var sum = (book.value(forKey: "title") as? String)?.utf8.count ?? 0
        sum &+= (book.value(forKey: "code") as? String)?.utf8.count ?? 0
        sum &+= (book.value(forKey: "number") as? NSNumber)?.intValue ?? 0
        sum &+= (book.value(forKey: "pages") as? NSNumber)?.intValue ?? 0
        sum &+= (book.value(forKey: "shelf") as? NSNumber)?.intValue ?? 0
        sum &+= Int((book.value(forKey: "price") as? NSNumber)?.doubleValue ?? 0)
        sum &+= Int((book.value(forKey: "added") as? Date)?.timeIntervalSinceReferenceDate ?? 0)
        sum &+= (book.value(forKey: "isLent") as? NSNumber)?.boolValue == true ? 1 : 0
        sum &+= (book.value(forKey: "note") as? String)?.utf8.count ?? 0
        return sum
    }

    /// The same sum by what the accessors that the plugin generates call.
    static func typedChecksum(_ book: NSManagedObject) -> Int {
        var sum = book._managedString(forKey: "title")?.utf8.count ?? 0
        sum &+= book._managedString(forKey: "code")?.utf8.count ?? 0
        sum &+= Int(book._managedInt64(forKey: "number") ?? 0)
        sum &+= Int(book._managedInt64(forKey: "pages") ?? 0)
        sum &+= Int(book._managedInt64(forKey: "shelf") ?? 0)
        sum &+= Int(book._managedDouble(forKey: "price") ?? 0)
        let added: Date? = book._managedObject(forKey: "added")
        sum &+= Int(added?.timeIntervalSinceReferenceDate ?? 0)
        sum &+= book._managedBool(forKey: "isLent") == true ? 1 : 0
        sum &+= book._managedString(forKey: "note")?.utf8.count ?? 0
        return sum
    }
}

/// The measurements of the store.
extension StoreSide {
    static var insertion: Workload {
        Workload("SMStore") { size in
            let file = Temporary(BenchmarkFiles.shared.newURL())
            let side = try StoreSide(file.url)
            return .init({ try side.insert(0..<size) }, checksum: { try CSide.checksum(file) })
        }
    }

    private static func reading(
        _ body: @escaping @Sendable (StoreSide, Int) throws -> Int
    ) -> Workload {
        Workload("SMStore") { size in
            let side = try StoreSide(filled(size))
            return { try side.context.performAndWait { try body(side, size) } }
        }
    }

    private static func writing(
        _ body: @escaping @Sendable (StoreSide) throws -> Void
    ) -> Workload {
        Workload("SMStore") { size in
            let file = Temporary(try BenchmarkFiles.shared.copy(of: filled(size)))
            let side = try StoreSide(file.url)
            return .init(
                { try side.context.performAndWait { try body(side) } },
                checksum: { try CSide.checksum(file) })
        }
    }

    static var allValues: Workload {
        reading { side, _ in
            try side.context.fetch(side.books()).reduce(0) { $0 &+ checksum($1) }
        }
    }

    static var typedValues: Workload {
        reading { side, _ in
            try side.context.fetch(side.books()).reduce(0) { $0 &+ typedChecksum($1) }
        }
    }

    /// Objects are fetched whose values are there already.
    static var again: Workload {
        Workload("SMStore") { size in
            let side = try StoreSide(filled(size))
            try side.context.performAndWait {
                side.held = try side.context.fetch(side.books())
                for book in side.held { _ = checksum(book) }
            }
            return {
                try side.context.performAndWait {
                    try side.context.fetch(side.books()).reduce(0) {
                        $0 &+ Int($1._managedInt64(forKey: "number") ?? 0)
                    }
                }
            }
        }
    }

    /// What the store does itself when all values are fetched: it reads the rows, keeps them, and makes a
    /// node of each. The objects are there before.
    static var nodes: Workload {
        Workload("SMStore") { size in
            let side = try StoreSide(filled(size))
            try side.context.performAndWait {
                let request = side.books()
                // The store would not read the rows again.
                request.includesPropertyValues = false
                side.held = try side.context.fetch(request)
            }
            return { try side.context.performAndWait { try side.sumOfNodes() } }
        }
    }

    private func sumOfNodes() throws -> Int {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
        request.entity = ShelfModel.model.entitiesByName["Book"]
        guard let store = store as? NSIncrementalStore,
            let number = request.entity?.propertiesByName["number"],
            let books = try store.execute(request, with: context) as? [NSManagedObject]
        else { return 0 }
        return try books.reduce(0) { sum, book in
            let node = try store.newValuesForObject(with: book.objectID, with: context)
            return sum &+ ((node.value(for: number) as? NSNumber)?.intValue ?? 0)
        }
    }

    static var oneByIndex: Workload {
        reading { side, size in
            var sum = 0
            for index in 0..<1000 {
                let number = (index &* 7_919) % size
                let request = side.books("code == %@", [BookValues(number: number).code])
                for book in try side.context.fetch(request) { sum &+= checksum(book) }
            }
            return sum
        }
    }

    static var count: Workload {
        reading { side, _ in
            try side.context.count(for: side.books("pages >= %@", [500]))
        }
    }

    static var identifiers: Workload {
        reading { side, _ in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            request.resultType = .managedObjectIDResultType
            request.predicate = NSPredicate(format: "pages >= %@", argumentArray: [500])
            return try side.context.fetch(request).count
        }
    }

    static var toMany: Workload {
        reading { side, _ in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Reader")
            request.predicate = NSPredicate(
                format: "ANY books.pages == %@", argumentArray: [500])
            return try side.context.fetch(request).reduce(0) {
                $0 &+ (($1.value(forKey: "number") as? NSNumber)?.intValue ?? 0)
            }
        }
    }

    static var walk: Workload {
        reading { side, _ in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Reader")
            request.relationshipKeyPathsForPrefetching = ["books"]
            var sum = 0
            for reader in try side.context.fetch(request) {
                let books = (reader.value(forKey: "books") as? NSSet)?.allObjects ?? []
                for case let book as NSManagedObject in books {
                    sum &+= (book.value(forKey: "number") as? NSNumber)?.intValue ?? 0
                }
            }
            return sum
        }
    }

    static var update: Workload {
        writing { side in
            for book in try side.context.fetch(side.books()) {
                let pages = (book.value(forKey: "pages") as? NSNumber)?.intValue ?? 0
                book.setValue(pages + 1, forKey: "pages")
            }
            try side.context.save()
        }
    }

    static var smallSaves: Workload {
        Workload("SMStore") { size in
            let file = Temporary(try BenchmarkFiles.shared.copy(of: filled(size)))
            let side = try StoreSide(file.url)
            return .init(
                { try side.context.performAndWait { try side.saveOneByOne(of: size) } },
                checksum: { try CSide.checksum(file) })
        }
    }

    private func saveOneByOne(of size: Int) throws {
        for code in BookValues.codesToChange(of: size) {
            for book in try context.fetch(books("code == %@", [code])) {
                let pages = (book.value(forKey: "pages") as? NSNumber)?.intValue ?? 0
                book.setValue(pages + 1, forKey: "pages")
            }
            try context.save()
        }
    }

    static var deletion: Workload {
        writing { side in
            for book in try side.context.fetch(side.books()) { side.context.delete(book) }
            try side.context.save()
        }
    }

    static var groups: Workload {
        reading { side, _ in
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            let count = NSExpressionDescription()
            count.name = "count"
            count.expression = NSExpression(format: "count:(number)")
            count.expressionResultType = .integer64AttributeType
            let total = NSExpressionDescription()
            total.name = "total"
            total.expression = NSExpression(format: "sum:(pages)")
            total.expressionResultType = .integer64AttributeType
            request.propertiesToFetch = ["shelf", count, total]
            request.propertiesToGroupBy = ["shelf"]
            return try side.context.fetch(request).reduce(0) { sum, row in
                sum &+ ((row["count"] as? NSNumber)?.intValue ?? 0)
                    &* (((row["shelf"] as? NSNumber)?.intValue ?? 0) + 1)
                    &+ ((row["total"] as? NSNumber)?.intValue ?? 0)
            }
        }
    }

    static var dictionaries: Workload {
        reading { side, _ in
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["number", "title", "pages"]
            return try side.context.fetch(request).reduce(0) { sum, row in
                sum &+ ((row["number"] as? NSNumber)?.intValue ?? 0)
                    &+ ((row["title"] as? String)?.utf8.count ?? 0)
                    &+ ((row["pages"] as? NSNumber)?.intValue ?? 0)
            }
        }
    }
}
