import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

/// Each behavior that Apple does not document, in both variants. Options of saving are tested with
/// saving.
@Suite("Options for undocumented behavior")
struct OptionTests {
    @Test(
        "Deleting a missing record succeeds, or is unknownItem", arguments: [false, true])
    func deletingMissingRecord(fails: Bool) async throws {
        var options = LocalCloudOptions()
        #expect(!options.deletingMissingRecordFails)
        options.deletingMissingRecordFails = fails
        let test = try await TestCloud(options: options)
        let result = try await test.modify([remove("r")])
        #expect(result.map(\.error?.serverErrorCode) == [fails ? .notFound : nil])
    }

    @Test("Strings are equal if they differ only in case, or not", arguments: [false, true])
    func ignoresCase(ignores: Bool) async throws {
        var options = LocalCloudOptions()
        #expect(!options.queriesIgnoreCase)
        options.queriesIgnoreCase = ignores
        let test = try await TestCloud(options: options)
        try await test.modify(create("r", ["s": .string("Lunch")]))
        for comparator in [FilterDictionary.Comparator.equals, .in] {
            let value: FieldValue =
                comparator == .in ? .list([.string("lunch")]) : .string("lunch")
            let filter = FilterDictionary(
                comparator: comparator, fieldName: "s", fieldValue: RecordFieldDictionary(value))
            let found = try await query(test, filters: [filter])
            #expect(found == (ignores ? ["r"] : []))
        }
    }

    @Test(
        "A query without a zone searches all zones, or the default zone", arguments: [true, false])
    func zoneWide(searchesAll: Bool) async throws {
        var options = LocalCloudOptions()
        #expect(options.queriesWithoutZoneSearchAllZones)
        options.queriesWithoutZoneSearchAllZones = searchesAll
        let test = try await TestCloud(options: options)
        try await test.modify(create("custom"))
        try await test.modify(create("default"), zone: "_defaultZone")
        let found = try await query(test, filters: [])
        #expect(found == (searchesAll ? ["default", "custom"] : ["default"]))
    }

    @Test("A subscription may lack a notification info, or not", arguments: [false, true])
    func notificationInfo(isRequired: Bool) async throws {
        var options = LocalCloudOptions()
        #expect(!options.requiresNotificationInfo)
        options.requiresNotificationInfo = isRequired
        let test = try await TestCloud(options: options)
        let result = try await test.subscribe(
            SubscriptionDictionary(subscriptionID: "s", subscriptionType: .database))
        #expect(result.error?.serverErrorCode == (isRequired ? .badRequest : nil))
    }

    @Test("A record may occur twice in a request, or not", arguments: [false, true])
    func repeatedRecords(areAllowed: Bool) async throws {
        var options = LocalCloudOptions()
        #expect(!options.allowsRepeatedRecords)
        options.allowsRepeatedRecords = areAllowed
        let test = try await TestCloud(options: options)
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.modifyRecords(
                ModifyRecordsRequest(
                    zoneID: test.zone, atomic: true, operations: [create("r"), remove("r")]),
                in: test.a)
        }
        #expect(code == (areAllowed ? nil : .badRequest))
    }

    @Test("The caller is __defaultOwner__ in a record's dates, or named", arguments: [true, false])
    func creator(isDefaultOwner: Bool) async throws {
        var options = LocalCloudOptions()
        #expect(options.showsCallerAsDefaultOwner)
        options.showsCallerAsDefaultOwner = isDefaultOwner
        let test = try await TestCloud(options: options)
        let saved = try await test.modify(create("r"))
        let name = try await test.cloud.fetchCaller(in: test.a).userRecordName
        #expect(saved.created?.userRecordName == (isDefaultOwner ? "__defaultOwner__" : name))
    }

    @Test("Tokens never expire by age, or do", arguments: [nil, 60.0])
    func tokenAge(lifetime: Double?) async throws {
        var options = LocalCloudOptions()
        #expect(options.syncTokenLifetime == nil)
        options.syncTokenLifetime = lifetime
        let clock = TestClock()
        options.clock = { clock.now }
        let test = try await TestCloud(options: options)
        let token = try await test.changes().syncToken
        let databaseToken = try await test.databaseChanges().syncToken
        clock.advance(by: 59)
        let renewed = try await test.changes(since: token).syncToken
        clock.advance(by: 2)
        let expected: ServerErrorCode? = lifetime == nil ? nil : .changeTokenExpired
        let result = try await test.changesResult(since: token)
        #expect(result.error?.serverErrorCode == expected)
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.fetchDatabaseChanges(
                DatabaseChangesRequest(syncToken: databaseToken), in: test.a)
        }
        #expect(code == expected)
        #expect(try await test.changesResult(since: renewed).item != nil)
    }

    @Test("A cascade leaves tombstones, or nothing", arguments: [true, false])
    func cascadeTombstones(areLeft: Bool) async throws {
        var options = LocalCloudOptions()
        #expect(options.cascadesLeaveTombstones)
        options.cascadesLeaveTombstones = areLeft
        let test = try await TestCloud(options: options)
        try await test.modify(create("owner"))
        try await test.modify(create("owned", ["o": reference("owner", .deleteSelf)]))
        let token = try await test.changes().syncToken
        try await test.modify(remove("owner"))
        let deleted = try await test.changes(since: token).records.map(\.recordName)
        #expect(Set(deleted) == (areLeft ? ["owner", "owned"] : ["owner"]))
        #expect(try await test.lookUp("owned") == nil)
    }

    @Test(
        "Public records are changed by their creators, or by everybody", arguments: [true, false])
    func publicRecords(byCreatorsOnly: Bool) async throws {
        var options = LocalCloudOptions()
        #expect(options.onlyCreatorsChangePublicRecords)
        options.onlyCreatorsChangePublicRecords = byCreatorsOnly
        let test = try await TestCloud(options: options)
        let (mine, others) = (test.a.with(database: .public), test.b.with(database: .public))
        try test.cloud.signIn("other", device: "B")
        let zone = ZoneIDDictionary.defaultZoneName
        try await test.modify(create("r", ["n": .int64(1)]), zone: zone, in: mine)
        let expected: ServerErrorCode? = byCreatorsOnly ? .accessDenied : nil
        for operation in [
            RecordOperation(.forceUpdate, record("r", ["n": .int64(2)])), remove("r"),
        ] {
            let result = try await test.modify([operation], zone: zone, in: others)
            #expect(result.map(\.error?.serverErrorCode) == [expected])
        }
        if byCreatorsOnly {
            let found = try #require(try await test.lookUp("r", zone: zone, in: others))
            #expect(found.fields["n"]?.value == .int64(1))
            try await test.modify(remove("r"), zone: zone, in: mine)
        }
    }

    private func query(
        _ test: TestCloud, filters: [FilterDictionary]
    ) async throws -> [String] {
        try await test.cloud.queryRecords(
            QueryRecordsRequest(
                zoneWide: true, query: QueryDictionary(recordType: "T", filterBy: filters)),
            in: test.a
        ).records.compactMap(\.item?.recordName)
    }
}

/// A clock that a test moves.
final class TestClock: @unchecked Sendable {
    // Unchecked because `time` is accessed only while `lock` is held.
    private let lock = NSLock()
    private var time = Date(timeIntervalSince1970: 1_700_000_000)

    var now: Date { lock.withLock { time } }

    func advance(by seconds: TimeInterval) {
        lock.withLock { time = time.addingTimeInterval(seconds) }
    }
}
