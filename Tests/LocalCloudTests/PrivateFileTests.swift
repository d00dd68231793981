import CloudKitService
import Foundation
import PrivateFiles
import Testing

@testable import LocalCloud

@Suite("The files of a cloud are for their owner alone") struct PrivateFileTests {
    /// The files below a folder that others can read or write.
    private func open(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
            let file = folder.appendingPathComponent(path).path
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            return (mode as? NSNumber).map { $0.intValue & 0o077 != 0 } ?? true
        }
    }

    private func use(_ cloud: LocalCloud, _ folder: URL) async throws {
        let context = RequestContext(container: "iCloud.private", device: "a")
        try cloud.signIn("user", device: "a", container: "iCloud.private")
        let source = folder.appendingPathComponent("source")
        try Data([1, 2, 3]).write(to: source)
        let zone = ZoneIDDictionary(zoneName: "_defaultZone")
        let request = AssetUploadsRequest(
            zoneID: zone,
            tokens: [.init(recordName: "r", recordType: "Note", fieldName: "file")])
        let token = try #require(
            try await cloud.requestAssetUploads(request, in: context).tokens.first)
        _ = try await cloud.uploadAsset(from: source, to: token, in: context)
    }

    @Test("in a new folder, and in one that is there and stays as it is", arguments: [false, true])
    func cloud(isThere: Bool) async throws {
        let folder = try PrivateFile.newTemporaryFolder("PrivateFileTests")
        defer { try? FileManager.default.removeItem(at: folder) }
        let root = folder.appendingPathComponent("cloud")
        if isThere {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: root.path)
        }
        try await use(LocalCloud(directory: root), folder)
        #expect(try open(in: root) == [])
        #expect(try open(in: folder).contains("cloud") == isThere)
    }

    @Test("that was made when they were for everybody") func former() async throws {
        let folder = try PrivateFile.newTemporaryFolder("PrivateFileTests")
        defer { try? FileManager.default.removeItem(at: folder) }
        let root = folder.appendingPathComponent("cloud")
        try await use(LocalCloud(directory: root), folder)
        for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
            let file = root.appendingPathComponent(path).path
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
            try FileManager.default.setAttributes(
                [.posixPermissions: isFolder.boolValue ? 0o755 : 0o644], ofItemAtPath: file)
        }
        try await use(LocalCloud(directory: root), folder)
        // What is in a folder that only its owner can enter, only the owner can read.
        let open = try open(in: root)
        #expect(open.allSatisfy { $0.contains("Assets/") })
    }

    @Test("A temporary file is new, and for its owner alone") func temporary() throws {
        try PrivateFile.withTemporaryFolder("PrivateFileTests") { folder in
            let file = folder.appendingPathComponent("file")
            try PrivateFile.write(Data([1]), to: file)
            #expect(try open(in: folder) == [])
            #expect(throws: (any Error).self) { try PrivateFile.write(Data([2]), to: file) }
            let link = folder.appendingPathComponent("link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
            #expect(throws: (any Error).self) { try PrivateFile.write(Data([2]), to: link) }
        }
    }
}
