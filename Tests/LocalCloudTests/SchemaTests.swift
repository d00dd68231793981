import CloudKitService
import Testing

@testable import LocalCloud

@Suite("The schema, names and limits")
struct SchemaTests {
    @Test("The first value of a field fixes its type")
    func learnedType() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r", ["f": .string("x")]))
        let error = try await test.failure(of: create("s", ["f": .int64(1)]))
        #expect(error.serverErrorCode == .badRequest)
        #expect(
            error.reason
                == "invalid attempt to set value type NUMBER for field 'f' for type 'T', "
                + "defined to be: STRING")
        #expect(error.internalErrorCode == 2006)
    }

    @Test("A numeric field accepts integers and doubles")
    func numbers() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r", ["f": .int64(1), "g": .list([.double(1)])]))
        try await test.modify(create("s", ["f": .double(1.5), "g": .list([.int64(1)])]))
    }

    @Test("A record that is refused teaches nothing")
    func refusedRecord() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r", ["f": .string("x")]))
        _ = try await test.failure(of: create("s", ["f": .int64(1), "g": .string("y")]))
        try await test.modify(create("t", ["g": .int64(1)]))
    }

    @Test(
        "A reserved field name is refused, and one in an old file can be read and removed",
        arguments: [
            "recordID", "recordType", "recordChangeTag", "creationDate", "modificationDate",
            "creatorUserRecordID", "lastModifiedUserRecordID", "etag",
        ])
    func reservedName(name: String) async throws {
        let test = try await TestCloud()
        let error = try await test.failure(of: create("r", [name: .string("x")]))
        #expect(error.serverErrorCode == .badRequest)
        try await test.modify(create("r", ["f": .int64(1)]))
        let old = FieldCoding.encode([name: RecordFieldDictionary(.string("x"))])
        try await test.cloud.store(for: test.a).write { connection in
            try connection.execute(
                "UPDATE record SET fields = ? WHERE name = 'r'", [.blob(old)])
        }
        #expect(try await test.lookUp("r")?.fields[name]?.value == .string("x"))
        try await test.modify(RecordOperation(.forceUpdate, record("r", [name: nil])))
        #expect(try await test.lookUp("r")?.fields.isEmpty == true)
    }

    @Test("An empty list does not fix a field's type, a later list does")
    func emptyList() async throws {
        let test = try await TestCloud()
        let error = try await test.failure(of: create("r", ["f": .list([])]))
        #expect(error.serverErrorCode == .badRequest)
        try await test.modify(create("r", ["f": .list([.string("x")])]))
        let saved = try await test.modify(
            RecordOperation(.forceUpdate, record("r", ["f": .list([])])))
        #expect(saved.fields["f"]?.value == .list([]))
    }

    @Test("A list has elements of one type")
    func mixedList() async throws {
        let test = try await TestCloud()
        let error = try await test.failure(
            of: create("r", ["f": .list([.string("x"), .int64(1)])]))
        #expect(error.serverErrorCode == .badRequest)
    }

    @Test("Production refuses unknown types and fields until the schema is deployed")
    func production() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r", ["f": .string("x")]))
        var production = test.a
        production.environment = .production
        _ = try await test.cloud.modifyZones(
            ModifyZonesRequest(operations: [ZoneOperation(.create, test.zone)]), in: production)
        let refused = try await test.failure(of: create("r"), in: production)
        #expect(refused.reason == "Cannot create new type T in production schema")
        try await test.cloud.deploySchema(container: test.a.container)
        try await test.modify(create("r", ["f": .string("x")]), in: production)
        let unknownField = try await test.failure(
            of: create("s", ["g": .string("x")]), in: production)
        #expect(unknownField.serverErrorCode == .badRequest)
    }

    @Test("Whether a field is encrypted never changes")
    func encrypted() async throws {
        let test = try await TestCloud()
        func operation(_ name: String, _ isEncrypted: Bool) -> RecordOperation {
            var record = record(name)
            record.fields["f"] = RecordFieldDictionary(.string("x"), isEncrypted: isEncrypted)
            return RecordOperation(.create, record)
        }
        let saved = try await test.modify(operation("r", true))
        #expect(saved.fields["f"]?.isEncrypted == true)
        let error = try await test.failure(of: operation("s", false))
        #expect(error.reason?.hasSuffix("defined to be: ENCRYPTED_STRING") == true)
        let publicError = try await test.cloud.modifyRecords(
            ModifyRecordsRequest(operations: [operation("p", true)]),
            in: test.a.with(database: .public)
        ).records.first?.error
        #expect(publicError?.serverErrorCode == .badRequest)
    }

    @Test(
        "A record name is ASCII, not empty, at most 255 characters, without leading underscore",
        arguments: ["", "_r", "é", String(repeating: "r", count: 256)])
    func recordNames(name: String) async throws {
        let test = try await TestCloud()
        let error = try await test.failure(of: create(name))
        #expect(error.serverErrorCode == .badRequest)
    }

    @Test("Types and fields are identifiers", arguments: ["", "1a", "_a", "a-b", "ä", "a b"])
    func words(name: String) async throws {
        let test = try await TestCloud()
        let type = try await test.failure(of: RecordOperation(.create, record("r", type: name)))
        #expect(type.serverErrorCode == .badRequest)
        let field = try await test.failure(of: create("r", [name: .int64(1)]))
        #expect(field.serverErrorCode == .badRequest)
    }

    @Test("A record of more than a megabyte is refused")
    func recordSize() async throws {
        let test = try await TestCloud()
        let error = try await test.failure(
            of: create("r", ["f": .bytes(.init(repeating: 1, count: 1_000_001))]))
        #expect(error.serverErrorCode == .limitExceeded)
    }

    @Test("A request of more than 400 items is refused as a whole", arguments: [400, 401])
    func itemLimit(count: Int) async throws {
        let test = try await TestCloud()
        do throws(CloudKitServiceError) {
            _ = try await test.cloud.modifyRecords(
                ModifyRecordsRequest(
                    zoneID: test.zone, operations: (0..<count).map { create("r\($0)") }),
                in: test.a)
            #expect(count == 400)
        } catch {
            #expect(count == 401)
            #expect(error.code == .limitExceeded)
            #expect(
                error.reason
                    == "Your request contains 401 items which is more than the maximum number of "
                    + "items in a single request (400)")
        }
    }

    @Test("A request of more than two megabytes is refused as a whole")
    func requestSize() async throws {
        let test = try await TestCloud()
        let operations = (0..<3).map {
            create("r\($0)", ["f": .bytes(.init(repeating: 1, count: 900_000))])
        }
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.modifyRecords(
                ModifyRecordsRequest(zoneID: test.zone, operations: operations), in: test.a)
        }
        #expect(code == .limitExceeded)
    }

    @Test("What exceeds the quota is refused, and deleting makes room")
    func quota() async throws {
        var options = LocalCloudOptions()
        options.quota = 1500
        let test = try await TestCloud(options: options)
        let large = FieldValue.bytes(.init(repeating: 1, count: 1000))
        try await test.modify(create("r", ["f": large]))
        let error = try await test.failure(of: create("s", ["f": large]))
        #expect(error.serverErrorCode == .quotaExceeded)
        try await test.modify(remove("r"))
        try await test.modify(create("s", ["f": large]))
    }

    @Test("Numbers that JSON cannot represent are refused", arguments: [Double.nan, .infinity])
    func notFinite(number: Double) async throws {
        let test = try await TestCloud()
        let error = try await test.failure(of: create("r", ["f": .double(number)]))
        #expect(error.serverErrorCode == .badRequest)
    }
}
