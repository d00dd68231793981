import Foundation
import SourcePorting
import Testing

/// A folder with files that exists as long as the object.
final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("SourcePortingTests-\(UUID().uuidString)")

    init(_ files: [String: String] = [:]) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(text, to: path) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var path: String { url.path }

    func write(_ text: String, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// The texts of all files by their paths.
    func files() throws -> [String: String] {
        var files: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
            var isFolder: ObjCBool = false
            let file = url.appendingPathComponent(path).path
            _ = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
            if isFolder.boolValue { continue }
            let data = try #require(FileManager.default.contents(atPath: file))
            files[path] = String(decoding: data, as: UTF8.self)
        }
        return files
    }

    /// The target in a folder, which has its name.
    func target(_ folder: String) -> PortedFolder.Target {
        let url = url.appendingPathComponent(folder)
        return PortedFolder.Target(module: url.lastPathComponent, folder: url.path)
    }

    /// The report of a run in the folder, with paths relative to it.
    @discardableResult
    func run(_ options: String..., folder: String? = nil) throws -> String {
        var lines: [String] = []
        try PortCommand(arguments: options + [folder ?? path]).run { lines.append($0) }
        return lines.joined(separator: "\n").replacingOccurrences(of: path + "/", with: "")
    }
}
