import CloudKitService
import Testing

@testable import LocalCloud

/// How much a query may ask for.
@Suite("Limits of queries")
struct QueryLimitTests {
    private func query(
        _ test: TestCloud, filters: [FilterDictionary] = [], sort: [SortDictionary] = []
    ) async -> ServerErrorCode? {
        do throws(CloudKitServiceError) {
            _ = try await test.cloud.queryRecords(
                QueryRecordsRequest(
                    zoneID: test.zone,
                    query: QueryDictionary(recordType: "T", filterBy: filters, sortBy: sort)),
                in: test.a)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A query has a greatest number of filters, of values in them, and of sort keys")
    func counts() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r", ["n": .int64(1), "s": .string("a")]))
        func numbers(_ count: Int64) -> FieldValue { .list((0..<count).map { .int64($0) }) }
        func words(_ count: Int) -> FieldValue {
            .string((0..<count).map { "w\($0)" }.joined(separator: " "))
        }
        func filters(_ count: Int) -> [FilterDictionary] {
            Array(repeating: filter("n", .equals, .int64(1)), count: count)
        }
        let key = SortDictionary(fieldName: "n")
        #expect(await query(test, filters: filters(32)) == nil)
        #expect(await query(test, filters: filters(33)) == .limitExceeded)
        for comparator in [FilterDictionary.Comparator.in, .notIn] {
            #expect(await query(test, filters: [filter("n", comparator, numbers(250))]) == nil)
            let long = [filter("n", comparator, numbers(251))]
            #expect(await query(test, filters: long) == .limitExceeded)
        }
        let two = [filter("n", .in, numbers(200)), filter("n", .notIn, numbers(51))]
        #expect(await query(test, filters: two) == .limitExceeded)
        #expect(await query(test, filters: [filter("s", .containsAnyTokens, words(250))]) == nil)
        let search = [filter("s", .containsAllTokens, words(251))]
        #expect(await query(test, filters: search) == .limitExceeded)
        #expect(await query(test, sort: Array(repeating: key, count: 16)) == nil)
        #expect(await query(test, sort: Array(repeating: key, count: 17)) == .limitExceeded)
    }

    @Test("A page of a query is no larger than it may be, and the pages have each record once")
    func pageBytes() async throws {
        var options = LocalCloudOptions()
        options.maximumPageBytes = 2_500
        let test = try await TestCloud(options: options)
        let text = FieldValue.string(String(repeating: "x", count: 1_000))
        _ = try await test.modify((0..<5).map { create("r\($0)", ["s": text]) })
        try await test.modify(create("r5", ["s": .string(String(repeating: "x", count: 5_000))]))
        var (pages, marker): ([[String]], String?) = ([], nil)
        repeat {
            let answer = try await test.cloud.queryRecords(
                QueryRecordsRequest(
                    zoneID: test.zone, query: QueryDictionary(recordType: "T"),
                    continuationMarker: marker), in: test.a)
            pages.append(answer.records.compactMap(\.item?.recordName))
            marker = answer.continuationMarker
        } while marker != nil
        #expect(pages == [["r0", "r1"], ["r2", "r3"], ["r4"], ["r5"]])
    }

    @Test("The zones of a request share what an answer may have")
    func zones() async throws {
        var options = LocalCloudOptions()
        options.maximumPageBytes = 4_500
        let test = try await TestCloud(options: options)
        let text = FieldValue.string(String(repeating: "x", count: 1_000))
        _ = try await test.modify((0..<5).map { create("r\($0)", ["s": text]) })
        func counts(_ zoneCount: Int) async throws -> [Int] {
            let zone = ZoneChangesRequest.Zone(zoneID: test.zone)
            return try await test.cloud.fetchZoneChanges(
                ZoneChangesRequest(zones: Array(repeating: zone, count: zoneCount)), in: test.a
            ).zones.compactMap(\.item?.records.count)
        }
        #expect(try await counts(1) == [4])
        #expect(try await counts(2) == [2, 2])
        #expect(try await counts(10) == Array(repeating: 1, count: 10))
    }
}
