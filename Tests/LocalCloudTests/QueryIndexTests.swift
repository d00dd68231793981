import CloudKitService
import Foundation
import SeamSQLite
import SeededRandom
import Testing

@testable import LocalCloud

@Suite("Indexes of queries")
struct QueryIndexTests {
    private static let comparators: [FilterDictionary.Comparator] = [
        .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals,
        .in, .notIn, .beginsWith, .notBeginsWith,
    ]

    /// Strings that SQLite and Swift would order differently if they were stored unchanged.
    private static let texts = ["", "a", "A", "b", "é", "e\u{301}", "ea", "z", "😀", "ÿ", "ab"]

    private func value(_ field: String, _ random: inout SeededGenerator) -> FieldValue? {
        switch field {
        case "text": Self.texts.randomElement(using: &random).map { .string($0) }
        case "number":
            Bool.random(using: &random)
                ? .int64(.random(in: -3...3, using: &random))
                : .double(.random(in: -3...3, using: &random))
        case "date": .timestamp(.random(in: 0...5, using: &random))
        default: reference("r\(Int.random(in: 0...5, using: &random))")
        }
    }

    private func query(_ random: inout SeededGenerator) -> QueryDictionary {
        let fields = ["text", "number", "date", "other"]
        var query = QueryDictionary(recordType: "T")
        query.filterBy = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
            guard let field = fields.randomElement(using: &random),
                let comparator = Self.comparators.randomElement(using: &random)
            else { return nil }
            let isList = comparator == .in || comparator == .notIn
            let value =
                isList
                ? .list((0..<3).compactMap { _ in self.value(field, &random) })
                : value(field, &random)
            return FilterDictionary(
                comparator: comparator, fieldName: field,
                fieldValue: value.map { RecordFieldDictionary($0) })
        }
        query.sortBy = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            SortDictionary(
                fieldName: fields.randomElement(using: &random),
                ascending: .random(using: &random))
        }
        return query
    }

    @Test("An indexed query finds what a scan of every record finds, in the same order")
    func sameAsScan() async throws {
        let seed = SeededGenerator.seed(from: "LOCAL_CLOUD_SEED")
        var random = SeededGenerator(seed: seed)
        let test = try await TestCloud()
        for zone in ["Z", "Y"] {
            try await test.makeZone(zone)
            let operations = (0..<60).map { number in
                var fields: [String: FieldValue?] = [:]
                for field in ["text", "number", "date", "other"]
                where Int.random(in: 0..<6, using: &random) > 0 {
                    fields[field] = value(field, &random)
                }
                return create("\(zone)\(number)", fields)
            }
            let results = try await test.modify(operations, zone: zone)
            try #require(results.allSatisfy { $0.error == nil })
        }
        let all = try await records(of: QueryDictionary(recordType: "T"), test)
        for _ in 0..<120 {
            let query = query(&random)
            let matcher = RecordMatcher(
                query: query, options: LocalCloudOptions(), userRecordName: nil)
            let expected = all.filter { record in
                matcher.matches(StoredRecord(record), fields: record.fields)
            }
            let found = try await records(of: query, test)
            #expect(
                Set(found.map(\.recordName)) == Set(expected.map(\.recordName)),
                "seed \(seed), \(query)")
            for (first, second) in zip(found, found.dropFirst()) {
                #expect(isOrdered(first, second, query.sortBy ?? []), "seed \(seed), \(query)")
            }
        }
    }

    /// All results of a query, in pages of seven.
    private func records(
        of query: QueryDictionary, _ test: TestCloud
    ) async throws -> [RecordDictionary] {
        var records: [RecordDictionary] = []
        var marker: String?
        repeat {
            let page = try await test.cloud.queryRecords(
                QueryRecordsRequest(
                    zoneWide: true, query: query, resultsLimit: 7, continuationMarker: marker),
                in: test.a)
            records += page.records.compactMap(\.item)
            marker = page.continuationMarker
        } while marker != nil
        return records
    }

    private func isOrdered(
        _ first: RecordDictionary, _ second: RecordDictionary, _ keys: [SortDictionary]
    ) -> Bool {
        for key in keys {
            let name = key.fieldName ?? ""
            let order: ComparisonResult =
                switch (first.fields[name]?.value, second.fields[name]?.value) {
                case (nil, nil): .orderedSame
                case (nil, _): .orderedAscending
                case (_, nil): .orderedDescending
                case (.reference(let left)?, .reference(let right)?):
                    ordering(.string(left.recordName), .string(right.recordName)) ?? .orderedSame
                case (let left?, let right?): ordering(left, right) ?? .orderedSame
                }
            if order == .orderedSame { continue }
            return (order == .orderedAscending) == (key.ascending ?? true)
        }
        return true
    }

    @Test("A page of a query reads the records of its index, not the zone's")
    func readsFewRecords() async throws {
        let statement = QueryStatement(
            QueryDictionary(
                recordType: "T",
                filterBy: [
                    FilterDictionary(
                        comparator: .equals, fieldName: "n",
                        fieldValue: RecordFieldDictionary(.int64(3)))
                ]),
            fieldTypes: ["n": FieldType.int64.columnType], ignoresCase: false)
        let connection = try ContainerSchema.open(path: SQLiteConnection.inMemoryPath)
        for index in statement.indexes { try index.make(in: connection) }
        let plan = try connection.rows(
            "EXPLAIN QUERY PLAN " + statement.sql, [.integer(1), .integer(3)]
        ) { $0.text(at: 3) }.joined(separator: "\n")
        #expect(plan.contains("USING INDEX query.T.n"), "\(plan)")
    }

    @Test("A query sorted by an index needs no sorting")
    func sortedByIndex() throws {
        let statement = QueryStatement(
            QueryDictionary(recordType: "T", sortBy: [SortDictionary(fieldName: "n")]),
            fieldTypes: ["n": FieldType.string], ignoresCase: false)
        let connection = try ContainerSchema.open(path: SQLiteConnection.inMemoryPath)
        for index in statement.indexes { try index.make(in: connection) }
        let plan = try connection.rows("EXPLAIN QUERY PLAN " + statement.sql, [.integer(1)]) {
            $0.text(at: 3)
        }.joined(separator: "\n")
        #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    }

    @Test("A cloud file of the first version opens, with its records and tombstones")
    func migration() async throws {
        let directory = try TemporaryDirectory()
        let test = try await TestCloud(cloud: LocalCloud(directory: directory.url))
        let token = try await test.changes().syncToken
        for name in ["a", "b"] { try await test.modify(create(name, ["n": .int64(1)])) }
        try await test.modify(remove("b"))
        let file = test.cloud.stores.store(container: "iCloud.test", environment: .development)
        try await file.write { connection in
            try connection.execute("DROP INDEX record_by_type")
            try connection.execute("ALTER TABLE record DROP COLUMN is_deleted")
            try connection.execute(
                "CREATE INDEX record_by_type ON record (zone_id, type) WHERE fields IS NOT NULL")
            try connection.execute("ALTER TABLE record_field DROP COLUMN indexes")
            try connection.execute("ALTER TABLE zone DROP COLUMN has_failed_items")
            try connection.execute("PRAGMA user_version = 1")
        }
        let later = TestCloud(reopening: LocalCloud(directory: directory.url))
        let changes = try await later.changes(since: token).records
        #expect(changes.map(\.recordName) == ["a", "b"])
        #expect(changes.map(\.deleted) == [nil, true])
        let query = QueryDictionary(
            recordType: "T", filterBy: [filter("n", .equals, .int64(1))],
            sortBy: [SortDictionary(fieldName: "n")])
        let found = try await records(of: query, later)
        #expect(found.map(\.recordName) == ["a"])
    }
}

extension StoredRecord {
    /// The properties of a found record for a matcher.
    fileprivate init(_ record: RecordDictionary) {
        self.init(
            name: record.recordName, type: record.recordType ?? "", sequence: 0,
            created: record.created ?? .init(timestamp: 0))
    }
}
