import CoreData
import Testing

/// Limits and offsets near the largest integer.
@Suite struct FetchWindowTests {
    private static let windows = [
        (Int.max, 0), (Int.max, 1), (Int.max - 1, Int.max), (1, Int.max), (0, Int.max),
        (Int.max, Int.max), (2, 1), (Int.min, Int.min),
    ]

    private func expected(_ limit: Int, _ offset: Int, of all: [String]) -> [String] {
        let rest = all.dropFirst(max(0, offset))
        return limit > 0 ? Array(rest.prefix(limit)) : Array(rest)
    }

    @Test(
        "Any limit and offset cut the results, with and without unsaved changes", arguments: windows
    )
    func pendingChanges(limit: Int, offset: Int) throws {
        let library = try Library()
        try library.fill()
        try library.perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            request.fetchLimit = limit
            request.fetchOffset = offset
            func titles() throws -> [String] {
                try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
            }
            let saved = ["Alpha", "Beta", "Delta", "Gamma"]
            let before = try titles()
            #expect(before == expected(limit, offset, of: saved))
            Library.insert("Book", ["title": "Aleph"], in: context)
            let changed = ["Aleph"] + saved
            let after = try titles()
            #expect(after == expected(limit, offset, of: changed))
            let count = try context.count(for: request)
            #expect(count == expected(limit, offset, of: changed).count)
        }
    }

    @Test("Any limit and offset cut the results of several stores", arguments: windows)
    func severalStores(limit: Int, offset: Int) throws {
        let library = try Library()
        let second = try library.coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try library.perform { context in
            for title in ["a", "b", "c"] {
                let book = Library.insert("Book", ["title": title], in: context)
                if title == "b" { context.assign(book, to: second) }
            }
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            request.fetchLimit = limit
            request.fetchOffset = offset
            let titles = try context.fetch(request).compactMap {
                $0.value(forKey: "title") as? String
            }
            #expect(titles == expected(limit, offset, of: ["a", "b", "c"]))
        }
    }

    @Test("Batches of any size are possible")
    func batches() throws {
        let stack = try TestStack()
        for label in ["a", "b", "c"] { _ = stack.insertClock(label) }
        try stack.context.save()
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
        request.fetchBatchSize = Int.max
        let other = stack.newContext()
        #expect(try other.fetch(request).map(\.label) == ["a", "b", "c"])
    }
}
