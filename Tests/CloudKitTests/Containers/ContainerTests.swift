import CloudKit
import LocalCloud
import Testing

@Suite("CKContainer")
struct ContainerTests {
    @Test("Each database has its scope, and is the same each time")
    func databases() {
        let container = Devices().phone
        for scope in [CKDatabase.Scope.public, .private, .shared] {
            #expect(container.database(with: scope).databaseScope == scope)
        }
        #expect(container.database(with: .private) === container.privateCloudDatabase)
        #expect(container.containerIdentifier == "iCloud.test")
    }

    @Test("An operation without a database uses the private one of its container")
    func add() async throws {
        let devices = Devices()
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: [CKRecordZone(zoneID: devices.zoneID)])
        operation.configuration.container = devices.phone
        let queue = OperationQueue()
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            queue.addOperation(operation)
        }
        _ = try await devices.otherDatabase.recordZone(for: devices.zoneID)
    }

    @Test("A database still works after its container is gone")
    func orphanedDatabase() async throws {
        let database = CKContainer(identifier: "iCloud.test", service: LocalCloud.inMemory())
            .privateCloudDatabase
        let zones = try await database.allRecordZones()
        #expect(zones.count == 1)
    }

    @Test("The default container of a process that runs tests leaves nothing behind")
    func defaultContainer() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("CloudKitTests-\(UUID().uuidString)")
        // In a separate process, because it changes the environment.
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) { [path = folder.path as String] in
            unsetenv("SEAM_LOCAL_CLOUD")
            setenv("XDG_DATA_HOME", path, 1)
            _ = try await CKContainer.default().userRecordID()
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("LocalCloud: This process runs tests"))
    }

    @Test("A container is freed when nobody uses it any longer")
    func freed() async throws {
        weak var weakContainer: CKContainer?
        do {
            let container = CKContainer(identifier: "iCloud.test", service: LocalCloud.inMemory())
            container.remoteNotificationHandler = { _ in }
            try await container.registerForRemoteNotifications()
            _ = try await container.accountStatus()
            weakContainer = container
        }
        #expect(weakContainer == nil)
    }

    @Test("Records of the public database are seen by every user")
    func publicDatabase() async throws {
        let devices = Devices()
        try devices.cloud.signIn("other", device: devices.tablet.device)
        let record = CKRecord(recordType: "Note")
        record["title"] = "Hello"
        try await devices.phone.publicCloudDatabase.save(record)
        let fetched = try await devices.tablet.publicCloudDatabase.record(for: record.recordID)
        #expect(fetched["title"] == "Hello")
    }

    @Test("The callback methods call back once with what the async methods return")
    func callbacks() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note("a", "Lunch")
        let saved = await withCheckedContinuation { continuation in
            devices.database.save(record) { record, error in
                continuation.resume(returning: (record, code(error)))
            }
        }
        #expect(saved.0 === record && saved.1 == nil)
        let missing = await withCheckedContinuation { continuation in
            devices.database.fetch(withRecordID: devices.id("x")) { record, error in
                continuation.resume(returning: (record, code(error)))
            }
        }
        #expect(missing.0 == nil && missing.1 == .unknownItem)
        let deleted = await withCheckedContinuation { continuation in
            devices.database.delete(withRecordID: record.recordID) { recordID, error in
                continuation.resume(returning: (recordID, code(error)))
            }
        }
        #expect(deleted.0 == record.recordID && deleted.1 == nil)
    }
}
