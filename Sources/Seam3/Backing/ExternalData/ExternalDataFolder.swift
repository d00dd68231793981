import CoreData

/// The folder beside a store's file that keeps large binary data, one file for each value:
/// `.NAME_SUPPORT/_EXTERNAL_DATA`, where Core Data's own store has its.
///
/// A row refers to a file by its name, as text in a column that otherwise holds bytes. A file is never
/// changed: it is written, and on the disk, before the transaction that refers to it commits, and
/// removed after the last reference is gone from a committed state. What a crash leaves over is
/// swept when the store is opened next.
struct ExternalDataFolder {
    /// Data of more bytes leaves its row.
    static let threshold = 128 * 1024
    /// What the names of this store's files end with; files of other kinds are left alone.
    private static let suffix = ".data"
    /// How old a file without a reference must be before it counts as left over while another process
    /// pulls: a transaction that will refer to it may be under way there.
    private static let graceTime: TimeInterval = 3600

    let url: URL
    /// When the system lets the files be read; nil to leave that to it.
    var protection: StoreFileProtection?

    /// The folder of a store.
    init(ofStoreAt store: URL) {
        let name = store.deletingPathExtension().lastPathComponent
        url = store.deletingLastPathComponent()
            .appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
            .appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
    }

    /// Where the file with a name is; nil unless the name is one that this type makes. No other
    /// text, such as one that a server has sent, ever becomes part of a path.
    func file(_ name: String) -> URL? {
        guard name.hasSuffix(Self.suffix) else { return nil }
        let uuid = name.dropLast(Self.suffix.count)
        guard uuid.count == 36, UUID(uuidString: String(uuid)) != nil else { return nil }
        return url.appendingPathComponent(name)
    }

    /// The bytes of a file, read as they are needed; nil if it is not there.
    func data(_ name: String) -> Data? {
        guard let file = file(name) else { return nil }
        do {
            return try Data(contentsOf: file, options: .mappedIfSafe)
        } catch {
            StoreLog.error(
                "External data \(name) cannot be read: \(StoreLog.text(error))", .store)
            return nil
        }
    }

    // MARK: - Writing

    /// Writes bytes to a new file, and to the disk.
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

    /// Creates a file that is on the disk, or none.
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

    // MARK: - Removing

    /// Removes a file to which nothing refers any more.
    func remove(_ name: String) {
        guard let file = file(name) else { return }
        do {
            try FileManager.default.removeItem(at: file)
        } catch {
            // It is swept when the store is opened next.
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

    /// Whether a file is old enough to be left over if nothing refers to it.
    func isSettled(_ name: String) throws -> Bool {
        guard let file = file(name) else { return false }
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        let limit = Date(timeIntervalSinceNow: -Self.graceTime)
        return (attributes[.modificationDate] as? Date).map { $0 < limit } ?? false
    }
}
