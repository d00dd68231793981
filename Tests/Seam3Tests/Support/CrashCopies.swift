import CoreData
import Seam3

/// Copies a folder after each statement of the process's stores, as a kill at that moment would
/// leave it.
///
/// It replaces the logger, so it is for tests in a separate process.
final class CrashCopies: SMLogDelegate {
    /// Stores and sync passes run statements on their own threads.
    private let lock = NSLock()
    private let folder: URL
    private let copies: TestFolder
    private var count = 0
    private var failure: (any Error)?

    /// - Parameter folder: The folder with the store's file.
    init(of folder: URL) throws {
        self.folder = folder
        copies = try TestFolder()
    }

    /// Starts copying for the connections that are opened from now on.
    func start() {
        SMStore.logger = self
        SMStore.sqlTrace = .statements
    }

    /// Stops copying.
    ///
    /// - Returns: The copies, from the first to the last.
    func stop() throws -> [URL] {
        SMStore.sqlTrace = .off
        SMStore.logger = nil
        lock.lock()
        defer { lock.unlock() }
        if let failure { throw failure }
        return (0..<count).map { copies.url.appendingPathComponent("\($0)") }
    }

    func log(_ message: @autoclosure () -> String, type: SMLogType) {}

    func log(
        _ message: @autoclosure () -> String, type: SMLogType, category: SMLogCategory
    ) {
        guard category == .sql else { return }
        lock.lock()
        defer { lock.unlock() }
        do {
            let copy = copies.url.appendingPathComponent("\(count)")
            try FileManager.default.copyItem(at: folder, to: copy)
            let names = FileManager.default.enumerator(atPath: copy.path)?.allObjects ?? []
            // SQLite recreates the index of the write-ahead log.
            for case let name as String in names
            where name.hasSuffix("-shm") {
                try FileManager.default.removeItem(at: copy.appendingPathComponent(name))
            }
            count += 1
        } catch {
            failure = error
        }
    }
}
