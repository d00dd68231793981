import Foundation

/// The databases of the measurements: filled ones, which are created once for each size and kind,
/// and copies that a run may change.
final class BenchmarkFiles: @unchecked Sendable {
    // Unchecked because the measurements run one after the other.

    static let shared = BenchmarkFiles()

    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("StoreBenchmarks-\(UUID().uuidString)")
    private var filled: [String: URL] = [:]
    private var count = 0

    private init() {
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The path for a new file.
    func newURL() -> URL {
        count += 1
        return folder.appendingPathComponent("\(count).sqlite")
    }

    /// The filled database of a kind and size, created by the first call.
    func filled(_ kind: String, _ size: Int, make: (URL, Int) throws -> Void) throws -> URL {
        let key = "\(kind)-\(size)"
        if let url = filled[key] { return url }
        let url = folder.appendingPathComponent("\(key).sqlite")
        try make(url, size)
        filled[key] = url
        return url
    }

    /// A copy of a database, with its write-ahead log.
    func copy(of url: URL) throws -> URL {
        let copy = newURL()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
        }
        return copy
    }

    /// Removes a database.
    func remove(_ url: URL) {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
    }

    /// Removes everything.
    func removeAll() {
        try? FileManager.default.removeItem(at: folder)
    }
}

/// Removes a database after the last run that uses it.
final class Temporary {
    let url: URL

    init(_ url: URL) {
        self.url = url
    }

    deinit {
        BenchmarkFiles.shared.remove(url)
    }
}
