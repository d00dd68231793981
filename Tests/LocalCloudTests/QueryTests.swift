import CloudKitService
import Testing

@testable import LocalCloud

@Suite("Queries")
struct QueryTests {
    private func makeRecords() async throws -> TestCloud {
        let test = try await TestCloud()
        _ = try await test.modify([
            create(
                "a",
                [
                    "n": .int64(1), "s": .string("Apple pie"), "l": .list([.int64(1), .int64(2)]),
                    "p": .location(LocationDictionary(latitude: 52.52, longitude: 13.40)),
                ]),
            create(
                "b",
                [
                    "n": .double(2.5), "s": .string("apple"), "l": .list([.int64(3)]),
                    "p": .location(LocationDictionary(latitude: 48.14, longitude: 11.58)),
                    "r": reference("a"),
                ]),
            create("c", ["n": .int64(3), "s": .string("Élan")]),
        ])
        return test
    }

    private func names(
        _ test: TestCloud, _ filters: [FilterDictionary] = [], sort: [SortDictionary] = []
    ) async throws -> [String] {
        try await test.cloud.queryRecords(
            QueryRecordsRequest(
                zoneID: test.zone,
                query: QueryDictionary(recordType: "T", filterBy: filters, sortBy: sort)),
            in: test.a
        ).records.compactMap(\.item?.recordName)
    }

    @Test("Each comparator finds what it should")
    func comparators() async throws {
        let test = try await makeRecords()
        let berlin = FieldValue.location(LocationDictionary(latitude: 52.5, longitude: 13.4))
        let cases: [(FilterDictionary, [String])] = [
            (filter("n", .equals, .int64(1)), ["a"]),
            (filter("n", .notEquals, .int64(1)), ["b", "c"]),
            (filter("n", .lessThan, .double(2.5)), ["a"]),
            (filter("n", .lessThanOrEquals, .double(2.5)), ["a", "b"]),
            (filter("n", .greaterThan, .int64(2)), ["b", "c"]),
            (filter("n", .greaterThanOrEquals, .int64(3)), ["c"]),
            (filter("n", .in, .list([.int64(1), .int64(3)])), ["a", "c"]),
            (filter("n", .notIn, .list([.int64(1), .int64(3)])), ["b"]),
            (filter("s", .beginsWith, .string("app")), ["b"]),
            (filter("s", .notBeginsWith, .string("app")), ["a", "c"]),
            (filter("s", .equals, .string("APPLE")), []),
            (filter("s", .containsAnyTokens, .string("the ELAN pie")), ["a", "c"]),
            (filter("s", .containsAllTokens, .string("pie apple")), ["a"]),
            (filter("l", .listContains, .int64(2)), ["a"]),
            (filter("l", .notListContains, .int64(2)), ["b", "c"]),
            (filter("l", .listContainsAny, .list([.int64(2), .int64(3)])), ["a", "b"]),
            (filter("l", .listContainsAll, .list([.int64(1), .int64(2)])), ["a"]),
            (filter("p", .near, berlin, distance: 20_000), ["a"]),
            (filter("r", .equals, reference("a", .deleteSelf)), ["b"]),
        ]
        for (filter, expected) in cases {
            #expect(try await names(test, [filter]) == expected, "\(filter)")
        }
    }

    @Test("All conditions must hold; without conditions all records are found")
    func conjunction() async throws {
        let test = try await makeRecords()
        #expect(try await names(test) == ["a", "b", "c"])
        #expect(
            try await names(
                test,
                [filter("n", .greaterThan, .int64(1)), filter("n", .lessThan, .int64(3))])
                == ["b"])
    }

    @Test("Results are sorted by several keys, and by distance")
    func sorting() async throws {
        let test = try await makeRecords()
        #expect(
            try await names(test, sort: [SortDictionary(fieldName: "n", ascending: false)])
                == ["c", "b", "a"])
        let munich = LocationDictionary(latitude: 48, longitude: 11)
        #expect(
            try await names(
                test, [filter("n", .lessThan, .int64(3))],
                sort: [SortDictionary(fieldName: "p", relativeLocation: munich)]) == ["b", "a"])
        #expect(
            try await names(
                test, sort: [SortDictionary(systemFieldName: "recordName", ascending: false)])
                == ["c", "b", "a"])
    }

    @Test("Pages continue from the marker until there is none")
    func pages() async throws {
        let test = try await makeRecords()
        var names: [String] = []
        var marker: String?
        repeat {
            let page = try await test.cloud.queryRecords(
                QueryRecordsRequest(
                    zoneID: test.zone, query: QueryDictionary(recordType: "T"), resultsLimit: 2,
                    continuationMarker: marker), in: test.a)
            names += page.records.compactMap(\.item?.recordName)
            marker = page.continuationMarker
        } while marker != nil
        #expect(names == ["a", "b", "c"])
    }

    @Test("A zone-wide query searches all zones")
    func zoneWide() async throws {
        let test = try await makeRecords()
        try await test.makeZone("Y")
        try await test.modify(create("y"), zone: "Y")
        let found = try await test.cloud.queryRecords(
            QueryRecordsRequest(zoneWide: true, query: QueryDictionary(recordType: "T")),
            in: test.a)
        #expect(found.records.compactMap(\.item?.recordName) == ["a", "b", "c", "y"])
    }

    @Test("Deleted records are not found")
    func deleted() async throws {
        let test = try await makeRecords()
        try await test.modify(remove("b"))
        #expect(try await names(test) == ["a", "c"])
    }

    @Test("What CloudKit refuses is refused with its text")
    func refusals() async throws {
        let test = try await makeRecords()
        try await test.modify(create("d", ["data": .bytes(.init([1]))]))
        let cases: [(QueryDictionary, ServerErrorCode, String)] = [
            (QueryDictionary(recordType: "U"), .notFound, "Did not find record type: U"),
            (
                QueryDictionary(
                    recordType: "T", filterBy: [filter("r", .equals, .string("a"))]),
                .badRequest,
                "Field 'r' has a value type of REFERENCE and cannot be queried using filter "
                    + "value type STRING"
            ),
            (
                QueryDictionary(
                    recordType: "T", filterBy: [filter("data", .equals, .bytes(.init([1])))]),
                .badRequest, "Field 'data' is not marked queryable"
            ),
            (
                QueryDictionary(recordType: "T", sortBy: [SortDictionary(fieldName: "data")]),
                .badRequest, "Field 'data' is not marked sortable"
            ),
        ]
        for (query, code, reason) in cases {
            await #expect {
                _ = try await test.cloud.queryRecords(
                    QueryRecordsRequest(zoneID: test.zone, query: query), in: test.a)
            } throws: { error in
                let error = error as? CloudKitServiceError
                return error?.code == code && error?.reason == reason
            }
        }
    }
}
