import Foundation

/// A copy of the repository in which everything except manifests is a symbolic link, and packages
/// of other repositories are empty.
final class PackageCopy {
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

    /// Copies a folder of the repository that contains a manifest.
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

    /// Creates a package from a manifest, with empty sources.
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
        let dependency = #/\.package\(url: "[^"]*/([^/"]+?)(?:\.git)?", from: "[^"]+"\)/#
        for match in manifest.matches(of: dependency) {
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
