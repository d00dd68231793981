import Foundation
import Testing

/// The compiler and its tools.
enum Toolchain {
    /// Runs a command of the toolchain and returns what it prints.
    ///
    /// It does not use Foundation's `Process`, which sometimes crashes if several tests use it at
    /// the same time.
    static func run(_ command: String, in folder: URL) throws -> String {
        let stream = try #require(popen("cd '\(folder.path)' && \(command) 2>&1", "r"))
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 {
            output += buffer[..<count]
        }
        let text = String(decoding: output, as: UTF8.self)
        try #require(pclose(stream) == 0, "\(command): \(text)")
        return text
    }

    /// Runs a block with a new folder, which is removed afterward.
    static func withFolder(_ block: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("ManagedObjectClassGeneratorTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try block(folder)
    }
}
