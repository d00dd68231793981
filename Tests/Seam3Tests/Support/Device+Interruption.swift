import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

/// How the result of a request is lost.
enum LostAnswer: String, CaseIterable, Sendable {
    /// The connection fails after the server's commit.
    case connectionBreaks
    /// The same, with a retry delay in the error, like that of a busy server.
    case connectionBreaksForLong
    /// The process is killed after the server's commit.
    case processIsKilled
}

extension Device {
    /// Two devices with the clock "home", whose note is "old". A block decides conflicts for the server.
    static func pairWithNote(
        on cloud: LocalCloud, policy: SMSyncConflictResolutionPolicy
    ) async throws -> (Device, Device) {
        let a = try Device("a", on: cloud, policy: policy)
        let b = try Device("b", on: cloud, policy: policy)
        for device in [a, b] {
            device.store.recordConflictResolutionBlock = { server, _, _ in server }
        }
        try a.add("Clock", ["label": "home", "note": "old"])
        try await settle(a, b)
        return (a, b)
    }

    /// Syncs.
    ///
    /// - Returns: The error, if it failed.
    @discardableResult
    func attemptSync(complete: Bool = false) async -> (any Error)? {
        do {
            try await store.sync(complete: complete)
            return nil
        } catch {
            return error
        }
    }

    /// Syncs, and loses the response to the first request that saves records. Without such a
    /// request it syncs as usual.
    func syncLosingAnswer(
        _ loss: LostAnswer = .connectionBreaks, on cloud: LocalCloud,
        model: @autoclosure () -> NSManagedObjectModel = ClockModel.make()
    ) async throws {
        switch loss {
        case .connectionBreaks, .connectionBreaksForLong:
            let error = CloudKitServiceError(
                .serverResponseLost, retryAfter: loss == .connectionBreaksForLong ? 30 : nil)
            let fault = cloud.faults.add(
                .loseAnswer(error), for: .kind(.modifyRecords, device: cloudContainer.device))
            await attemptSync()
            cloud.faults.remove(fault)
        case .processIsKilled:
            let files = try StoreFiles(of: self)
            let device = cloudContainer.device
            let kill = cloud.faults.add(
                .call(.afterCommit) { _ in
                    #expect(throws: Never.self) { try files.copy() }
                }, for: .kind(.modifyRecords, device: device))
            // A process that was killed sends nothing more.
            let silence = cloud.faults.add(
                .loseAnswer(), for: .kind(.modifyRecords, device: device))
            await attemptSync()
            let struck = cloud.faults.matchCount(of: kill) > 0
            for fault in [kill, silence] { cloud.faults.remove(fault) }
            guard struck else { return }
            close()
            try files.putBack()
            try open(model: model())
        }
    }

    /// Syncs, while nothing can be sent.
    func syncSendingNothing(on cloud: LocalCloud) async {
        let fault = cloud.faults.add(
            .fail(.networkFailure), for: .kind(.modifyRecords, device: cloudContainer.device),
            occurrences: .always)
        await attemptSync()
        cloud.faults.remove(fault)
    }

    /// Lets another device sync between the pull and the push of this one's next sync that sends something.
    func interleaveSync(of other: Device) {
        cloud.faults.add(
            .call(.beforeCommit) { _ in
                await #expect(throws: Never.self) { try await other.store.sync() }
            }, for: .kind(.modifyRecords, device: cloudContainer.device))
    }

    /// Closes the store.
    func close() {
        context.performAndWait { context.reset() }
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores {
            #expect(throws: Never.self) { try coordinator.remove(store) }
        }
    }

    /// The file of the store.
    var file: URL { directory.appendingPathComponent("Clocks.sqlite") }
}

/// The files of a device's store at one moment.
final class StoreFiles: @unchecked Sendable {
    // Unchecked because everything is immutable.

    private let directory: URL
    private let folder: TestFolder

    init(of device: Device) throws {
        directory = device.directory
        folder = try TestFolder()
    }

    /// Copies the current files, which would be left if the process ended now.
    func copy() throws {
        for name in try Self.names(in: directory) {
            try FileManager.default.copyItem(
                at: directory.appendingPathComponent(name),
                to: folder.url.appendingPathComponent(name))
        }
    }

    /// Replaces the files of the closed store with the copies.
    func putBack() throws {
        try Self.replace(directory, by: folder.url)
    }

    /// Replaces the contents of a folder by copies of those of another one.
    static func replace(_ directory: URL, by folder: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            try FileManager.default.removeItem(at: directory.appendingPathComponent(name))
        }
        for name in try names(in: folder) {
            try FileManager.default.copyItem(
                at: folder.appendingPathComponent(name),
                to: directory.appendingPathComponent(name))
        }
    }

    /// All files except the index of the write-ahead log, which SQLite recreates.
    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasSuffix("-shm") }
    }
}
