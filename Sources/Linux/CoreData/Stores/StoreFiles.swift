import FoundationGaps

/// The files that a store may consist of.
struct StoreFiles {
    let all: [URL]

    init(at url: URL) {
        let folder = url.deletingLastPathComponent()
        let name = url.lastPathComponent
        let support = ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT"
        all = [name, name + "-wal", name + "-shm", name + "-journal", support].map {
            folder.appendingPathComponent($0)
        }
    }

    /// Those that are there.
    var existing: [URL] {
        all.filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Removes those that are there.
    func remove() throws {
        for file in existing { try FileManager.default.removeItem(at: file) }
    }
}
