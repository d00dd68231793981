import CoreData

/// The folder beside a store's file that keeps large binary data, one file for each value:
/// `.NAME_SUPPORT/_EXTERNAL_DATA`, where Core Data's own store has its.
///
/// A row refers to a file by its name, as text in a column that otherwise holds bytes. A file is never
/// changed: it is written, and on the disk, before the transaction that refers to it commits, and
/// removed after the last reference is gone from a committed state. What a crash leaves over is
/// swept when the store is opened.
struct ExternalDataFolder {
    /// Data of more bytes leaves its row.
    static let threshold = 128 * 1024
    /// What the names of this store's files end with; files of other kinds are left alone.
    private static let suffix = ".data"
    /// How old a file without a reference must be before it counts as left over: a transaction that
    /// will refer to it may be under way in another process.
    private static let graceTime: TimeInterval = 3600

    let url: URL

    /// The folder of a store.
    init(ofStoreAt store: URL) {
        let name = store.deletingPathExtension().lastPathComponent
        url = store.deletingLastPathComponent()
            .appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
            .appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
    }

    /// Where a file is.
    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// The bytes of a file, read as they are needed; nil if it is not there.
    func data(_ name: String) -> Data? {
        do {
            return try Data(contentsOf: file(name), options: .mappedIfSafe)
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
        let name = try newName()
        try data.write(to: file(name))
        try synchronize(name)
        return name
    }

    /// Copies a file, such as an asset's, without reading it into memory.
    ///
    /// - Returns: The name of the copy.
    func copy(_ source: URL) throws -> String {
        let name = try newName()
        try FileManager.default.copyItem(at: source, to: file(name))
        try synchronize(name)
        return name
    }

    private func newName() throws -> String {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return UUID().uuidString + Self.suffix
    }

    private func synchronize(_ name: String) throws {
        let handle = try FileHandle(forUpdating: file(name))
        try handle.synchronize()
        try handle.close()
    }

    // MARK: - Removing

    /// Removes a file to which nothing refers any more.
    func remove(_ name: String) {
        do {
            try FileManager.default.removeItem(at: file(name))
        } catch {
            // It is swept when the store is opened next.
            StoreLog.debug(
                "External data \(name) cannot be removed: \(StoreLog.text(error))", .store)
        }
    }

    /// The files that are old enough to be left over if nothing refers to them.
    func settledFiles() throws -> [String] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        let limit = Date(timeIntervalSinceNow: -Self.graceTime)
        return try FileManager.default.contentsOfDirectory(atPath: url.path).filter { name in
            guard name.hasSuffix(Self.suffix) else { return false }
            let attributes = try FileManager.default.attributesOfItem(atPath: file(name).path)
            return (attributes[.modificationDate] as? Date).map { $0 < limit } ?? false
        }
    }

    /// Whether a text of a change's values may be a file's name.
    static func isName(_ text: String) -> Bool { text.hasSuffix(suffix) }
}

/// The files that the transactions of one connection have written or given up.
final class ExternalFiles {
    let folder: ExternalDataFolder
    /// The files to look at when the transaction is over.
    private(set) var candidates: Set<String> = []

    init(_ folder: ExternalDataFolder) {
        self.folder = folder
    }

    /// What a column keeps for bytes: the bytes, or the name of a file that has them now.
    func kept(_ value: SQLiteValue) throws -> SQLiteValue {
        guard case .blob(let data) = value, data.count > ExternalDataFolder.threshold else {
            return value
        }
        let name = try folder.write(data)
        candidates.insert(name)
        return .text(name)
    }

    /// What a column keeps for the bytes of a file.
    func kept(contentsOf source: URL) throws -> SQLiteValue {
        let attributes = try FileManager.default.attributesOfItem(atPath: source.path)
        let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
        guard size > ExternalDataFolder.threshold else {
            return .blob(try Data(contentsOf: source))
        }
        let name = try folder.copy(source)
        candidates.insert(name)
        return .text(name)
    }

    /// Notes a value that a row is losing.
    func noteReplaced(_ value: SQLiteValue) {
        if case .text(let name) = value { candidates.insert(name) }
    }

    func takeCandidates() -> Set<String> {
        defer { candidates = [] }
        return candidates
    }
}
