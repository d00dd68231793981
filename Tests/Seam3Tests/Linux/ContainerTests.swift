import CloudKit
import CloudKitService
import LocalCloud
import Seam3
import Testing

/// What concerns a `CKContainer` on a cloud of the test, which there is on Linux only.
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
