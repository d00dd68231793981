import CloudKit

/// Where the files of assets lie that one container has downloaded. They go when it goes.
final class DownloadFolder: @unchecked Sendable {
    // Unchecked because the lock guards what changes.

    private let lock = NSLock()
    private var isMade = false
    private let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("LocalContainer-\(UUID().uuidString)", isDirectory: true)

    deinit {
        // A folder that cannot be removed is in the temporary directory, which the system clears.
        if isMade { try? FileManager.default.removeItem(at: url) }
    }

    /// A place for a new file. There is none there yet.
    func newFile() throws -> URL {
        try lock.locked {
            if !isMade {
                try FileManager.default.createDirectory(
                    at: url, withIntermediateDirectories: true)
                isMade = true
            }
        }
        return url.appendingPathComponent(UUID().uuidString)
    }
}
