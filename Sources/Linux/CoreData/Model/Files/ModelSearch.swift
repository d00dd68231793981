import FoundationGaps

/// Finds the models that an executable was built with.
///
/// A package's resources are in one `.resources` folder per target beside the executable, which the
/// executable's own bundle does not include.
enum ModelSearch {
    /// The model of a given name in the given bundles, or nil.
    ///
    /// - Parameters:
    ///   - name: The name without an extension.
    ///   - bundles: The bundles to search; nil for the main bundle and the `.resources` folders.
    static func url(forModelNamed name: String, in bundles: [Bundle]? = nil) -> URL? {
        urls(in: bundles).first { ModelDocument(url: $0).name == name }
    }

    /// All models in the given bundles, by bundle and then by name.
    ///
    /// A model that is there both as a source and compiled is listed once.
    static func urls(in bundles: [Bundle]?) -> [URL] {
        folders(in: bundles).flatMap { folder -> [URL] in
            let files = files(in: folder, withExtensions: ModelDocument.extensions)
            let sources = Set(
                files.filter { $0.pathExtension.hasPrefix("xcdatamodel") }
                    .map { ModelDocument(url: $0).name })
            return files.filter { file in
                file.pathExtension.hasPrefix("xcdatamodel")
                    || !sources.contains(ModelDocument(url: file).name)
            }
        }
    }

    /// All mapping models in the given bundles, in the same order.
    ///
    /// One that is there both as a source and under the name of a compiled one is listed once.
    static func mappingModels(in bundles: [Bundle]?) -> [MappingModelDocument] {
        folders(in: bundles).flatMap { folder -> [MappingModelDocument] in
            let documents = files(in: folder, withExtensions: MappingModelDocument.extensions)
                .map(MappingModelDocument.init)
            let sources = Set(
                documents.filter { $0.url.pathExtension == "xcmappingmodel" }.map(\.name))
            return documents.filter { document in
                document.url.pathExtension == "xcmappingmodel" || !sources.contains(document.name)
                    || !document.isSource
            }
        }
    }

    /// Writes the reason why a model could not be read to standard error.
    static func report(_ error: any Error) {
        FileHandle.standardError.write(Data("CoreData: error: \(error)\n".utf8))
    }

    private static func folders(in bundles: [Bundle]?) -> [URL] {
        let folders = bundles.map { $0.flatMap(folders(of:)) } ?? defaultFolders()
        var seen = Set<String>()
        return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
    }

    private static func files(in folder: URL, withExtensions extensions: Set<String>) -> [URL] {
        // A folder that does not exist has no models.
        let found =
            (try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)) ?? []
        return found.filter { extensions.contains($0.pathExtension) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private static func folders(of bundle: Bundle) -> [URL] {
        [bundle.resourceURL, bundle.bundleURL].compactMap(\.self)
    }

    private static func defaultFolders() -> [URL] {
        let executable = Bundle.main.executableURL ?? URL(fileURLWithPath: "/proc/self/exe")
        return folders(of: .main) + resourceFolders(beside: executable)
    }

    /// The resource bundles of a package's targets beside an executable.
    static func resourceFolders(beside executable: URL) -> [URL] {
        let folder = executable.resolvingSymlinksInPath().deletingLastPathComponent()
        // A folder that cannot be listed has no bundles to search.
        let siblings =
            (try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)) ?? []
        return siblings.filter { $0.pathExtension == "resources" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
