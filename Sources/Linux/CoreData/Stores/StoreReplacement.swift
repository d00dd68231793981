import FoundationGaps

/// Replaces a store with a new version, so that a crash at any time leaves one or the other intact.
///
/// The new store is written beside the old one under a hidden name, as on Apple's systems. Only the files of the
/// database take the old one's place: a store class that keeps data elsewhere must find it. The commit moves the new
/// and the old files to a hidden folder and renames it, which makes the new store the valid one. Then it moves the new
/// files out of the folder and removes the folder. `recover` completes or undoes an interrupted replacement.
struct StoreReplacement {
    private let target: StoreFiles
    private let new: StoreFiles
    /// The folder to which the files are moved; the new store is not valid yet.
    private let pending: URL
    /// The name of the folder once the new store is valid.
    private let decided: URL

    init(of url: URL) {
        target = StoreFiles(at: url)
        let name = url.lastPathComponent
        let parent = url.deletingLastPathComponent()
        new = StoreFiles(
            at: parent.appendingPathComponent(
                ".\(name).migrationdestination_\(String(repeating: "0", count: 32))"))
        pending = parent.appendingPathComponent(".\(name).migration", isDirectory: true)
        decided = parent.appendingPathComponent(".\(name).migrated", isDirectory: true)
    }

    /// The URL for writing the new store.
    var url: URL { new.all[0] }

    /// The places of the target's files in a folder.
    private func files(_ name: String, in folder: URL) -> [URL] {
        target.database.map {
            folder.appendingPathComponent(name).appendingPathComponent($0.lastPathComponent)
        }
    }

    /// Copies the store, which must not be open, to the place of the new one.
    func copyStore() throws {
        for (from, to) in zip(target.database, new.database)
        // SQLite rebuilds the index of its log.
        where FileManager.default.fileExists(atPath: from.path) && !from.path.hasSuffix("-shm") {
            try FileManager.default.copyItem(at: from, to: to)
        }
    }

    /// Removes the new store.
    func abandon() throws {
        for file in new.database where FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.removeItem(at: file)
        }
    }

    /// Replaces the old store with the new one.
    func commit() throws {
        for name in ["new", "old"] {
            try FileManager.default.createDirectory(
                at: pending.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        try move(new.database, to: files("new", in: pending))
        try move(target.database, to: files("old", in: pending))
        try FileManager.default.moveItem(at: pending, to: decided)
        try finish()
    }

    /// Completes a replacement that was committed, and undoes one that was not. Nothing remains of either.
    func recover() throws {
        if FileManager.default.fileExists(atPath: decided.path) { try finish() }
        if FileManager.default.fileExists(atPath: pending.path) {
            try move(files("old", in: pending), to: target.database)
            try FileManager.default.removeItem(at: pending)
        }
        try abandon()
    }

    private func finish() throws {
        try move(files("new", in: decided), to: target.database)
        try FileManager.default.removeItem(at: decided)
    }

    private func move(_ source: [URL], to destination: [URL]) throws {
        for (from, to) in zip(source, destination)
        where FileManager.default.fileExists(atPath: from.path) {
            try FileManager.default.moveItem(at: from, to: to)
        }
    }
}
