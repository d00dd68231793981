import CloudKitWebServices
import CloudServer
import Foundation
import Testing

/// What ends a user's session, and that it stays ended.
@Suite("Sessions", .timeLimit(.minutes(2)))
struct SessionTests {
    private static let header = "x-apple-cloudkit-web-auth-token"

    private static func reply(_ running: RunningServer, _ token: String) async throws -> RawReply {
        try await running.send(
            "GET",
            "/database/1/\(RunningServer.container)/development/private/zones/list"
                + "?ckAPIToken=\(RunningServer.apiToken)&ckWebAuthToken=\(encoded(token))")
    }

    /// Uses a token, and returns the next.
    private static func renewed(_ token: String, _ running: RunningServer) async throws -> String {
        try #require(try await reply(running, token).headers[header])
    }

    /// What becomes of a user before the server is started again.
    enum Change: String, CaseIterable, Sendable {
        case none, otherUsersCode, newCode, removal, newAPIToken, end, endByConsole

        func apply(to settings: inout ServerSettings) {
            switch self {
            case .otherUsersCode: settings.users[1] = ServerSettings.User.make("bob").user
            case .newCode: settings.users[0] = ServerSettings.User.make("ann").user
            case .removal: settings.users.removeFirst()
            case .newAPIToken: settings.apiTokens[0].token = "other"
            case .none, .end, .endByConsole: break
            }
        }
    }

    @Test(
        "After a new code, the user's removal or the session's end no token renews itself again",
        arguments: Change.allCases)
    func restarts(change: Change) async throws {
        try await withTemporaryFolder { folder in
            let tokens = Tokens()
            try await RunningServer.run(in: folder) { running in
                let first = try await running.token()
                let second = try await Self.renewed(first, running)
                await tokens.keep([first, second])
                guard let session = await running.server.accounts.sessions.first else {
                    Issue.record("There is no session")
                    return
                }
                switch change {
                case .end: try await running.server.endSession(session.id)
                case .endByConsole:
                    let console = try await ConsoleClient.administrator(running)
                    #expect(try await console.post("endSession", "id=\(session.id)").status == 303)
                default: return
                }
                for token in [first, second] {
                    #expect(try await Self.reply(running, token).status == 421)
                }
            }
            for _ in 0..<2 {
                try await RunningServer.run(
                    in: folder, { settings, _ in change.apply(to: &settings) }
                ) { running in
                    let isGood = [.none, .otherUsersCode].contains(change)
                    for token in await tokens.all {
                        let status = try await Self.reply(running, token).status
                        let refusal = change == .newAPIToken ? 401 : 421
                        #expect(status == (isGood ? 200 : refusal))
                    }
                }
            }
        }
    }

    private actor Tokens {
        private(set) var all: [String] = []
        func keep(_ tokens: [String]) { all = tokens }
    }

    @Test("Who signed in with any name is out when the server is open no longer")
    func closedAgain() async throws {
        try await withTemporaryFolder { folder in
            let tokens = Tokens()
            try await RunningServer.run(in: folder, { $1.signIn = .anybody }) { running in
                await tokens.keep([try await running.token("eve"), try await running.token("ann")])
                for token in await tokens.all {
                    #expect(try await Self.reply(running, token).status == 200)
                }
            }
            try await RunningServer.run(in: folder) { running in
                let all = await tokens.all
                let (eves, anns) = (
                    try await Self.reply(running, all[0]), try await Self.reply(running, all[1])
                )
                #expect(eves.status == 421)
                // Ann has a code.
                #expect(anns.status == 200)
                await #expect(throws: CloudKitServiceError.self) { try await running.token("eve") }
            }
        }
    }

    @Test("A session has a greatest age, however often its tokens are renewed")
    func age() async throws {
        try await RunningServer.run({ $1.sessionAge = 60 * 60 }) { running in
            var token = try await running.token()
            for _ in 0..<5 {
                running.clock.advance(11 * 60)
                token = try await Self.renewed(token, running)
            }
            #expect(await running.server.accounts.sessions.count == 1)
            running.clock.advance(5 * 60)
            #expect(await running.server.accounts.sessions.isEmpty)
            #expect(try await Self.reply(running, token).status == 421)
            #expect(try await Self.reply(running, try await running.token()).status == 200)
        }
    }

    @Test("With a session its tokens for pushes end, and no other's")
    func pushes() async throws {
        try await RunningServer.run { running in
            func address(_ user: String) async throws -> String {
                let answer = try await running.operation(
                    "tokens/create", database: "public", user: user)
                let url = try #require(answer.value("webcourierURL"))
                return String(url.dropFirst(running.url.absoluteString.count))
            }
            let (anns, bobs) = (try await address("ann"), try await address("bob"))
            let sessions = await running.server.accounts.sessions
            let session = try #require(sessions.first { $0.user == "ann" })
            try await running.server.endSession(session.id)
            #expect(try await running.send("GET", anns).status == 404)
            #expect(
                await running.server.router.pushTokens.map(\.context.device) == ["user/bob/courier"]
            )
            #expect(bobs.hasPrefix("/courier/"))
        }
    }

    @Test("A server whose list of ended sessions is damaged does not start")
    func damage() async throws {
        try await withTemporaryFolder { folder in
            try Data("{".utf8).write(to: folder.appendingPathComponent("EndedSessions.json"))
            await #expect(throws: DecodingError.self) {
                try await RunningServer.run(in: folder) { _ in }
            }
        }
    }
}
