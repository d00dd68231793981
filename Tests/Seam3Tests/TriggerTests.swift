import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A sync is triggered") struct TriggerTests {
    let cloud = LocalCloud.inMemory()

    @Test("by a save, if the store syncs automatically")
    func afterSave() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        a.store.syncAutomatically = true
        let finished = Self.nextFinish(of: a.store)
        try a.add("Clock", ["label": "home"])
        #expect(await finished.value == nil)
        try await b.store.sync()
        #expect(try b.table().count == 1)
    }

    @Test("by a push from another device's change")
    func push() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try await b.store.sync()
        let store = b.store
        let results = AsyncStream<FetchResult> { continuation in
            b.cloudContainer.remoteNotificationHandler = { userInfo in
                store.handlePush(userInfo: userInfo) { continuation.yield($0) }
            }
        }
        try await b.cloudContainer.registerForRemoteNotifications()
        try a.add("Clock", ["label": "home"])
        try await a.store.sync()
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == .newData)
        #expect(try b.table().count == 1)
    }

    /// Payloads that are not for the store.
    static let foreignPushes: [[String: String]] = [
        [:], ["aps": "not even a dictionary"], ["custom": "payload"],
    ]

    @Test(
        "not by a push that is not for the store, which completes with noData",
        .tags(.handlersOnce),
        arguments: foreignPushes)
    func foreignPush(payload: [String: String]) async throws {
        let device = try Device(on: cloud)
        let result = await withCheckedContinuation { continuation in
            device.store.handlePush(userInfo: payload) { continuation.resume(returning: $0) }
        }
        #expect(result == .noData)
        #expect(try device.store.syncStatus().lastSuccess == nil)
    }

    @Test("by triggerSync, whose handler is called once with the result")
    func triggerSync() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try a.add("Clock", ["label": "home"])
        try await a.store.sync()
        for expected in [FetchResult.newData, .noData] {
            let (result, error) = await withCheckedContinuation { continuation in
                b.store.triggerSync { continuation.resume(returning: ($0, $1)) }
            }
            #expect(result == expected)
            #expect(error == nil)
        }
    }

    @Test("in vain without an account, and the handler gets the error")
    func noAccount() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "home"])
        try cloud.signOut()
        let (result, error) = await withCheckedContinuation { continuation in
            device.store.triggerSync { continuation.resume(returning: ($0, $1)) }
        }
        #expect(result == .failed)
        #expect((error as? SMStoreError)?.code == SMStoreError.accountUnavailable("").code)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
    }

    @Test(
        "for another user only after a reset: one user's data never reaches another",
        .tags(.usersStayApart))
    func otherUser() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "first user's"])
        try await device.store.sync()
        try cloud.signIn("second")
        try device.add("Clock", ["label": "unsent"])
        let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(error?.code == SMStoreError.accountChanged.code)
        try device.store.resetBackingStore()
        device.context.performAndWait { device.context.reset() }
        try await device.store.sync(complete: true)
        #expect(try device.table().isEmpty)
    }

    @Test("many times at once, and each caller gets an answer")
    func concurrentCalls() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "home"])
        let store = device.store
        let succeeded = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask { (try? await store.sync()) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(succeeded == 20)
        #expect(try store.syncStatus().pendingChangeCount == 0)
    }

    @Test(
        "and contexts follow: held objects change, appear and disappear automatically",
        .tags(.contextsFollow))
    func contextsFollow() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try a.add("Clock", ["label": "home", "note": "old"])
        try a.add("Folder", ["name": "family"])
        try await Device.settle(a, b)
        let (clock, folder) = try b.read { context in
            let folders = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder"))
            let clock = try Device.clock("home", in: context)
            #expect(clock.value(forKey: "note") as? String == "old")
            #expect((folders[0].value(forKey: "clocks") as? Set<NSManagedObject>)?.isEmpty == true)
            return (clock, folders[0])
        }
        try a.change("home", ["note": "new"])
        try a.relate("home", "folder", to: "family")
        try await a.store.sync()
        try await b.store.sync()
        try b.read { _ in
            #expect(clock.value(forKey: "note") as? String == "new")
            #expect(folder.value(forKey: "clocks") as? Set<NSManagedObject> == [clock])
        }
        try a.delete("home")
        try await a.store.sync()
        try await b.store.sync()
        try b.read { _ in
            #expect((folder.value(forKey: "clocks") as? Set<NSManagedObject>)?.isEmpty == true)
        }
    }

    @Test("and its end is announced with the objects that changed")
    func notification() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try a.add("Clock", ["label": "home"])
        try await a.store.sync()
        let finish = Self.nextFinishedIDs(of: b.store)
        try await b.store.sync()
        #expect(await finish.value?.count == 1)
    }

    // MARK: - Waiting

    /// The error of the next sync that ends; nil if it succeeds.
    private static func nextFinish(of store: SMStore) -> Task<String?, Never> {
        let ends = ends(of: store)
        return Task {
            for await end in ends {
                return (end.error).map { "\($0)" }
            }
            return nil
        }
    }

    private static func nextFinishedIDs(of store: SMStore) -> Task<Set<NSManagedObjectID>?, Never> {
        let ends = ends(of: store)
        return Task {
            for await end in ends { return end.inserted }
            return nil
        }
    }

    private struct End: @unchecked Sendable {
        let error: (any Error)?
        let inserted: Set<NSManagedObjectID>?
    }

    private static func ends(of store: SMStore) -> AsyncStream<End> {
        AsyncStream { continuation in
            nonisolated(unsafe) let token = NotificationCenter.default.addObserver(
                forName: .smSyncDidFinish, object: store, queue: nil
            ) { note in
                continuation.yield(
                    End(
                        error: note.userInfo?[SMStore.SMStoreErrorDomain] as? any Error,
                        inserted: note.userInfo?[NSInsertedObjectIDsKey]
                            as? Set<NSManagedObjectID>))
                continuation.finish()
            }
            continuation.onTermination = { _ in NotificationCenter.default.removeObserver(token) }
        }
    }
}
