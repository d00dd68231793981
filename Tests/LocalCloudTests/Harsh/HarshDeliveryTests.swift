import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

@Suite("A harsh cloud, its assets, conflicts and pushes")
struct HarshDeliveryTests {
    /// A cloud with an asset in the record `r`, and the asset as returned by a fetch.
    private func asset(
        in directory: TemporaryDirectory, options: LocalCloudOptions = LocalCloudOptions()
    ) async throws -> (TestCloud, AssetDictionary) {
        let test = try await TestCloud(options: options)
        let uploaded = try await test.uploadedAsset(in: directory)
        try await test.modify(create("r", ["a": .asset(uploaded)]))
        return (
            test,
            try #require(try await test.lookUp("r")?.fields["a"]?.value?.assets.first)
        )
    }

    private func download(
        _ asset: AssetDictionary, _ test: TestCloud, to directory: TemporaryDirectory
    ) async -> ServerErrorCode? {
        await code { () async throws(CloudKitServiceError) in
            try await test.cloud.downloadAsset(
                asset, to: directory.url.appendingPathComponent(UUID().uuidString), in: test.a)
        }
    }

    @Test("A download fails for a while, and then succeeds")
    func failingDownload() async throws {
        let directory = try TemporaryDirectory()
        let (test, asset) = try await asset(in: directory)
        test.cloud.temper = .harsh(seed: 1, only: [.failingAssets])
        var codes: [ServerErrorCode?] = []
        for _ in 0..<5 { codes.append(await download(asset, test, to: directory)) }
        let refusals = codes.prefix { $0 != nil }
        #expect((1...3).contains(refusals.count))
        #expect(codes.dropFirst(refusals.count).allSatisfy { $0 == nil })
    }

    @Test("An upload fails for a while, and then succeeds")
    func failingUpload() async throws {
        let directory = try TemporaryDirectory()
        let test = try await TestCloud()
        test.cloud.temper = .harsh(seed: 2, only: [.failingAssets])
        var failures = 0
        while (try? await test.uploadedAsset(in: directory)) == nil, failures < 10 {
            failures += 1
        }
        #expect((1...3).contains(failures))
    }

    @Test("The asset of a poisonous record never arrives, and a fault can name its record")
    func poisonousAsset() async throws {
        let directory = try TemporaryDirectory()
        let (test, asset) = try await asset(in: directory)
        var temper = LocalCloud.Temper.harsh(seed: 3, only: [.failingAssets], chance: 0)
        temper.poisonousRecords = ["r"]
        test.cloud.temper = temper
        for _ in 0..<9 { #expect(await download(asset, test, to: directory) != nil) }
        test.cloud.temper = .kind
        #expect(await download(asset, test, to: directory) == nil)
        test.cloud.faults.add(
            .fail(.assetNotAvailable), for: .kind(.downloadAsset, item: "r"))
        #expect(await download(asset, test, to: directory) == .assetNotAvailable)
    }

    @Test("A slow download waits as the options say")
    func slowDownload() async throws {
        let waits = Waits()
        var options = LocalCloudOptions()
        options.sleep = { await waits.note($0) }
        let directory = try TemporaryDirectory()
        let (test, asset) = try await asset(in: directory, options: options)
        var temper = LocalCloud.Temper.harsh(seed: 4, only: [.slowAssets])
        temper.assetDelay = 2...3
        test.cloud.temper = temper
        #expect(await download(asset, test, to: directory) == nil)
        let seconds = await waits.seconds
        #expect(seconds.count == 1)
        #expect(seconds.allSatisfy { (2...3).contains($0) })
    }

    private actor Waits {
        var seconds: [TimeInterval] = []

        func note(_ wait: TimeInterval) { seconds.append(wait) }
    }

    // MARK: - Conflicts

    private static let conflictTraits: [(LocalCloud.Temper.Trait?, [String]?)] = [
        (nil, ["a", "f", "s"]), (.conflictsWithoutAncestor, ["a", "f", "s"]),
        (.conflictsWithoutServerRecord, nil),
        (.conflictsWithoutEncryptedValues, ["a", "f"]), (.conflictsWithoutAssets, ["f", "s"]),
    ]

    @Test(
        "A conflict lacks the parts that were chosen",
        arguments: Self.conflictTraits)
    func conflicts(trait: LocalCloud.Temper.Trait?, expected: [String]?) async throws {
        let directory = try TemporaryDirectory()
        let test = try await TestCloud()
        let uploaded = try await test.uploadedAsset(in: directory)
        var new = record("r", ["f": .int64(1), "a": .asset(uploaded)])
        new.fields["s"] = RecordFieldDictionary(.string("secret"), isEncrypted: true)
        try await test.modify(RecordOperation(.create, new))
        if let trait { test.cloud.temper = .harsh(seed: 5, only: [trait]) }
        let error = try await test.failure(of: create("r"))
        #expect(error.serverErrorCode == .exists)
        #expect(error.serverRecord?.fields.keys.sorted() == expected)
        #expect((error.omitsServerRecord == true) == (trait == .conflictsWithoutServerRecord))
        #expect((error.omitsAncestorRecord == true) == (trait == .conflictsWithoutAncestor))
    }

    // MARK: - Pushes

    /// A cloud whose device B gets the zone's pushes.
    private func subscribed() async throws -> TestCloud {
        let test = try await TestCloud()
        _ = try await test.subscribe(
            SubscriptionDictionary(subscriptionID: "s", subscriptionType: .database))
        return test
    }

    /// The pushes that are delayed from now on.
    private func lateOnes(_ test: TestCloud) -> AsyncStream<PushPayload>.Iterator {
        let (stream, continuation) = AsyncStream<PushPayload>.makeStream()
        test.cloud.pushDelivery.observeLate { continuation.yield($0) }
        return stream.makeAsyncIterator()
    }

    @Test("Lost pushes never arrive")
    func lostPushes() async throws {
        let test = try await subscribed()
        let temper = LocalCloud.Temper.harsh(seed: 6, only: [.lostPushes], chance: 0.5)
        var state = TemperState(temper: temper)
        let arrives = (0..<20).map { _ in
            if case .now = state.delivery(toDevice: "B") { true } else { false }
        }
        #expect(Set(arrives).count == 2)
        test.cloud.temper = temper
        var pushes = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        for number in 0..<20 { try await test.makeZone("Z\(number)") }
        for (number, arrives) in arrives.enumerated() where arrives {
            #expect(await pushes.next()?.ck.met?.zid == "Z\(number)")
        }
    }

    @Test("A late push arrives after further requests")
    func latePushes() async throws {
        let test = try await subscribed()
        test.cloud.temper = .harsh(seed: 7, only: [.latePushes])
        var pushes = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        var late = lateOnes(test)
        try await test.modify(create("r"))
        _ = await late.next()
        for _ in 0..<16 { _ = try await test.cloud.listZones(in: test.a) }
        #expect(test.cloud.pushDelivery.latePushes.isEmpty)
        #expect(await pushes.next()?.ck.met?.sid == "s")
    }

    @Test("A push replaces the one before it")
    func coalescedPushes() async throws {
        let test = try await subscribed()
        test.cloud.temper = .harsh(seed: 8, only: [.coalescedPushes])
        var pushes = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        var late = lateOnes(test)
        for number in 0..<5 {
            try await test.modify(create("r\(number)"))
            let nid = await late.next()?.ck.nid
            #expect(test.cloud.pushDelivery.latePushes.map(\.ck.nid) == [nid])
        }
        let last = test.cloud.pushDelivery.latePushes.first?.ck.nid
        test.cloud.temper = .kind
        #expect(await pushes.next()?.ck.nid == last)
    }
}
