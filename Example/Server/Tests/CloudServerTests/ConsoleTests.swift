import CloudKit
import CloudKitWebServices
import CloudServer
import Foundation
import Testing

/// The console's pages and buttons.
@Suite("The console", .timeLimit(.minutes(2)))
struct ConsoleTests {
    /// Every page, and every part of one.
    static let pages = [
        "/", "/console/database", "/console/schema", "/console/records", "/console/record",
        "/console/changes", "/console/changes/rows", "/console/asset", "/console/devices",
        "/console/faults",
    ]

    /// Every button.
    static let actions = [
        "purgeZone", "resetZone", "deleteZone", "expireZoneTokens", "forgetDeletions",
        "expireDatabaseTokens", "endSession", "setAccount", "addFault", "removeFault",
        "removeFaults", "removeUsedFaults", "setTemper", "holdPushes", "releasePushes",
        "loseNextPush",
    ]

    static let place =
        "container=\(RunningServer.container)&environment=development&scope=private&user=ann"

    @Test("A button works with its own page's form only", arguments: Self.actions)
    func forms(action: String) async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            try await running.makeNote("x")
            let (own, other) = (
                try await ConsoleClient.open(running), try await ConsoleClient.open(running)
            )
            for form in [
                "", "form=", "form=\(other.form)", "form=\(String(repeating: "0", count: 64))",
            ] {
                let reply = try await running.send(
                    "POST", "/console/actions/\(action)",
                    headers: [
                        "Cookie": own.cookie,
                        "Content-Type": "application/x-www-form-urlencoded",
                    ], body: "\(form)&\(Self.place)&zone=Z")
                #expect(reply.status == 403, "\(form)")
            }
            for headers in [
                ["Origin": "https://evil.example.org"], ["Origin": "http://127.0.0.1:1"],
                ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ] {
                let reply = try await own.post(
                    action, "\(Self.place)&zone=Z", headers: headers)
                #expect(reply.status == 403)
            }
            #expect(try await running.send("GET", "/console/actions/\(action)").status == 404)
        }
    }

    // MARK: - What it shows

    @Test("Every page shows what is there")
    func content() async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            try await running.makeNote("the text of the note")
            let client = try await ConsoleClient.open(running)
            func page(_ target: String) async throws -> String {
                let reply = try await client.get(target)
                #expect(reply.status == 200, "\(target): \(reply.status) \(reply.text)")
                return reply.text
            }
            let overview = try await page("/")
            #expect(overview.contains(RunningServer.container))
            #expect(overview.contains(">ann</a>") && overview.contains(">1 record type</a>"))
            let database = try await page("/console/database?\(Self.place)")
            #expect(database.contains("<h1>Private database of ann</h1>"))
            #expect(database.contains(">Z</a>") && database.contains("Note <span>1</span>"))
            let schema = try await page("/console/schema?\(Self.place)")
            #expect(schema.contains("photo") && schema.contains("ASSETID"))
            let records = try await page("/console/records?\(Self.place)&zone=Z")
            #expect(records.contains(">r</a>") && records.contains("the text of the note"))
            let record = try await page("/console/record?\(Self.place)&zone=Z&record=r")
            #expect(record.contains("the text of the note") && record.contains("20 bytes"))
            let changes = try await page("/console/changes?\(Self.place)")
            #expect(changes.contains(">r</a>") && changes.contains("created"))
            let devices = try await page("/console/devices")
            #expect(devices.contains("user/ann/maker") && !devices.contains(">console/"))
            _ = try await page("/console/faults")
        }
    }

    @Test("A table shows the records' versions, and a record's page who edited what in which")
    func edits() async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            let database = try await running.device("d").privateCloudDatabase
            let zone = try await database.save(CKRecordZone(zoneName: "Z"))
            let record = CKRecord(
                recordType: "Note", recordID: CKRecord.ID(recordName: "r", zoneID: zone.zoneID))
            record["text"] = "coffee"
            // Version 3 of a chain, saved by the file 0a0b0c0d; the field was edited in version 2.
            record["SM_edits"] = Data(
                [1, 1, 2, 3, 4, 5, 6, 7, 8, 3, 1] + [0x0d, 0x0c, 0x0b, 0x0a]
                    + [1, 2, 3, 4, 5, 6, 7, 8, 0] + [0x3e, 0x9e, 0x2d, 0x98, 2])
            try await database.save(record)
            let client = try await ConsoleClient.open(running)
            let place = "\(Self.place)&zone=Z"
            let table = try await client.get("/console/records?\(place)&type=Note").text
            #expect(table.contains("version 3<"))
            let page = try await client.get("/console/record?\(place)&record=r").text
            #expect(page.contains("saved by 0a0b0c0d (3); edited: text (2)"))
        }
    }

    @Test("Records are found, sorted and paged")
    func table() async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            let database = try await running.device("d").privateCloudDatabase
            let zone = try await database.save(CKRecordZone(zoneName: "Z"))
            let records = (0..<120).map { number in
                let id = CKRecord.ID(
                    recordName: String(format: "r%03d", number), zoneID: zone.zoneID)
                let record = CKRecord(recordType: "Note", recordID: id)
                record["number"] = 119 - number
                record["numbers"] = [number]
                record["text"] = number == 77 ? "needle" : "hay"
                return record
            }
            let saved = try await database.modifyRecords(saving: records, deleting: [])
            for result in saved.saveResults.values { _ = try result.get() }
            let client = try await ConsoleClient.open(running)
            let table = "/console/records?\(Self.place)&zone=Z&type=Note"
            @Sendable func names(_ target: String) async throws -> (names: [String], next: String?)
            {
                let text = try await client.get(target).text
                let names = text.matches(of: /record=(r\d+)">/).map { String($0.1) }
                let next = text.firstMatch(of: /rel="next" href="([^"]+)"/)
                return (names, next.map { unescaped(String($0.1)) })
            }
            var (found, next) = try await names(table + "&sort=number")
            #expect(found.first == "r119" && found.count == 50)
            while let target = next {
                let page = try await names(target)
                found += page.names
                next = page.next
            }
            #expect(found == records.map(\.recordID.recordName).reversed())
            #expect(try await names(table + "&sort=number&order=down").names.first == "r000")
            let needle = try await names(table + "&field=text&is=EQUALS&value=needle")
            #expect(needle.names == ["r077"])
            let greater = try await names(table + "&field=number&is=GREATER_THAN&value=116")
            #expect(Set(greater.names) == ["r000", "r001", "r002"])
            let wrong = try await client.get(table + "&field=number&is=EQUALS&value=many")
            #expect(wrong.status == 200)
            #expect(wrong.text.contains("is not a value of the type INT64 or DOUBLE."))
            // A condition begins with a field, and not with the record's name.
            let unfiltered = try await client.get(table).text
            #expect(unfiltered.contains("<option selected>"))
            #expect(!unfiltered.contains("<option selected>recordName"))
            // Numbers of an unknown kind have both types.
            let schema = try await client.get("/console/schema?\(Self.place)").text
            #expect(schema.contains(">INT64 or DOUBLE<") && !schema.contains(">NUMBER"))
            #expect(schema.contains(">INT64_LIST or DOUBLE_LIST<"))
        }
    }

    @Test("New changes come with the next question, and a purged zone too")
    func feed() async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            try await running.makeNote("x")
            let client = try await ConsoleClient.open(running)
            let page = try await client.get("/console/changes?\(Self.place)").text
            let match = try #require(page.firstMatch(of: /data-position="([^"]*)"/))
            var position = unescaped(String(match.1))
            @Sendable func rows(_ since: String) async throws -> RawReply {
                try await client.get(
                    "/console/changes/rows?\(Self.place)&since=\(encoded(since))")
            }
            let nothing = try await rows(position)
            #expect(nothing.status == 200 && nothing.body.isEmpty)
            position = try #require(nothing.headers["x-position"])
            _ = try await running.operation(
                "records/modify",
                #"{"zoneID":{"zoneName":"Z"},"operations":[{"operationType":"create","record":{"recordName":"second","recordType":"Note"}},{"operationType":"forceDelete","record":{"recordName":"r"}}]}"#
            )
            let news = try await rows(position)
            #expect(news.text.contains("second") && news.text.contains("deleted"))
            position = try #require(news.headers["x-position"])
            #expect(try await client.post("purgeZone", "\(Self.place)&zone=Z").status == 303)
            #expect(try await rows(position).text.contains("zone purged"))
            #expect(try await rows("nonsense").status == 400)
        }
    }

    // MARK: - What it does

    @Test("Buttons do to apps what can happen to them")
    func buttons() async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            try await running.makeNote("x")
            let client = try await ConsoleClient.open(running)
            let service = try await running.service()
            let context = CloudKitWebServices.RequestContext(
                container: RunningServer.container, device: "phone")
            let zone = ZoneIDDictionary(zoneName: "Z")
            @Sendable func changes(since token: String?) async throws -> ItemResult<
                ZoneChangesResponse.Zone
            >? {
                try await service.fetchZoneChanges(
                    .init(zones: [.init(zoneID: zone, syncToken: token)]), in: context
                ).zones.first
            }
            let token = try #require(try await changes(since: nil)?.item?.syncToken)
            let zonePlace = "\(Self.place)&zone=Z"
            #expect(try await client.post("expireZoneTokens", zonePlace).status == 303)
            #expect(try await changes(since: token)?.error?.serverErrorCode == .changeTokenExpired)

            #expect(
                try await client.post("addFault", "effect=throttled&number=5&count=1").status == 303
            )
            var error = await #expect(throws: CloudKitServiceError.self) {
                _ = try await changes(since: nil)
            }
            #expect(error?.code == .throttled && error?.retryAfter == 5)
            #expect(try await changes(since: nil)?.item != nil)
            let faults = try await client.get("/console/faults").text
            #expect(faults.contains(">once<") && faults.contains("<h2>Used up</h2>"))
            #expect(faults.contains("No faults."))
            #expect(faults.contains("No faults."))
            #expect(
                try await client.post("addFault", "effect=networkFailure&kind=listZones").status
                    == 303)
            #expect(try await client.post("removeUsedFaults", "").status == 303)
            let cleared = try await client.get("/console/faults").text
            #expect(!cleared.contains("Used up") && cleared.contains(">networkFailure</td>"))
            #expect(
                try await client.post("addFault", "effect=quotaExceeded&always=1").status == 303)
            // The console's own requests meet no faults.
            #expect(try await client.get("/console/records?\(zonePlace)").status == 200)
            #expect(try await client.post("removeFaults", "").status == 303)
            #expect(try await changes(since: nil)?.item != nil)

            let devices = try await client.get("/console/devices").text
            for device in ["user/ann", "user/ann/phone"] {
                #expect(devices.contains(#"name="device" value="\#(device)""#))
            }
            let device = "device=\(encoded("user/ann/phone"))&container=\(RunningServer.container)"
            #expect(
                try await client.post("setAccount", "\(device)&user=bob&status=available").status
                    == 303)
            #expect(try await changes(since: nil)?.error?.serverErrorCode == .zoneNotFound)
            #expect(
                try await client.post(
                    "setAccount", "\(device)&user=ann&status=temporarilyUnavailable"
                ).status == 303)
            error = await #expect(throws: CloudKitServiceError.self) {
                _ = try await changes(since: nil)
            }
            #expect(error?.code == .accountTemporarilyUnavailable)
            #expect(
                try await client.post("setAccount", "\(device)&user=ann&status=available").status
                    == 303)

            #expect(try await client.post("purgeZone", zonePlace).status == 303)
            #expect(try await changes(since: nil)?.error?.serverErrorCode == .userDeletedZone)
            for session in await running.server.accounts.sessions {
                #expect(try await client.post("endSession", "id=\(session.id)").status == 303)
            }
            error = await #expect(throws: CloudKitServiceError.self) {
                _ = try await changes(since: nil)
            }
            #expect(error?.code == .authenticationRequired)
        }
    }

    @Test(
        "A fault on the page says in a sentence what it does",
        arguments: [
            ("effect=throttled&number=5", "requestRateLimited, retry after 5 seconds", "once"),
            ("effect=delay&number=0.5&count=3", "the response is 0.5 seconds late", "3 times"),
            ("effect=networkFailure&number=5&always=1", "networkFailure", "always"),
            (
                "effect=failItems&number=5&names=rome, italy", "some records fail: rome, italy",
                "once"
            ),
            (
                "effect=interrupt&number=nan",
                "the connection is lost after 3 items of the response", "once"
            ),
        ])
    func faultText(form: String, effect: String, occurrences: String) async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            let client = try await ConsoleClient.open(running)
            #expect(try await client.post("addFault", form).status == 303)
            let page = unescaped(try await client.get("/console/faults").text)
            #expect(page.contains(">\(effect)</td>") && page.contains(">\(occurrences)</td>"))
        }
    }

    @Test("A page about what is not there says so, and makes nothing")
    func missing() async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            try await running.makeNote("x")
            let client = try await ConsoleClient.open(running)
            let elsewhere = Self.place.replacingOccurrences(of: "=ann", with: "=zora")
            for target in [
                "/console/database", "/console/database?container=x&environment=development",
                "/console/database?\(elsewhere)", "/console/records?\(elsewhere)&zone=Z",
                "/console/records?\(Self.place)&zone=none",
                "/console/record?\(Self.place)&zone=Z&record=x",
                "/console/asset?\(Self.place)&zone=Z&record=r&field=photo&index=7",
                "/console/database?\(Self.place.replacingOccurrences(of: "private", with: "shared"))",
            ] {
                #expect(try await client.get(target).status == 404, "\(target)")
            }
            #expect(!(try await client.get("/").text.contains("zora")))
            #expect(try await client.post("addFault", "effect=nonsense").status == 400)
            #expect(try await client.post("setAccount", "user=&status=available").status == 400)
        }
    }
}
