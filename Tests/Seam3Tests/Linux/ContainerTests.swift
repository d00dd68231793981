import CloudKit
import CloudKitService
import LocalCloud
import Seam3
import Testing

/// Tests that need a `CKContainer` on a test's cloud, which exists on Linux only.
@Suite("A container of CloudKit") struct ContainerTests {
    @Test("ends a request whose operation is canceled and never answers")
    func silentOperations() async throws {
        let cloud = LocalCloud.inMemory()
        var options = CloudKitOptions()
        options.canceledOperationsAnswer = false
        let container = CKContainer(identifier: "iCloud.test", service: cloud, options: options)
        let zone = container.zone(CKRecordZone.ID(zoneName: "zone")) { .userInitiated }
        let gate = FaultGate()
        cloud.faults.add(.wait(.beforeCommit, gate), for: .kind(.lookUpZones))
        let task = Task { try await zone.zoneExists() }
        await gate.arrival()
        task.cancel()
        let error = await #expect(throws: CKError.self) { try await task.value }
        #expect(error?.code == .operationCancelled)
        gate.open()
    }

    @Test("is a cloud in memory for tests without a container option, and not that of the last run")
    func noContainerOption() async throws {
        let folder = try TestFolder()
        for run in 1...2 {
            // In a separate process, which is one run of an app's tests.
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardErrorContent]
            ) { [path = folder.url.path as String, run = run as Int] in
                unsetenv("SEAM_LOCAL_CLOUD")
                setenv("XDG_DATA_HOME", path, 1)
                let folder = try TestFolder()
                let first = try StoreStack(at: folder.store, model: ShopModel.make())
                try first.add("Tag", "run \(run)")
                try await first.sync()
                let url = folder.url.appendingPathComponent("second.sqlite")
                let second = try StoreStack(at: url, model: ShopModel.make())
                try await second.sync()
                #expect(try second.names("Tag") == ["run \(run)"])
            }
            let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            let messages = log.split(separator: "\n").filter { $0.contains("cloud in memory") }
            #expect(messages.count == 1, "\(log)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}

extension StoreStack {
    fileprivate func sync() async throws {
        for store in container.persistentStoreCoordinator.persistentStores {
            try await (store as? SMStore)?.sync()
        }
    }
}

extension OldInterfaceTests {
    @Test("accepts a CloudKit container as its identifier and as an object")
    func containerIdentifier() throws {
        let folder = try TestFolder()
        let named = try store([SMStore.SMStoreContainerOption: "iCloud.of.a.family"], in: folder)
        #expect(named.container.containerIdentifier == "iCloud.of.a.family")
        let container = CKContainer(identifier: "iCloud.of.a.family", service: cloud)
        let given = try store([SMStore.SMStoreContainerOption: container], in: folder)
        #expect(given.container === container)
    }
}
