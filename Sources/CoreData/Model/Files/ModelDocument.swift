import FoundationGaps

/// The files of a model: a source model (`.xcdatamodeld`, `.xcdatamodel`) with its versions.
struct ModelDocument {
    let url: URL

    /// The extensions of the files and folders that hold a model.
    static let extensions: Set<String> = ["xcdatamodeld", "xcdatamodel"]

    /// The name of the model, without its extension.
    var name: String { url.deletingPathExtension().lastPathComponent }

    /// All versions, in the order of their names; a single one has no folder around it.
    func versions() throws -> [URL] {
        switch url.pathExtension {
        case "xcdatamodeld":
            return try FileManager.default
                .contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "xcdatamodel" }
                .sorted { $0.lastPathComponent < $1.lastPathComponent }
        case "xcdatamodel":
            return [url]
        default:
            throw failure("it is neither a .xcdatamodeld nor a .xcdatamodel")
        }
    }

    /// The version that is current.
    ///
    /// Xcode writes `.xccurrentversion` as soon as there are two; without it the version named
    /// like the model counts, otherwise the first.
    func currentVersion() throws -> URL {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw failure("there is no such file")
        }
        let versions = try versions()
        guard let first = versions.first else {
            throw failure("there is no .xcdatamodel in it")
        }
        guard url.pathExtension == "xcdatamodeld", let current = try currentVersionName() else {
            return versions.first { $0.deletingPathExtension().lastPathComponent == name } ?? first
        }
        guard let version = versions.first(where: { $0.lastPathComponent == current }) else {
            throw ManagedObjectModelFileError(
                url: url.appendingPathComponent(".xccurrentversion"), line: nil,
                element: "_XCCurrentVersionName", attribute: nil,
                reason: "there is no version '\(current)'")
        }
        return version
    }

    /// Reads a version of the model.
    func contents(of version: URL) throws -> ModelContents {
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

    private func currentVersionName() throws -> String? {
        let file = url.appendingPathComponent(".xccurrentversion")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: file), format: nil)
        return (list as? [String: Any])?["_XCCurrentVersionName"] as? String
    }

    private func failure(_ reason: String) -> ManagedObjectModelFileError {
        ManagedObjectModelFileError(
            url: url, line: nil, element: nil, attribute: nil, reason: reason)
    }
}
