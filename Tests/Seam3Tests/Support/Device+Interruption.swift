import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Testing

/// How a device comes not to know what the server has done.
enum LostAnswer: String, CaseIterable, Sendable {
    /// The connection breaks after the server's commit.
    case connectionBreaks
    /// The same, and the error says how long to wait, as that of a busy server does.
    case connectionBreaksForLong
    /// The process is killed after the server's commit.
    case processIsKilled
}

extension Device {
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

    /// Syncs, and the server's answer to the first request that saves records does not
    /// arrive. Without such a request it syncs as usual.
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
            let fault = cloud.faults.add(
                .call(.afterCommit) { _ in
                    #expect(throws: Never.self) { try files.copy() }
                }, for: .kind(.modifyRecords, device: cloudContainer.device))
            await attemptSync()
            let struck = cloud.faults.matchCount(of: fault) > 0
            cloud.faults.remove(fault)
            guard struck else { return }
            close()
            try files.putBack()
            try open(model: model())
        }
    }

    /// Syncs without being able to send anything.
    func syncSendingNothing(on cloud: LocalCloud) async {
        let fault = cloud.faults.add(
            .fail(.networkFailure), for: .kind(.modifyRecords, device: cloudContainer.device),
            occurrences: .always)
        await attemptSync()
        cloud.faults.remove(fault)
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

/// The files of a device's store as they were at a moment.
final class StoreFiles: @unchecked Sendable {
    // Unchecked because all is immutable.

    private let directory: URL
    private let folder: TestFolder

    init(of device: Device) throws {
        directory = device.directory
        folder = try TestFolder()
    }

    /// Keeps the files as they are now: what would be left if the process ended.
    func copy() throws {
        for name in try Self.names(in: directory) {
            try FileManager.default.copyItem(
                at: directory.appendingPathComponent(name),
                to: folder.url.appendingPathComponent(name))
        }
    }

    /// Puts the files that were kept in the place of those of the store, which is closed.
    func putBack() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            try FileManager.default.removeItem(at: directory.appendingPathComponent(name))
        }
        for name in try Self.names(in: folder.url) {
            try FileManager.default.copyItem(
                at: folder.url.appendingPathComponent(name),
                to: directory.appendingPathComponent(name))
        }
    }

    /// All files but the index of the log, which SQLite makes anew.
    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasSuffix("-shm") }
    }
}
