import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

@Suite("Assets")
struct AssetTests {
    @Test("The bytes of an asset come back, and the source file stays")
    func roundTrip() async throws {
        let test = try await TestCloud()
        let directory = try TemporaryDirectory()
        let uploaded = try await test.uploadedAsset(in: directory)
        #expect(uploaded.size == 5)
        try await test.modify(create("r", ["a": .asset(uploaded)]))
        let found = try #require(
            try await test.lookUp("r", in: test.b)?.fields["a"]?.value?.assets.first)
        let file = directory.url.appendingPathComponent("download")
        try await test.cloud.downloadAsset(found, to: file, in: test.b)
        #expect(try Data(contentsOf: file) == Data("hello".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).count == 2)
    }

    @Test("A missing file is assetFileNotFound")
    func missingFile() async throws {
        let test = try await TestCloud()
        let tokens = try await test.cloud.requestAssetUploads(
            AssetUploadsRequest(tokens: [.init(recordType: "T", fieldName: "a")]), in: test.a)
        let token = try #require(tokens.tokens.first)
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.uploadAsset(
                from: URL(fileURLWithPath: "/nowhere/at/all"), to: token, in: test.a)
        }
        #expect(code == .assetFileNotFound)
    }

    @Test("An asset that was never uploaded cannot be saved")
    func neverUploaded() async throws {
        let test = try await TestCloud()
        for asset in [AssetDictionary(receipt: "x"), AssetDictionary(size: 1)] {
            let error = try await test.failure(of: create("r", ["a": .asset(asset)]))
            #expect(error.serverErrorCode == .badRequest)
        }
    }

    @Test("An asset that no field uses any longer is removed by the clean-up, one in use is not")
    func orphans() async throws {
        let test = try await TestCloud()
        let directory = try TemporaryDirectory()
        let first = try await test.uploadedAsset(in: directory)
        let second = try await test.uploadedAsset(in: directory)
        _ = try await test.modify([
            create("r1", ["a": .asset(first)]), create("r2", ["a": .asset(second)]),
        ])
        let located = try #require(try await test.lookUp("r1")?.fields["a"]?.value?.assets.first)
        #expect(try await test.cloud.removeUnusedAssets(container: test.a.container) == 0)
        try await test.modify(RecordOperation(.forceUpdate, record("r1", ["a": nil])))
        #expect(try await test.cloud.removeUnusedAssets(container: test.a.container) == 1)
        let code = await code { () async throws(CloudKitServiceError) in
            try await test.cloud.downloadAsset(
                located, to: directory.url.appendingPathComponent("x"), in: test.a)
        }
        #expect(code == .assetNotAvailable)
        try await test.modify(remove("r2"))
        #expect(try await test.cloud.removeUnusedAssets(container: test.a.container) == 1)
    }

    @Test("A file left behind by an interrupted upload is removed after a day")
    func leftBehind() async throws {
        let clock = TestClock()
        clock.advance(by: Date().timeIntervalSince(clock.now))
        var options = LocalCloudOptions()
        options.clock = { clock.now }
        let directory = try TemporaryDirectory()
        let test = try await TestCloud(
            cloud: LocalCloud(directory: directory.url, options: options))
        let asset = try await test.uploadedAsset(in: directory)
        try await test.modify(create("r", ["a": .asset(asset)]))
        let store = test.cloud.store(for: test.a)
        let file = try test.cloud.assets.file(receipt: "left", store: store)
        try Data("x".utf8).write(to: file)
        #expect(try await test.cloud.removeUnusedAssets(container: test.a.container) == 0)
        clock.advance(by: 25 * 60 * 60)
        #expect(try await test.cloud.removeUnusedAssets(container: test.a.container) == 1)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let kept = try test.cloud.assets.file(receipt: asset.receipt ?? "", store: store)
        #expect(FileManager.default.fileExists(atPath: kept.path))
    }

    @Test("A deleted zone releases its assets")
    func zoneDeletion() async throws {
        let test = try await TestCloud()
        let directory = try TemporaryDirectory()
        let asset = try await test.uploadedAsset(in: directory)
        try await test.modify(create("r", ["a": .asset(asset)]))
        _ = try await test.deleteZone("Z")
        #expect(try await test.cloud.removeUnusedAssets(container: test.a.container) == 1)
    }

    @Test("An asset larger than the limit is refused")
    func sizeLimit() async throws {
        var options = LocalCloudOptions()
        options.maximumAssetSize = 5
        let test = try await TestCloud(options: options)
        let directory = try TemporaryDirectory()
        _ = try await test.uploadedAsset(in: directory)
        let error = await #expect(throws: CloudKitServiceError.self) {
            try await test.uploadedAsset(in: directory, text: "hello!")
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("The bytes of an asset count for the quota once a record uses it")
    func quota() async throws {
        var options = LocalCloudOptions()
        options.quota = 1000
        let test = try await TestCloud(options: options)
        let directory = try TemporaryDirectory()
        let large = try await test.uploadedAsset(
            in: directory, text: String(repeating: "x", count: 1000))
        let error = try await test.failure(of: create("r", ["a": .asset(large)]))
        #expect(error.serverErrorCode == .quotaExceeded)
        let small = try await test.uploadedAsset(in: directory)
        try await test.modify(create("r", ["a": .asset(small)]))
    }
}
