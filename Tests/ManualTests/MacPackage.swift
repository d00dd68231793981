import Foundation
import Testing

/// The manifest's declarations on a system other than Linux, with the files that are compiled
/// there.
struct MacPackage {
    struct Target: Decodable {
        let name: String
        let type: String
        let path: String
        let sources: [String]
        let dependencies: [String]?

        enum CodingKeys: String, CodingKey {
            case name, type, path, sources
            case dependencies = "target_dependencies"
        }

        var files: [URL] {
            let folder = Manual.root.appendingPathComponent(path)
            return sources.map { folder.appendingPathComponent($0) }
        }
    }

    let targets: [Target]

    /// The whole package.
    static let whole = Task { try await MacPackage() }

    /// - Parameter suites: The value of the environment variable `SEAM_SUITES`.
    init(suites: String? = nil) async throws {
        let copy = try PackageCopy(
            packages: ManifestTests.packages, host: ManifestTests.Host.other.rawValue)
        let environment = suites.map { "SEAM_SUITES=\($0) " } ?? ""
        let (status, output) = try await Shell.run(
            environment + "swift package --package-path '\(copy.root.path)/Seam3'"
                + " --manifest-cache local describe --type json")
        try #require(status == 0, "\(output)")
        struct Description: Decodable {
            let targets: [Target]
        }
        let json = output[try #require(output.firstIndex(of: "{"))...]
        targets = try JSONDecoder().decode(Description.self, from: Data(json.utf8)).targets
    }

    /// The test targets, and the targets that only these use.
    var testTargets: [Target] { targets.filter { $0.path.hasPrefix("Tests/") } }
}
