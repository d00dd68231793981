import CoreData

/// The folders of external data beside a store's file, and the files that own them.
///
/// The metadata of a file names the folder that the file owns, `.NAME_SUPPORT/_EXTERNAL_DATA/UUID`, and the folder
/// contains the name of the file, in `owner`. The two disagree if the file was copied, renamed or moved without its
/// folder. The file then gets a new folder with links to the data that it refers to, wherever a folder beside it has it:
/// data files are immutable, and their names are unique.
struct ExternalDataFolders {
    private let file: URL
    private static let supportSuffix = "_SUPPORT"
    private static let dataName = "_EXTERNAL_DATA"
    private static let ownerName = "owner"

    /// - Parameter store: The file, which may be reached by several paths.
    init(ofStoreAt store: URL) {
        file = store.resolvingSymlinksInPath()
    }

    private var files: FileManager { .default }
    private var directory: URL { file.deletingLastPathComponent() }

    /// The folder that contains the store's folder, unless the file was renamed.
    private var parent: URL {
        let name = file.deletingPathExtension().lastPathComponent
        return directory.appendingPathComponent(".\(name)\(Self.supportSuffix)", isDirectory: true)
            .appendingPathComponent(Self.dataName, isDirectory: true)
    }

    /// The place of a folder that the store owns.
    func url(_ folder: UUID) -> URL {
        parent.appendingPathComponent(folder.uuidString, isDirectory: true)
    }

    /// Whether the store owns a folder.
    func owns(_ folder: UUID) -> Bool { isOwned(url(folder)) }

    private func isOwned(_ folder: URL) -> Bool {
        let owner = try? Data(contentsOf: folder.appendingPathComponent(Self.ownerName))
        return owner == Data(file.lastPathComponent.utf8)
    }

    /// Creates a folder for the store.
    func create() throws -> UUID {
        let folder = UUID()
        try files.createDirectory(at: url(folder), withIntermediateDirectories: true)
        try Data(file.lastPathComponent.utf8).write(
            to: url(folder).appendingPathComponent(Self.ownerName), options: .atomic)
        return folder
    }

    /// All folders beside the file that may have external data, those of the store first. The first version of the
    /// file's layout had the data in the parent of the present folder.
    func all() -> [URL] {
        let names = (try? files.contentsOfDirectory(atPath: directory.path)) ?? []
        let others = names.filter { $0.hasPrefix(".") && $0.hasSuffix(Self.supportSuffix) }.sorted()
            .map { directory.appendingPathComponent($0).appendingPathComponent(Self.dataName) }
        return ([parent] + others.filter { $0.path != parent.path }).flatMap {
            [$0] + Self.folders(in: $0)
        }
    }

    private static func folders(in parent: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        return names.filter { UUID(uuidString: $0) != nil }.sorted()
            .map { parent.appendingPathComponent($0, isDirectory: true) }
    }

    // MARK: - Removing

    /// Removes the folders that belonged to a former file of the store's name, which was replaced, and that of the
    /// store under its former name. A folder that any file here names stays.
    ///
    /// - Parameters:
    ///   - present: The store's folder.
    ///   - former: The folder that the store has left, if any.
    func removeAbandoned(present: UUID, former: UUID?) {
        var abandoned = Self.folders(in: parent).filter { isOwned($0) }
        if let former {
            abandoned += all().filter { $0.lastPathComponent == former.uuidString && !isOwned($0) }
        }
        abandoned.removeAll { $0.lastPathComponent == present.uuidString }
        guard !abandoned.isEmpty, let named = namedFolders() else { return }
        for folder in abandoned {
            guard let id = UUID(uuidString: folder.lastPathComponent), !named.contains(id) else {
                continue
            }
            Self.remove(folder)
        }
    }

    /// Removes a folder, and those that contain only it.
    static func remove(_ folder: URL) {
        do {
            try FileManager.default.removeItem(at: folder)
            let parent = folder.deletingLastPathComponent()
            for parent in [parent, parent.deletingLastPathComponent()] {
                let contents = try FileManager.default.contentsOfDirectory(atPath: parent.path)
                guard contents.isEmpty else { return }
                try FileManager.default.removeItem(at: parent)
            }
        } catch {
            StoreLog.debug(
                "The folder \(folder.path) cannot be removed: \(StoreLog.text(error))", .store)
        }
    }

    /// Removes the files of a folder from the place that they had in the first version of the file's layout.
    func removeFormerFiles(of folder: ExternalDataFolder) throws {
        for name in try folder.fileNames() {
            let former = parent.appendingPathComponent(name)
            if files.fileExists(atPath: former.path) { try files.removeItem(at: former) }
        }
    }

    /// The folders that other files in the directory name; nil if one of them cannot be read.
    private func namedFolders() -> Set<UUID>? {
        do {
            let others = try files.contentsOfDirectory(atPath: directory.path)
                .filter { $0 != file.lastPathComponent }
                .map(directory.appendingPathComponent)
                .filter { FileKind.isStore($0) }
            return Set(
                try others.compactMap { url in
                    var other = StoreFile(url: url, isReadOnly: true)
                    other.busyTimeout = 1
                    return try other.externalFolder()
                })
        } catch {
            StoreLog.debug(
                "A file beside the store cannot be read: \(StoreLog.text(error))", .store)
            return nil
        }
    }
}
