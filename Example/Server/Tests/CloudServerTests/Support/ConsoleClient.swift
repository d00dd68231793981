import Foundation
import Testing

/// A browser that uses the console.
struct ConsoleClient: Sendable {
    private let running: RunningServer
    /// The cookie, as it is sent.
    let cookie: String
    /// What a form of a page has in it for this browser.
    let form: String

    /// A browser where the address that opens the server was entered.
    static func open(_ running: RunningServer) async throws -> ConsoleClient {
        let entered = try await running.send("GET", running.entrance)
        #expect(entered.status == 303 && entered.headers["location"] == "/")
        let cookie = try cookie(of: entered)
        let page = try await running.send("GET", "/console/faults", headers: ["Cookie": cookie])
        return ConsoleClient(running: running, cookie: cookie, form: try form(of: page))
    }

    /// A browser of the administrator.
    static func administrator(_ running: RunningServer) async throws -> ConsoleClient {
        let visitor = try await cookie(running)
        let page = try await running.send("GET", "/", headers: ["Cookie": visitor])
        #expect(page.status == 401)
        let body = "form=\(try form(of: page))&token="
        let headers = [
            "Cookie": visitor, "Content-Type": "application/x-www-form-urlencoded",
        ]
        let wrong = try await running.send(
            "POST", "/console/administrator", headers: headers, body: body + "wrong")
        #expect(wrong.status == 401 && wrong.headers["set-cookie"] == nil)
        let reply = try await running.send(
            "POST", "/console/administrator", headers: headers,
            body: body + running.settings.administratorToken)
        #expect(reply.status == 303)
        let cookie = try cookie(of: reply)
        let console = try await running.send("GET", "/console/faults", headers: ["Cookie": cookie])
        return ConsoleClient(running: running, cookie: cookie, form: try form(of: console))
    }

    /// The cookie of a new browser.
    static func cookie(_ running: RunningServer) async throws -> String {
        try cookie(of: try await running.send("GET", "/"))
    }

    private static func cookie(of reply: RawReply) throws -> String {
        String(try #require(reply.headers["set-cookie"]).prefix { $0 != ";" })
    }

    private static func form(of page: RawReply) throws -> String {
        String(try #require(page.text.firstMatch(of: /name="form" value="([^"]+)"/)).1)
    }

    func get(_ target: String) async throws -> RawReply {
        try await running.send("GET", target, headers: ["Cookie": cookie])
    }

    /// Presses a button.
    func post(
        _ action: String, _ fields: String, headers: [String: String] = [:]
    ) async throws -> RawReply {
        try await running.send(
            "POST", "/console/actions/\(action)",
            headers: [
                "Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded",
                "Origin": running.url.absoluteString, "Sec-Fetch-Site": "same-origin",
            ].merging(headers) { $1 }, body: "form=\(form)&\(fields)")
    }
}

/// A part of a page without its escapes.
func unescaped(_ text: String) -> String {
    text.replacing(/&#(\d+);/.matchingSemantics(.unicodeScalar)) { match in
        UInt32(match.1).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
    }
}
