import CloudKitService
import SeededRandom
import Testing

@testable import LocalCloud

@Suite("The feed of a zone")
struct ZoneFeedTests {
    @Test("Each record that changed appears once, in its current state")
    func coalescing() async throws {
        let test = try await TestCloud()
        let token = try await test.changes().syncToken
        for number in 1...3 {
            try await test.modify(
                RecordOperation(.forceUpdate, record("r", ["f": .int64(Int64(number))])))
        }
        let changes = try await test.changes(since: token).records
        #expect(changes.map(\.recordName) == ["r"])
        #expect(changes.first?.fields["f"]?.value == .int64(3))
    }

    @Test("A client gets its own saves back")
    func ownSaves() async throws {
        let test = try await TestCloud()
        let saved = try await test.modify(create("r"))
        #expect(try await test.changes(in: test.a).records == [saved])
    }

    @Test("A deletion is a tombstone with the record's type")
    func tombstone() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r", ["f": .int64(1)]))
        let token = try await test.changes().syncToken
        try await test.modify(remove("r"))
        let change = try #require(try await test.changes(since: token).records.first)
        #expect(change.deleted == true)
        #expect(change.recordType == "T")
        #expect(change.fields.isEmpty)
    }

    @Test("A record created and deleted since the token is at most a tombstone")
    func createdAndDeleted() async throws {
        let test = try await TestCloud()
        let token = try await test.changes().syncToken
        try await test.modify(create("r"))
        try await test.modify(remove("r"))
        #expect(try await test.changes(since: token).records.map(\.deleted) == [true])
    }

    @Test("Without a token there are no tombstones, on no page")
    func noTombstonesWithoutToken() async throws {
        let test = try await TestCloud()
        _ = try await test.modify(["a", "b", "c", "d"].map { create($0) })
        try await test.modify(remove("c"))
        try await test.modify(create("e"))
        var names: [String] = []
        var token: String?
        repeat {
            let page = try await test.changes(since: token, limit: 2)
            names += page.records.map { ($0.deleted == true ? "-" : "") + $0.recordName }
            token = page.moreComing ? page.syncToken : nil
        } while token != nil
        #expect(names == ["a", "b", "d", "e"])
    }

    @Test("A record deleted during the first fetch is a tombstone on a later page")
    func deletedWhilePaging() async throws {
        let test = try await TestCloud()
        _ = try await test.modify(["a", "b", "c", "d"].map { create($0) })
        let first = try await test.changes(limit: 2)
        try await test.modify(remove("a"))
        let second = try await test.changes(since: first.syncToken)
        #expect(second.records.map(\.recordName) == ["c", "d", "a"])
        #expect(second.records.last?.deleted == true)
    }

    @Test("Pages say correctly whether more follow, also when they end exactly", arguments: 1...5)
    func paging(limit: Int) async throws {
        let test = try await TestCloud()
        _ = try await test.modify((0..<4).map { create("r\($0)") })
        var names: [String] = []
        var page = try await test.changes(limit: limit)
        names += page.records.map(\.recordName)
        var pages = 1
        while page.moreComing {
            page = try await test.changes(since: page.syncToken, limit: limit)
            names += page.records.map(\.recordName)
            pages += 1
        }
        #expect(names == ["r0", "r1", "r2", "r3"])
        #expect(pages == (4 + limit - 1) / limit)
    }

    @Test("A record rewritten between pages moves to a later page")
    func rewrittenWhilePaging() async throws {
        let test = try await TestCloud()
        _ = try await test.modify(["a", "b", "c"].map { create($0) })
        let first = try await test.changes(limit: 1)
        try await test.modify(RecordOperation(.forceUpdate, record("b", ["f": .int64(1)])))
        let rest = try await test.changes(since: first.syncToken)
        #expect(rest.records.map(\.recordName) == ["c", "b"])
    }

    @Test("With the current token there is nothing, and the token stays valid")
    func currentToken() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r"))
        let token = try await test.changes().syncToken
        let again = try await test.changes(since: token)
        #expect(again.records.isEmpty)
        #expect(!again.moreComing)
        #expect(try await test.changes(since: again.syncToken).records.isEmpty)
    }

    @Test("A token of another zone has expired")
    func tokenOfOtherZone() async throws {
        let test = try await TestCloud()
        try await test.makeZone("Y")
        let token = try await test.changes(zone: "Y").syncToken
        let result = try await test.changesResult(since: token)
        #expect(result.error?.serverErrorCode == .changeTokenExpired)
        #expect(result.error?.zoneID?.zoneName == "Z")
    }

    @Test("A token of an earlier zone of the same name has expired")
    func tokenOfOldIncarnation() async throws {
        let test = try await TestCloud()
        let token = try await test.changes().syncToken
        _ = try await test.deleteZone("Z")
        try await test.makeZone("Z")
        let result = try await test.changesResult(since: token)
        #expect(result.error?.serverErrorCode == .changeTokenExpired)
    }

    @Test("Text that is not a token has expired", arguments: ["", "x", "AAAA", "!!"])
    func garbageToken(text: String) async throws {
        let test = try await TestCloud()
        let result = try await test.changesResult(since: text)
        #expect(result.error?.serverErrorCode == .changeTokenExpired)
    }

    @Test("Tokens expire on demand, and new ones are valid")
    func expireOnDemand() async throws {
        let test = try await TestCloud()
        let token = try await test.changes().syncToken
        try await test.cloud.expireTokens(ofZone: "Z", in: test.a)
        let result = try await test.changesResult(since: token)
        #expect(result.error?.serverErrorCode == .changeTokenExpired)
        let fresh = try await test.changes().syncToken
        #expect(try await test.changes(since: fresh).records.isEmpty)
    }

    @Test("A token older than purged tombstones has expired, a later one has not")
    func forgottenDeletions() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r"))
        let old = try await test.changes().syncToken
        try await test.modify(remove("r"))
        let new = try await test.changes().syncToken
        try await test.cloud.forgetDeletions(inZone: "Z", in: test.a)
        let result = try await test.changesResult(since: old)
        #expect(result.error?.serverErrorCode == .changeTokenExpired)
        #expect(try await test.changes(since: new).records.isEmpty)
    }

    @Test("A fetch of all pages that begins after tombstones were purged is completed")
    func pagesAfterForgottenDeletions() async throws {
        let test = try await TestCloud()
        for name in ["a", "b", "c", "gone"] { try await test.modify(create(name)) }
        try await test.modify(remove("gone"))
        try await test.cloud.forgetDeletions(inZone: "Z", in: test.a)
        var names: [String?] = []
        var page = try await test.changes(limit: 1)
        names += page.records.map(\.recordName)
        while page.moreComing {
            page = try await test.changes(since: page.syncToken, limit: 1)
            names += page.records.map(\.recordName)
        }
        #expect(names == ["a", "b", "c"])
    }

    @Test("The default zone has no feed")
    func defaultZone() async throws {
        let test = try await TestCloud()
        let result = try await test.changesResult(zone: ZoneIDDictionary.defaultZoneName)
        #expect(result.error?.serverErrorCode == .badRequest)
        #expect(result.error?.internalErrorCode == 2027)
    }

    @Test("A failing zone does not affect the changes of others")
    func zoneError() async throws {
        let test = try await TestCloud()
        let response = try await test.cloud.fetchZoneChanges(
            ZoneChangesRequest(zones: [
                .init(zoneID: ZoneIDDictionary(zoneName: "Missing")), .init(zoneID: test.zone),
            ]), in: test.a)
        #expect(response.zones.map(\.error?.serverErrorCode) == [.zoneNotFound, nil])
    }

    @Test("Desired record types restrict the feed")
    func desiredTypes() async throws {
        let test = try await TestCloud()
        _ = try await test.modify([create("a"), RecordOperation(.create, record("b", type: "U"))])
        let response = try await test.cloud.fetchZoneChanges(
            ZoneChangesRequest(
                zones: [.init(zoneID: test.zone)], desiredRecordTypes: ["U"]), in: test.a)
        #expect(response.zones.first?.item?.records.map(\.recordName) == ["b"])
    }

    @Test("Random changes read through any pages produce a copy equal to the zone")
    func randomConvergence() async throws {
        let seed = SeededGenerator.seed(from: "LOCAL_CLOUD_SEED")
        var random = SeededGenerator(seed: seed)
        let test = try await TestCloud()
        var copy: [String: String] = [:]
        var token: String?
        for _ in 0..<150 {
            let name = "r\(Int.random(in: 0..<12, using: &random))"
            if Int.random(in: 0..<3, using: &random) == 0 {
                try await test.modify(remove(name))
            } else {
                try await test.modify(RecordOperation(.forceUpdate, record(name)))
            }
            guard Bool.random(using: &random) else { continue }
            let page = try await test.changes(
                since: token, limit: Int.random(in: 1...4, using: &random))
            token = page.syncToken
            for change in page.records {
                copy[change.recordName] = change.recordChangeTag
            }
        }
        while true {
            let page = try await test.changes(since: token)
            token = page.syncToken
            for change in page.records { copy[change.recordName] = change.recordChangeTag }
            if !page.moreComing { break }
        }
        let live = try await test.changes().records.map { ($0.recordName, $0.recordChangeTag) }
        #expect(
            copy == Dictionary(live.map { ($0, $1 ?? "") }) { first, _ in first }, "seed \(seed)")
    }
}
