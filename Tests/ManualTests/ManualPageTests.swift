import Foundation
import Seam3
import Testing

@Suite("The manual's pages are up to date")
struct ManualPageTests {
    @Test(
        "Every link within the package has a destination",
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
        "The tables of policies have a row for each policy",
        arguments: SMSyncConflictResolutionPolicy.allCases,
        ["README.md", "\(Manual.catalog)/Articles/Conflicts.md"])
    func policies(policy: SMSyncConflictResolutionPolicy, page: String) throws {
        #expect(try Manual(page).text.contains("\n| `\(policy)`"))
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

    @Test("What UIKit gets as the result of a push is spelled as in the manual")
    func uiBackgroundFetchResult() async throws {
        let path = "Sources/Seam3/Support/Platform/FetchResult+UIKit.swift"
        #expect(
            try Manual(path).text.contains(
                "public var uiBackgroundFetchResult: UIBackgroundFetchResult {"))
        let (status, messages) = try await Shell.parse(Manual.root.appendingPathComponent(path))
        #expect(status == 0, "\(messages)")
    }
}
