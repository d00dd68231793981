import FoundationGaps

/// The files of a store.
struct StoreFiles {
    /// Those of the database, and the support folder.
    let all: [URL]
    /// Those of the database: the file itself is the first.
    var database: [URL] { Array(all.dropLast()) }

    init(at url: URL) {
        let folder = url.deletingLastPathComponent()
        let name = url.lastPathComponent
        let support = ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT"
        all = [name, name + "-wal", name + "-shm", name + "-journal", support].map {
            folder.appendingPathComponent($0)
        }
    }

    /// The files that exist.
    var existing: [URL] {
        all.filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Removes the files that exist.
    func remove() throws {
        for file in existing { try FileManager.default.removeItem(at: file) }
    }
}
