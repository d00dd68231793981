import Foundation
import SQLite3
import Testing

/// The contents of SQLite's files that are certainly on the disk: for each file, those when it was
/// last synchronized. A power failure may leave no more than that.
///
/// It replaces SQLite's file access for all connections that are opened from now on, so it is for
/// tests in a separate process.
final class SyncedFiles: @unchecked Sendable {
    // Unchecked because the lock guards the mutable state.

    private typealias File = UnsafeMutablePointer<sqlite3_file>

    /// SQLite calls C functions, which cannot capture values.
    nonisolated(unsafe) private static var current: SyncedFiles?

    private let lock = NSLock()
    private let system: UnsafeMutablePointer<sqlite3_vfs>
    private let copies: TestFolder
    private var paths: [UnsafeMutableRawPointer: String] = [:]
    private var systemSync: (@convention(c) (File?, Int32) -> Int32)?
    private var isCut = false
    private var failure: (any Error)?

    /// Starts tracking the files.
    init() throws {
        copies = try TestFolder()
        system = try #require(sqlite3_vfs_find(nil))
        let watching = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        watching.initialize(to: system.pointee)
        watching.pointee.zName = UnsafePointer(strdup("synced files"))
        watching.pointee.xOpen = { _, name, file, flags, outcome in
            SyncedFiles.current?.open(name, file, flags, outcome) ?? SQLITE_CANTOPEN
        }
        watching.pointee.xDelete = { _, name, synchronizesFolder in
            SyncedFiles.current?.delete(name, synchronizesFolder) ?? SQLITE_IOERR
        }
        Self.current = self
        try #require(sqlite3_vfs_register(watching, 1) == SQLITE_OK)
    }

    /// Simulates the power failure: later writes are lost.
    func cut() {
        lock.withLock { isCut = true }
    }

    /// Replaces a store's files with those on the disk. The files must not be open.
    func putBack(to folder: URL) throws {
        if let failure = lock.withLock({ failure }) { throw failure }
        let fileManager = FileManager.default
        for name in try fileManager.contentsOfDirectory(atPath: folder.path) {
            try fileManager.removeItem(at: folder.appendingPathComponent(name))
        }
        for name in try fileManager.contentsOfDirectory(atPath: copies.url.path) {
            try fileManager.copyItem(
                at: copies.url.appendingPathComponent(name),
                to: folder.appendingPathComponent(name))
        }
    }

    private func open(
        _ name: UnsafePointer<CChar>?, _ file: File?, _ flags: Int32,
        _ outcome: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        let result = system.pointee.xOpen(system, name, file, flags, outcome)
        guard result == SQLITE_OK, let name, let file, let methods = file.pointee.pMethods else {
            return result
        }
        let watching = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        watching.initialize(to: methods.pointee)
        watching.pointee.xSync = { file, flags in
            SyncedFiles.current?.sync(file, flags) ?? SQLITE_IOERR
        }
        lock.withLock {
            systemSync = methods.pointee.xSync
            paths[UnsafeMutableRawPointer(file)] = String(cString: name)
        }
        file.pointee.pMethods = UnsafePointer(watching)
        return result
    }

    private func sync(_ file: File?, _ flags: Int32) -> Int32 {
        guard let file, let systemSync = lock.withLock({ systemSync }) else { return SQLITE_IOERR }
        let result = systemSync(file, flags)
        lock.withLock {
            guard !isCut, let path = paths[UnsafeMutableRawPointer(file)] else { return }
            do {
                let url = URL(fileURLWithPath: path)
                try Data(contentsOf: url)
                    .write(to: copies.url.appendingPathComponent(url.lastPathComponent))
            } catch {
                failure = error
            }
        }
        return result
    }

    /// A journal that reappeared would roll its transaction back. File systems preserve the order
    /// of their operations.
    private func delete(_ name: UnsafePointer<CChar>?, _ synchronizesFolder: Int32) -> Int32 {
        let result = system.pointee.xDelete(system, name, synchronizesFolder)
        guard result == SQLITE_OK, let name else { return result }
        let file = URL(fileURLWithPath: String(cString: name)).lastPathComponent
        lock.withLock {
            guard !isCut else { return }
            try? FileManager.default.removeItem(at: copies.url.appendingPathComponent(file))
        }
        return result
    }
}
