import CloudKitService
import LocalCloud
import Testing

@Suite("CloudKit's schema language")
struct SchemaLanguageTests {
    private let cloud = LocalCloud.inMemory()
    private let container = "iCloud.test"

    /// A schema in the format of `cktool`, with every element of the language.
    private let schema = """
        DEFINE SCHEMA

            RECORD TYPE Note (
                "___createTime" TIMESTAMP,
                "___createdBy" REFERENCE,
                "___etag" STRING,
                "___modTime" TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID" REFERENCE QUERYABLE,
                count INT64 QUERYABLE SORTABLE,
                file ASSET,
                numbers LIST<DOUBLE>,
                place LOCATION,
                secret ENCRYPTED BYTES,
                title STRING QUERYABLE SEARCHABLE,
                "type" STRING,
                GRANT WRITE TO "_creator",
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world"
            );

        """

    @Test("What is exported is what was imported")
    func roundTrip() async throws {
        try await cloud.importSchema(schema, container: container)
        #expect(try await cloud.exportSchema(container: container) == schema)
    }

    @Test("Comments, roles, permissions, any case and preferred numbers are read")
    func rest() async throws {
        try await cloud.importSchema(
            """
            define schema // a comment
            create role Editor;
            /* another
               one */
            record type Note ( -- the third
                amount number preferred as double,
                grant read, create, write to Editor
            );
            """, container: container)
        let exported = try await cloud.exportSchema(container: container)
        #expect(exported.contains("RECORD TYPE Note (\n"))
        #expect(exported.contains("        amount NUMBER,\n"))
    }

    @Test(
        "A mistake is refused with its line",
        arguments: [
            ("DEFINE", "line 1: SCHEMA is expected before the end"),
            (
                "DEFINE SCHEMA\nRECORD TYPE Note (\n  title TEXT\n);",
                "line 3: a type is expected before “TEXT”"
            ),
            (
                "DEFINE SCHEMA\nRECORD TYPE Note (\n  title STRING\n)",
                "line 4: ; is expected before the end"
            ),
            (
                "DEFINE SCHEMA\nRECORD TYPE N (a STRING,\na BYTES);",
                "line 3: the field a is declared twice"
            ),
            (
                "DEFINE SCHEMA RECORD TYPE N (a STRING);\nRECORD TYPE N (b STRING);",
                "line 2: the record type N is declared twice"
            ),
            ("DEFINE SCHEMA\n/* never", "line 2: the comment has no end"),
            ("DEFINE SCHEMA\nRECORD TYPE \"N", "line 2: the quoted name has no end"),
            ("DEFINE SCHEMA §", "line 1: “§” is not a token"),
        ])
    func mistake(text: String, reason: String) async throws {
        try await cloud.importSchema(schema, container: container)
        let error = await #expect(throws: CloudKitServiceError.self) {
            try await cloud.importSchema(text, container: container)
        }
        #expect(error?.code == .badRequest)
        #expect(error?.reason == reason)
        #expect(try await cloud.exportSchema(container: container) == schema)
    }

    @Test("A field that a schema restricts to integers refuses other numbers")
    func integers() async throws {
        let test = try await TestCloud()
        try await test.cloud.importSchema(
            "DEFINE SCHEMA RECORD TYPE T (n INT64, d DOUBLE);", container: test.a.container)
        try await test.modify(create("r", ["n": .int64(1), "d": .double(1.5)]))
        let error = try await test.failure(of: create("s", ["n": .double(1.5)]))
        #expect(error.reason?.contains("defined to be: INT64") == true)
    }

    @Test(
        "A query needs the indexes of its fields, from a schema or learned from a record",
        arguments: [
            ("a", "STRING QUERYABLE", [nil, "sortable"]),
            ("a", "STRING SORTABLE", ["queryable", nil]),
            ("a", "STRING SEARCHABLE", ["queryable", "sortable"]),
            ("b", "STRING", [nil, nil]),
        ] as [(String, String, [String?])])
    func indexes(name: String, field: String, missing: [String?]) async throws {
        let test = try await TestCloud()
        try await test.cloud.importSchema(
            "DEFINE SCHEMA RECORD TYPE T (a \(field));", container: test.a.container)
        try await test.modify(create("r", [name: .string("x")]))
        let queries = [
            QueryDictionary(recordType: "T", filterBy: [filter(name, .equals, .string("x"))]),
            QueryDictionary(recordType: "T", sortBy: [SortDictionary(fieldName: name)]),
        ]
        for (query, missing) in zip(queries, missing) {
            let request = QueryRecordsRequest(zoneID: test.zone, query: query)
            if let missing {
                let error = await #expect(throws: CloudKitServiceError.self) {
                    try await test.cloud.queryRecords(request, in: test.a)
                }
                #expect(error?.reason == "Field '\(name)' is not marked \(missing)")
            } else {
                let answer = try await test.cloud.queryRecords(request, in: test.a)
                #expect(answer.records.count == 1)
            }
        }
    }

    @Test("A schema that lacks something of production's is refused")
    func loss() async throws {
        try await cloud.importSchema(schema, container: container)
        try await cloud.deploySchema(container: container)
        for (text, loss) in [
            ("DEFINE SCHEMA", "the record type Note is missing"),
            (
                schema.replacingOccurrences(
                    of: "        count INT64 QUERYABLE SORTABLE,\n", with: ""),
                "Note.count is missing"
            ),
            (
                schema.replacingOccurrences(of: "ENCRYPTED BYTES", with: "BYTES"),
                "Note.secret has another type"
            ),
        ] {
            let error = await #expect(throws: CloudKitServiceError.self) {
                try await cloud.importSchema(text, container: container)
            }
            #expect(error?.reason?.hasSuffix(loss) == true)
        }
        #expect(
            try await cloud.exportSchema(container: container, environment: .production) == schema)
    }

    @Test("What was learned from records can be exported, and deployed to another container")
    func learned() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r", ["n": .int64(1), "t": .list([.string("x")])]))
        let text = try await test.cloud.exportSchema(container: test.a.container)
        #expect(
            text.contains(
                "        n NUMBER QUERYABLE SORTABLE,\n"
                    + "        t LIST<STRING> QUERYABLE SEARCHABLE,\n"))
        try await cloud.importSchema(text, container: container)
        #expect(try await cloud.exportSchema(container: container) == text)
    }
}
