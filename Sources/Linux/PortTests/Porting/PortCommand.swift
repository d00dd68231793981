/// The command of the plugin:
///
///     [--dry-run] [--target MODULE FOLDER]… FOLDER
public struct PortCommand {
    private var isDryRun = false
    private var targets: [PortedFolder.Target] = []
    private var folder: String

    /// Parses the arguments after the command's name.
    ///
    /// - Throws: An error with a description, for an unknown option or another number of folders.
    public init(arguments: some Sequence<String>) throws {
        var folders: [String] = []
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--dry-run": isDryRun = true
            case "--target":
                guard let module = rest.next(), let folder = rest.next() else {
                    throw PortedFolder.Failure(
                        description: "'--target' needs a module and a folder.")
                }
                targets.append(PortedFolder.Target(module: module, folder: folder))
            case _ where argument.hasPrefix("-"):
                throw PortedFolder.Failure(
                    description: "There is no option '\(argument)'. \(Self.usage)")
            default: folders.append(argument)
            }
        }
        guard folders.count == 1 else {
            throw PortedFolder.Failure(description: Self.usage)
        }
        folder = folders[0]
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    }

    private static let usage = "Usage: swift package port-tests [--dry-run] <folder>"

    /// Rewrites the folder's files, except in a dry run.
    ///
    /// - Parameter print: Receives each line of the report.
    /// - Throws: ``PortedFolder/Failure``.
    public func run(print: (String) -> Void) throws {
        let ported = try PortedFolder(folder, targets: targets)
        if isDryRun { showChanges(of: ported, print) } else { try ported.write() }
        showSummary(of: ported, print)
    }

    private func showChanges(of ported: PortedFolder, _ print: (String) -> Void) {
        for file in ported.files {
            for change in file.changes {
                print("\(file.path):\(change.line)")
                for line in change.old { print("- \(line)") }
                for line in change.new { print("+ \(line)") }
            }
        }
        for file in ported.aliases {
            print(file.path)
            for line in file.text.split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast()
            {
                print("+ \(line)")
            }
        }
    }

    private func showSummary(of ported: PortedFolder, _ print: (String) -> Void) {
        let changed = ported.files.filter { !$0.changes.isEmpty }
        let lines = changed.flatMap(\.changes).reduce(0) { $0 + $1.old.count }
        let of = "\(Self.count(lines, "line")) in \(Self.count(changed.count, "file"))"
        if lines == 0 {
            print("There is nothing to rewrite.")
        } else {
            print(isDryRun ? "Would rewrite \(of)." : "Rewrote \(of).")
        }
        for file in ported.aliases {
            let verb = isDryRun ? "Would write" : "Wrote"
            print("\(verb) \(file.path), which declares \(file.names.joined(separator: ", ")).")
        }
        let places = ported.files.reduce(0) { $0 + $1.handWork.count }
        if places > 0 { print("\(Self.count(places, "place")) to change by hand:") }
        for file in ported.files {
            for work in file.handWork { print("\(file.path):\(work.line): \(work.message)") }
        }
    }

    private static func count(_ number: Int, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }
}
