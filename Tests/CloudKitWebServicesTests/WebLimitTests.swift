import CloudKitWebServices
import Foundation
import LocalCloud
import Testing

/// How much a request may ask for, wherever in it that is.
@Suite("Limits of requests over HTTP")
struct WebLimitTests {
    /// A body with as many empty elements in each of its lists as it may have, and one more.
    private static func list(_ count: Int, _ element: String = "{}") -> String {
        "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }

    @Test(
        "Each list of each body is counted before it is decoded",
        arguments: [
            ("records/modify", #"{"operations":LIST}"#, "{}"),
            (
                "records/modify",
                #"{"operations":[{"operationType":"create","record":{"recordType":"T"},"desiredKeys":LIST}]}"#,
                #""k""#
            ),
            ("records/lookup", #"{"records":LIST}"#, "{}"),
            ("records/lookup", #"{"records":[],"desiredKeys":LIST}"#, #""k""#),
            ("records/query", #"{"query":{"recordType":"T","filterBy":LIST}}"#, "{}"),
            ("records/query", #"{"query":{"recordType":"T","sortBy":LIST}}"#, "{}"),
            ("changes/zone", #"{"zones":LIST}"#, "{}"),
            ("changes/zone", #"{"zones":[],"desiredRecordTypes":LIST}"#, #""T""#),
            ("records/changes", #"{"desiredKeys":LIST}"#, #""k""#),
            ("zones/lookup", #"{"zones":LIST}"#, "{}"),
            ("zones/modify", #"{"operations":LIST}"#, "{}"),
            ("subscriptions/lookup", #"{"subscriptions":LIST}"#, "{}"),
            ("subscriptions/modify", #"{"operations":LIST}"#, "{}"),
            ("users/lookup/email", #"{"users":LIST}"#, "{}"),
            ("users/discover", #"{"lookupInfos":LIST}"#, "{}"),
            ("assets/upload", #"{"tokens":LIST}"#, "{}"),
            ("assets/rereference", #"{"assets":LIST}"#, "{}"),
            ("records/resolve", #"{"shortGUIDs":LIST}"#, "{}"),
        ])
    func lists(operation: String, body: String, element: String) async throws {
        let web = await WebCloud()
        let long = body.replacingOccurrences(of: "LIST", with: Self.list(1_001, element))
        let reply = try await web.send(operation, long)
        #expect(reply.text("extendedErrorCode") == "LIMIT_EXCEEDED", "\(reply.json ?? "")")
        let short = body.replacingOccurrences(of: "LIST", with: Self.list(1_000, element))
        let other = try await web.send(operation, short)
        #expect(other.text("reason")?.hasPrefix("A list of the request") != true)
    }

    @Test("The value of a field may be long, and a body has a greatest number of values")
    func values() async throws {
        let web = await WebCloud()
        func reply(_ count: Int) async throws -> Reply {
            let values = Self.list(count, "1")
            return try await web.send(
                "records/modify",
                #"{"operations":[{"operationType":"create","record":{"recordName":"\#(count)","recordType":"T","fields":{"numbers":{"value":\#(values)}}}}]}"#
            )
        }
        #expect(try await reply(5_000).text("records", "0", "recordName") == "5000")
        #expect(try await reply(300_000).text("extendedErrorCode") == "LIMIT_EXCEEDED")
    }

    @Test("Brackets and commas in texts are no lists, and quotation marks in them end nothing")
    func texts() async throws {
        let web = await WebCloud()
        let text = String(repeating: #"[,\"\\"#, count: 5_000)
        let reply = try await web.send(
            "records/modify",
            #"{"operations":[{"operationType":"create","record":{"recordName":"r","recordType":"T","fields":{"text":{"value":"\#(text)"}}}}]}"#
        )
        #expect(reply.text("records", "0", "recordName") == "r")
    }

    @Test(
        "A body that is no JSON is refused, whatever is counted in it",
        arguments: ["]]]]}}", "[[[", "\"", "\"\\", "{\"value\":[", ",,,,", "\u{0}"])
    func nonsense(body: String) async throws {
        let reply = try await WebCloud().send("records/modify", body)
        #expect(reply.status == 400)
    }

    @Test("A body is not nested without end")
    func depth() async throws {
        let nested = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        let reply = try await WebCloud().send("records/modify", #"{"operations":\#(nested)}"#)
        #expect(reply.text("extendedErrorCode") == "LIMIT_EXCEEDED")
    }

    @Test("The name of a device has a limit")
    func deviceNames() async throws {
        let web = await WebCloud()
        for (count, status) in [(255, 200), (256, 400)] {
            let name = String(repeating: "d", count: count)
            let reply = try await web.send("zones/list", nil, headers: ["X-Seam3-Device": name])
            #expect(reply.status == status)
        }
    }

    @Test("Apps without a user do not use up each other's allowance")
    func appAllowances() async throws {
        var options = WebServiceRouterOptions()
        options.allowance = WebServiceAllowance(requests: 2, bytes: 1_000_000)
        let web = await WebCloud(options: options)
        func status(_ peer: String) async -> Int {
            let path = "/database/1/\(WebCloud.container)/development/public/records/lookup"
            return await web.router.respond(
                to: WebServiceRequest(
                    method: "POST", target: "\(path)?ckAPIToken=\(WebCloud.apiToken)",
                    body: .data(Data(#"{"records":[]}"#.utf8)), peer: peer)
            ).status
        }
        #expect(await status("192.0.2.1") == 200)
        #expect(await status("192.0.2.1") == 200)
        #expect(await status("192.0.2.1") == 429)
        #expect(await status("192.0.2.2") == 200)
    }

    @Test("A user's push tokens make room for each other, and not for another user's")
    func pushTokens() async throws {
        var options = WebServiceRouterOptions()
        options.maximumPushTokensOfUser = 2
        let web = await WebCloud(options: options)
        func makeToken(_ user: String) async throws -> String {
            web.clock.advance(1)
            let reply = try await web.send("tokens/create", database: "public", user: user)
            return try #require(reply.text("apnsToken"))
        }
        func isKnown(_ token: String) async throws -> Bool {
            try await web.send(
                "tokens/register", #"{"apnsToken":"\#(token)"}"#, database: "public"
            ).status == 200
        }
        let bobs = try await makeToken("bob")
        let (first, second, third) = (
            try await makeToken("ann"), try await makeToken("ann"), try await makeToken("ann")
        )
        var known: [Bool] = []
        for token in [bobs, first, second, third] { known.append(try await isKnown(token)) }
        #expect(known == [true, false, true, true])
    }
}
