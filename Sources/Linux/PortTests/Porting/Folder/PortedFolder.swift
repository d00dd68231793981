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
    ///   - targets: The folders of the package's targets. A target gets a file with aliases of its own.
    /// - Throws: ``Failure`` if there is no such folder, or no Swift file in it.
    public init(_ folder: String, targets: [String]) throws {
        let paths = try Self.swiftFiles(in: folder)
        let originals = try paths.map {
            OriginalFile(path: $0, bytes: try Self.contents(of: $0))
        }
        var names = DeclaredNames()
        for original in originals { names.add(original.tokensWithAttributes) }
        files = originals.map { $0.ported(names: names) }
        let roots = targets.map(Self.absolute).sorted { $0.count > $1.count }
        let top = Self.absolute(folder)
        let groups = Dictionary(grouping: originals) { original in
            let path = Self.absolute(original.path)
            let target = roots.first { path.hasPrefix($0 + "/") }
            // A folder within a target has the file itself.
            return target.flatMap { $0.hasPrefix(top + "/") ? $0.dropFirst(top.count) : nil } ?? ""
        }
        aliases = try groups.keys.sorted().compactMap { root in
            try Self.aliases(of: groups[root] ?? [], in: folder + root)
        }
    }

    /// Writes what changed.
    public func write() throws {
        for file in files where !file.changes.isEmpty {
            try Self.write(file.bytes, to: file.path)
        }
        for file in aliases { try Self.write(Array(file.text.utf8), to: file.path) }
    }

    private static func aliases(of files: [OriginalFile], in folder: String) throws -> Aliases? {
        let path = (folder.hasPrefix("./") ? String(folder.dropFirst(2)) : folder) + "/" + AliasFile.name
        var file = AliasFile()
        for source in files where source.path != path { file.add(source.tokens) }
        let text = file.text
        if file.names.isEmpty { return nil }
        if FileManager.default.contents(atPath: path).map(Array.init) == Array(text.utf8) {
            return nil
        }
        return Aliases(path: path, names: file.names, text: text)
    }

    // MARK: - Files

    private static func absolute(_ path: String) -> String {
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
            let path = folder == "." ? entry : folder + "/" + entry
            if name.hasPrefix(".") {
                entries.skipDescendants()
            } else if name.hasSuffix(".swift") {
                let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
                if type as? FileAttributeType == .typeRegular { paths.append(path) }
            }
        }
        guard !paths.isEmpty else {
            throw Failure(description: "There is no Swift file in '\(folder)'.")
        }
        return paths.sorted()
    }

    private static func contents(of path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure(description: "The file '\(path)' cannot be read.")
        }
        return Array(data)
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure(description: "The file '\(path)' cannot be written: \(error)")
        }
    }
}
