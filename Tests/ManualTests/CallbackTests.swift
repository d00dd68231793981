import CloudKit
import CoreData
import NestedCloudKitCodable
import Seam3
import Seam3Testing
import Testing

/// A closure of a type of the main actor traps if it is called elsewhere and the compiler has taken it for one of the
/// main actor's.
@MainActor
@Suite("What a type of the main actor hands to the engine is called on other queues")
final class CallbackTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("CallbackTests-\(UUID().uuidString)")
    private var isCalled = false

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    @Test("A handler of triggerSync")
    func triggerSync() async throws {
        let device = try Device("phone", in: directory, on: .inMemory())
        let result = await withCheckedContinuation { continuation in
            device.store.triggerSync { result, _ in continuation.resume(returning: result) }
        }
        #expect(result == .noData)
    }

    @Test("Handlers of the account and the zone, and the manual's own")
    func verification() async throws {
        let device = try Device("phone", in: directory, on: .inMemory())
        UseSamples.lookAtAccount(of: device.store)
        let status = await withCheckedContinuation { continuation in
            device.store.verifyCloudKitConnectionAndUser { status, _, _ in
                continuation.resume(returning: status)
            }
        }
        #expect(status == .available)
        let exists = await withCheckedContinuation { continuation in
            device.store.verifyCloudKitStoreExists { exists, _ in
                continuation.resume(returning: exists)
            }
        }
        #expect(!exists)
    }

    @Test("A handler of a push")
    func push() async throws {
        let device = try Device("phone", in: directory, on: .inMemory())
        let result = await withCheckedContinuation { continuation in
            device.store.handlePush(userInfo: [:]) { continuation.resume(returning: $0) }
        }
        #expect(result == .noData)
    }

    @Test("An account handler that uses its actor's state")
    func accountHandler() async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device("phone", in: directory, on: cloud)
        device.store.accountChangeHandler = { [self] _ in
            await note()
            return .removeLocalData
        }
        try device.add("Kitchen")
        try await device.store.sync()
        #expect(isCalled)
    }

    private func note() { isCalled = true }

    /// An app's own delegate of the log.
    private final class Log: SMLogDelegate {
        nonisolated(unsafe) private(set) var count = 0
        nonisolated private let lock = NSLock()

        nonisolated func log(_ message: @autoclosure () -> String, type: SMLogType) {
            lock.withLock { count += 1 }
        }
    }

    @Test("A delegate of the log")
    func log() async {
        await #expect(processExitsWith: .success) {
            let log = await Log()
            SMStore.logger = log
            let directory = FileManager.default.temporaryDirectory
                .appendingPathComponent("CallbackTests-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let device = try Device("phone", in: directory, on: .inMemory())
            try await device.store.sync()
            #expect(log.count > 0)
        }
    }

    private struct Person: CKCodable, Sendable {
        var name: String

        var cloudKitRecordType: String { "Person" }
        var cloudKitIdentifier: String { name }
    }

    @Test("A block that gets a decoded object")
    func decoding() async throws {
        let container = CKContainer(identifier: "iCloud.test", service: LocalCloud.inMemory())
        let records = try CKRecordEncoder(zoneID: .default).encode(Person(name: "Ada"))
        let name = await withCheckedContinuation { continuation in
            CKRecordDecoder().decode(
                Person.self, from: records[0], referenceDatabase: container.privateCloudDatabase
            ) { person, _ in
                continuation.resume(returning: person?.name)
            }
        }
        #expect(name == "Ada")
    }
}
