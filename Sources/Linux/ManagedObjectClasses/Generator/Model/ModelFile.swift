import Foundation

/// The parts of a source model's current version that classes depend on.
///
/// The tool does not use the module CoreData for this, because everything that a plugin's tool
/// depends on is compiled a second time, for the build machine.
struct ModelFile {
    var entities: [ModelEntity]

    /// Reads the current version of a `.xcdatamodeld`, or a `.xcdatamodel`.
    ///
    /// - Throws: A ``Diagnostic`` that names the file and line.
    init(path: String) throws {
        let contents = try Self.currentVersion(of: path) + "/contents"
        guard let data = FileManager.default.contents(atPath: contents) else {
            throw Diagnostic(file: contents, line: nil, message: "there is no model in this file")
        }
        do {
            try self.init(contents: Array(data), file: contents)
        } catch let error as XMLSyntaxError {
            throw Diagnostic(file: contents, line: error.line, message: error.reason)
        }
    }

    /// Reads the text of a model's version.
    init(contents: [UInt8], file: String) throws {
        let root = try XMLReader.root(of: contents)
        entities = try root.children(named: "entity").map { try ModelEntity($0, file: file) }
    }

    /// The folder of the current version: the one named in `.xccurrentversion`, otherwise the one
    /// with the model's name, otherwise the first.
    static func currentVersion(of path: String) throws -> String {
        guard path.hasSuffix(".xcdatamodeld") else { return path }
        let url = URL(fileURLWithPath: path)
        let note = url.appendingPathComponent(".xccurrentversion")
        if let data = FileManager.default.contents(atPath: note.path) {
            let list = try PropertyListSerialization.propertyList(from: data, format: nil)
            if let name = (list as? [String: Any])?["_XCCurrentVersionName"] as? String {
                return url.appendingPathComponent(name).path
            }
        }
        let versions = try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasSuffix(".xcdatamodel") }.sorted()
        let sameName = url.deletingPathExtension().lastPathComponent + ".xcdatamodel"
        guard let version = versions.contains(sameName) ? sameName : versions.first else {
            throw Diagnostic(file: path, line: nil, message: "the model has no version")
        }
        return url.appendingPathComponent(version).path
    }
}
