import CoreData

/// The folders of external data beside a store's file.
struct ExternalFolder {
    /// `.NAME_SUPPORT/_EXTERNAL_DATA`.
    let parent: URL

    init(ofStoreAt file: URL) {
        let name = file.deletingPathExtension().lastPathComponent
        parent = file.deletingLastPathComponent()
            .appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
    }

    /// The folders of all files with this name.
    var all: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        return names.sorted().map(parent.appendingPathComponent)
    }

    /// The folder of the file, if there is one.
    var url: URL { all.first ?? parent }

    /// The names of the files.
    var names: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return Set(names).subtracting(["owner"])
    }

    /// The support folders in a directory.
    static func supportFolders(in directory: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix("_SUPPORT") }.sorted()
    }
}
