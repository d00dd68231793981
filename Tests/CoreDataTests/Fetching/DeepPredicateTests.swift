import CoreData
import Testing

/// Predicates that are nested deeper than a thread's stack allows.
@Suite struct DeepPredicateTests {
    private func nested(_ depth: Int) -> NSPredicate {
        (0..<depth).reduce(NSPredicate(format: "pages >= 0")) { predicate, _ in
            NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
        }
    }

    @Test("A fetch with a predicate that is nested too deeply fails with an error")
    func deep() throws {
        let library = try Library()
        try library.fill()
        try library.perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = nested(5000)
            #expect(throws: CocoaError.self) { try context.fetch(request) }
            #expect(throws: CocoaError.self) { try context.count(for: request) }
            request.predicate = nested(500)
            let count = try context.count(for: request)
            #expect(count == 4)
            request.predicate = NSCompoundPredicate(
                orPredicateWithSubpredicates: (0..<5000).map {
                    NSPredicate(format: "pages == %d", $0)
                })
            let all = try context.count(for: request)
            #expect(all == 4)
        }
    }
}
