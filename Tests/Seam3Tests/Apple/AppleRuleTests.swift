import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("What differs on Apple's systems") struct AppleRuleTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    // MARK: - Decimals

    /// The names of the goods that a predicate selects. In memory, `NSDecimalNumber` raises an
    /// exception.
    private func goods(_ format: String) throws -> [String] {
        let good = NSEntityDescription(
            "Good",
            [NSAttributeDescription("name", .stringAttributeType)]
                + ["price", "parts"].map { NSAttributeDescription($0, .decimalAttributeType) }
                + [NSAttributeDescription("count", .integer64AttributeType)])
        let stack = try StoreStack(at: folder.store, model: NSManagedObjectModel(good))
        return try stack.perform { context in
            let values: [(String, String, String, Int)] = [
                ("whole", "10", "4", 2), ("none", "10", "0", 0),
                ("huge", "9e127", "9e127", 10),
            ]
            for (name, price, parts, count) in values {
                let object = NSEntityDescription.insertNewObject(
                    forEntityName: "Good", into: context)
                object.setValue(name, forKey: "name")
                object.setValue(NSDecimalNumber(string: price), forKey: "price")
                object.setValue(NSDecimalNumber(string: parts), forKey: "parts")
                object.setValue(count, forKey: "count")
            }
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Good")
            request.predicate = NSPredicate(format: format, argumentArray: [])
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
        }
    }

    @Test(
        "Decimals without a result are nil in SQL, and do not end the process",
        arguments: [
            ("price / parts > 1", ["whole"]), ("price / count > 1", ["huge", "whole"]),
            ("count / parts > 0.1", ["whole"]), ("price * parts > 1", ["whole"]),
            ("price + parts > 13", ["huge", "whole"]), ("price - parts == 10", ["none"]),
            ("price / parts == 2.5", ["whole"]),
        ])
    func decimals(format: String, names: [String]) throws {
        #expect(try goods(format) == names)
    }

    // MARK: - Events and messages

    @Test(
        "The activation of an app is noticed on every system",
        arguments: [
            "UIApplicationDidBecomeActiveNotification", "NSApplicationDidBecomeActiveNotification",
            "NSExtensionHostDidBecomeActiveNotification",
            "WKApplicationDidBecomeActiveNotification",
        ])
    func activation(name: String) async {
        let (events, arrived) = AsyncStream<SystemEvent>.makeStream()
        let center = NotificationCenter()
        let system = SystemEvents(center: center, container: { nil }) { arrived.yield($0) }
        center.post(name: Notification.Name(name), object: nil)
        for await event in events {
            #expect(event == .activated)
            break
        }
        withExtendedLifetime(system) {}
    }

    @Test("Only messages that may contain values are private in the system's log")
    func privacy() {
        for category in SMLogCategory.allCases {
            #expect(SMLogger.mayHoldValues(category) == (category == .sql))
        }
    }

    // MARK: - Pushes

    @Test("The payload of a push stays with the caller, who waits for the result")
    func push() async throws {
        let cloud = LocalCloud.inMemory()
        let (a, b) = (try Device("a", on: cloud), try Device("b", on: cloud))
        try await b.store.sync()
        try a.add("Clock", ["label": "home"])
        try await a.store.sync()
        #expect(await b.store.handlePush(userInfo: ["aps": ["content-available": 1]]) == .noData)
        let payload: [AnyHashable: Any] = [
            "ck": [
                "cid": Device.containerIdentifier, "nid": "1",
                "fet": ["dbs": 1, "zid": StoreZone.name, "zoid": "__defaultOwner__", "sid": "s"],
            ]
        ]
        #expect(await b.store.handlePush(userInfo: payload) == .newData)
        cloud.faults.add(.fail(.throttled), for: .kind(.fetchZoneChanges))
        #expect(await b.store.handlePush(userInfo: payload) == .failed)
    }

    // MARK: - Contexts

    /// A context that uses the registry when it is deallocated.
    private final class TalkativeContext: NSManagedObjectContext, @unchecked Sendable {
        // Unchecked because contexts are unchecked, too.
        var registry: ContextRegistry?
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

        deinit { registry?.note(other) }
    }

    @Test("A context may be released at any moment, also while changes are delivered to it")
    func endingContexts() async {
        let registry = ContextRegistry(largestMerge: 100)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<2000 {
                    let context = TalkativeContext(
                        concurrencyType: .privateQueueConcurrencyType)
                    context.registry = registry
                    registry.note(context)
                }
            }
            group.addTask { for _ in 0..<2000 { registry.merge(ChangedObjectIDs()) } }
        }
    }
}
