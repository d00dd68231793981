import PrivateFiles

/// The files of the assets that one container has downloaded. They are removed with the container.
final class AssetCache: Sendable {
    private let directory = Locked<URL?>(nil)

    /// The URL for a new file, which does not exist yet.
    func newFileURL() throws -> URL {
        let directory = try directory.withLock { directory in
            if let directory { return directory }
            Self.removeLeftovers
            let new = try PrivateFile.newTemporaryFolder(
                Self.prefix + "\(ProcessInfo.processInfo.processIdentifier)")
            directory = new
            return new
        }
        return directory.appendingPathComponent(UUID().uuidString)
    }

    deinit {
        guard let directory = directory.withLock({ $0 }) else { return }
        // Files that cannot be removed now are removed as leftovers by a later process.
        try? FileManager.default.removeItem(at: directory)
    }

    /// What the names of the folders begin with, before the number of the process. They have no folder of their own, which
    /// another user could make first.
    private static let prefix = "CloudKit.assets-\(getuid())-"

    /// Removes the files of processes that have ended, once per process.
    private static let removeLeftovers: Void = {
        let parent = FileManager.default.temporaryDirectory
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            guard
                let process = name.dropFirst(prefix.count).split(separator: "-").first
                    .flatMap({ pid_t($0) }),
                kill(process, 0) == -1, errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(at: parent.appendingPathComponent(name))
        }
    }()
}
