import CoreData

/// Puts a new file in the place of another, safe against a crash at any step.
///
/// The work is done in a folder beside the file. The moment of truth is the renaming of the new file
/// to its finished name: before it, the folder is of no use and is removed; after it, the exchange
/// is completed, if need be when the store is opened the next time.
struct FileExchange {
    let url: URL
    private let folder: URL

    /// - Parameters:
    ///   - url: The file.
    ///   - folder: Where the work is done; beside the file if it is nil, as it must be for an exchange
    ///     that is to be completed.
    init(url: URL, folder: URL? = nil) {
        self.url = url
        self.folder = folder ?? url.appendingPathExtension("adoption")
    }

    private var files: FileManager { .default }
    private var finished: URL { folder.appendingPathComponent("finished") }
    /// Where the new file is made.
    var newFile: URL { folder.appendingPathComponent("new") }
    /// Where the old file goes, with all that belongs to it.
    var backup: URL { url.appendingPathExtension("original") }

    /// Whether an exchange was interrupted.
    var isUnfinished: Bool { files.fileExists(atPath: folder.path) }

    /// Runs a closure while no other process exchanges the same file.
    ///
    /// What the closure leaves in the folder is removed; the folder of an exchange that has to be
    /// completed stays.
    func alone<T>(_ body: () throws -> T) throws -> T {
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let lock = try SQLiteConnection(path: folder.appendingPathComponent("lock").path)
        // The lock of a transaction ends with its process.
        return try lock.transaction(.immediate) {
            defer {
                if !files.fileExists(atPath: finished.path) { try? files.removeItem(at: folder) }
            }
            return try body()
        }
    }

    /// Copies the old file into the folder, after removing what an interrupted exchange left.
    func copyOriginal() throws -> URL {
        let source = folder.appendingPathComponent("source")
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try remove(URL(fileURLWithPath: newFile.path + suffix))
        }
        try remove(source)
        try files.createDirectory(at: source, withIntermediateDirectories: true)
        return try FileKind.copy(url, to: source)
    }

    /// Declares the new file whole, and exchanges.
    func commit() throws {
        try files.moveItem(at: newFile, to: finished)
        try finish()
    }

    /// Completes an exchange whose new file is whole; does nothing if there is none.
    func finish() throws {
        guard files.fileExists(atPath: finished.path) else { return }
        try files.createDirectory(at: backup, withIntermediateDirectories: true)
        let support = CoreDataFile.supportFolder(of: url)
        // The log goes first: it must never lie beside the new file.
        let parts = ["-wal", "-shm"].map { URL(fileURLWithPath: url.path + $0) } + [support, url]
        for part in parts where files.fileExists(atPath: part.path) {
            let destination = backup.appendingPathComponent(part.lastPathComponent)
            try remove(destination)
            try files.moveItem(at: part, to: destination)
        }
        try files.moveItem(at: finished, to: url)
    }

    private func remove(_ url: URL) throws {
        if files.fileExists(atPath: url.path) { try files.removeItem(at: url) }
    }
}
