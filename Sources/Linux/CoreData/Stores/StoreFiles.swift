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

    /// Makes sure that what is at the store's URL is a file, or nothing: a folder or a device belongs to nobody's store.
    ///
    /// - Throws: `CocoaError.persistentStoreOpen`.
    func check() throws {
        let path = all[0].resolvingSymlinksInPath().path
        let type =
            try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard let type, type != .typeRegular else { return }
        throw CocoaError(
            .persistentStoreOpen,
            userInfo: [
                NSURLErrorKey: all[0], NSFilePathErrorKey: all[0].path,
                NSLocalizedDescriptionKey: "There is no store at \(all[0].path).",
                "reason": "it is not a file",
            ])
    }

    /// Removes the files that exist.
    func remove() throws {
        for file in existing { try FileManager.default.removeItem(at: file) }
    }
}
