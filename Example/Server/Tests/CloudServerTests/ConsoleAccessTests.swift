import CloudServer
import Foundation
import Testing

/// Who may use the console.
@Suite("The doors of the console", .timeLimit(.minutes(2)))
struct ConsoleAccessTests {
    enum Visitor: String, CaseIterable, Sendable {
        /// The console is not open, and the visitor has nothing.
        case stranger, wrongToken, forgedSession, visitorsSession, expiredSession, webAuthToken
        /// The console is open to this machine, and the visitor does not have its address: this is all that a
        /// server sees of a request that a proxy passes on.
        case proxiedSilently, wrongKey, noKey, partOfKey, longKey, visitorOfOpen
        /// The visitor has the address, but the request was not made on this machine and for it.
        case otherName, proxied, forwarded
    }

    private static let closedVisitors: [Visitor] = [
        .stranger, .wrongToken, .forgedSession, .visitorsSession, .expiredSession, .webAuthToken,
    ]

    @Test("Nobody sees or does anything without leave", arguments: Visitor.allCases)
    func matrix(visitor: Visitor) async throws {
        let isOpen = !Self.closedVisitors.contains(visitor)
        try await RunningServer.run({ _, options in
            options.opensConsoleOnLoopback = isOpen
        }) { running in
            try await running.makeNote("ann's secret")
            var headers = try await Self.headers(of: visitor, running)
            var query = ConsoleTests.place
            if visitor == .webAuthToken {
                query +=
                    "&ckAPIToken=\(RunningServer.apiToken)&ckWebAuthToken="
                    + encoded(try await running.token())
            }
            let start = Self.start(of: visitor, running)
            let statuses = start.isEmpty ? [401, 403, 421] : [404]
            for page in ConsoleTests.pages {
                let reply = try await running.send(
                    "GET", "\(start)\(page)?\(query)&zone=Z&type=Note&record=r&field=photo",
                    headers: headers)
                #expect(statuses.contains(reply.status), "\(page): \(reply.status)")
                #expect(!reply.text.contains("secret") && !reply.text.contains("ann<"), "\(page)")
            }
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            for action in ConsoleTests.actions {
                let reply = try await running.send(
                    "POST", "\(start)/console/actions/\(action)", headers: headers,
                    body: "\(query)&zone=Z&effect=throttled&device=user/ann&status=noAccount")
                #expect(statuses.contains(reply.status), "\(action): \(reply.status)")
            }
            let zones = try await running.operation("zones/list", nil)
            #expect(zones.status == 200 && zones.text.contains(#""Z""#))
        }
    }

    /// What a visitor's paths begin with.
    private static func start(of visitor: Visitor, _ running: RunningServer) -> String {
        switch visitor {
        case .wrongKey: "/open/" + String(repeating: "0", count: 32)
        case .noKey: "/open"
        case .partOfKey: String(running.entrance.dropLast())
        case .longKey: running.entrance + "0"
        case .otherName, .proxied, .forwarded: running.entrance
        default: ""
        }
    }

    private static func headers(
        of visitor: Visitor, _ running: RunningServer
    ) async throws -> [String: String] {
        let cookie = "seam3-console"
        switch visitor {
        case .stranger, .webAuthToken, .proxiedSilently, .wrongKey, .noKey, .partOfKey, .longKey:
            return [:]
        case .wrongToken, .visitorOfOpen:
            let session = try await ConsoleClient.cookie(running)
            return ["Cookie": session]
        case .forgedSession:
            let code = String(repeating: "0", count: 64)
            return ["Cookie": "\(cookie)=administrator.99999999999.0.\(code)"]
        case .visitorsSession:
            let session = try await ConsoleClient.cookie(running)
            return [
                "Cookie": session.replacingOccurrences(of: "=visitor.", with: "=administrator.")
            ]
        case .expiredSession:
            let client = try await ConsoleClient.administrator(running)
            running.clock.advance(13 * 60 * 60)
            return ["Cookie": client.cookie]
        case .otherName: return ["Host": "console.example.org"]
        case .proxied: return ["X-Forwarded-For": "203.0.113.1"]
        case .forwarded: return ["Forwarded": "for=203.0.113.1"]
        }
    }

    @Test("The administrator's token opens the console, and a new one closes it again")
    func administrator() async throws {
        try await RunningServer.run { running in
            let client = try await ConsoleClient.administrator(running)
            let page = try await client.get("/")
            #expect(page.status == 200)
            #expect(page.text.contains("administrator"))
            var settings = running.settings
            settings.administratorToken = ServerSettings.randomText()
            try settings.write(to: running.folder)
            try await RunningServer.run(in: running.folder) { restarted in
                let reply = try await restarted.send("GET", "/", headers: ["Cookie": client.cookie])
                #expect(reply.status == 401)
            }
        }
    }

    @Test("Who has opened the console is out when the server is open no longer")
    func closedAgain() async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            let client = try await ConsoleClient.open(running)
            #expect(try await client.get("/").status == 200)
            let entrance = running.entrance
            try await RunningServer.run(in: running.folder) { restarted in
                let page = try await restarted.send("GET", "/", headers: ["Cookie": client.cookie])
                #expect(page.status == 401)
                let door = try await restarted.send("GET", entrance)
                #expect(door.status == 404)
            }
            // The address is the same each time the server is open.
            try await RunningServer.run(
                in: running.folder, { $1.opensConsoleOnLoopback = true }
            ) { restarted in
                #expect(restarted.entrance == entrance)
                let page = try await restarted.send("GET", "/", headers: ["Cookie": client.cookie])
                #expect(page.status == 200)
            }
        }
    }

    @Test("The address that opens the console opens each page, and is not in the page's own")
    func entrance() async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            let reply = try await running.send("GET", "\(running.entrance)/console/faults?a=b")
            #expect(reply.status == 303)
            #expect(reply.headers["location"] == "/console/faults?a=b")
            let client = try await ConsoleClient.open(running)
            let key = try #require(running.entrance.split(separator: "/").last)
            // The page about containers says how to connect, with the key.
            for page in ConsoleTests.pages.dropFirst() where !page.hasSuffix("asset") {
                let shown = try await client.get("\(page)?\(ConsoleTests.place)")
                #expect(!shown.text.contains(key), "\(page)")
            }
            let connect = try await client.get("/").text
            #expect(unescaped(connect).contains("--server \(running.url)\(running.entrance) "))
        }
    }

    @Test("A session is a cookie that scripts and other sites do not get")
    func cookie() async throws {
        try await RunningServer.run({ $1.opensConsoleOnLoopback = true }) { running in
            let cookie = try #require(try await running.send("GET", "/").headers["set-cookie"])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        }
    }
}
