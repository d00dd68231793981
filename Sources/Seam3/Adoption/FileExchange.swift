import CoreData

/// Replaces a file with a new one, safely at whatever step a crash occurs.
///
/// The work is done in a folder beside the file. The commit point is the renaming of the new file
/// to its final name. Before it, the folder can be discarded; after it, the exchange will be
/// completed, if necessary the next time the store is opened.
struct FileExchange {
    let url: URL
    private let folder: URL

    /// - Parameters:
    ///   - url: The file.
    ///   - folder: The folder for the work; nil for one beside the file, which is required for an
    ///     exchange that is to be completed.
    init(url: URL, folder: URL? = nil) {
        self.url = url
        self.folder = folder ?? url.appendingPathExtension("adoption")
    }

    private var files: FileManager { .default }
    private var finished: URL { folder.appendingPathComponent("finished") }
    /// The new file while it is being created.
    var newFile: URL { folder.appendingPathComponent("new") }
    /// Has the name of the folder for the old file, for an exchange that is to be completed.
    private var choice: URL { folder.appendingPathComponent("backup") }

    /// The folder for the old file and everything that belongs to it.
    var backup: URL {
        let name = (try? Data(contentsOf: choice)).map { String(decoding: $0, as: UTF8.self) }
        return sibling(name ?? standardName)
    }

    private var standardName: String { url.lastPathComponent + ".original" }

    private func sibling(_ name: String) -> URL {
        url.deletingLastPathComponent().appendingPathComponent(name)
    }

    /// Chooses a folder for the old file that does not exist yet, because earlier old files are kept.
    private func chooseBackup() throws {
        var name = standardName
        var number = 1
        while files.fileExists(atPath: sibling(name).path) {
            number += 1
            name = "\(standardName)-\(number)"
        }
        try Data(name.utf8).write(to: choice, options: .atomic)
    }

    /// Whether an exchange was interrupted.
    var isUnfinished: Bool { files.fileExists(atPath: folder.path) }

    /// Runs a closure while no other process exchanges the same file.
    ///
    /// Afterward the folder is removed, unless it contains an exchange that must be completed.
    func alone<T>(_ body: () throws -> T) throws -> T {
        try PrivateFile.makeFolder(at: folder)
        let lock = try SQLiteConnection(path: folder.appendingPathComponent("lock").path)
        // The lock of a transaction is released when its process ends.
        return try lock.transaction(.immediate) {
            defer {
                if !files.fileExists(atPath: finished.path) { try? files.removeItem(at: folder) }
            }
            return try body()
        }
    }

    /// Copies the old file into the folder, after removing the remains of an interrupted exchange.
    func copyOriginal() throws -> URL {
        let source = folder.appendingPathComponent("source")
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try remove(URL(fileURLWithPath: newFile.path + suffix))
        }
        try remove(source)
        try files.createDirectory(at: source, withIntermediateDirectories: true)
        try chooseBackup()
        return try FileKind.copy(url, to: source)
    }

    /// Marks the new file as complete, and replaces the old one.
    func commit() throws {
        try files.moveItem(at: newFile, to: finished)
        try finish()
    }

    /// Completes an exchange whose new file is complete; does nothing if there is none.
    func finish() throws {
        guard files.fileExists(atPath: finished.path) else { return }
        let backup = backup
        try files.createDirectory(at: backup, withIntermediateDirectories: true)
        let support = CoreDataFile.supportFolder(of: url)
        // The log is moved first, because it must never be beside the new file.
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
