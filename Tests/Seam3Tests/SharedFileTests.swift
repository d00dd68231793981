import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Several stores, and several openings of one file") struct SharedFileTests {
    /// A directory with a store file and a cloud's files.
    private final class Place {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("SharedFileTests-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: directory) }
    }

    /// Opens the store file in a directory, with a container on a cloud.
    private static func open(
        _ directory: URL, _ container: any TestContainer
    ) throws -> (store: SMStore, context: NSManagedObjectContext) {
        SMStore.registerStoreClass()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ClockModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: nil,
            at: directory.appendingPathComponent("Store.sqlite"),
            options: [SMStore.SMStoreContainerOption: container])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let smStore = try #require(store as? SMStore)
        smStore.syncAutomatically = false
        return (smStore, context)
    }

    private static func container(_ cloud: LocalCloud) -> any TestContainer {
        CloudPath.current.container(on: cloud)
    }

    private static func addClock(_ label: String, _ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                .setValue(label, forKey: "label")
            try context.save()
        }
    }

    private static func labels(_ context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait {
            try Device.all("Clock", in: context)
                .compactMap { $0.value(forKey: "label") as? String }.sorted()
        }
    }

    @Test("Two stores on one file in one process see each other's saves", .tags(.twoProcesses))
    func twoStores() throws {
        let place = try Place()
        let cloud = LocalCloud.inMemory()
        let one = try Self.open(place.directory, Self.container(cloud))
        let two = try Self.open(place.directory, Self.container(cloud))
        #expect(one.store.identifier == two.store.identifier)
        try Self.addClock("by one", one.context)
        #expect(try Self.labels(two.context) == ["by one"])
        try Self.addClock("by two", two.context)
        #expect(try Self.labels(one.context) == ["by one", "by two"])
        // The first store's cache does not have rows that the other store has changed.
        try two.context.performAndWait {
            let clock = try Device.clock("by one", in: two.context)
            clock.setValue("edited", forKey: "note")
            try two.context.save()
        }
        try one.context.performAndWait {
            one.context.reset()
            let note = try Device.clock("by one", in: one.context).value(forKey: "note") as? String
            #expect(note == "edited")
        }
    }

    @Test("Two stores on one file never sync at once", .tags(.twoProcesses))
    func twoPasses() async throws {
        let place = try Place()
        let cloud = LocalCloud.inMemory()
        let container = Self.container(cloud)
        let one = try Self.open(place.directory, container)
        let two = try Self.open(place.directory, Self.container(cloud))
        try Self.addClock("clock", one.context)
        let gate = FaultGate()
        cloud.faults.add(
            .wait(.beforeCommit, gate), for: .kind(.modifyRecords, device: container.device))
        let store = one.store
        let pass = Task { try await store.sync() }
        await gate.arrival()
        let error = await #expect(throws: SMStoreError.self) { try await two.store.sync() }
        #expect(error?.code == SMStoreError.syncingElsewhere.code)
        gate.open()
        let summary = try await pass.value
        #expect(summary.savedRecordCount == 1)
        let second = try await two.store.sync()
        #expect(second.savedRecordCount == 0)
        #expect(try await RawClient(cloud).records().count == 1)
    }

    @Test("Many passes of two stores that start together never overlap", .tags(.twoProcesses))
    func racingPasses() async throws {
        let place = try Place()
        let cloud = LocalCloud.inMemory()
        let one = try Self.open(place.directory, Self.container(cloud))
        let two = try Self.open(place.directory, Self.container(cloud))
        let stores = [one.store, two.store]
        for round in 0..<10 {
            try Self.addClock("\(round)", round % 2 == 0 ? one.context : two.context)
            await withTaskGroup(of: Void.self) { group in
                for store in stores {
                    group.addTask { _ = try? await store.sync() }
                }
            }
        }
        try await one.store.sync()
        #expect(try one.store.syncStatus().pendingChangeCount == 0)
        #expect(try await RawClient(cloud).records().count == 10)
        #expect(try Self.labels(two.context).count == 10)
    }

    @Test(
        "Another process reads and writes the file, and does not sync during a pass",
        .tags(.twoProcesses))
    func anotherProcess() async throws {
        let place = try Place()
        let cloud = LocalCloud(directory: place.directory.appendingPathComponent("cloud"))
        let container = Self.container(cloud)
        let one = try Self.open(place.directory, container)
        try Self.addClock("parent's", one.context)
        let gate = FaultGate()
        cloud.faults.add(
            .wait(.beforeCommit, gate), for: .kind(.modifyRecords, device: container.device))
        let store = one.store
        let pass = Task { try await store.sync() }
        await gate.arrival()
        await #expect(processExitsWith: .success) { [directory = place.directory as URL] in
            let cloud = LocalCloud(directory: directory.appendingPathComponent("cloud"))
            let opened = try Self.open(directory, Self.container(cloud))
            try #require(try Self.labels(opened.context) == ["parent's"])
            try Self.addClock("child's", opened.context)
            do {
                try await opened.store.sync()
                exit(1)
            } catch let error as SMStoreError {
                try #require(error.code == SMStoreError.syncingElsewhere.code)
            }
        }
        gate.open()
        _ = try await pass.value
        #expect(try Self.labels(one.context) == ["child's", "parent's"])
        try await one.store.sync()
        #expect(try await RawClient(cloud).records().count == 2)
    }

    @Test("The lease of a process that was killed delays nobody", .tags(.twoProcesses))
    func killedProcess() async throws {
        let place = try Place()
        await #expect(processExitsWith: .signal(SIGKILL)) { [directory = place.directory as URL] in
            let cloud = LocalCloud(directory: directory.appendingPathComponent("cloud"))
            let opened = try Self.open(directory, Self.container(cloud))
            try Self.addClock("child's", opened.context)
            cloud.faults.add(
                .call(.afterCommit) { _ in _ = kill(getpid(), SIGKILL) }, for: .kind(.modifyRecords)
            )
            try await opened.store.sync()
        }
        let cloud = LocalCloud(directory: place.directory.appendingPathComponent("cloud"))
        let one = try Self.open(place.directory, Self.container(cloud))
        let summary = try await one.store.sync()
        #expect(summary.conflictCount == 0)
        #expect(try one.store.syncStatus().pendingChangeCount == 0)
        #expect(try await RawClient(cloud).records().count == 1)
        #expect(try Self.labels(one.context) == ["child's"])
    }

    @Test("loadMetadata may be called again at any time", .tags(.metadataAtAnyTime))
    func loadMetadataAgain() throws {
        let place = try Place()
        let one = try Self.open(place.directory, Self.container(.inMemory()))
        try Self.addClock("clock", one.context)
        let identifier = one.store.identifier
        for _ in 0..<3 { try one.store.loadMetadata() }
        #expect(one.store.identifier == identifier)
        #expect(try Self.labels(one.context) == ["clock"])
        #expect(try one.store.syncStatus().pendingChangeCount == 1)
    }

    @Test("metadata of a missing file is an error, and creates no file")
    func missingFile() throws {
        let place = try Place()
        let url = place.directory.appendingPathComponent("none.sqlite")
        #expect(throws: CocoaError.self) { try SMStore.metadataForPersistentStore(with: url) }
        #expect(throws: CocoaError.self) { try SMStore.setMetadata([:], forPersistentStoreAt: url) }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("the app's metadata is saved with the next save")
    func metadata() throws {
        let place = try Place()
        let one = try Self.open(place.directory, Self.container(.inMemory()))
        let url = place.directory.appendingPathComponent("Store.sqlite")
        for value in ["first", "second", "second", "first"] {
            one.store.metadata["app"] = value
            try Self.addClock("clock", one.context)
            #expect(try SMStore.metadataForPersistentStore(with: url)["app"] as? String == value)
        }
    }

    @Test("Each store has its own policy, block, switch and identity", .tags(.stateIsPerStore))
    func settings() throws {
        let places = [try Place(), try Place()]
        let stores = try places.map {
            try Self.open($0.directory, Self.container(.inMemory())).store
        }
        stores[0].syncConflictResolutionPolicy = .keepBoth
        stores[0].recordConflictResolutionBlock = { server, _, _ in server }
        stores[0].syncAutomatically = true
        #expect(stores[1].syncConflictResolutionPolicy == .serverRecordWins)
        #expect(stores[1].recordConflictResolutionBlock == nil)
        #expect(!stores[1].syncAutomatically)
        #expect(stores[0].identifier != stores[1].identifier)
    }

    @Test(
        "A handler is called once even if the store is closed",
        .tags(.handlersOnce), arguments: 0..<5)
    func closedStore(round: Int) async throws {
        let place = try Place()
        let cloud = LocalCloud.inMemory()
        let one = try Self.open(place.directory, Self.container(cloud))
        try Self.addClock("clock", one.context)
        let store = one.store
        let coordinator = try #require(store.persistentStoreCoordinator)
        async let first: FetchResult = withCheckedContinuation { continuation in
            store.triggerSync { result, _ in continuation.resume(returning: result) }
        }
        if round > 0 { try coordinator.remove(store) }
        _ = await first
        if round == 0 { try coordinator.remove(store) }
        let (result, error) = await withCheckedContinuation { continuation in
            store.triggerSync { continuation.resume(returning: ($0, $1)) }
        }
        #expect(result == .failed)
        #expect(error != nil)
    }
}
