import CloudKitService
import Testing

@testable import LocalCloud

@Suite("Atomic requests")
struct AtomicityTests {
    @Test("One failure undoes all saves and deletes of the zone, and the others are batch failures")
    func atomicFailure() async throws {
        let test = try await TestCloud()
        try await test.modify(create("old"))
        try await test.modify(create("taken"))
        let token = try await test.changes().syncToken
        let results = try await test.modify([create("new"), create("taken"), remove("old")])
        #expect(
            results.map(\.error?.serverErrorCode) == [.atomicError, .exists, .atomicError])
        #expect(try await test.changes(since: token).records.isEmpty)
        #expect(try await test.lookUp("new") == nil)
        #expect(try await test.lookUp("old") != nil)
    }

    @Test("Without atomicity the others succeed")
    func notAtomic() async throws {
        let test = try await TestCloud()
        try await test.modify(create("taken"))
        let results = try await test.modify([create("new"), create("taken")], atomic: false)
        #expect(results.map(\.error?.serverErrorCode) == [nil, .exists])
        #expect(try await test.lookUp("new") != nil)
    }

    @Test("The default zone is never atomic")
    func defaultZone() async throws {
        let test = try await TestCloud()
        let zone = ZoneIDDictionary.defaultZoneName
        try await test.modify(create("taken"), zone: zone)
        let results = try await test.modify([create("new"), create("taken")], zone: zone)
        #expect(results.map(\.error?.serverErrorCode) == [nil, .exists])
    }

    @Test("Change tags and sizes of an undone request are not consumed")
    func undoneCounters() async throws {
        let test = try await TestCloud()
        try await test.modify(create("taken"))
        let token = try await test.changes().syncToken
        _ = try await test.modify([create("new"), create("taken")])
        #expect(try await test.changes(since: token).syncToken == token)
    }

    @Test("A record that fails late leaves nothing behind while its neighbors are saved")
    func lateFailure() async throws {
        var options = LocalCloudOptions()
        options.maximumDeletingReferences = 1
        let test = try await TestCloud(options: options)
        try await test.modify(create("target"))
        let results = try await test.modify(
            (1...3).map { create("r\($0)", ["f": reference("target", .deleteSelf)]) },
            atomic: false)
        #expect(results.map(\.error?.serverErrorCode) == [nil, .limitExceeded, .limitExceeded])
        try await test.modify(remove("target"))
        #expect(try await test.changes().records.isEmpty)
    }

    @Test("A record that occurs twice makes the request invalid")
    func repeatedRecord() async throws {
        let test = try await TestCloud()
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.modifyRecords(
                ModifyRecordsRequest(
                    zoneID: test.zone, operations: [create("r"), remove("r")]), in: test.a)
        }
        #expect(code == .badRequest)
    }

    @Test("A request without operations succeeds")
    func emptyRequest() async throws {
        let test = try await TestCloud()
        #expect(try await test.modify([]).isEmpty)
    }
}
