import CloudKitWebServices
import Foundation
import LocalCloud
import Testing

/// Requests and responses word for word as in Apple's reference and in captures of its servers,
/// with a wildcard for values that the server generates.
@Suite("Bodies, codes and statuses of the reference")
struct ReferenceBodyTests {
    private static let clock = """
        {"zoneID":{"zoneName":"Z"},"operations":[{"operationType":"create","record":{
         "recordName":"c1","recordType":"Clock","fields":{
          "label":{"value":"Paris","type":"STRING"},
          "offset":{"value":3600,"type":"INT64"},
          "rate":{"value":1.5,"type":"DOUBLE"},
          "set":{"value":1747999812347,"type":"TIMESTAMP"},
          "face":{"value":"AQI=","type":"BYTES"},
          "tags":{"value":["a","b"],"type":"STRING_LIST"},
          "place":{"value":{"latitude":48.5,"longitude":2.25},"type":"LOCATION"},
          "zone":{"value":{"recordName":"z","action":"NONE"},"type":"REFERENCE"}}}}]}
        """

    private static let clockAnswer = """
        {"recordName":"c1","recordType":"Clock","recordChangeTag":"*","fields":{
          "label":{"value":"Paris","type":"STRING"},
          "offset":{"value":3600,"type":"INT64"},
          "rate":{"value":1.5,"type":"DOUBLE"},
          "set":{"value":1747999812347,"type":"TIMESTAMP"},
          "face":{"value":"AQI=","type":"BYTES"},
          "tags":{"value":["a","b"],"type":"STRING_LIST"},
          "place":{"value":{"latitude":48.5,"longitude":2.25},"type":"LOCATION"},
          "zone":{"value":{"recordName":"z","action":"NONE"},"type":"REFERENCE"}},
         "zoneID":{"zoneName":"Z","ownerRecordName":"*","zoneType":"REGULAR_CUSTOM_ZONE"},
         "created":{"timestamp":"#","userRecordName":"*","deviceID":"*"},
         "modified":{"timestamp":"#","userRecordName":"*","deviceID":"*"}}
        """

    @Test("records/modify, records/lookup and records/query return the record's dictionary")
    func records() async throws {
        let web = await WebCloud()
        try await web.makeZone()
        let saved = try await web.send("records/modify", Self.clock)
        #expect(saved.status == 200)
        #expect(
            difference(
                saved.json, object(#"{"records":[\#(Self.clockAnswer)],"syncToken":"*"}"#)) == nil)
        let found = try await web.send(
            "records/lookup",
            #"{"zoneID":{"zoneName":"Z"},"records":[{"recordName":"c1"},{"recordName":"c2"}]}"#)
        #expect(found.status == 200)
        #expect(
            difference(
                found.json,
                object(
                    """
                    {"records":[\(Self.clockAnswer),
                     {"recordName":"c2","zoneID?":{"zoneName":"Z","ownerRecordName?":"*","zoneType?":"*"},
                      "serverErrorCode":"NOT_FOUND","reason":"*"}]}
                    """)) == nil)
        let queried = try await web.send(
            "records/query",
            """
            {"zoneID":{"zoneName":"Z"},"query":{"recordType":"Clock","filterBy":[{"comparator":
             "EQUALS","fieldName":"label","fieldValue":{"value":"Paris","type":"STRING"}}]}}
            """)
        #expect(
            difference(queried.json, object(#"{"records":[\#(Self.clockAnswer)]}"#)) == nil)
    }

    @Test("Deletions, conflicts and their neighbors are items of a response with status 200")
    func items() async throws {
        let web = await WebCloud()
        try await web.makeZone()
        _ = try await web.send("records/modify", Self.clock)
        let reply = try await web.send(
            "records/modify",
            """
            {"zoneID":{"zoneName":"Z"},"operations":[
             {"operationType":"create","record":{"recordName":"c1","recordType":"Clock"}},
             {"operationType":"forceDelete","record":{"recordName":"gone"}}]}
            """)
        #expect(reply.status == 200)
        #expect(reply.text("records", "0", "serverErrorCode") == "EXISTS")
        #expect(reply.text("records", "0", "recordName") == "c1")
        #expect(reply["records", "1", "deleted"] as? Bool == true)
        let atomic = try await web.send(
            "records/modify",
            """
            {"zoneID":{"zoneName":"Z"},"atomic":true,"operations":[
             {"operationType":"update","record":{"recordName":"c1","recordChangeTag":"zz"}},
             {"operationType":"create","record":{"recordName":"c3","recordType":"Clock"}}]}
            """)
        #expect(atomic.status == 200)
        #expect(atomic.text("records", "0", "serverErrorCode") == "CONFLICT")
        #expect(atomic.text("records", "1", "serverErrorCode") == "ATOMIC_ERROR")
        #expect(atomic.text("records", "1", "recordName") == "c3")
    }

    @Test("zones/modify, zones/list and zones/lookup")
    func zones() async throws {
        let web = await WebCloud()
        let zone = """
            {"zoneID":{"zoneName":"Z","ownerRecordName":"*","zoneType":"REGULAR_CUSTOM_ZONE"},
             "syncToken":"*","atomic":true}
            """
        let made = try await web.send(
            "zones/modify",
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Z"}}}]}"#)
        #expect(difference(made.json, object(#"{"zones":[\#(zone)]}"#)) == nil)
        let listed = try await web.send("zones/list", nil)
        let standard = """
            {"zoneID":{"zoneName":"_defaultZone","ownerRecordName":"*","zoneType":"DEFAULT_ZONE"},
             "atomic":false}
            """
        #expect(difference(listed.json, object(#"{"zones":[\#(zone),\#(standard)]}"#)) == nil)
        let found = try await web.send("zones/lookup", #"{"zones":[{"zoneName":"N"}]}"#)
        #expect(
            difference(
                found.json,
                object(
                    """
                    {"zones":[{"zoneID":{"zoneName":"N"},"serverErrorCode":"ZONE_NOT_FOUND",
                     "reason":"*"}]}
                    """)) == nil)
    }

    @Test("Changes of a zone and of the database, in the current and in the deprecated form")
    func changes() async throws {
        let web = await WebCloud()
        try await web.makeZone()
        _ = try await web.send("records/modify", Self.clock)
        let zoneID = #"{"zoneName":"Z","ownerRecordName":"*","zoneType":"REGULAR_CUSTOM_ZONE"}"#
        let page = #""records":[\#(Self.clockAnswer)],"syncToken":"*","moreComing":false"#
        let current = try await web.send(
            "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Z"}}]}"#)
        #expect(
            difference(current.json, object(#"{"zones":[{"zoneID":\#(zoneID),\#(page)}]}"#)) == nil)
        let old = try await web.send("records/changes", #"{"zoneID":{"zoneName":"Z"}}"#)
        #expect(difference(old.json, object("{\(page)}")) == nil)
        let token = try #require(old.text("syncToken"))
        #expect(Data(base64Encoded: token) != nil)
        _ = try await web.send(
            "records/modify",
            """
            {"zoneID":{"zoneName":"Z"},"operations":[
             {"operationType":"forceDelete","record":{"recordName":"c1"}}]}
            """)
        let next = try await web.send(
            "records/changes", #"{"zoneID":{"zoneName":"Z"},"syncToken":"\#(token)"}"#)
        #expect(
            difference(
                next.json,
                object(
                    """
                    {"records":[{"recordName":"c1","recordType?":"Clock","zoneID?":\(zoneID),
                     "deleted":true}],"syncToken":"*","moreComing":false}
                    """)) == nil)
        let zones = #"[{"zoneID":\#(zoneID),"syncToken":"*","atomic":true}]"#
        let database = try await web.send("changes/database", "{}")
        #expect(
            difference(
                database.json,
                object(#"{"zones":\#(zones),"syncToken":"*","moreComing":false}"#)) == nil)
        let meta = try await web.send("zones/changes", #"{"syncToken":"means nothing"}"#)
        #expect(
            difference(
                meta.json,
                object(#"{"zones":\#(zones),"metaSyncToken":"*","moreComing":false}"#)) == nil)
    }

    @Test("Subscriptions")
    func subscriptions() async throws {
        let web = await WebCloud()
        try await web.makeZone()
        let body = """
            {"subscriptionID":"s1","subscriptionType":"zone","zoneID":{"zoneName":"Z"}}
            """
        let made = try await web.send(
            "subscriptions/modify",
            #"{"operations":[{"operationType":"create","subscription":\#(body)}]}"#)
        let wanted = """
            {"subscriptions":[{"subscriptionID":"s1","subscriptionType":"zone",
             "zoneID":{"zoneName":"Z","ownerRecordName?":"*","zoneType?":"*"}}]}
            """
        #expect(difference(made.json, object(wanted)) == nil)
        #expect(
            difference(try await web.send("subscriptions/list", nil).json, object(wanted)) == nil)
        let missing = try await web.send(
            "subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"s2"}]}"#)
        #expect(
            difference(
                missing.json,
                object(
                    """
                    {"subscriptions":[{"subscriptionID":"s2","serverErrorCode":"NOT_FOUND",
                     "reason":"*"}]}
                    """)) == nil)
    }

    @Test("Users: the caller by both operations, and users who are looked up")
    func users() async throws {
        let web = await WebCloud()
        let caller = try await web.send("users/caller", nil, database: "public")
        #expect(difference(caller.json, object(#"{"userRecordName":"*"}"#)) == nil)
        let current = try await web.send("users/current", nil, database: "public")
        #expect(current.data == caller.data)
        let name = try #require(caller.text("userRecordName"))
        #expect(name == web.cloud.userRecordName(of: "ann", in: WebCloud.container))
        let discovered = try await web.send(
            "users/discover",
            """
            {"lookupInfos":[{"userRecordName":"\(name)"},{"emailAddress":"nobody@example.org"}]}
            """, database: "public")
        #expect(
            difference(
                discovered.json,
                object(
                    """
                    {"users":[{"userRecordName":"\(name)","nameComponents":{},
                     "lookupInfo":{"userRecordName":"\(name)"}}]}
                    """)) == nil)
        let byID = try await web.send(
            "users/lookup/id", #"{"users":[{"userRecordName":"\#(name)"}]}"#, database: "public")
        #expect(
            difference(byID.json, object(#"{"users":[{"userRecordName":"\#(name)"}]}"#)) == nil)
        let byEmail = try await web.send(
            "users/lookup/email", #"{"users":[{"emailAddress":"a@b"}]}"#, database: "public")
        #expect(byEmail.status == 200)
        #expect(byEmail.text("users", "0", "serverErrorCode") == "NOT_FOUND")
        let contacts = try await web.send("users/discover", nil, database: "public")
        #expect(contacts.status == 500)
        #expect(contacts.text("serverErrorCode") == "INTERNAL_ERROR")
    }

    @Test("Push tokens are created with or without a database in the path, and registered")
    func tokens() async throws {
        let web = await WebCloud()
        let made = try await web.send(
            "tokens/create", #"{"apnsEnvironment":"development"}"#, database: "public")
        #expect(
            difference(
                made.json,
                object(
                    #"{"apnsEnvironment":"development","apnsToken":"*","webcourierURL":"*"}"#))
                == nil)
        let token = try #require(made.text("apnsToken"))
        let registered = try await web.send(
            "tokens/register", #"{"apnsEnvironment":"development","apnsToken":"\#(token)"}"#,
            database: "public")
        #expect(registered.status == 200)
        #expect(registered.data.isEmpty)
        let query =
            "?ckAPIToken=\(WebCloud.apiToken)&ckWebAuthToken="
            + WebCloud.encoded(try await web.userToken())
        let device = Reply(
            await web.router.respond(
                to: WebServiceRequest(
                    method: "POST",
                    target: "/device/1/\(WebCloud.container)/development/tokens/create" + query,
                    body: .data(Data(#"{"apnsEnvironment":"production"}"#.utf8)))))
        #expect(device.status == 200)
        #expect(device.text("apnsEnvironment") == "production")
    }

    @Test("Every short GUID is invalid, which makes the request fail as a whole")
    func shares() async throws {
        let web = await WebCloud()
        for operation in ["records/resolve", "records/accept"] {
            let reply = try await web.send(
                operation, #"{"shortGUIDs":[{"value":"0aB"}]}"#, database: "public")
            #expect(reply.status == 400)
            #expect(
                difference(
                    reply.json,
                    object(#"{"uuid":"*","serverErrorCode":"BAD_REQUEST","reason":"*"}"#)) == nil)
        }
    }

    @Test("With numbersAsStrings, numbers are strings")
    func numbersAsStrings() async throws {
        let web = await WebCloud()
        try await web.makeZone()
        _ = try await web.send("records/modify", Self.clock)
        let reply = try await web.send(
            "records/lookup",
            """
            {"zoneID":{"zoneName":"Z"},"records":[{"recordName":"c1"}],"numbersAsStrings":true}
            """)
        #expect(reply.text("records", "0", "fields", "offset", "value") == "3600")
        #expect(reply.text("records", "0", "fields", "set", "value") == "1747999812347")
        #expect(reply.text("records", "0", "fields", "rate", "value") == "1.5")
    }

    /// The reference's entry for each code.
    private static let table: [(code: String, status: Int)] = [
        ("ACCESS_DENIED", 403), ("ATOMIC_ERROR", 400), ("AUTHENTICATION_FAILED", 401),
        ("AUTHENTICATION_REQUIRED", 421), ("BAD_REQUEST", 400), ("CONFLICT", 409),
        ("EXISTS", 409), ("INTERNAL_ERROR", 500), ("NOT_FOUND", 404), ("QUOTA_EXCEEDED", 413),
        ("THROTTLED", 429), ("TRY_AGAIN_LATER", 503), ("VALIDATING_REFERENCE_ERROR", 412),
        ("ZONE_NOT_FOUND", 404),
    ]

    @Test(
        "Every error has one of the documented codes with its status, a reason and an ID",
        arguments: Array(1...37).filter { ![2, 13].contains($0) })
    func errors(ckErrorCode: Int) async throws {
        let web = await WebCloud()
        try await web.makeZone()
        let code = ServerErrorCode(ckErrorCode: ckErrorCode)
        web.cloud.faults.add(
            .fail(CloudKitServiceError(code, retryAfter: 2)), for: .kind(.queryRecords))
        let reply = try await web.send(
            "records/query", #"{"zoneID":{"zoneName":"Z"},"query":{"recordType":"T"}}"#)
        let sent = try #require(reply.text("serverErrorCode"))
        let row = try #require(Self.table.first { $0.code == sent }, "\(sent) is not documented")
        #expect(reply.status == row.status)
        #expect(
            difference(
                reply.json,
                object(
                    """
                    {"uuid":"*","serverErrorCode":"\(sent)","reason":"*","retryAfter":2}
                    """)) == nil)
        #expect(reply.headers["Retry-After"] == "2")
        #expect(reply.headers["X-Apple-Request-UUID"] == reply.text("uuid"))
        // The package's client reads the more specific code.
        #expect(try JSONDecoder().decode(CloudKitServiceError.self, from: reply.data).code == code)
    }
}
