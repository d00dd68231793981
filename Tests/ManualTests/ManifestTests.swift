import Foundation
import Testing

@Suite("The manifests of the repository and of the manual's samples")
struct ManifestTests {
    /// A manifest, in a package of the repository or in a sample.
    struct Manifest: Sendable, CustomTestStringConvertible {
        let name: String
        /// The package's folder in the copy.
        let folder: String
        /// The text of a sample, whose package has no folder in the repository.
        var sample: String?

        var testDescription: String { name }
    }

    private static let packages: [String] = {
        let files = FileManager.default.enumerator(
            at: Manual.root, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        return (files?.allObjects as? [URL] ?? [])
            .filter { $0.lastPathComponent == "Package.swift" }
            .map { String($0.path.dropFirst(Manual.root.path.count + 1)) }.sorted()
    }()

    static let manifests =
        packages.map { path in
            Manifest(name: path, folder: "Seam3/\(path.dropLast("/Package.swift".count))")
        }
        + SampleTests.samples.filter { $0.kind == .manifest }.map { sample in
            Manifest(name: "\(sample)", folder: "Sample", sample: sample.text)
        }

    /// The system on which a manifest is compiled, as far as it asks for Linux.
    enum Host: String, CaseIterable {
        case linux = "Linux"
        /// Any system that this is not, as a Mac is not Linux.
        case other = "Windows"
    }

    @Test("There are manifests of both kinds")
    func kinds() {
        #expect(Self.packages.contains("Package.swift") && Self.packages.count > 3)
        #expect(Self.manifests.count > Self.packages.count)
    }

    /// The products that a manifest names are looked up wherever the manifest is used, also those
    /// that a condition leaves out for the system.
    @Test("resolve on Linux and where it is another system", arguments: manifests, Host.allCases)
    func resolution(manifest: Manifest, host: Host) throws {
        let copy = try PackageCopy(packages: Self.packages, host: host.rawValue)
        let folder = copy.root.appendingPathComponent(manifest.folder)
        if let sample = manifest.sample { try copy.add(sample, at: folder) }
        let (status, output) = try Shell.run(
            "swift package --package-path '\(folder.path)' --manifest-cache local "
                + "show-dependencies")
        #expect(status == 0, "\(manifest.name) on \(host):\n\(output)")
        #expect(!output.contains("warning:"), "\(manifest.name) on \(host):\n\(output)")
    }
}

/// A copy of the repository in which all that is not a manifest is a link, and in which packages of
/// other repositories are empty ones.
private final class PackageCopy {
    let root = FileManager.default.temporaryDirectory
        .appendingPathComponent("Manifests-\(UUID().uuidString)").resolvingSymlinksInPath()
    private let packages: [String]
    private let host: String
    private let files = FileManager.default

    init(packages: [String], host: String) throws {
        self.packages = packages
        self.host = host
        try copy("")
    }

    deinit { try? files.removeItem(at: root) }

    /// Copies a folder of the repository that has a manifest in it.
    private func copy(_ path: String) throws {
        let source = Manual.root.appendingPathComponent(path)
        let folder = root.appendingPathComponent("Seam3").appendingPathComponent(path)
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: source.path)
        where !name.hasPrefix(".") && name != "Package.resolved" {
            let child = path.isEmpty ? name : "\(path)/\(name)"
            if name == "Package.swift" {
                let text = try String(
                    contentsOf: source.appendingPathComponent(name), encoding: .utf8)
                try write(text, to: folder)
            } else if packages.contains(where: { $0.hasPrefix("\(child)/") }) {
                try copy(child)
            } else {
                try files.createSymbolicLink(
                    at: folder.appendingPathComponent(name),
                    withDestinationURL: source.appendingPathComponent(name))
            }
        }
    }

    /// Makes a package of a manifest, with empty sources.
    func add(_ manifest: String, at folder: URL) throws {
        try write(manifest, to: folder)
        let resources = manifest.matches(of: #/\.process\("([^"]+)"\)/#).map { String($0.1) }
        for match in manifest.matches(of: #/\.(target|testTarget)\(\s*name: "(\w+)"/#) {
            let target = folder.appendingPathComponent(match.1 == "target" ? "Sources" : "Tests")
                .appendingPathComponent(String(match.2))
            try files.createDirectory(at: target, withIntermediateDirectories: true)
            for name in ["Empty.swift"] + resources {
                try Data().write(to: target.appendingPathComponent(name))
            }
        }
    }

    private func write(_ manifest: String, to folder: URL) throws {
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        var text = manifest.replacing("os(Linux)", with: "os(\(host))")
        for match in manifest.matches(of: #/\.package\(url: "[^"]*/([^/"]+)", from: "[^"]+"\)/#) {
            let name = String(match.1)
            text = text.replacing(match.0, with: ".package(path: \"\(root.path)/\(name)\")")
            if name == "Seam3" { continue }  // the copy itself
            let products = manifest.matches(of: #/\.product\(name: "(\w+)", package: "([^"]+)"/#)
                .filter { $0.2 == match.1 }.map { String($0.1) }
            try addEmptyPackage(name, products: Set(products).sorted())
        }
        try Data(text.utf8).write(to: folder.appendingPathComponent("Package.swift"))
    }

    private func addEmptyPackage(_ name: String, products: [String]) throws {
        let libraries = products.map { ".library(name: \"\($0)\", targets: [\"\($0)\"])" }
        let targets = products.map { ".target(name: \"\($0)\")" }
        let manifest = """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "\(name)", products: [\(libraries.joined(separator: ", "))],
                targets: [\(targets.joined(separator: ", "))])
            """
        try add(manifest, at: root.appendingPathComponent(name))
    }
}
