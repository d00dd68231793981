import CoreData
import Testing

@testable import Seam3

/// The trace of the statements, tested in separate processes because it applies to all stores.
@Suite struct SQLTraceTests {
    @Test("A trace contains each statement, its duration and its number of rows, and no values")
    func statements() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            SMStore.sqlTrace = .statements
            let world = try QueryWorld(seed: 1, itemCount: 2)
            world.items[0].setValue("a secret", forKey: "name")
            try world.store.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(format: "name == 'a secret'")
            _ = try world.store.fetch(request)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = text.components(separatedBy: "\n").first {
            $0.contains("WHERE t0.\"name\" IS ?")
        }
        #expect(line?.hasPrefix("SQL: ") == true)
        #expect(line?.contains(" ms, 1 row: SELECT t0.pk") == true)
        #expect(!text.contains("secret"))
    }

    @Test("The values are traced only on request")
    func values() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            SMStore.sqlTrace = .statementsAndValues
            let world = try QueryWorld(seed: 1, itemCount: 2)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(format: "name == 'a secret'")
            _ = try world.store.fetch(request)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("WHERE t0.\"name\" IS 'a secret'"))
    }

    private final class Collector: SMLogDelegate {
        var messages: [String] = []

        func log(_ message: @autoclosure () -> String, type: SMLogType) {
            messages.append(message())
        }
    }

    @Test("A delegate without categories gets the messages of all categories")
    func delegate() {
        let collector = Collector()
        let delegate: any SMLogDelegate = collector
        delegate.log("a statement", type: .debug, category: .sql)
        #expect(collector.messages == ["a statement"])
    }
}
