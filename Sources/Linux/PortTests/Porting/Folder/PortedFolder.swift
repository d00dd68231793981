import Foundation

/// The Swift files of a folder, rewritten for Linux. Nothing is written before ``write()``.
public struct PortedFolder: Sendable {
    /// A file with declarations for one target.
    public struct Aliases: Sendable {
        /// The path of the file.
        public var path: String
        /// What it declares.
        public var names: [String]
        /// What it contains.
        public var text: String
    }

    /// A target of a package.
    public struct Target: Sendable {
        var module: String
        var folder: String

        /// - Parameters:
        ///   - module: The name of its module.
        ///   - folder: The path of its folder.
        public init(module: String, folder: String) {
            self.module = module
            self.folder = folder
        }

        func contains(_ path: String) -> Bool {
            PortedFolder.absolute(path).hasPrefix(PortedFolder.absolute(folder) + "/")
        }
    }

    /// An error with a description for people.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// What is wrong, in a sentence.
        public var description: String
    }

    /// The Swift files, in the order of their paths.
    public let files: [PortedFile]
    /// The files with aliases that do not exist yet or that change.
    public let aliases: [Aliases]

    /// Reads and rewrites the Swift files of a folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - targets: The targets of the package. Each gets a file with aliases of its own. What they
    ///     declare outside the folder is known, too.
    /// - Throws: ``Failure`` if there is no such folder, or no Swift file in it.
    public init(_ folder: String, targets: [Target]) throws {
        let paths = try Self.swiftFiles(in: folder)
        guard !paths.isEmpty else {
            throw Failure(description: "There is no Swift file in '\(folder)'.")
        }
        let originals = try paths.map(Self.original)
        let ownPaths = Set(paths.map(Self.absolute))
        let others = try targets.flatMap { try Self.swiftFiles(in: $0.folder) }
            .filter { !ownPaths.contains(Self.absolute($0)) }.map(Self.original)
        var names = DeclaredNames()
        var modules: [String: DeclaredNames] = [:]
        let owners = targets.sorted { $0.folder.count > $1.folder.count }
        for original in originals + others {
            names.add(original.tokensWithAttributes)
            guard let owner = owners.first(where: { $0.contains(original.path) }) else { continue }
            modules[owner.module, default: DeclaredNames()].add(original.tokensWithAttributes)
        }
        files = originals.map { $0.ported(names: names) }
        let top = Self.absolute(folder) + "/"
        let groups = Dictionary(grouping: originals) { original -> Substring in
            // A folder within a target has the file itself.
            let root = owners.first { $0.contains(original.path) }.map { Self.absolute($0.folder) }
            return root.flatMap { $0.hasPrefix(top) ? $0.dropFirst(top.count) : nil } ?? ""
        }
        aliases = groups.keys.sorted().compactMap { root in
            var file = AliasFile(modules: modules)
            let path = Self.path(
                of: AliasFile.name, in: root.isEmpty ? folder : Self.path(of: root, in: folder))
            for source in groups[root] ?? [] where source.path != path { file.add(source.tokens) }
            let isWritten =
                FileManager.default.contents(atPath: path).map(Array.init) == Array(file.text.utf8)
            if file.names.isEmpty || isWritten { return nil }
            return Aliases(path: path, names: file.names, text: file.text)
        }
    }

    /// Writes what changed.
    public func write() throws {
        for file in files where !file.changes.isEmpty {
            try Self.write(file.bytes, to: file.path)
        }
        for file in aliases { try Self.write(Array(file.text.utf8), to: file.path) }
    }

    // MARK: - Files

    private static func path(of entry: some StringProtocol, in folder: String) -> String {
        folder == "." ? String(entry) : folder + "/" + entry
    }

    fileprivate static func absolute(_ path: String) -> String {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The paths of the Swift files, without those in hidden folders, where builds are. Symbolic links
    /// are not followed: they may lead out of the folder.
    private static func swiftFiles(in folder: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            throw Failure(description: "There is no folder '\(folder)'.")
        }
        guard isFolder.boolValue else {
            throw Failure(description: "'\(folder)' is not a folder.")
        }
        var paths: [String] = []
        guard let entries = FileManager.default.enumerator(atPath: folder) else {
            throw Failure(description: "The folder '\(folder)' cannot be read.")
        }
        for case let entry as String in entries {
            let name = entry.split(separator: "/").last ?? ""
            let path = Self.path(of: entry, in: folder)
            if name.hasPrefix(".") {
                entries.skipDescendants()
            } else if name.hasSuffix(".swift") {
                let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
                if type as? FileAttributeType == .typeRegular { paths.append(path) }
            }
        }
        return paths.sorted()
    }

    private static func original(_ path: String) throws -> OriginalFile {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure(description: "The file '\(path)' cannot be read.")
        }
        return OriginalFile(path: path, bytes: Array(data))
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure(description: "The file '\(path)' cannot be written: \(error)")
        }
    }
}
