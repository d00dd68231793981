import Foundation
import Seam3
import Testing

@Suite("The manual's pages are up to date")
struct ManualPageTests {
    @Test(
        "Every link within the package leads somewhere",
        arguments: Manual.paths + ["CHANGELOG.md", "CONTRIBUTING.md", "Sources/Seam3/README.md"])
    func links(page: String) throws {
        let folder = Manual.root.appendingPathComponent(page).deletingLastPathComponent()
        for path in try Manual(page).linkedPaths {
            #expect(
                FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path),
                "\(page) links to \(path), which is not there")
        }
    }

    @Test(
        "The table of policies has a row for each policy",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func policies(policy: SMSyncConflictResolutionPolicy) throws {
        #expect(try Manual().text.contains("\n| `\(policy)`"))
    }

    @Test(
        "The names that the manual gives are those of the store",
        arguments: [
            SMStore.SMSyncedUserInfoKey, SMStore.SMRecordTypeUserInfoKey,
            SMStore.SMFieldNameUserInfoKey, "SMStore.SMStoreSyncConflictResolutionPolicyOption",
        ])
    func names(name: String) throws {
        #expect(try Manual().text.contains("`\(name)`"))
    }

    @Test("What UIKit is told of a push is spelled as the manual has it")
    func uiBackgroundFetchResult() throws {
        let path = "Sources/Seam3/Support/Platform/FetchResult+UIKit.swift"
        #expect(
            try Manual(path).text.contains(
                "public var uiBackgroundFetchResult: UIBackgroundFetchResult {"))
        let (status, messages) = try Shell.parse(Manual.root.appendingPathComponent(path))
        #expect(status == 0, "\(messages)")
    }

    @Test("The podspec takes in the sources of both shared targets, and no others")
    func podspec() throws {
        let podspec = try Manual("Seam3.podspec").text
        let line = try #require(
            podspec.components(separatedBy: "\n").first { $0.contains(".source_files") })
        let globs = line.components(separatedBy: "'").enumerated()
            .filter { $0.offset % 2 == 1 }.map(\.element)
        #expect(globs == ["Sources/Seam3/**/*.swift", "Sources/SeamSQLite/**/*.swift"])
        for glob in globs {
            let folder = Manual.root.appendingPathComponent(
                glob.replacingOccurrences(of: "/**/*.swift", with: ""))
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(files.contains { $0.hasSuffix(".swift") }, "\(glob) matches nothing")
        }
    }
}
