import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

@Suite("A harsh cloud and its feeds")
struct HarshFeedTests {
    private func fill(_ test: TestCloud, count: Int = 12) async throws {
        let text = String(repeating: "x", count: 1_000)
        _ = try await test.modify((0..<count).map { create("r\($0)", ["f": .string(text)]) })
    }

    @Test("A page ends at a number of bytes, and every record appears once")
    func maximumPageBytes() async throws {
        var options = LocalCloudOptions()
        options.maximumPageBytes = 2_500
        let test = try await TestCloud(options: options)
        try await fill(test)
        try await test.modify(create("large", ["f": .string(String(repeating: "y", count: 9_000))]))
        var token: String?
        var pages: [[String]] = []
        var isLast = false
        while !isLast {
            let page = try await test.changes(since: token)
            pages.append(page.records.map(\.recordName))
            token = page.syncToken
            isLast = !page.moreComing
        }
        #expect(pages.map(\.count) == [2, 2, 2, 2, 2, 2, 1])
        #expect(pages.flatMap { $0 } == (0..<12).map { "r\($0)" } + ["large"])
    }

    @Test("A harsh cloud's pages are small, and never empty")
    func smallPages() async throws {
        let test = try await TestCloud()
        try await fill(test)
        test.cloud.temper = .harsh(seed: 1, only: [.smallPages])
        var token: String?
        var names: [String] = []
        var isLast = false
        while !isLast {
            let page = try await test.changes(since: token)
            #expect((1...4).contains(page.records.count))
            names += page.records.map(\.recordName)
            token = page.syncToken
            isLast = !page.moreComing
        }
        #expect(names == (0..<12).map { "r\($0)" })
    }

    @Test("Tokens expire, but not forever, and a fetch without one never does")
    func expiredTokens() async throws {
        let test = try await TestCloud()
        try await fill(test)
        test.cloud.temper = .harsh(seed: 2, only: [.expiredTokens])
        let token = try await test.changes().syncToken
        var codes: [ServerErrorCode?] = []
        for _ in 0..<5 {
            codes.append(try await test.changesResult(since: token).error?.serverErrorCode)
        }
        #expect(
            codes == [.changeTokenExpired, .changeTokenExpired, .changeTokenExpired, nil, nil])
    }

    @Test("A page breaks off without a token")
    func interruption() async throws {
        let test = try await TestCloud()
        try await fill(test)
        test.cloud.faults.add(
            .interrupt(after: 5, CloudKitServiceError(.networkFailure)),
            for: .kind(.fetchZoneChanges))
        let response = try await test.cloud.fetchZoneChanges(
            ZoneChangesRequest(zones: [.init(zoneID: test.zone)]), in: test.a)
        #expect(response.interruption?.code == .networkFailure)
        #expect(response.zones.first?.item?.records.count == 5)
    }

    @Test("A lookup breaks off")
    func interruptedLookUp() async throws {
        let test = try await TestCloud()
        try await fill(test)
        test.cloud.faults.add(
            .interrupt(after: 2, CloudKitServiceError(.networkFailure)),
            for: .kind(.lookUpRecords))
        let response = try await test.cloud.lookUpRecords(
            LookUpRecordsRequest(
                zoneID: test.zone, records: [.init("r0"), .init("r1"), .init("r2")]), in: test.a)
        #expect(response.interruption?.code == .networkFailure)
        #expect(response.records.compactMap { $0.item?.recordName } == ["r0", "r1"])
    }

    @Test("A request without parts loses its answer instead")
    func interruptedZones() async throws {
        let test = try await TestCloud()
        test.cloud.faults.add(.interrupt(after: 1, CloudKitServiceError(.networkFailure)))
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.listZones(in: test.a)
        }
        #expect(code == .networkFailure)
    }

    private static let touchingTraits: [(Set<LocalCloud.Temper.Trait>, [String])] = [
        ([.touchedParents], ["p"]), ([.touchedTargets], ["t"]),
        ([.touchedParents, .touchedTargets], ["p", "t"]), ([], []),
    ]

    @Test(
        "A save touches the records that it refers to",
        arguments: Self.touchingTraits)
    func touched(traits: Set<LocalCloud.Temper.Trait>, expected: [String]) async throws {
        let test = try await TestCloud()
        _ = try await test.modify([create("p"), create("t"), create("other")])
        let token = try await test.changes().syncToken
        test.cloud.temper = .harsh(seed: 3, only: traits)
        try await test.modify(
            RecordOperation(.create, record("c", ["f": reference("t")], parent: "p")))
        test.cloud.temper = .kind
        let changed = try await test.changes(since: token).records.map(\.recordName)
        #expect(changed.sorted() == (expected + ["c"]).sorted())
    }

    @Test("A save that only sets another field leaves the reference's target alone")
    func untouchedTarget() async throws {
        var options = LocalCloudOptions()
        options.referenceSaveTouchesTarget = true
        let test = try await TestCloud(options: options)
        let target = try await test.modify(create("t"))
        try await test.modify(create("c", ["f": reference("t")]))
        let touched = try #require(try await test.lookUp("t")?.recordChangeTag)
        #expect(touched != target.recordChangeTag)
        try await test.modify(RecordOperation(.forceUpdate, record("c", ["g": .int64(1)])))
        #expect(try await test.lookUp("t")?.recordChangeTag == touched)
    }
}
