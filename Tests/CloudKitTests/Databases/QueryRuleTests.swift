import CloudKit
import LocalCloud
import Testing

@Suite("Rules of queries")
struct QueryRuleTests {
    /// Three records: `parent`, its child `child`, and `other`, which refers to `parent`.
    private func makeDevices() async throws -> Devices {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("parent", "One"))
        let child = devices.note("child", "Two")
        child.setParent(devices.id("parent"))
        let other = devices.note("other", "Three")
        other["owner"] = CKRecord.Reference(recordID: devices.id("parent"), action: .deleteSelf)
        _ = try await devices.database.modifyRecords(saving: [child, other], deleting: [])
        return devices
    }

    private func names(_ predicate: NSPredicate, in devices: Devices) async throws -> Set<String> {
        let found = try await devices.database.records(
            matching: CKQuery(recordType: "Note", predicate: predicate),
            inZoneWith: devices.zoneID)
        return Set(found.matchResults.map(\.0.recordName))
    }

    @Test("Records are found by their system fields, by Apple's names and by those of the schema")
    func systemFields() async throws {
        let devices = try await makeDevices()
        let parent = CKRecord.Reference(recordID: devices.id("parent"), action: .none)
        let user = CKRecord.ID(recordName: CKCurrentUserDefaultName)
        let past = Date(timeIntervalSince1970: 0)
        let everything: Set = ["parent", "child", "other"]
        let queries: [(NSPredicate, Set<String>)] = [
            (NSPredicate(format: "%K == %@", CKRecord.SystemFieldKey.parent, parent), ["child"]),
            (
                NSPredicate(
                    format: "%K == %@", CKRecord.SystemFieldKey.recordID, devices.id("child")),
                ["child"]
            ),
            (
                NSPredicate(format: "%K == %@", CKRecord.SystemFieldKey.creatorUserRecordID, user),
                everything
            ),
            (
                NSPredicate(
                    format: "%K == %@", CKRecord.SystemFieldKey.lastModifiedUserRecordID, user),
                everything
            ),
            (
                NSPredicate(
                    format: "%K > %@", CKRecord.SystemFieldKey.creationDate, past as NSDate),
                everything
            ),
            (
                NSPredicate(
                    format: "%K < %@", CKRecord.SystemFieldKey.modificationDate, past as NSDate),
                []
            ),
            (NSPredicate(format: "___createTime > %@", past as NSDate), everything),
            (NSPredicate(format: "___modTime < %@", past as NSDate), []),
            (NSPredicate(format: "___recordID == %@", devices.id("other")), ["other"]),
        ]
        for (predicate, expected) in queries {
            let found = try await names(predicate, in: devices)
            #expect(found == expected, "\(predicate._structuralFormat)")
        }
    }

    @Test(
        "A reference is found by the record it leads to: by reference of any action, ID or record")
    func references() async throws {
        let devices = try await makeDevices()
        let parent = try await devices.database.record(for: devices.id("parent"))
        let values: [NSObject] = [
            CKRecord.Reference(recordID: parent.recordID, action: .none),
            CKRecord.Reference(recordID: parent.recordID, action: .deleteSelf), parent.recordID,
            parent,
        ]
        for value in values {
            let found = try await names(NSPredicate(format: "owner == %@", value), in: devices)
            #expect(found == ["other"])
        }
    }

    @Test("The constants true and false find everything and nothing")
    func constants() async throws {
        let devices = try await makeDevices()
        #expect(try await names(NSPredicate(value: true), in: devices).count == 3)
        #expect(try await names(NSPredicate(value: false), in: devices).isEmpty)
        #expect(try await names(NSPredicate(format: "TRUEPREDICATE"), in: devices).count == 3)
    }

    @Test("A filter of another type than the field is an invalid argument with Apple's text")
    func wrongType() async throws {
        let devices = try await makeDevices()
        let error = await #expect(throws: CKError.self) {
            _ = try await names(NSPredicate(format: "owner == 'parent'"), in: devices)
        }
        #expect(error?.code == .invalidArguments)
        #expect(
            error?.userInfo["ServerErrorDescription"] as? String
                == "Field 'owner' has a value type of REFERENCE and cannot be queried using filter "
                + "value type STRING")
    }

    @Test(
        "Without an index on the name even the predicate true may be refused",
        arguments: [true, false])
    func recordName(isQueryable: Bool) async throws {
        var options = LocalCloudOptions()
        #expect(options.recordNameIsQueryable)
        options.recordNameIsQueryable = isQueryable
        let devices = try await Devices.withZone(options: options)
        try await devices.database.save(devices.note("a"))
        let code = await thrownCode {
            _ = try await names(
                NSPredicate(format: "recordID == %@", devices.id("a")), in: devices)
        }
        #expect(code == (isQueryable ? nil : .invalidArguments))
    }

    @Test(
        "A predicate that NOT cannot negate is an invalid argument",
        arguments: [
            "NOT (title == 'a' AND title == 'b')", "NOT (self CONTAINS 'a')",
            "NOT (title BETWEEN {'a', 'b'})",
        ])
    func negation(format: String) async throws {
        let devices = try await makeDevices()
        let code = await thrownCode {
            _ = try await names(NSPredicate(format: format), in: devices)
        }
        #expect(code == .invalidArguments)
    }

    @Test("A cursor is an offset: records saved between two pages shift the others")
    func cursorIsAnOffset() async throws {
        let devices = try await makeDevices()
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let first = try await devices.database.records(
            matching: query, inZoneWith: devices.zoneID, resultsLimit: 1)
        #expect(first.matchResults.map(\.0.recordName) == ["parent"])
        try await devices.database.save(devices.note("new", "A"))
        let second = try await devices.database.records(
            continuingMatchFrom: try #require(first.queryCursor), resultsLimit: 1)
        #expect(second.matchResults.map(\.0.recordName) == ["parent"])
    }
}
