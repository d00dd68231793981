import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The interface of Seam3 1.5.8 and Seam 0.6") struct OldInterfaceTests {
    let cloud = LocalCloud.inMemory()

    // MARK: - Names and numbers

    @Test("has its names and numbers")
    func names() {
        #expect(SMStore.type == "Seam3.SMStore")
        #expect(SeamStoreType == SMStore.type)
        #expect(SMStore.SMStoreErrorDomain == "SMStoreErrorDomain")
        #expect(
            SMStore.SMStoreSyncConflictResolutionPolicyOption
                == "SMStoreSyncConflictResolutionPolicyOption")
        #expect(SMStore.SMStoreContainerOption == "SMStoreContainerOption")
        #expect(Notification.Name.smSyncDidStart.rawValue == SMStoreNotification.SyncDidStart)
        #expect(Notification.Name.smSyncDidFinish.rawValue == SMStoreNotification.SyncDidFinish)
        #expect(
            Notification.Name.smSyncOperationError.rawValue
                == SMStoreNotification.SyncOperationError)
        #expect([FetchResult.newData, .noData, .failed].map(\.rawValue) == [0, 1, 2])
        let policies: [SMSyncConflictResolutionPolicy] = [
            .clientTellsWhichWins, .serverRecordWins, .clientRecordWins, .keepBoth,
        ]
        #expect(policies.map(\.rawValue) == [0, 1, 2, 3])
    }

    @Test("has errors with its domain and a text under its key")
    func errors() {
        let error = SMStoreError.zoneMissing("Zone") as NSError
        #expect(error.domain == SMStore.SMStoreErrorDomain)
        #expect(error.code == 12)
        #expect(
            error.userInfo[SMStoreErrorDescription] as? String
                == "The record zone Zone no longer exists on the server.")
        #expect(error.localizedDescription == error.userInfo[SMStoreErrorDescription] as? String)
    }

    // MARK: - Options

    /// The coordinators of a test, which their stores do not retain.
    private final class Coordinators {
        var all: [NSPersistentStoreCoordinator] = []
    }

    private let coordinators = Coordinators()

    func store(_ options: [String: Any], in folder: TestFolder) throws -> SMStore {
        SMStore.registerStoreClass()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ClockModel.make())
        coordinators.all.append(coordinator)
        let added = try coordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: nil,
            at: folder.url.appendingPathComponent("\(UUID().uuidString).sqlite"), options: options)
        let store = try #require(added as? SMStore)
        store.syncAutomatically = false
        return store
    }

    @Test("takes the policy as the enum and as a number of any kind")
    func policyOption() throws {
        let folder = try TestFolder()
        let values: [Any] = [
            SMSyncConflictResolutionPolicy.clientRecordWins, NSNumber(value: 2), 2, Int16(2),
            SMSyncConflictResolutionPolicy.clientRecordWins.rawValue,
        ]
        for value in values {
            let store = try store(
                [SMStore.SMStoreSyncConflictResolutionPolicyOption: value], in: folder)
            #expect(store.syncConflictResolutionPolicy == .clientRecordWins, "\(value)")
        }
        #expect(try store([:], in: folder).syncConflictResolutionPolicy == .serverRecordWins)
    }

    @Test("takes the container as an object")
    func containerOption() throws {
        let container = CloudPath.current.container(on: cloud)
        let given = try store([SMStore.SMStoreContainerOption: container], in: TestFolder())
        #expect(given.cloudContainer === container)
    }

    @Test("lets two apps share a container, and keeps others apart")
    func twoApplications() async throws {
        let folder = try TestFolder()
        let stores = try ["iCloud.shared", "iCloud.shared", "iCloud.other"].map { identifier in
            try store(
                [
                    SMStore.SMStoreContainerOption: CloudPath.current.container(
                        on: cloud, identifier: identifier)
                ], in: folder)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stores[0].persistentStoreCoordinator
        try await context.perform {
            NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                .setValue("home", forKey: "label")
            try context.save()
        }
        var counts: [Int] = []
        for store in stores {
            counts.append(try await store.sync().insertedObjectIDs.count)
        }
        #expect(counts == [0, 1, 0])
    }

    // MARK: - Settings

    @Test("has one conflict block under two names")
    func blockNames() throws {
        let device = try Device(on: cloud)
        device.store.syncConflictResolutionBlock = { server, _, _ in server }
        #expect(device.store.recordConflictResolutionBlock != nil)
        device.store.recordConflictResolutionBlock = nil
        #expect(device.store.syncConflictResolutionBlock == nil)
    }

    @Test("gives new stores the setting of the class, and does not change existing ones")
    func switches() async {
        // In a separate process, because the setting applies to all new stores.
        await #expect(processExitsWith: .success) {
            let first = NSPersistentStoreCoordinator(managedObjectModel: ClockModel.make())
            let second = NSPersistentStoreCoordinator(managedObjectModel: ClockModel.make())
            let folder = try TestFolder()
            SMStore.registerStoreClass()
            func add(_ coordinator: NSPersistentStoreCoordinator, _ name: String) throws -> Bool {
                let store = try coordinator.addPersistentStore(
                    ofType: SMStore.type, configurationName: nil,
                    at: folder.url.appendingPathComponent(name), options: nil)
                return try #require(store as? SMStore).syncAutomatically
            }
            #expect(try add(first, "first"))
            SMStore.syncAutomatically = false
            #expect(try add(second, "second") == false)
            let store = first.persistentStores.first as? SMStore
            #expect(store?.syncAutomatically == true)
        }
    }

    // MARK: - Calls

    @Test("completes triggerSync(complete:fetchCompletionHandler:) and handlePush once each")
    func handlers() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try await b.store.sync()
        try a.add("Clock", ["label": "home"])
        try await a.store.sync()
        let (result, error) = await withCheckedContinuation { continuation in
            b.store.triggerSync(complete: true) { result, error in
                continuation.resume(returning: (result, error))
            }
        }
        #expect(result == .newData)
        #expect(error == nil)
        let pushed = await withCheckedContinuation { continuation in
            b.store.handlePush(userInfo: ["aps": ["content-available": 1]]) { result in
                continuation.resume(returning: result)
            }
        }
        #expect(pushed == .noData)
        b.store.triggerSync()
        // In an asynchronous function, a call without a handler is the asynchronous overload.
        let push = { b.store.handlePush(userInfo: [:]) }
        push()
    }

    @Test("reports the account and its user, the account alone, and nobody")
    func verify() async throws {
        let device = try Device(on: cloud)
        try cloud.signOut()
        let (status, user, error) = await withCheckedContinuation { continuation in
            device.store.verifyCloudKitConnectionAndUser { status, user, error in
                continuation.resume(returning: (status, user, error))
            }
        }
        #expect(status == .noAccount)
        #expect(user == nil)
        #expect(error == nil)
    }

    @Test("reports that the zone is gone, and what prevented the check")
    func storeExists() async throws {
        let device = try Device(on: cloud)
        let store = device.store
        func exists() async -> (Bool, (any Error)?) {
            await withCheckedContinuation { continuation in
                store.verifyCloudKitStoreExists { exists, error in
                    continuation.resume(returning: (exists, error))
                }
            }
        }
        try await store.sync()
        #expect(await exists().0)
        let client = RawClient(cloud)
        try await client.deleteZone()
        let gone = await exists()
        #expect(!gone.0 && gone.1 == nil)
        cloud.faults.add(.fail(.networkFailure), for: .kind(.lookUpZones))
        let unknown = await exists()
        #expect(!unknown.0 && (unknown.1 as? CKError)?.code == .networkFailure)
    }

    @Test("gives no predicate for an object of another store")
    func foreignPredicates() throws {
        let device = try Device(on: cloud)
        let other = try Device("other", on: cloud)
        try other.add("Folder", ["name": "family"])
        try other.read { context in
            let folder = try Device.object("Folder", "family", in: context)
            #expect(device.store.predicate(for: "folder", referencing: folder) == nil)
            #expect(device.store.predicate(forToMany: "clocks", referencing: folder) == nil)
        }
    }

    @Test("empties the store and nothing else with resetBackingStore()")
    func resetBackingStore() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "home"])
        try await device.store.sync()
        try device.add("Clock", ["label": "unsent"])
        try device.store.resetBackingStore()
        device.context.performAndWait { device.context.reset() }
        #expect(try device.count("Clock") == 0)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        #expect(try await RawClient(cloud).records().count == 1)
        try await device.store.sync(complete: true)
        #expect(try device.count("Clock") == 1)
    }

    @Test("sends everything again after resetCloudFieldsInBackingStore(), and makes no duplicate")
    func resetCloudFields() async throws {
        let device = try Device(on: cloud)
        for label in ["a", "b"] { try device.add("Clock", ["label": label]) }
        try await device.store.sync()
        try device.store.resetCloudFieldsInBackingStore()
        #expect(try device.store.syncStatus().pendingChangeCount == 2)
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().count == 2)
        #expect(try device.count("Clock") == 2)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    // MARK: - Notifications and the log

    private struct Note: Sendable {
        let name: String
        let errorCode: Int?
        let hasObjectIDs: Bool
        let isOnMainQueue: Bool
    }

    private func notes(of store: SMStore) -> AsyncStream<Note> {
        AsyncStream { continuation in
            nonisolated(unsafe) var tokens: [any NSObjectProtocol] = []
            for name in [Notification.Name.smSyncDidStart, .smSyncDidFinish] {
                tokens.append(
                    NotificationCenter.default.addObserver(
                        forName: name, object: store, queue: nil
                    ) { note in
                        let error = note.userInfo?[SMStore.SMStoreErrorDomain] as? any Error
                        continuation.yield(
                            Note(
                                name: name.rawValue, errorCode: error.map { ($0 as NSError).code },
                                hasObjectIDs: note.userInfo?[NSInsertedObjectIDsKey]
                                    is Set<NSManagedObjectID>,
                                isOnMainQueue: OperationQueue.current === OperationQueue.main))
                    })
            }
            continuation.onTermination = { _ in
                for token in tokens { NotificationCenter.default.removeObserver(token) }
            }
        }
    }

    @Test("posts the start and the end, with the error under its key or with the objects")
    func notifications() async throws {
        let device = try Device(on: cloud)
        var notes = notes(of: device.store).makeAsyncIterator()
        cloud.faults.add(.fail(.networkFailure), for: .kind(.fetchZoneChanges))
        await #expect(throws: CKError.self) { try await device.store.sync() }
        let start = await notes.next()
        #expect(start?.name == SMStoreNotification.SyncDidStart)
        let failed = await notes.next()
        #expect(failed?.name == SMStoreNotification.SyncDidFinish)
        #expect(failed?.errorCode == CKError.Code.networkFailure.rawValue)
        #expect(failed?.hasObjectIDs == false)
        try await device.store.sync()
        _ = await notes.next()
        let succeeded = await notes.next()
        #expect(succeeded?.errorCode == nil)
        #expect(succeeded?.hasObjectIDs == true)
        #expect(succeeded?.isOnMainQueue == true)
    }

    private final class Delegate: SMLogDelegate, @unchecked Sendable {
        // Unchecked because the lock guards the messages.
        private let lock = NSLock()
        private var collected: [(String, SMLogType)] = []

        var messages: [(text: String, type: SMLogType)] { lock.withLock { collected } }

        func log(_ message: @autoclosure () -> String, type: SMLogType) {
            let text = message()
            lock.withLock { collected.append((text, type)) }
        }
    }

    @Test("logs through SMStore.logger, which the store does not keep alive")
    func logging() async {
        // In a separate process, because all stores share the log.
        await #expect(processExitsWith: .success) {
            let device = try Device(on: LocalCloud.inMemory())
            var delegate: Delegate? = Delegate()
            SMStore.logger = delegate
            try await device.store.sync()
            let messages = try #require(delegate?.messages)
            #expect(messages.contains { $0.type == .info })
            delegate = nil
            #expect(SMStore.logger == nil)
            try await device.store.sync()
        }
    }
}
