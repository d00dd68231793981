import CloudKitWebServices
import Foundation
import LocalCloud
import Testing

/// Forms of requests that other clients send and the reference does not mention.
@Suite("Requests of other clients")
struct ForeignRequestTests {
    /// Saves a record with a field of each type, so that the server learns the types.
    private func cloud(converts: Bool = true) async throws -> WebCloud {
        let web = await WebCloud { $0.convertsValuesWithoutType = converts }
        try await web.makeZone()
        let reply = try await web.send(
            "records/modify",
            """
            {"zoneID":{"zoneName":"Z"},"operations":[{"operationType":"create","record":{
             "recordName":"all","recordType":"T","fields":{
              "text":{"value":"x","type":"STRING"},"count":{"value":1,"type":"INT64"},
              "rate":{"value":1.5,"type":"DOUBLE"},"date":{"value":1,"type":"TIMESTAMP"},
              "data":{"value":"AQI=","type":"BYTES"},
              "dates":{"value":[1],"type":"TIMESTAMP_LIST"},
              "datas":{"value":["AQI="],"type":"BYTES_LIST"},
              "texts":{"value":["a"],"type":"STRING_LIST"},
              "place":{"value":{"latitude":1,"longitude":2},"type":"LOCATION"},
              "link":{"value":{"recordName":"r"},"type":"REFERENCE"}}}}]}
            """)
        #expect(reply.text("records", "0", "recordName") == "all", "\(reply.json ?? "")")
        return web
    }

    private func save(_ fields: String, to web: WebCloud) async throws -> Reply {
        try await web.send(
            "records/modify",
            """
            {"zoneID":{"zoneName":"Z"},"operations":[{"operationType":"forceUpdate","record":{
             "recordName":"r","recordType":"T","fields":\(fields)}}]}
            """)
    }

    /// A field as sent, and as returned.
    private static let values: [(sent: String, kept: String)] = [
        (#"{"date":{"value":1747999812347}}"#, #"{"value":1747999812347,"type":"TIMESTAMP"}"#),
        (#"{"date":{"value":1747999812347.89}}"#, #"{"value":1747999812348,"type":"TIMESTAMP"}"#),
        (
            #"{"date":{"value":1747999812347.4,"type":"TIMESTAMP"}}"#,
            #"{"value":1747999812347,"type":"TIMESTAMP"}"#
        ),
        (
            #"{"date":{"value":"1747999812347","type":"TIMESTAMP"}}"#,
            #"{"value":1747999812347,"type":"TIMESTAMP"}"#
        ),
        (#"{"data":{"value":"AQID"}}"#, #"{"value":"AQID","type":"BYTES"}"#),
        (#"{"rate":{"value":2}}"#, #"{"value":2,"type":"INT64"}"#),
        (#"{"rate":{"value":2.5}}"#, #"{"value":2.5,"type":"DOUBLE"}"#),
        (#"{"text":{"value":"y"}}"#, #"{"value":"y","type":"STRING"}"#),
        (#"{"count":{"value":true}}"#, #"{"value":1,"type":"INT64"}"#),
        (#"{"count":{"value":false,"type":"INT64"}}"#, #"{"value":0,"type":"INT64"}"#),
        (#"{"count":{"value":true,"type":"BOOLEAN"}}"#, #"{"value":1,"type":"INT64"}"#),
        (
            #"{"dates":{"value":[1.6,2],"type":"LIST"}}"#,
            #"{"value":[2,2],"type":"TIMESTAMP_LIST"}"#
        ),
        (#"{"dates":{"value":[3]}}"#, #"{"value":[3],"type":"TIMESTAMP_LIST"}"#),
        (#"{"datas":{"value":["AQID"]}}"#, #"{"value":["AQID"],"type":"BYTES_LIST"}"#),
        (
            #"{"texts":{"value":["p","q"],"type":"LIST"}}"#,
            #"{"value":["p","q"],"type":"STRING_LIST"}"#
        ),
        (
            #"{"place":{"value":{"latitude":3,"longitude":4,"timestamp":10.7}}}"#,
            #"{"value":{"latitude":3,"longitude":4,"timestamp":11},"type":"LOCATION"}"#
        ),
        (
            #"{"link":{"value":{"recordName":"q","action":"DELETE_SELF"}}}"#,
            #"{"value":{"recordName":"q","action":"DELETE_SELF"},"type":"REFERENCE"}"#
        ),
        (
            #"{"text":{"value":"z","type":null,"isEncrypted":null,"unknown":{"a":[1]}}}"#,
            #"{"value":"z","type":"STRING"}"#
        ),
    ]

    @Test(
        "A value without a type, or with an unspecific one, is converted to the field's type",
        arguments: values.indices)
    func value(index: Int) async throws {
        let web = try await cloud()
        let reply = try await save(Self.values[index].sent, to: web)
        let fields = try #require(
            reply["records", "0", "fields"] as? [String: Any], "\(reply.json ?? "")")
        #expect(fields.count == 1)
        #expect(difference(fields.values.first, object(Self.values[index].kept)) == nil)
        let again = try await web.send(
            "records/lookup", #"{"zoneID":{"zoneName":"Z"},"records":[{"recordName":"r"}]}"#)
        let stored = again["records", "0", "fields"] as? [String: Any]
        #expect(difference(stored?.values.first, object(Self.values[index].kept)) == nil)
    }

    @Test("A strict server derives the type of an untyped value from its form, and refuses it")
    func strict() async throws {
        let web = try await cloud(converts: false)
        let reply = try await save(#"{"date":{"value":1747999812347}}"#, to: web)
        #expect(reply.status == 200)
        #expect(reply.text("records", "0", "serverErrorCode") == "BAD_REQUEST")
    }

    @Test(
        "A value of a wrong type fails with its record, and the others are saved",
        arguments: [
            #"{"date":{"value":"tomorrow","type":"TIMESTAMP"}}"#, #"{"date":{"value":"tomorrow"}}"#,
            #"{"count":{"value":1.5,"type":"INT64"}}"#, #"{"data":{"value":"?!","type":"BYTES"}}"#,
            #"{"data":{"value":"?!"}}"#, #"{"text":{"value":1,"type":"NONSENSE"}}"#, #"{"text":7}"#,
            #"{"place":{"value":{"latitude":1},"type":"LOCATION"}}"#,
            #"{"date":{"value":1e40,"type":"TIMESTAMP"}}"#,
        ])
    func oneBadItem(fields: String) async throws {
        let web = try await cloud()
        func body(_ atomic: Bool) -> String {
            """
            {"zoneID":{"zoneName":"Z"},"atomic":\(atomic),"operations":[
             {"operationType":"forceUpdate","record":{"recordName":"a","recordType":"T",
              "fields":{"text":{"value":"fine"}}}},
             {"operationType":"forceUpdate","record":{"recordName":"b","recordType":"T",
              "fields":\(fields)}}]}
            """
        }
        let atomic = try await web.send("records/modify", body(true))
        #expect(atomic.status == 200)
        #expect(atomic.text("records", "0", "serverErrorCode") == "ATOMIC_ERROR")
        #expect(atomic.text("records", "1", "serverErrorCode") == "BAD_REQUEST")
        let reply = try await web.send("records/modify", body(false))
        #expect(reply.status == 200)
        #expect(reply.text("records", "0", "recordChangeTag") != nil)
        #expect(reply.text("records", "1", "serverErrorCode") == "BAD_REQUEST")
        #expect(reply.text("records", "1", "recordName") == "b")
        #expect(reply.text("records", "1", "reason")?.isEmpty == false)
    }

    @Test("Null counts as absent, except that it clears a field and the parent")
    func nulls() async throws {
        let web = try await cloud()
        let reply = try await web.send(
            "records/modify",
            """
            {"zoneID":{"zoneName":"Z","ownerRecordName":null},"atomic":null,"desiredKeys":null,
             "numbersAsStrings":null,"unknown":1,"operations":[{"operationType":"forceUpdate",
              "desiredKeys":null,"record":{"recordName":"child","recordType":"T","zoneID":null,
               "recordChangeTag":null,"created":null,"parent":{"recordName":"all"},
               "fields":{"text":{"value":"x"},"count":{"value":1}}}}]}
            """)
        #expect(reply.text("records", "0", "parent", "recordName") == "all", "\(reply.json ?? "")")
        let cleared = try await web.send(
            "records/modify",
            """
            {"zoneID":{"zoneName":"Z"},"operations":[{"operationType":"forceUpdate","record":{
              "recordName":"child","recordType":"T","parent":null,"fields":{"text":{"value":null},
              "count":null,"rate":{}}}}]}
            """)
        #expect(cleared["records", "0", "parent"] == nil)
        #expect((cleared["records", "0", "fields"] as? [String: Any])?.isEmpty == true)
        let query = try await web.send(
            "records/query",
            """
            {"zoneID":{"zoneName":"Z"},"zoneWide":null,"resultsLimit":null,"continuationMarker":null,
             "query":{"recordType":"T","filterBy":null,"sortBy":null}}
            """)
        #expect((query["records"] as? [Any])?.count == 2)
    }

    @Test("A filter without a value type uses the field's type")
    func filters() async throws {
        let web = try await cloud()
        for filter in [
            #"{"comparator":"EQUALS","fieldName":"date","fieldValue":{"value":1}}"#,
            #"{"comparator":"LESS_THAN","fieldName":"date","fieldValue":{"value":1.6}}"#,
            #"{"comparator":"IN","fieldName":"date","fieldValue":{"value":[1,2],"type":"LIST"}}"#,
            #"{"comparator":"LIST_CONTAINS","fieldName":"dates","fieldValue":{"value":1}}"#,
            #"{"comparator":"GREATER_THAN","systemFieldName":"createdTimestamp","fieldValue":{"value":1}}"#,
        ] {
            let reply = try await web.send(
                "records/query",
                """
                {"zoneID":{"zoneName":"Z"},"query":{"recordType":"T","filterBy":[\(filter)]}}
                """)
            #expect(reply.status == 200, "\(filter): \(reply.json ?? "")")
            #expect((reply["records"] as? [Any])?.count == 1, "\(filter)")
        }
    }

    @Test("The zone's owner may be named in three ways")
    func owners() async throws {
        let web = try await cloud()
        let caller = try await web.send("users/caller", nil, database: "public")
        let name = try #require(caller.text("userRecordName"))
        for owner in [
            #""ownerName":"__defaultOwner__""#, #""ownerRecordName":"__defaultOwner__""#,
            #""ownerRecordName":"\#(name)""#, #""ownerName":"\#(name)""#,
        ] {
            let reply = try await web.send(
                "records/lookup",
                #"{"zoneID":{"zoneName":"Z",\#(owner)},"records":[{"recordName":"all"}]}"#)
            #expect(reply.text("records", "0", "recordName") == "all", "\(owner)")
            #expect(reply.text("records", "0", "zoneID", "ownerRecordName") == name)
        }
    }

    @Test("The content type does not matter, and a token may be encoded twice or not at all")
    func loose() async throws {
        let web = try await cloud()
        let token = try await web.userToken()
        let once = WebCloud.encoded(token)
        let plus = token.replacingOccurrences(of: "=", with: "%3D")
        for text in [once, WebCloud.encoded(once), plus, token] {
            let reply = Reply(
                await web.router.respond(
                    to: WebServiceRequest(
                        method: "POST",
                        target: "/database/1/\(WebCloud.container)/development/private/zones/lookup"
                            + "?ckWebAuthToken=\(text)&ckAPIToken=\(WebCloud.apiToken)",
                        headers: ["Content-Type": "text/plain"],
                        body: .data(Data(#"{"zones":[{"zoneName":"Z"}]}"#.utf8)))))
            #expect(reply.status == 200, "\(text)")
        }
    }

    @Test("The limits are those of the web services")
    func limits() async throws {
        let web = try await cloud()
        func names(_ count: Int) -> String {
            (0..<count).map { #"{"recordName":"n\#($0)"}"# }.joined(separator: ",")
        }
        func lookUp(_ count: Int) async throws -> Reply {
            try await web.send(
                "records/lookup", #"{"zoneID":{"zoneName":"Z"},"records":[\#(names(count))]}"#)
        }
        #expect(try await lookUp(200).status == 200)
        let refused = try await lookUp(201)
        #expect(refused.status == 400)
        #expect(refused.text("serverErrorCode") == "BAD_REQUEST")
        let atomic = try await web.send(
            "records/modify",
            """
            {"atomic":true,"operations":[{"operationType":"create","record":{"recordName":"x",
             "recordType":"T"}}]}
            """)
        #expect(atomic.status == 400)
        #expect(atomic.text("reason") == "atomic operations not supported in default zone")
        let standard = try await web.send(
            "records/changes", #"{"zoneID":{"zoneName":"_defaultZone"}}"#)
        #expect(standard.status == 400)
        #expect(standard.text("reason") == "cannot get changes in default zone")
    }

    @Test(
        "An invalid request is refused and does no harm",
        arguments: ["", "[]", "null", "7", "{", #"{"operations":3}"#, #"{"operations":null}"#])
    func noRequest(body: String) async throws {
        let web = try await cloud()
        let reply = try await web.send("records/modify", body, method: "POST")
        #expect(reply.status == 400)
        #expect(reply.text("serverErrorCode") == "BAD_REQUEST")
    }
}
