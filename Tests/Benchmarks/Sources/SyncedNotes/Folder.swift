import Foundation

/// A folder that is removed with the last reference to it.
public final class Folder {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("Benchmarks-\(UUID().uuidString)")

    /// Creates a folder for temporary files.
    public init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            print("\(directory.path) is left: \(error)")
        }
    }

    /// The URL of a file in it.
    public func url(_ name: String) -> URL { directory.appendingPathComponent(name) }
}
