import Foundation
import SQLite3

/// Calls a handler before each commit to a file by any connection of this process, and makes the
/// file refuse long values.
///
/// It uses an automatic extension of SQLite, which is called for each connection that is opened,
/// and a commit hook, so the connections need no change. Apple's SQLite has no automatic
/// extensions, so there are no calls.
enum CommitWatch {
    private struct Watched {
        let path: String
        let willCommit: @Sendable () -> Void
    }

    /// The maximum size of a value in bytes, so that the file refuses some records.
    static let longestValue: Int32 = 500_000

    private static let lock = NSLock()
    // Guarded by the lock. SQLite stores the file's number with its hook, and not a reference,
    // which could be invalid when the last connection closes.
    nonisolated(unsafe) private static var files: [Int: Watched] = [:]
    nonisolated(unsafe) private static var lastNumber = 0

    private typealias Extension =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
        ) -> Int32

    private static let installation: Void = {
        #if !canImport(ObjectiveC)
        let entry: Extension = { connection, _, _ in
            CommitWatch.attach(connection)
            return SQLITE_OK
        }
        sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
        #endif
    }()

    /// Watches a file, starting with the next connection.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - willCommit: Called on the thread that commits.
    /// - Returns: A number with which to stop.
    static func begin(path: String, willCommit: @escaping @Sendable () -> Void) -> Int {
        _ = installation
        return lock.withLock {
            lastNumber += 1
            files[lastNumber] = Watched(path: path, willCommit: willCommit)
            return lastNumber
        }
    }

    static func end(_ number: Int) {
        lock.withLock { files[number] = nil }
    }

    private static func attach(_ connection: OpaquePointer?) {
        guard let name = sqlite3_db_filename(connection, "main") else { return }
        let path = String(cString: name)
        guard let number = lock.withLock({ files.first { $0.value.path == path }?.key }) else {
            return
        }
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, longestValue)
        sqlite3_commit_hook(
            connection,
            { context in
                let number = Int(bitPattern: context)
                CommitWatch.lock.withLock { CommitWatch.files[number] }?.willCommit()
                return 0
            }, UnsafeMutableRawPointer(bitPattern: number))
    }
}
