import CloudKit
import PrivateFiles

/// The folder for the files of assets that one container has downloaded. It is removed with the
/// container.
final class DownloadFolder: @unchecked Sendable {
    // Unchecked because the lock guards the mutable state.

    private let lock = NSLock()
    private var isMade = false
    private let url = PrivateFile.temporaryFolder("LocalContainer")

    deinit {
        // The folder is in the temporary directory, which the system clears if removing the folder
        // fails.
        if isMade { try? FileManager.default.removeItem(at: url) }
    }

    /// The URL for a new file, which does not exist yet.
    func newFile() throws -> URL {
        try lock.locked {
            if !isMade {
                try PrivateFile.makeFolder(at: url)
                isMade = true
            }
        }
        return url.appendingPathComponent(UUID().uuidString)
    }
}
