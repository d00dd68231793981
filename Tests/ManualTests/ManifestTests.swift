import Foundation
import Testing

@Suite("The manifests of the repository and of the manual's samples")
struct ManifestTests {
    /// A manifest of a package in the repository, or in a sample.
    struct Manifest: Sendable, CustomTestStringConvertible {
        let name: String
        /// The package's folder in the copy.
        let folder: String
        /// The text of a sample, whose package has no folder in the repository.
        var sample: String?

        var testDescription: String { name }
    }

    /// The paths of all manifests of the repository.
    static let packages: [String] = {
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

    /// The system on which a manifest is compiled; only Linux matters.
    enum Host: String, CaseIterable {
        case linux = "Linux"
        /// A system other than the current one, which stands for a Mac.
        case other = "Windows"
    }

    @Test("There are manifests of both kinds")
    func kinds() {
        #expect(Self.packages.contains("Package.swift") && Self.packages.count > 3)
        #expect(Self.manifests.count > Self.packages.count)
    }

    /// A manifest's products are resolved on every system, including those that a condition
    /// excludes for the system.
    @Test("resolve on Linux and on another system", arguments: manifests, Host.allCases)
    func resolution(manifest: Manifest, host: Host) async throws {
        let copy = try PackageCopy(packages: Self.packages, host: host.rawValue)
        let folder = copy.root.appendingPathComponent(manifest.folder)
        if let sample = manifest.sample { try copy.add(sample, at: folder) }
        let (status, output) = try await Shell.run(
            "swift package --package-path '\(folder.path)' --manifest-cache local "
                + "show-dependencies")
        #expect(status == 0, "\(manifest.name) on \(host):\n\(output)")
        #expect(!output.contains("warning:"), "\(manifest.name) on \(host):\n\(output)")
    }
}
