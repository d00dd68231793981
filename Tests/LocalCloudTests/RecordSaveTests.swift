import CloudKitService
import Testing

@testable import LocalCloud

@Suite("Saving a record")
struct RecordSaveTests {
    @Test("A missing record without a tag is created, with a tag and dates")
    func createsMissingRecord() async throws {
        let test = try await TestCloud()
        let saved = try await test.modify(create("r", ["f": .string("x")]))
        #expect(saved.recordChangeTag != nil)
        #expect(saved.created?.userRecordName == "__defaultOwner__")
        #expect(saved.modified?.deviceID == "A")
        #expect(saved.fields["f"]?.value == .string("x"))
    }

    @Test("Creating an existing record fails and returns the server's record")
    func createExisting() async throws {
        let test = try await TestCloud()
        let saved = try await test.modify(create("r", ["f": .string("x")]))
        let error = try await test.failure(of: create("r", ["f": .string("y")]), in: test.b)
        #expect(error.serverErrorCode == .exists)
        #expect(error.reason == "record to insert already exists")
        #expect(error.serverRecord == saved)
        #expect(error.recordName == "r")
    }

    @Test("An update with the current tag is merged into the record")
    func updateWithCurrentTag() async throws {
        let test = try await TestCloud()
        let first = try await test.modify(create("r", ["f": .string("x"), "g": .int64(1)]))
        let second = try await test.modify(
            RecordOperation(
                .update, record("r", ["f": .string("y")], tag: first.recordChangeTag)))
        #expect(second.fields["f"]?.value == .string("y"))
        #expect(second.fields["g"]?.value == .int64(1))
        #expect(second.recordChangeTag != first.recordChangeTag)
        #expect(second.created == first.created)
    }

    @Test("An update with a stale tag fails and returns the server's record")
    func updateWithStaleTag() async throws {
        let test = try await TestCloud()
        let first = try await test.modify(create("r", ["f": .string("x")]))
        let second = try await test.modify(
            RecordOperation(.forceUpdate, record("r", ["f": .string("y")])), in: test.b)
        let error = try await test.failure(
            of: RecordOperation(
                .update, record("r", ["f": .string("z")], tag: first.recordChangeTag)))
        #expect(error.serverErrorCode == .conflict)
        #expect(error.reason == "client oplock error updating record")
        #expect(error.serverRecord == second)
    }

    @Test("An update with a tag of a deleted record is unknownItem")
    func updateDeleted() async throws {
        let test = try await TestCloud()
        let first = try await test.modify(create("r"))
        try await test.modify(remove("r"))
        let error = try await test.failure(
            of: RecordOperation(.update, record("r", tag: first.recordChangeTag)))
        #expect(error.serverErrorCode == .notFound)
    }

    @Test(
        "Any save in a missing zone is zoneNotFound",
        arguments: RecordOperation.OperationType.allCases)
    func missingZone(type: RecordOperation.OperationType) async throws {
        let test = try await TestCloud()
        let error = try await test.failure(
            of: RecordOperation(type, record("r", tag: "1")), zone: "Missing")
        #expect(error.serverErrorCode == .zoneNotFound)
    }

    @Test(
        "A forced save ignores the tag, keeps other fields and creates a missing record",
        arguments: [nil, "stale"])
    func forcedSave(tag: String?) async throws {
        let test = try await TestCloud()
        let created = try await test.modify(
            RecordOperation(.forceUpdate, record("r", ["f": .int64(1)], tag: tag)))
        #expect(created.fields["f"]?.value == .int64(1))
        let merged = try await test.modify(
            RecordOperation(.forceUpdate, record("r", ["g": .int64(2)], tag: tag)))
        #expect(merged.fields["f"]?.value == .int64(1))
        #expect(merged.fields["g"]?.value == .int64(2))
    }

    @Test("A replacement clears the fields that it omits")
    func replace() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r", ["f": .int64(1), "g": .int64(2)]))
        let saved = try await test.modify(
            RecordOperation(.forceReplace, record("r", ["g": .int64(3)])))
        #expect(saved.fields.keys.sorted() == ["g"])
    }

    @Test("A field without a value is cleared")
    func clearField() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r", ["f": .int64(1), "g": .int64(2)]))
        let saved = try await test.modify(
            RecordOperation(.forceUpdate, record("r", ["f": nil])))
        #expect(saved.fields.keys.sorted() == ["g"])
        #expect(try await test.lookUp("r")?.fields.keys.sorted() == ["g"])
    }

    @Test("Change tags are short, and differ after every save")
    func changeTags() async throws {
        let test = try await TestCloud()
        var tags: Set<String> = []
        for number in 0..<40 {
            let saved = try await test.modify(
                RecordOperation(.forceUpdate, record("r", ["f": .int64(Int64(number))])))
            let tag = try #require(saved.recordChangeTag)
            #expect(tag.count <= 2)
            tags.insert(tag)
        }
        #expect(tags.count == 40)
    }

    @Test("A deleted record that is saved again is a new record")
    func recreate() async throws {
        let test = try await TestCloud()
        let token = try await test.changes().syncToken
        try await test.modify(create("r", ["f": .int64(1)]))
        try await test.modify(remove("r"))
        let again = try await test.modify(create("r", ["g": .int64(1)]))
        #expect(again.fields.keys.sorted() == ["g"])
        let changes = try await test.changes(since: token).records
        #expect(changes.map(\.deleted) == [nil])
    }

    @Test("The type of a record cannot change")
    func changeType() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r"))
        let error = try await test.failure(
            of: RecordOperation(.forceUpdate, record("r", type: "U")))
        #expect(error.serverErrorCode == .badRequest)
    }

    @Test("An update needs a tag")
    func updateWithoutTag() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r"))
        let error = try await test.failure(of: RecordOperation(.update, record("r")))
        #expect(error.serverErrorCode == .badRequest)
    }

    @Test("Every type of value comes back unchanged")
    func valueTypes() async throws {
        let test = try await TestCloud()
        let location = LocationDictionary(
            latitude: 1.5, longitude: -2.25, altitude: 3, timestamp: 1_700_000_000_123)
        let values: [String: FieldValue] = [
            "text": .string("Grüße 👋"), "empty": .string(""), "integer": .int64(.min),
            "double": .double(-0.1), "bytes": .bytes(.init([0, 255, 10])),
            "noBytes": .bytes(.init()),
            "date": .timestamp(-62_135_596_800_123), "place": .location(location),
            "texts": .list([.string("a"), .string("")]),
            "numbers": .list([.int64(1), .double(2.5)]),
            "references": .list([reference("x")]),
        ]
        try await test.modify(create("r", values))
        #expect(try await test.lookUp("r")?.fields.compactMapValues(\.value) == values)
    }

    @Test("Desired keys restrict the fields, and none leaves the system fields")
    func desiredKeys() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r", ["f": .int64(1), "g": .int64(2)]))
        for (keys, expected) in [(["f"], ["f"]), ([], []), (nil, ["f", "g"])] {
            let response = try await test.cloud.lookUpRecords(
                LookUpRecordsRequest(
                    zoneID: test.zone, records: [.init("r")], desiredKeys: keys), in: test.a)
            let found = try #require(response.records.first?.item)
            #expect(found.fields.keys.sorted() == expected)
            #expect(found.recordChangeTag != nil)
        }
    }

    @Test("A request with the last client change token is not executed again")
    func repeatedClientChangeToken() async throws {
        let test = try await TestCloud()
        func save(_ number: Int64) async throws -> RecordDictionary? {
            try await test.cloud.modifyRecords(
                ModifyRecordsRequest(
                    zoneID: test.zone,
                    operations: [
                        RecordOperation(.forceUpdate, record("r", ["f": .int64(number)]))
                    ],
                    clientChangeToken: .init([7])), in: test.a
            ).records.first?.item
        }
        let first = try await save(1)
        #expect(try await save(2) == first)
        #expect(try await test.changes().clientChangeToken == .init([7]))
    }

    @Test("A request with failed items is executed again, even with the last client change token")
    func repeatedAfterFailedItem() async throws {
        let test = try await TestCloud()
        test.cloud.faults.add(.failItems(["b"], .zoneBusy), for: .kind(.modifyRecords))
        let request = ModifyRecordsRequest(
            zoneID: test.zone, atomic: false, operations: [create("a"), create("b")],
            clientChangeToken: .init([7]))
        let first = try await test.cloud.modifyRecords(request, in: test.a)
        #expect(first.records.map(\.error?.serverErrorCode) == [nil, .zoneBusy])
        let second = try await test.cloud.modifyRecords(request, in: test.a)
        #expect(second.records.map(\.error?.serverErrorCode) == [.exists, nil])
        #expect(try await test.lookUp("b") != nil)
    }

    @Test("An interrupted request is executed again, even with the last client change token")
    func repeatedAfterInterruption() async throws {
        let test = try await TestCloud()
        test.cloud.faults.add(
            .interrupt(after: 1, CloudKitServiceError(.networkFailure)), for: .kind(.modifyRecords))
        let request = ModifyRecordsRequest(
            zoneID: test.zone, atomic: false, operations: [create("a"), create("b")],
            clientChangeToken: .init([7]))
        let first = try await test.cloud.modifyRecords(request, in: test.a)
        #expect(first.interruption?.code == .networkFailure)
        let second = try await test.cloud.modifyRecords(request, in: test.a)
        #expect(second.records.map(\.error?.serverErrorCode) == [.exists, nil])
        #expect(try await test.lookUp("b") != nil)
    }

    @Test("Dates come from the cloud's clock, to the millisecond")
    func clock() async throws {
        var options = LocalCloudOptions()
        options.clock = { .init(timeIntervalSince1970: 12.3456) }
        let test = try await TestCloud(options: options)
        let saved = try await test.modify(create("r"))
        #expect(saved.created?.timestamp == 12345)
    }

    @Test(
        "A child's save gives the parent a new tag only if the option says so",
        arguments: [true, false])
    func touchesParent(isOn: Bool) async throws {
        var options = LocalCloudOptions()
        options.childSaveTouchesParent = isOn
        let test = try await TestCloud(options: options)
        let parent = try await test.modify(create("p", ["f": .int64(1)]))
        try await test.modify(RecordOperation(.create, record("c", parent: "p")))
        let now = try await test.lookUp("p")
        #expect((now?.recordChangeTag != parent.recordChangeTag) == isOn)
        #expect(now?.fields == parent.fields)
    }
}
