import FoundationGaps

/// Puts a new version of a store in the place of the old one, so that a crash at any moment
/// leaves the one or the other.
///
/// The new store is written to a hidden folder beside the old one. To commit, the old files are
/// moved into that folder, which then is renamed (from here on the new store counts), the new files
/// are moved out of it, and it is removed. `recover` completes or undoes what was interrupted.
struct StoreReplacement {
    private let target: StoreFiles
    /// Where the new store is written; what is in it does not count yet.
    private let pending: URL
    /// The name of the folder once the new store counts.
    private let decided: URL

    init(of url: URL) {
        target = StoreFiles(at: url)
        let name = url.lastPathComponent
        let parent = url.deletingLastPathComponent()
        pending = parent.appendingPathComponent(".\(name).migration", isDirectory: true)
        decided = parent.appendingPathComponent(".\(name).migrated", isDirectory: true)
    }

    /// Where the new store is to be written.
    var url: URL { new(in: pending).all[0] }

    private func new(in folder: URL) -> StoreFiles {
        StoreFiles(at: folder.appendingPathComponent("new/\(target.all[0].lastPathComponent)"))
    }

    private func old(in folder: URL) -> StoreFiles {
        StoreFiles(at: folder.appendingPathComponent("old/\(target.all[0].lastPathComponent)"))
    }

    /// Makes the folder for the new store.
    func prepare() throws {
        try recover()
        for files in [new(in: pending), old(in: pending)] {
            try FileManager.default.createDirectory(
                at: files.all[0].deletingLastPathComponent(), withIntermediateDirectories: true)
        }
    }

    /// Copies the store, which nobody has open, to where the new one is written.
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

    /// Puts the new store in the place of the old one.
    func commit() throws {
        try move(target, to: old(in: pending))
        try FileManager.default.moveItem(at: pending, to: decided)
        try finish()
    }

    /// Completes a replacement that was decided, and undoes one that was not.
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
