import FoundationGaps

/// The files of a model: a source model (`.xcdatamodeld`, `.xcdatamodel`) or a compiled one
/// (`.momd`, `.mom`) with its versions.
struct ModelDocument {
    let url: URL

    /// The extensions of the files and folders that hold a model.
    static let extensions: Set<String> = ["xcdatamodeld", "xcdatamodel", "momd", "mom"]

    /// The name of the model, without its extension.
    var name: String { url.deletingPathExtension().lastPathComponent }

    /// All versions, in the order of their names; a single one has no folder around it.
    func versions() throws -> [URL] {
        switch url.pathExtension {
        case "xcdatamodel", "mom": [url]
        case "xcdatamodeld": try files(withExtension: "xcdatamodel")
        case "momd": try files(withExtension: "mom")
        default: throw failure("it has none of the extensions of models")
        }
    }

    /// The version that is current.
    ///
    /// Xcode writes `.xccurrentversion` as soon as there are two; without it the version named
    /// like the model counts, otherwise the first. A compiled model always names it.
    func currentVersion() throws -> URL {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw failure("there is no such file")
        }
        let versions = try versions()
        guard let first = versions.first else {
            throw failure("there is no version in it")
        }
        guard let current = try currentVersionName() else {
            return versions.first { $0.deletingPathExtension().lastPathComponent == name } ?? first
        }
        guard let version = versions.first(where: { $0.lastPathComponent == current }) else {
            throw failure("there is no version '\(current)'")
        }
        return version
    }

    /// Reads a version of the model.
    func contents(of version: URL) throws -> ModelContents {
        if version.pathExtension == "mom" {
            return try CompiledModelReader.read(Data(contentsOf: version), at: version)
        }
        let file = version.appendingPathComponent("contents")
        guard FileManager.default.fileExists(atPath: file.path) else {
            let isOld = FileManager.default.fileExists(
                atPath: version.appendingPathComponent("elements").path)
            throw ManagedObjectModelFileError(
                url: version, line: nil, element: nil, attribute: nil,
                reason: isOld
                    ? "it has the binary form of old versions of Xcode, which cannot be read"
                    : "there is no file 'contents' in it")
        }
        return try ModelReader.read(Data(contentsOf: file), at: file)
    }

    /// The file name of the current version, where a property list beside it says.
    private func currentVersionName() throws -> String? {
        switch url.pathExtension {
        case "xcdatamodeld":
            try note(".xccurrentversion", key: "_XCCurrentVersionName")
        case "momd":
            try note("VersionInfo.plist", key: "NSManagedObjectModel_CurrentVersionName").map {
                $0 + ".mom"
            }
        default: nil
        }
    }

    private func note(_ file: String, key: String) throws -> String? {
        let note = url.appendingPathComponent(file)
        guard FileManager.default.fileExists(atPath: note.path) else { return nil }
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: note), format: nil)
        return (list as? [String: Any])?[key] as? String
    }

    private func files(withExtension pathExtension: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == pathExtension }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private func failure(_ reason: String) -> ManagedObjectModelFileError {
        ManagedObjectModelFileError(
            url: url, line: nil, element: nil, attribute: nil, reason: reason)
    }
}
