import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A handler that syncs its store", .timeLimit(.minutes(1))) struct HandlerSyncTests {
    let cloud = LocalCloud.inMemory()

    /// How a handler syncs, and waits for the result.
    enum Way: CaseIterable, Sendable {
        case sync, triggerSync, push, pushWithCompletion

        /// The error, or nil for a success. A push does not tell which.
        func attempt(_ store: SMStore, _ payload: [AnyHashable: Any]) async -> (any Error)? {
            nonisolated(unsafe) let payload = payload
            switch self {
            case .sync:
                do {
                    try await store.sync()
                    return nil
                } catch {
                    return error
                }
            case .triggerSync:
                return await withCheckedContinuation { continuation in
                    store.triggerSync { _, error in continuation.resume(returning: error) }
                }
            case .push:
                return await store.handlePush(userInfo: payload) == .failed
                    ? SMStoreError.syncInHandler : nil
            case .pushWithCompletion:
                return await withCheckedContinuation { continuation in
                    store.handlePush(userInfo: payload) { result in
                        continuation.resume(
                            returning: result == .failed ? SMStoreError.syncInHandler : nil)
                    }
                }
            }
        }
    }

    /// The payload of a push about the store's zone.
    nonisolated(unsafe) private static let payload: [AnyHashable: Any] = [
        "ck": [
            "cid": Device.containerIdentifier, "nid": "1",
            "fet": [
                "dbs": 1, "zid": "SMStoreCloudStore_CustomZone", "zoid": "__defaultOwner__",
                "sid": "s",
            ],
        ]
    ]

    /// The errors that handlers got.
    private final class Errors: @unchecked Sendable {
        // Unchecked because the lock guards all state.
        private let lock = NSLock()
        private var errors: [SMStoreError?] = []

        var all: [SMStoreError?] { lock.withLock { errors } }

        func add(_ error: (any Error)?) { lock.withLock { errors.append(error as? SMStoreError) } }
    }

    @Test(
        "gets an error at once in an account change handler, and the sync goes on",
        arguments: Way.allCases)
    func accountChange(way: Way) async throws {
        let device = try Device(on: cloud)
        let errors = Errors()
        let store = device.store
        store.accountChangeHandler = { [weak store] _ in
            if let store { errors.add(await way.attempt(store, Self.payload)) }
            return .keepLocalData
        }
        try device.add("Clock", ["label": "made before"])
        try await store.sync()
        #expect(errors.all == [.syncInHandler])
        #expect(try store.syncStatus().pendingChangeCount == 0)
        try await store.sync()
    }

    @Test(
        "gets an error at once in a zone loss handler, and the sync goes on",
        arguments: Way.allCases)
    func zoneLoss(way: Way) async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "sent"])
        try await device.store.sync()
        let errors = Errors()
        let store = device.store
        store.zoneLossHandler = { [weak store] _ in
            if let store { errors.add(await way.attempt(store, Self.payload)) }
            return .upload
        }
        try await RawClient(cloud).deleteZone()
        try await store.sync()
        #expect(errors.all == [.syncInHandler])
        #expect(try await RawClient(cloud).records().count == 1)
    }

    /// Where a handler syncs its store.
    enum Place: CaseIterable, Sendable {
        case detachedTask, mainActor, anotherThread
    }

    @Test(
        "gets an error at once in a task that is not its own, and the store goes on syncing",
        arguments: Place.allCases)
    func inAnotherTask(place: Place) async throws {
        let device = try Device(on: cloud)
        let errors = Errors()
        let store = device.store
        try device.add("Clock", ["label": "made before"])
        store.accountChangeHandler = { [weak store] _ in
            guard let store else { return .keepLocalData }
            let error: (any Error)?
            switch place {
            case .detachedTask:
                error = await Task.detached { await Way.sync.attempt(store, [:]) }.value
            case .mainActor:
                error = await Task { @MainActor in await Way.sync.attempt(store, [:]) }.value
            case .anotherThread:
                error = await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        store.triggerSync { _, error in continuation.resume(returning: error) }
                    }
                }
            }
            errors.add(error)
            return .keepLocalData
        }
        try await store.sync()
        #expect(errors.all == [.syncInHandler])
        #expect(try store.syncStatus().pendingChangeCount == 0)
        try await store.sync()
    }

    @Test(
        "can do so in a task that begins it after the handler has returned, and can sync another store"
    )
    func afterward() async throws {
        let device = try Device("a", on: cloud)
        let other = try Device("b", on: LocalCloud.inMemory())
        let errors = Errors()
        let store = device.store
        let otherStore = other.store
        let (returned, open) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        store.accountChangeHandler = { [weak store, weak otherStore] _ in
            if let otherStore { errors.add(await Way.sync.attempt(otherStore, [:])) }
            Task {
                for await _ in returned { break }
                if let store { errors.add(await Way.sync.attempt(store, [:])) }
                end.finish()
            }
            return .keepLocalData
        }
        try device.add("Clock", ["label": "made before"])
        try await store.sync()
        open.finish()
        for await _ in ended {}
        #expect(errors.all == [nil, nil])
        withExtendedLifetime(other) {}
    }

    @Test("may own another store, which is then deallocated with its own")
    func ownedStore() async {
        // In a separate process, because a failure would end it.
        await #expect(processExitsWith: .success) {
            func use() async throws {
                let device = try Device("a", on: LocalCloud.inMemory())
                let owned = try Device("b", on: LocalCloud.inMemory()).store
                try await device.store.sync()
                device.store.accountChangeHandler = { _ in
                    _ = owned.identifier
                    return .keepLocalData
                }
                try await owned.sync()
            }
            try await use()
        }
    }
}
