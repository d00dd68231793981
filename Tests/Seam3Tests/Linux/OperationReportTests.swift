import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Testing

@testable import Seam3

/// Tests of what Apple's client may do with an operation, which a `CKContainer` for Linux does on request.
@Suite("A store is right whatever an operation reports", .timeLimit(.minutes(10)))
struct OperationReportTests {
    let cloud = LocalCloud.inMemory()

    private func container(
        _ choose: (inout CloudKitOptions) -> Void
    ) -> CKContainer {
        var options = CloudKitOptions()
        choose(&options)
        return CKContainer(
            identifier: Device.containerIdentifier, service: cloud, options: options)
    }

    /// The store's zone in a container, with a record.
    private func zone(
        _ choose: (inout CloudKitOptions) -> Void
    ) async throws -> any SMCloudZone {
        let ordinary = container { _ in }.zone(StoreZone.id) { .userInitiated }
        try await ordinary.createZone()
        _ = try await ordinary.modify(saving: [record("one")], deleting: [])
        return container(choose).zone(StoreZone.id) { .userInitiated }
    }

    private func id(_ name: String) -> CKRecord.ID {
        CKRecord.ID(recordName: name, zoneID: StoreZone.id)
    }

    private func record(_ name: String) -> SMCloudRecord {
        SMCloudRecord(CKRecord(recordType: "Note", recordID: id(name)))
    }

    private func code(_ body: () async throws -> Void) async -> CKError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? CKError)?.code
        }
    }

    private func code<Value>(_ result: Result<Value, any Error>?) -> CKError.Code? {
        guard case .failure(let error) = result else { return nil }
        return (error as? CKError)?.code
    }

    // MARK: - Without results

    @Test("A page of changes without the zone's result is an error, and not the end of the feed")
    func pageWithoutEnd() async throws {
        let zone = try await zone { $0.operationsReportItems = false }
        #expect(
            await code { _ = try await zone.changes(since: nil, limit: 10) } == .serverResponseLost)
    }

    @Test(
        "A full refetch without the zone's result removes nothing",
        .tags(.fullFetchSweeps))
    func refetchWithoutEnd() async throws {
        let first = try Device("first", on: cloud)
        for label in ["home", "work"] { try first.add("Clock", ["label": label]) }
        try await first.store.sync()
        let coordinator = first.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let container = container { $0.operationsReportItems = false }
        let second = try Device(
            "second", on: cloud, file: first.directory.appendingPathComponent("Clocks.sqlite"),
            options: [SMStore.SMStoreContainerOption: container])
        await #expect(throws: (any Error).self) { try await second.store.sync(complete: true) }
        #expect(try second.count("Clock") == 2)
    }

    @Test("A record without a result was not saved for certain, and the request counts as lost")
    func saveWithoutResult() async throws {
        let zone = try await zone { $0.operationsReportItems = false }
        let answer = try await zone.modify(saving: [record("two")], deleting: [id("one")])
        #expect(answer.isEmpty)
        #expect((answer.failure as? CKError)?.code == .serverResponseLost)
    }

    @Test("A record that was asked for and has no result could not be fetched")
    func fetchWithoutResult() async throws {
        let zone = try await zone { $0.operationsReportItems = false }
        let answers = try await zone.records([id("one")])
        #expect(code(answers[id("one")]) == .serverResponseLost)
    }

    @Test("A zone without a result is not a missing zone")
    func existenceWithoutResult() async throws {
        let zone = try await zone { $0.operationsReportItems = false }
        #expect(await code { _ = try await zone.zoneExists() } == .serverResponseLost)
    }

    // MARK: - Partial failures

    @Test("A zone that a partial failure calls missing does not exist")
    func partialFailureOfZone() async throws {
        for reports in [true, false] {
            let zone = container {
                $0.itemFailuresFailOperations = true
                $0.operationsReportItems = reports
            }.zone(StoreZone.id) { .userInitiated }
            #expect(try await !zone.zoneExists())
            #expect(
                await code { _ = try await zone.changes(since: nil, limit: 1) } == .zoneNotFound)
        }
    }

    @Test("A record's error in a partial failure is the record's, and the others are fetched")
    func partialFailureOfRecords() async throws {
        for reports in [true, false] {
            let zone = try await zone {
                $0.itemFailuresFailOperations = true
                $0.operationsReportItems = reports
            }
            let answers = try await zone.records([id("one"), id("none")])
            #expect(code(answers[id("none")]) == .unknownItem)
            #expect(code(answers[id("one")]) == (reports ? nil : .serverResponseLost))
        }
    }

    @Test("A zone and a subscription that are refused have their own errors in a partial failure")
    func partialFailureOfSetup() async throws {
        for reports in [true, false] {
            let zone = try await zone {
                $0.itemFailuresFailOperations = true
                $0.operationsReportItems = reports
            }
            cloud.faults.add(
                .failItems([StoreZone.name], .accessDenied), for: .kind(.modifyZones))
            #expect(await code { try await zone.createZone() } == .permissionFailure)
            cloud.faults.add(
                .failItems(["subscription"], .accessDenied), for: .kind(.modifySubscriptions))
            #expect(
                await code { try await zone.subscribe(id: "subscription") } == .permissionFailure)
        }
    }

    @Test(
        "Every error of a record is handled the same if its operation fails, too",
        .tags(.everyErrorHasAReaction))
    func partialFailures() async {
        await #expect(processExitsWith: .success) {
            CloudKitOptions.current.itemFailuresFailOperations = true
            for operation in [ErrorMatrixTests.Operation.save, .delete, .recordFetch] {
                try await ErrorMatrixTests().row(operation: operation)
            }
        }
    }

    // MARK: - The end of an operation

    @Test("An operation may be gone before its completion block is called")
    func lateCompletion() async {
        await #expect(processExitsWith: .success) {
            let test = OperationReportTests()
            let zone = try await test.zone { $0.operationsOutliveTheirCompletion = false }
            for _ in 1...20 {
                #expect(try await zone.zoneExists())
                #expect(try await zone.changes(since: nil, limit: 10).records.count == 1)
            }
        }
    }

    @Test("A request whose task is canceled before its operation is added ends")
    func canceledBeforeAdding() async {
        let container = container { $0.operationsCanceledEarlyEnd = false }
        let zone = container.zone(StoreZone.id) {
            // The operation exists, and is added next.
            withUnsafeCurrentTask { $0?.cancel() }
            return .userInitiated
        }
        let request = Task { await code { _ = try await zone.zoneExists() } }
        #expect(await request.value == .operationCancelled)
    }

    // MARK: - The account

    @Test(
        "A change of the account that another instance of the container reports counts",
        .tags(.usersStayApart))
    func anotherInstance() async throws {
        let device = try Device(on: cloud)
        let container = try #require(device.cloudContainer as? CKContainer)
        let watch = AccountWatch(container)
        let strangers = [
            CKContainer(identifier: "iCloud.test", service: cloud),
            // A device with the same name, which belongs to somebody else.
            CKContainer(
                identifier: Device.containerIdentifier, service: LocalCloud.inMemory(),
                device: container.device),
        ]
        for stranger in strangers {
            NotificationCenter.default.post(name: .CKAccountChanged, object: stranger)
        }
        #expect(!watch.hasChanged)
        let same = CKContainer(
            identifier: Device.containerIdentifier, service: cloud, device: container.device)
        NotificationCenter.default.post(name: .CKAccountChanged, object: same)
        #expect(watch.hasChanged)
    }

    @Test("A change of the account that another instance of the container reports is an event")
    func eventOfAnotherInstance() {
        let container = CKContainer(identifier: "iCloud.test", service: cloud, device: "phone")
        let center = NotificationCenter()
        // Posting calls the observers on this thread.
        nonisolated(unsafe) var events: [SystemEvent] = []
        let listener = SystemEvents(center: center, container: { container }) { events.append($0) }
        for device in ["phone", "tablet"] {
            center.post(
                name: .CKAccountChanged,
                object: CKContainer(identifier: "iCloud.test", service: cloud, device: device))
        }
        withExtendedLifetime(listener) { #expect(events == [.accountChanged]) }
    }
}
