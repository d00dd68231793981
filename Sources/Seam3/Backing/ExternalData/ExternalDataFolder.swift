import CoreData

/// The folder beside a store's file that contains large binary data, one file for each value. See
/// ``ExternalDataFolders``.
///
/// A row refers to a file by its name, as text in a column that otherwise contains bytes. Files are
/// immutable. A file is written and flushed to disk before the transaction that refers to it
/// commits. It is removed after a commit leaves it without references. Files that a crash leaves
/// behind are swept the next time the store is opened.
struct ExternalDataFolder {
    /// Data with more bytes than this is stored in a file.
    static let threshold = 128 * 1024
    /// The suffix of this store's files; other files are not touched.
    private static let suffix = ".data"
    /// While another process pulls, a file without a reference is removed only if it is older than
    /// this: a transaction that will refer to it may be under way there.
    private static let graceTime: TimeInterval = 3600

    let url: URL
    /// Folders that have the files which this one lacks; for a file that is read before it has a folder of its own.
    var others: [URL] = []
    /// When the system lets the files be read; nil for the system's default.
    var protection: StoreFileProtection?

    /// The URL of the file with a name; nil unless the name has the form that this type gives. No
    /// other text, such as one that a server has sent, ever becomes part of a path.
    func file(_ name: String) -> URL? {
        guard name.hasSuffix(Self.suffix) else { return nil }
        let uuid = name.dropLast(Self.suffix.count)
        guard uuid.count == 36, UUID(uuidString: String(uuid)) != nil else { return nil }
        return url.appendingPathComponent(name)
    }

    /// The URL of a file in this folder or another; that in this folder if there is none.
    func existingFile(_ name: String) -> URL? {
        guard let file = file(name), !others.isEmpty,
            !FileManager.default.fileExists(atPath: file.path)
        else { return file(name) }
        return others.map { $0.appendingPathComponent(name) }
            .first { FileManager.default.fileExists(atPath: $0.path) } ?? file
    }

    /// The bytes of a file, read lazily; nil if it does not exist.
    func data(_ name: String) -> Data? {
        guard let file = existingFile(name) else { return nil }
        do {
            return try Data(contentsOf: file, options: .mappedIfSafe)
        } catch {
            StoreLog.error(
                "External data \(name) cannot be read: \(StoreLog.text(error))", .store)
            return nil
        }
    }

    // MARK: - Writing

    /// Writes bytes to a new file and flushes it to disk.
    ///
    /// - Returns: The file's name.
    func write(_ data: Data) throws -> String {
        try newFile { try data.write(to: $0) }
    }

    /// Copies a file, such as an asset's, without reading it into memory.
    ///
    /// - Returns: The name of the copy.
    func copy(_ source: URL) throws -> String {
        try newFile { try FileManager.default.copyItem(at: source, to: $0) }
    }

    /// Creates a file and flushes it to disk; leaves no file behind if that fails.
    ///
    /// - Parameter fill: Writes the file.
    /// - Returns: The file's name.
    private func newFile(_ fill: (URL) throws -> Void) throws -> String {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let name = UUID().uuidString + Self.suffix
        let file = url.appendingPathComponent(name)
        do {
            try fill(file)
            try protection?.apply(to: file)
            let handle = try FileHandle(forUpdating: file)
            try handle.synchronize()
            try handle.close()
        } catch {
            remove(name)
            throw error
        }
        return name
    }

    // MARK: - Sharing

    /// Links the files with these names from other folders. They share the bytes, as far as the file system can.
    func take(_ names: Set<String>, from folders: [URL]) throws {
        var missing = names.filter { file($0) != nil }
        for folder in folders where !missing.isEmpty && folder.path != url.path {
            let present = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for name in present where missing.contains(name) {
                if try take(name, from: folder) { missing.remove(name) }
            }
        }
    }

    /// - Returns: Whether the other folder still had the file.
    private func take(_ name: String, from folder: URL) throws -> Bool {
        guard let file = file(name) else { return false }
        let source = folder.appendingPathComponent(name)
        let files = FileManager.default
        do {
            try files.linkItem(at: source, to: file)
        } catch {
            guard !files.fileExists(atPath: file.path) else { return true }
            guard files.fileExists(atPath: source.path) else { return false }
            // The file system has no links, or the folder is on another volume.
            let copy = try self.copy(source)
            try files.moveItem(at: url.appendingPathComponent(copy), to: file)
        }
        return true
    }

    // MARK: - Removing

    /// Removes a file without references.
    func remove(_ name: String) {
        guard let file = file(name) else { return }
        do {
            try FileManager.default.removeItem(at: file)
        } catch {
            // The file is swept the next time the store is opened.
            StoreLog.debug(
                "External data \(name) cannot be removed: \(StoreLog.text(error))", .store)
        }
    }

    /// The names of the files that stores have written.
    func fileNames() throws -> [String] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { file($0) != nil }
    }

    /// Whether a file is old enough to be swept if nothing refers to it.
    func isSettled(_ name: String) throws -> Bool {
        guard let file = file(name) else { return false }
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        let limit = Date(timeIntervalSinceNow: -Self.graceTime)
        return (attributes[.modificationDate] as? Date).map { $0 < limit } ?? false
    }
}
