import FoundationGaps

/// Replaces a store with a new version, so that a crash at any time leaves one or the other intact.
///
/// The new store is written to a hidden folder beside the old one. The commit moves the old files
/// to that folder and renames it, which makes the new store the valid one. Then it moves the new
/// files out of the folder and removes the folder. `recover` completes or undoes an interrupted
/// replacement.
struct StoreReplacement {
    private let target: StoreFiles
    /// The folder in which the new store is written; it is not valid yet.
    private let pending: URL
    /// The name of the folder once the new store is valid.
    private let decided: URL

    init(of url: URL) {
        target = StoreFiles(at: url)
        let name = url.lastPathComponent
        let parent = url.deletingLastPathComponent()
        pending = parent.appendingPathComponent(".\(name).migration", isDirectory: true)
        decided = parent.appendingPathComponent(".\(name).migrated", isDirectory: true)
    }

    /// The URL for writing the new store.
    var url: URL { new(in: pending).all[0] }

    private func new(in folder: URL) -> StoreFiles {
        StoreFiles(at: folder.appendingPathComponent("new/\(target.all[0].lastPathComponent)"))
    }

    private func old(in folder: URL) -> StoreFiles {
        StoreFiles(at: folder.appendingPathComponent("old/\(target.all[0].lastPathComponent)"))
    }

    /// Creates the folder for the new store.
    func prepare() throws {
        try recover()
        for files in [new(in: pending), old(in: pending)] {
            try FileManager.default.createDirectory(
                at: files.all[0].deletingLastPathComponent(), withIntermediateDirectories: true)
        }
    }

    /// Copies the store, which must not be open, to the place of the new one.
    func copyStore() throws {
        for (from, to) in zip(target.all, new(in: pending).all)
        // SQLite rebuilds the index of its log.
        where FileManager.default.fileExists(atPath: from.path) && !from.path.hasSuffix("-shm") {
            try FileManager.default.copyItem(at: from, to: to)
        }
    }

    /// Removes the new store.
    func abandon() throws {
        try FileManager.default.removeItem(at: pending)
    }

    /// Replaces the old store with the new one.
    func commit() throws {
        try move(target, to: old(in: pending))
        try FileManager.default.moveItem(at: pending, to: decided)
        try finish()
    }

    /// Completes a replacement that was committed, and undoes one that was not.
    func recover() throws {
        if FileManager.default.fileExists(atPath: decided.path) { try finish() }
        guard FileManager.default.fileExists(atPath: pending.path) else { return }
        try move(old(in: pending), to: target)
        try FileManager.default.removeItem(at: pending)
    }

    private func finish() throws {
        try move(new(in: decided), to: target)
        try FileManager.default.removeItem(at: decided)
    }

    private func move(_ source: StoreFiles, to destination: StoreFiles) throws {
        for (from, to) in zip(source.all, destination.all)
        where FileManager.default.fileExists(atPath: from.path) {
            try FileManager.default.moveItem(at: from, to: to)
        }
    }
}
