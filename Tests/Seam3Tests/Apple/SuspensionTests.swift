import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("A process that may be suspended, on a device that may be locked") struct SuspensionTests {
    /// Simulates the system's handling of an activity: records that it runs, and can let it expire.
    private final class Activities: @unchecked Sendable {
        // Unchecked because the lock guards the mutable state.

        private let lock = NSLock()
        private var counts = (begun: 0, ended: 0)
        private let expires: Bool

        init(expires: Bool = false) { self.expires = expires }

        var begun: Int { lock.locked { counts.begun } }
        var ended: Int { lock.locked { counts.ended } }

        var activity: WriteActivity {
            WriteActivity { [self] _, body in
                lock.locked { counts.begun += 1 }
                if expires { return body(true) }
                DispatchQueue.global().async {
                    body(false)
                    self.lock.locked { self.counts.ended += 1 }
                }
            }
        }
    }

    private func device(_ cloud: LocalCloud = .inMemory()) throws -> Device {
        try Device(on: cloud)
    }

    @Test("is not suspended during a transaction, and may be afterward")
    func transactions() async throws {
        let device = try device()
        let activities = Activities()
        try device.store.openedDatabase().activity = activities.activity
        try device.add("Clock", ["label": "home"])
        #expect(activities.begun > 0)
        _ = try device.read { context in try Device.all("Clock", in: context).count }
        let begun = activities.begun
        _ = try device.value("label", of: "home", as: String.self)
        #expect(activities.begun == begun)
        while activities.ended < begun { await Task.yield() }
    }

    @Test("continues if there was no time before the transaction began")
    func expiry() throws {
        let device = try device()
        try device.store.openedDatabase().activity = Activities(expires: true).activity
        try device.add("Clock", ["label": "home"])
        #expect(try device.value("label", of: "home") == "home")
    }

    @Test("ends a transaction in progress when the time is over")
    func interruption() throws {
        let connection = try SQLiteConnection(path: SQLiteConnection.inMemoryPath)
        nonisolated(unsafe) let running = connection
        let queue = DispatchQueue(label: "expiry")
        queue.suspend()
        let activity = WriteActivity { _, body in queue.async { body(true) } }
        let error = #expect(throws: SQLiteError.self) {
            try activity.run(expire: { running.interrupt() }) {
                queue.resume()
                // Runs until it is interrupted.
                while true {
                    try running.execute(
                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                            + " SELECT count(*) FROM n")
                }
            }
        }
        #expect(error?.code == .interrupted)
    }

    @Test(
        "waits for what a locked device refuses, and continues when it is unlocked",
        arguments: [
            SQLiteError.Code.notAuthorized, .inputOutput, .cannotOpen, .permissionDenied,
            .interrupted,
        ])
    func locked(code: SQLiteError.Code) {
        let error = SQLiteError(extendedCode: Int32(code.rawValue), message: "")
        #expect(RetryDelay.seconds(after: error, failures: 1) != nil)
        #expect(RetryDelay.isOver(error, after: .activated))
    }

    @Test("notices that the device was unlocked")
    func unlocked() async {
        let (events, arrived) = AsyncStream<SystemEvent>.makeStream()
        let center = NotificationCenter()
        let system = SystemEvents(center: center, container: { nil }) { arrived.yield($0) }
        center.post(
            name: Notification.Name("UIApplicationProtectedDataDidBecomeAvailable"), object: nil)
        for await event in events {
            #expect(event == .activated)
            break
        }
        withExtendedLifetime(system) {}
    }

    @Test(
        "protects its files as the store's option says",
        arguments: [
            ("NSFileProtectionComplete", 1), ("NSFileProtectionCompleteUnlessOpen", 2),
            ("NSFileProtectionCompleteUntilFirstUserAuthentication", 3),
            ("NSFileProtectionNone", 4),
        ])
    func protection(name: String, number: Int32) throws {
        let folder = try TestFolder()
        let stack = try StoreStack(
            at: folder.store, model: ClockModel.make(),
            options: [SMStore.SMStoreFileProtectionOption: NSString(string: name)])
        let store = try #require(
            stack.container.persistentStoreCoordinator.persistentStores.first as? SMStore)
        #expect((store.file.protection?.openFlags ?? 0) == number << 20)
        try stack.perform { context in
            let clock = NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
            clock.setValue("home", forKey: "label")
            try context.save()
        }
    }
}
