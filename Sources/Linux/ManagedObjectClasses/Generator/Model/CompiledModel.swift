import Foundation

/// A source model under the names that Xcode gives to the compiled one: code for Apple's systems looks in
/// its bundle for a `.momd`, and in that for its versions and for the current one.
///
/// The contents are those of the source model, which the module CoreData reads under both names. The same
/// holds for a mapping model, whose compiled file has the extension `.cdm`.
struct CompiledModel {
    /// The path of a `.xcdatamodeld`, a `.xcdatamodel` or a `.xcmappingmodel`.
    let source: String

    /// Writes the folder or the file; an existing one is replaced.
    ///
    /// - Throws: A ``Diagnostic`` that names the file.
    func write(to output: String) throws {
        let manager = FileManager.default
        if manager.fileExists(atPath: output) { try manager.removeItem(atPath: output) }
        if source.hasSuffix(".xcmappingmodel") {
            return try Self.copy("\(source)/xcmapping.xml", to: output)
        }
        guard source.hasSuffix(".xcdatamodeld") else {
            return try Self.copy("\(source)/contents", to: output)
        }
        try manager.createDirectory(atPath: output, withIntermediateDirectories: true)
        let versions = try manager.contentsOfDirectory(atPath: source)
            .filter { $0.hasSuffix(".xcdatamodel") }.sorted()
        for version in versions {
            try Self.copy(
                "\(source)/\(version)/contents", to: "\(output)/\(Self.name(of: version)).mom")
        }
        let current = Self.name(of: try ModelFile.currentVersion(of: source))
        let note = try PropertyListSerialization.data(
            fromPropertyList: ["NSManagedObjectModel_CurrentVersionName": current], format: .xml,
            options: 0)
        try note.write(to: URL(fileURLWithPath: "\(output)/VersionInfo.plist"))
    }

    private static func name(of version: String) -> String {
        URL(fileURLWithPath: version).deletingPathExtension().lastPathComponent
    }

    private static func copy(_ contents: String, to file: String) throws {
        guard let data = FileManager.default.contents(atPath: contents) else {
            throw Diagnostic(file: contents, line: nil, message: "there is no model in this file")
        }
        try data.write(to: URL(fileURLWithPath: file))
    }
}
