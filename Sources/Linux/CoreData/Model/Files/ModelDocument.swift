import FoundationGaps

/// The files of a model: a source model (`.xcdatamodeld`, `.xcdatamodel`) or a compiled one
/// (`.momd`, `.mom`) with its versions.
struct ModelDocument {
    let url: URL

    /// The extensions of the files and folders that contain a model.
    static let extensions: Set<String> = ["xcdatamodeld", "xcdatamodel", "momd", "mom"]

    /// The name of the model, without its extension.
    var name: String { url.deletingPathExtension().lastPathComponent }

    /// All versions, sorted by name; a single one has no enclosing folder.
    func versions() throws -> [URL] {
        switch url.pathExtension {
        case "xcdatamodel", "mom": [url]
        case "xcdatamodeld": try files(withExtension: "xcdatamodel")
        case "momd": try files(withExtension: "mom")
        default: throw failure("it has none of the extensions of models")
        }
    }

    /// The current version.
    ///
    /// Xcode writes `.xccurrentversion` as soon as there are two versions. Without it, the version
    /// with the model's name is the current one, otherwise the first. A compiled model always
    /// specifies it.
    func currentVersion() throws -> URL {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw failure("there is no such file")
        }
        let versions = try versions()
        guard let first = versions.first else {
            throw failure("there is no version in it")
        }
        guard let note = try currentVersionNote() else {
            return versions.first { $0.deletingPathExtension().lastPathComponent == name } ?? first
        }
        guard let version = versions.first(where: { $0.lastPathComponent == note.version }) else {
            throw ManagedObjectModelFileError(
                url: note.file, line: nil, element: nil, attribute: note.key,
                reason: "there is no version '\(note.version)'")
        }
        return version
    }

    /// Reads a version of the model.
    func contents(of version: URL) throws -> ModelContents {
        if version.pathExtension == "mom" {
            let data = try data(of: version)
            // The plugin ManagedObjectClasses puts the contents of a source model under this name.
            return data.first == UInt8(ascii: "<")
                ? try ModelReader.read(data, at: version)
                : try CompiledModelReader.read(data, at: version)
        }
        let file = version.appendingPathComponent("contents")
        guard FileManager.default.fileExists(atPath: file.path) else {
            let isOld = FileManager.default.fileExists(
                atPath: version.appendingPathComponent("elements").path)
            throw ManagedObjectModelFileError(
                url: version, line: nil, element: nil, attribute: nil,
                reason: isOld
                    ? "it has the binary form of Xcode 3, which cannot be read: open it in Xcode 4 or later,"
                        + " which offers to convert it, or compile it on a Mac with"
                        + " 'xcrun momc' and read the .mom"
                    : "there is no file 'contents' in it")
        }
        return try ModelReader.read(data(of: file), at: file)
    }

    /// The file name of the current version, and the property list and key that specify it; nil if
    /// none does.
    private func currentVersionNote() throws -> (version: String, file: URL, key: String)? {
        let (name, key, pathExtension): (String, String, String)
        switch url.pathExtension {
        case "xcdatamodeld":
            (name, key, pathExtension) = (".xccurrentversion", "_XCCurrentVersionName", "")
        case "momd":
            (name, key, pathExtension) =
                ("VersionInfo.plist", "NSManagedObjectModel_CurrentVersionName", ".mom")
        default:
            return nil
        }
        let file = url.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let data = try data(of: file)
        let list = try naming(file) {
            try PropertyListSerialization._boundedPropertyList(from: data)
        }
        guard let version = (list as? [String: Any])?[key] as? String else { return nil }
        return (version + pathExtension, file, key)
    }

    private func files(withExtension pathExtension: String) throws -> [URL] {
        try naming(url) {
            try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        }
        .filter { $0.pathExtension == pathExtension }
        .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private func data(of file: URL) throws -> Data {
        try naming(file) { try Data(contentsOf: file) }
    }

    /// Calls Foundation, and adds the file to its errors, which do not always contain it.
    private func naming<Result>(_ file: URL, _ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch {
            throw ManagedObjectModelFileError(
                url: file, line: nil, element: nil, attribute: nil,
                reason: "it cannot be read: \(error.localizedDescription)")
        }
    }

    private func failure(_ reason: String) -> ManagedObjectModelFileError {
        ManagedObjectModelFileError(
            url: url, line: nil, element: nil, attribute: nil, reason: reason)
    }
}
