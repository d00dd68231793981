import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Many short-lived contexts") struct ManyContextsTests {
    /// The number of this process's threads; 0 if the system does not report it in a file.
    private static var threadCount: Int {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        return names?.count ?? 0
    }

    /// Counts existing contexts.
    private final class Contexts: @unchecked Sendable {
        // Unchecked because the lock guards all state.
        private let lock = NSLock()
        private var living = 0
        private let (ends, announce) = AsyncStream<Void>.makeStream()

        /// A context that is counted until it is deallocated.
        final class Counted: NSManagedObjectContext {
            private let contexts: Contexts

            init(of device: Device, in contexts: Contexts) {
                self.contexts = contexts
                contexts.lock.withLock { contexts.living += 1 }
                super.init(concurrencyType: .privateQueueConcurrencyType)
                persistentStoreCoordinator = device.container.persistentStoreCoordinator
            }

            required init?(coder: NSCoder) { nil }

            deinit {
                contexts.lock.withLock { contexts.living -= 1 }
                contexts.announce.yield()
            }
        }

        /// Waits until the last one has been deallocated.
        func noneLives() async {
            var iterator = ends.makeAsyncIterator()
            while lock.withLock({ living > 0 }) { await iterator.next() }
        }
    }

    @Test("which merge automatically use few threads and do not delay a sync")
    func shortLived() async {
        // In a separate process, because it counts threads.
        await #expect(processExitsWith: .success) {
            alarm(60)
            try await ManyContextsTests.saveInShortLivedContexts()
        }
    }

    /// The maximum number of threads, sampled repeatedly.
    private final class ThreadWatch: @unchecked Sendable {
        // Unchecked because the lock guards all state.
        private let lock = NSLock()
        private var most = 0
        private var isOver = false

        init() {
            Thread.detachNewThread { [self] in
                while !lock.withLock({ isOver }) {
                    let count = ManyContextsTests.threadCount
                    lock.withLock { most = max(most, count) }
                    Thread.sleep(forTimeInterval: 0.005)
                }
            }
        }

        func end() -> Int {
            lock.withLock {
                isOver = true
                return most
            }
        }
    }

    private static func saveInShortLivedContexts() async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device(on: cloud)
        try await device.store.sync()
        let watch = ThreadWatch()
        let start = Date()
        nonisolated(unsafe) let container = device.container
        let store = device.store
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<12 {
                group.addTask {
                    for number in 0..<30 {
                        await save("\(task) \(number)", in: container)
                        if number % 5 == 4 { _ = try? await store.sync() }
                    }
                }
            }
        }
        let duration = Date().timeIntervalSince(start)
        #expect(duration < 20, "\(duration) s")
        let most = watch.end()
        #expect(most <= 64, "\(most) threads")
        let syncStart = Date()
        try await store.sync()
        #expect(Date().timeIntervalSince(syncStart) < 5)
        #expect(try device.count("Clock") == 360)
        #expect(try await RawClient(cloud).records().count == 360)
    }

    /// Saves a clock in a new context, which has registered some others.
    private static func save(_ label: String, in container: NSPersistentContainer) async {
        let contexts = (0..<3).map { _ in container.newBackgroundContext() }
        for context in contexts {
            _ = await context.perform {
                context.automaticallyMergesChangesFromParent = true
                let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
                return (try? context.fetch(request).map { $0.value(forKey: "label") })?.count
            }
        }
        guard let context = contexts.first else { return }
        await #expect(throws: Never.self) {
            try await context.perform {
                NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                    .setValue(label, forKey: "label")
                try context.save()
            }
        }
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("are not kept alive by changes that are still to be merged", .timeLimit(.minutes(1)))
    func notHeld() async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device("a", on: cloud)
        let other = try Device("b", on: cloud)
        let contexts = Contexts()
        for number in 0..<20 {
            let context = Contexts.Counted(of: device, in: contexts)
            try await context.perform {
                context.automaticallyMergesChangesFromParent = true
                _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Clock"))
            }
            try other.add("Clock", ["label": "\(number)"])
        }
        for device in [other, device] { try await device.store.sync() }
        // Lets the work on their queues finish.
        await contexts.noneLives()
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test(
        "with busy queues are not kept alive by saves that they are to merge",
        .timeLimit(.minutes(1)))
    func busy() async throws {
        let device = try Device("a", on: LocalCloud.inMemory())
        let contexts = Contexts()
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<8 { Self.block(Contexts.Counted(of: device, in: contexts), at: gate) }
        for number in 0..<10 { try device.add("Clock", ["label": "\(number)"]) }
        for _ in 0..<8 { gate.signal() }
        await contexts.noneLives()
    }

    /// Blocks a context's queue, without retaining the context.
    private static func block(_ context: NSManagedObjectContext, at gate: DispatchSemaphore) {
        context.performAndWait { context.automaticallyMergesChangesFromParent = true }
        context.perform { gate.wait() }
    }
}
