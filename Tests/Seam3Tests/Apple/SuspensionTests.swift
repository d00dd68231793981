import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("A process that may be suspended, on a device that may be locked") struct SuspensionTests {
    /// Handles activities as the system does: on other threads, and after the request has returned.
    private final class Activities: @unchecked Sendable {
        // Unchecked because the condition guards the mutable state.

        /// The system's answer to a request.
        enum Answer { case granted, denied, nothing }

        private let condition = NSCondition()
        private let reply: Answer
        private var bodies: [@Sendable (Bool) -> Void] = []
        private var runningCount = 0

        init(_ reply: Answer) { self.reply = reply }

        /// How many activities were asked for.
        var requestCount: Int { condition.locked { bodies.count } }

        func activity(pause: TimeInterval = 3600) -> WriteActivity {
            WriteActivity(pause: pause) { [self] _, body in
                condition.locked { bodies.append(body) }
                if reply != .nothing { call(body, reply == .denied) }
            }
        }

        /// Calls the closure of the last activity: with false to grant it, with true when its time is over.
        func report(_ isExpired: Bool) {
            if let body = condition.locked({ bodies.last }) { call(body, isExpired) }
        }

        private func call(_ body: @escaping @Sendable (Bool) -> Void, _ isExpired: Bool) {
            condition.locked { runningCount += 1 }
            DispatchQueue.global().async { [self] in
                body(isExpired)
                condition.locked {
                    runningCount -= 1
                    condition.broadcast()
                }
            }
        }

        /// Waits until all calls have returned.
        func waitForEnd() {
            condition.locked { while runningCount > 0 { condition.wait() } }
        }
    }

    /// A statement that runs for a moment.
    private static func statement(count: Int) -> String {
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))"
            + " SELECT count(*) FROM n"
    }

    private func device(_ cloud: LocalCloud = .inMemory()) throws -> Device {
        try Device(on: cloud)
    }

    private func connection() throws -> SQLiteConnection {
        try SQLiteConnection(path: SQLiteConnection.inMemoryPath)
    }

    @Test("is not suspended during a transaction, and may be afterward")
    func transactions() throws {
        let device = try device()
        let activities = Activities(.granted)
        try device.store.openedDatabase().activity = activities.activity(pause: 0)
        try device.add("Clock", ["label": "home"])
        #expect(activities.requestCount > 0)
        _ = try device.read { context in try Device.all("Clock", in: context).count }
        let count = activities.requestCount
        _ = try device.value("label", of: "home", as: String.self)
        #expect(activities.requestCount == count)
        activities.waitForEnd()
    }

    @Test("asks for one activity for many saves in quick succession, and again after a pause")
    func burst() throws {
        let device = try device()
        let activities = Activities(.granted)
        try device.store.openedDatabase().activity = activities.activity(pause: 3600)
        for number in 0..<50 { try device.add("Clock", ["label": "\(number)"]) }
        #expect(activities.requestCount == 1)

        let hasty = Activities(.granted)
        try device.store.openedDatabase().activity = hasty.activity(pause: 0)
        for number in 0..<3 {
            try device.add("Clock", ["label": "later \(number)"])
            hasty.waitForEnd()
        }
        #expect(hasty.requestCount >= 3)
    }

    @Test("interrupts no transaction if the system denies the activity after the transaction began")
    func denial() throws {
        let activities = Activities(.nothing)
        let activity = activities.activity()
        nonisolated(unsafe) let connection = try connection()
        try activity.run(interrupt: { connection.interrupt() }) {
            activities.report(true)
            try connection.execute(Self.statement(count: 300_000))
        }
        activities.waitForEnd()
    }

    @Test("saves everything if the system denies each activity")
    func denials() throws {
        let device = try device()
        let activities = Activities(.denied)
        try device.store.openedDatabase().activity = activities.activity(pause: 0)
        for number in 0..<20 {
            try device.edit { context in
                for index in 0..<50 {
                    let clock = NSEntityDescription.insertNewObject(
                        forEntityName: "Clock", into: context)
                    clock.setValue("\(number) \(index)", forKey: "label")
                }
            }
        }
        #expect(try device.count("Clock") == 1000)
        activities.waitForEnd()
    }

    @Test("saves without an answer of the system, and an answer that arrives later ends by itself")
    func lateAnswer() throws {
        let device = try device()
        let activities = Activities(.nothing)
        try device.store.openedDatabase().activity = activities.activity(pause: 0)
        try device.add("Clock", ["label": "home"])
        for isExpired in [false, true, true, false] {
            activities.report(isExpired)
            activities.waitForEnd()
        }
        #expect(try device.value("label", of: "home") == "home")
    }

    @Test("ends the transactions in progress when the granted time is over, and no later one")
    func interruption() throws {
        nonisolated(unsafe) let connection = try connection()
        var error: SQLiteError?
        // The end of the time may be reported before the grant, and counts as a denial then.
        for _ in 0..<100 where error == nil {
            let activities = Activities(.granted)
            let activity = activities.activity(pause: 0)
            do {
                try activity.run(interrupt: { connection.interrupt() }) {
                    try connection.execute(Self.statement(count: 100_000))
                    activities.report(true)
                    try connection.execute(Self.statement(count: 3_000_000))
                }
            } catch let failure as SQLiteError {
                error = failure
            }
            try activity.run(interrupt: { connection.interrupt() }) {
                try connection.execute(Self.statement(count: 300_000))
            }
            activities.waitForEnd()
        }
        #expect(error?.code == .interrupted)
    }

    @Test(
        "needs no activity for files in the app's own container, which no other process locks",
        arguments: [
            ("Library/Application Support/Store.sqlite", false), ("Store.sqlite", false),
            ("../Shared/Store.sqlite", true), ("../Home2/Store.sqlite", true),
        ])
    func ownContainer(path: String, isShared: Bool) throws {
        let folder = try TestFolder()
        let home = folder.url.appendingPathComponent("Home")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let file = URL(fileURLWithPath: home.appendingPathComponent(path).path).standardized
        #expect(WriteActivity.isShared(file, home: home) == isShared)
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
