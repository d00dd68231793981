import CloudKitService
import Testing

@testable import LocalCloud

@Suite("The feed of a zone, newest first")
struct ReverseFeedTests {
    private func page(
        _ test: TestCloud, since token: String?, limit: Int
    ) async throws -> ZoneChangesResponse.Zone {
        let request = ZoneChangesRequest(
            zones: [.init(zoneID: test.zone, syncToken: token, resultsLimit: limit)],
            reverse: true)
        let result = try await test.cloud.fetchZoneChanges(request, in: test.a).zones.first
        return try #require(result?.item)
    }

    @Test("Pages are in reverse order, and each record appears once", arguments: 1...4)
    func order(limit: Int) async throws {
        let test = try await TestCloud()
        for name in ["a", "b", "c", "d"] { try await test.modify(create(name)) }
        var names: [String] = []
        var token: String?
        var moreComing = true
        while moreComing {
            let page = try await page(test, since: token, limit: limit)
            names += page.records.map(\.recordName)
            (token, moreComing) = (page.syncToken, page.moreComing)
        }
        #expect(names == ["d", "c", "b", "a"])
        #expect(try await page(test, since: token, limit: limit).records.isEmpty)
    }

    @Test("Changes between the pages are returned by the next fetch")
    func changeBetweenPages() async throws {
        let test = try await TestCloud()
        for name in ["a", "b", "c"] { try await test.modify(create(name)) }
        let first = try await page(test, since: nil, limit: 2)
        #expect(first.records.map(\.recordName) == ["c", "b"] && first.moreComing)
        try await test.modify(create("d"))
        let last = try await page(test, since: first.syncToken, limit: 2)
        #expect(last.records.map(\.recordName) == ["a"] && !last.moreComing)
        let next = try await test.changes(since: last.syncToken)
        #expect(next.records.map(\.recordName) == ["d"])
    }
}
