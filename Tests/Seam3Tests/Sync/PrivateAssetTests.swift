import CoreData
import Testing

@testable import Seam3

@Suite("An asset on its way to the server") struct PrivateAssetTests {
    @Test("is in a file, and a folder, that only the user can read") func modes() throws {
        let assets = AssetFolder()
        let file = try #require(try assets.asset(Data([1, 2, 3])).fileURL)
        for url in [file, file.deletingLastPathComponent()] {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            let mode = try #require(attributes[.posixPermissions] as? NSNumber)
            #expect(mode.intValue & 0o077 == 0, "\(url.lastPathComponent)")
        }
    }
}
