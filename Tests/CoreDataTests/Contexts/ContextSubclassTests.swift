import CoreData
import Testing

/// Contexts that override methods, as an app's test doubles do.
@Suite struct ContextSubclassTests {
    /// Unchecked because the test uses one thread.
    private final class Double: NSManagedObjectContext, @unchecked Sendable {
        var log: [String] = []

        override func save() throws {
            log.append("save")
            throw CocoaError(.coreData)
        }
        override func perform(_ block: @escaping @Sendable () -> Void) {
            log.append("perform")
            super.performAndWait(block)
        }
        override func performAndWait(_ block: @Sendable () -> Void) {
            log.append("performAndWait")
            super.performAndWait(block)
        }
        override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
            log.append("fetch")
            return []
        }
        override func delete(_ object: NSManagedObject) {
            log.append("delete")
            super.delete(object)
        }
    }

    @Test("A subclass may save, perform, fetch and delete in its own way")
    func overriding() throws {
        let stack = try TestStack()
        let double = Double(concurrencyType: .privateQueueConcurrencyType)
        double.persistentStoreCoordinator = stack.coordinator
        let context: NSManagedObjectContext = double
        let clock = Clock(context: context)
        let block: @Sendable () -> Void = {}
        context.perform(block)
        context.performAndWait(block)
        context.delete(clock)
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Clock")
        let found: [Any] = try context.fetch(request)
        #expect(found.isEmpty)
        #expect(throws: CocoaError.self) { try context.save() }
        #expect(double.log == ["perform", "performAndWait", "delete", "fetch", "save"])
    }
}
