import CloudKit
import CloudKitWebServices
import Foundation
import LocalCloud
import Testing

/// Permissions, tested on both sides of the socket.
@Suite("Authentication over HTTP")
struct WebAuthenticationTests {
    // MARK: - The server

    /// The credentials of a request.
    enum Visitor: String, CaseIterable, Sendable {
        case nobody, wrongAPIToken, app, brokenToken, expiredToken, tokenOfOtherApp, user
        case userInOtherContainer, unknownKey, badSignature, oldSignature, replayedSignature
        case signatureOfOtherBody, key, keyInOtherContainer, keyAndToken
    }

    private static let operations: [(name: String, body: String?, database: String)] = [
        ("records/query", #"{"query":{"recordType":"T"}}"#, "public"),
        ("records/lookup", #"{"records":[{"recordName":"r"}]}"#, "public"),
        (
            "records/modify",
            #"{"operations":[{"operationType":"forceUpdate","record":{"recordName":"w","recordType":"T"}}]}"#,
            "public"
        ),
        ("records/query", #"{"query":{"recordType":"T"}}"#, "private"),
        ("records/lookup", #"{"records":[{"recordName":"r"}]}"#, "private"),
        ("records/modify", #"{"operations":[]}"#, "private"),
        ("records/changes", #"{"zoneID":{"zoneName":"Z"}}"#, "private"),
        ("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Z"}}]}"#, "private"),
        ("changes/database", "{}", "private"), ("zones/changes", "{}", "private"),
        ("zones/list", nil, "private"), ("zones/lookup", #"{"zones":[]}"#, "private"),
        ("zones/modify", #"{"operations":[]}"#, "private"),
        ("subscriptions/list", nil, "private"),
        ("subscriptions/lookup", #"{"subscriptions":[]}"#, "private"),
        ("subscriptions/modify", #"{"operations":[]}"#, "private"),
        ("users/caller", nil, "public"), ("users/current", nil, "public"),
        ("users/discover", #"{"lookupInfos":[]}"#, "public"),
        ("users/lookup/email", #"{"users":[]}"#, "public"),
        ("users/lookup/id", #"{"users":[]}"#, "public"),
        ("assets/upload", #"{"tokens":[]}"#, "private"),
        ("assets/rereference", #"{"assets":[]}"#, "private"),
        ("tokens/create", "{}", "public"), ("zones/list", nil, "shared"),
    ]

    /// The status of the response to an operation, for a kind of caller.
    private func expected(
        _ visitor: Visitor, _ operation: (name: String, body: String?, database: String)
    ) -> Set<Int> {
        let isPublic = operation.database == "public"
        let isRead = ["records/query", "records/lookup"].contains(operation.name)
        switch visitor {
        case .user: return [200, 404]
        case .app: return isPublic && isRead ? [200, 404] : [421]
        case .expiredToken, .brokenToken, .tokenOfOtherApp: return [421]
        case .key:
            guard isPublic else { return [403] }
            return operation.name.hasPrefix("records/") ? [200, 404] : [403]
        default: return [401]
        }
    }

    @Test("Every operation for every kind of caller", arguments: Visitor.allCases)
    func matrix(visitor: Visitor) async throws {
        let web = await WebCloud()
        try await web.makeZone()
        for operation in Self.operations {
            let request = try await request(visitor, operation, to: web)
            if visitor == .replayedSignature { _ = await web.router.respond(to: request) }
            let reply = Reply(await web.router.respond(to: request))
            #expect(
                expected(visitor, operation).contains(reply.status),
                "\(operation.name) in \(operation.database): \(reply.status) \(reply.json ?? "")")
            if reply.status == 421 {
                #expect(
                    difference(
                        reply.json,
                        object(
                            """
                            {"uuid":"*","serverErrorCode":"AUTHENTICATION_REQUIRED","reason":
                             "request needs authorization","redirectURL":"*"}
                            """)) == nil)
            }
            if visitor == .user { #expect(reply.headers["X-Apple-CloudKit-Web-Auth-Token"] != nil) }
        }
    }

    private func request(
        _ visitor: Visitor, _ operation: (name: String, body: String?, database: String),
        to web: WebCloud
    ) async throws -> WebServiceRequest {
        let other = [.userInOtherContainer, .keyInOtherContainer].contains(visitor)
        let container = other ? "iCloud.other" : WebCloud.container
        let path = "/database/1/\(container)/development/\(operation.database)/\(operation.name)"
        let body = Data((operation.body ?? "").utf8)
        var request = WebServiceRequest(
            method: operation.body == nil ? "GET" : "POST", target: path, body: .data(body))
        let api = "?ckAPIToken=\(WebCloud.apiToken)"
        let token = WebCloud.encoded(try await web.userToken())
        switch visitor {
        case .nobody: break
        case .wrongAPIToken: request.target += "?ckAPIToken=x&ckWebAuthToken=\(token)"
        case .app: request.target += api
        case .brokenToken:
            request.target += api + "&ckWebAuthToken=" + token.dropLast(8) + "AAAAAAAA"
        case .expiredToken:
            request.target += api + "&ckWebAuthToken=" + token
            web.clock.advance(31 * 60)
        case .tokenOfOtherApp:
            await web.accounts.addAPIToken(
                "api-token-2", container: container, environment: .development)
            request.target += "?ckAPIToken=api-token-2&ckWebAuthToken=" + token
        case .user, .userInOtherContainer: request.target += api + "&ckWebAuthToken=" + token
        default: sign(&request, visitor, path: path, body: body, now: web.clock.now)
        }
        if visitor == .keyAndToken { request.target += api }
        return request
    }

    private func sign(
        _ request: inout WebServiceRequest, _ visitor: Visitor, path: String, body: Data, now: Date
    ) {
        let formatter = ISO8601DateFormatter()
        let date = formatter.string(from: now - (visitor == .oldSignature ? 601 : 0))
        let hash = Self.sha256(visitor == .signatureOfOtherBody ? Data("x".utf8) : body)
        var signature = TestKey.sign(Data("\(date):\(hash):\(path)".utf8))
        if visitor == .badSignature { signature[signature.startIndex] ^= 1 }
        request.headers["x-apple-cloudkit-request-keyid"] =
            visitor == .unknownKey ? "key-2" : WebCloud.keyID
        request.headers["x-apple-cloudkit-request-iso8601date"] = date
        request.headers["x-apple-cloudkit-request-signaturev1"] = signature.base64EncodedString()
    }

    /// Computed by the system's program, so that the package's digest is not compared with itself.
    private static func sha256(_ data: Data) -> String {
        known[data] ?? ""
    }

    private static let known: [Data: String] = {
        var digests: [Data: String] = [:]
        for body in operations.map({ Data(($0.body ?? "").utf8) }) + [Data("x".utf8)] {
            let process = Process()
            let (input, output) = (Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
            process.standardInput = input
            process.standardOutput = output
            guard (try? process.run()) != nil else { continue }
            input.fileHandleForWriting.write(body)
            try? input.fileHandleForWriting.close()
            let text = String(
                decoding: output.fileHandleForReading.readDataToEndOfFile().prefix(64),
                as: UTF8.self)
            let bytes = stride(from: 0, to: text.count, by: 2).compactMap { offset in
                UInt8(text.dropFirst(offset).prefix(2), radix: 16)
            }
            digests[body] = Data(bytes).base64EncodedString()
        }
        return digests
    }()

    @Test(
        "Manipulated paths are refused",
        arguments: [
            "/database/1/iCloud.org.example.web/development/private/../public/records/query",
            "/database/1/../../etc/development/private/zones/list",
            "/database/1/iCloud.org.example.web%2F..%2Fother/development/private/zones/list",
            "/database/1/%2e%2e/development/private/zones/list",
            "/database/1/iCloud.org.example.web%00/development/private/zones/list",
            "/database/1//development/private/zones/list",
            "/database/1/iCloud.org.example.web/development/private/zones/list/",
            "/database/1/iCloud.org.example.web/development/private/zones%2Flist",
            "/database/2/iCloud.org.example.web/development/private/zones/list",
            "/database/1/iCloud.org.example.web/DEVELOPMENT/private/zones/list",
            "/assets/download/../../etc/passwd", "/courier/..", "/", "", "*", "/database/1",
        ])
    func paths(path: String) async throws {
        let web = await WebCloud()
        let token = WebCloud.encoded(try await web.userToken())
        let reply = Reply(
            await web.router.respond(
                to: WebServiceRequest(
                    method: "GET",
                    target: "\(path)?ckAPIToken=\(WebCloud.apiToken)&ckWebAuthToken=\(token)")))
        #expect([403, 404].contains(reply.status), "\(reply.status)")
    }

    @Test(
        "A page of another origin gets the CORS headers, and other methods are refused")
    func origins() async throws {
        var options = WebServiceRouterOptions()
        options.allowedOrigins = ["https://app.example.org"]
        let web = await WebCloud(options: options)
        let path = "/database/1/\(WebCloud.container)/development/private/records/query"
        func reply(_ method: String, _ origin: String) async -> Reply {
            Reply(
                await web.router.respond(
                    to: WebServiceRequest(method: method, target: path, headers: ["Origin": origin])
                ))
        }
        let preflight = await reply("OPTIONS", "https://app.example.org")
        #expect(preflight.status == 200)
        #expect(preflight.headers["Access-Control-Allow-Origin"] == "https://app.example.org")
        #expect(preflight.headers["Access-Control-Allow-Methods"] == "GET, POST, PUT, DELETE")
        let other = await reply("OPTIONS", "https://evil.example.org")
        #expect(other.headers["Access-Control-Allow-Origin"] == nil)
        #expect(await reply("GET", "https://app.example.org").status == 405)
        #expect(await reply("DELETE", "https://app.example.org").status == 405)
    }

    // MARK: - The client

    @Test(
        "The token of each response is stored and used next, also if it is valid only once",
        .timeLimit(.minutes(1)), arguments: [false, true])
    func renewal(once: Bool) async throws {
        let server = try await WebServer(usesTokensOnce: once)
        let tokens = Collected<String?>()
        let service = try await server.service(usesTokensOnce: once) { tokens.add($0) }
        for _ in 0..<3 { _ = try await service.listZones(in: privateContext) }
        #expect(Set(tokens.values).count == 3)
        // Concurrent requests, too.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask { _ = try await service.listZones(in: privateContext) }
            }
            try await group.waitForAll()
        }
        server.web.clock.advance(29 * 60)
        _ = try await service.listZones(in: privateContext)
        server.web.clock.advance(29 * 60)
        _ = try await service.listZones(in: privateContext)
        #expect(try await service.accountStatus(in: privateContext) == .available)
    }

    @Test(
        "If the user has to sign in, requests wait for it, and one page is shown",
        .timeLimit(.minutes(1)))
    func signIn() async throws {
        let server = try await WebServer()
        let (pages, tokens) = (Collected<URL>(), Collected<String?>())
        let web = server.web
        let service = CloudKitWebService(
            container: WebCloud.container, environment: .development,
            credentials: .user(
                apiToken: WebCloud.apiToken, webAuthToken: nil, tokenDidChange: { tokens.add($0) },
                signIn: { page in
                    pages.add(page)
                    return try? await web.userToken("ann")
                }), baseURL: server.server.baseURL)
        var changes = try await service.accountChanges(in: privateContext).makeAsyncIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask { _ = try await service.listZones(in: privateContext) }
            }
            try await group.waitForAll()
        }
        #expect(
            pages.values == [
                URL(string: "https://example.org/signin?ckAPIToken=api%2Dtoken%2D1")
            ])
        #expect(tokens.values.isEmpty == false)
        _ = await changes.next()
        #expect(try await service.accountStatus(in: privateContext) == .available)
        // The user is asked again after the token has expired.
        web.clock.advance(31 * 60)
        _ = try await service.listZones(in: privateContext)
        #expect(pages.values.count == 2)
    }

    @Test("A session is listed with its last use, and none of its tokens is valid after its end")
    func sessions() async throws {
        let web = await WebCloud()
        let path = "/database/1/\(WebCloud.container)/development/private/zones/list"
        func status(_ token: String) async -> Reply {
            let query = "?ckAPIToken=\(WebCloud.apiToken)&ckWebAuthToken=\(WebCloud.encoded(token))"
            return Reply(
                await web.router.respond(
                    to: WebServiceRequest(method: "GET", target: path + query)))
        }
        let (anns, bobs) = (try await web.userToken("ann"), try await web.userToken("bob"))
        #expect(await web.accounts.sessions.isEmpty)
        let reply = await status(anns)
        let next = try #require(reply.headers["X-Apple-CloudKit-Web-Auth-Token"])
        _ = await status(bobs)
        let sessions = await web.accounts.sessions
        #expect(sessions.map(\.user) == ["ann", "bob"])
        #expect(sessions.map(\.device) == ["user/ann", "user/bob"])
        await web.accounts.endSession(sessions[0].id)
        #expect(await web.accounts.sessions.map(\.user) == ["bob"])
        #expect(await status(anns).status == 421)
        #expect(await status(next).status == 421)
        #expect(await status(bobs).status == 200)
        #expect(await status(try await web.userToken("ann")).status == 200)
        web.clock.advance(31 * 60)
        #expect(await web.accounts.sessions.isEmpty)
    }

    @Test("Without a sign-in the error is notAuthenticated, and there is no account")
    func expired() async throws {
        let server = try await WebServer()
        let tokens = Collected<String?>()
        let service = try await server.service { tokens.add($0) }
        server.web.clock.advance(31 * 60)
        let container = CKContainer(identifier: WebCloud.container, service: service)
        let error = await #expect(throws: CKError.self) {
            try await container.privateCloudDatabase.allRecordZones()
        }
        #expect(error?.code == .notAuthenticated)
        #expect(tokens.values == [nil])
        #expect(try await container.accountStatus() == .noAccount)
    }

    @Test(
        "A key reads and writes the public database only, and signs the reference's message"
    )
    func key() async throws {
        let server = try await WebServer()
        let messages = Collected<String>()
        let service = CloudKitWebService(
            container: WebCloud.container, environment: .development,
            credentials: .key(id: WebCloud.keyID) { message in
                messages.add(String(decoding: message, as: UTF8.self))
                return TestKey.sign(message)
            }, baseURL: server.server.baseURL)
        let container = CKContainer(identifier: WebCloud.container, service: service)
        let record = CKRecord(recordType: "News", recordID: CKRecord.ID(recordName: "n"))
        record["title"] = "t"
        try await container.publicCloudDatabase.save(record)
        #expect(
            try await container.publicCloudDatabase.record(for: record.recordID)["title"] == "t")
        let path = "/database/1/\(WebCloud.container)/development/public/records/modify"
        let message = try #require(messages.values.first)
        #expect(message.hasSuffix(":\(path)"))
        let date = message.prefix(20)
        #expect(ISO8601DateFormatter().date(from: String(date)) != nil)
        let error = await #expect(throws: CKError.self) {
            try await container.privateCloudDatabase.allRecordZones()
        }
        #expect(error?.code == .notAuthenticated)
        #expect(try await container.accountStatus() == .noAccount)
        #expect(server.server.requests.allSatisfy { !$0.target.contains("?") })
    }

    @Test("A request for a user other than the signed-in one is refused")
    func otherUser() async throws {
        let server = try await WebServer()
        let service = try await server.service()
        var context = privateContext
        context.user = try await service.fetchCaller(in: context).userRecordName
        _ = try await service.listZones(in: context)
        context.user = "_somebody"
        let refused = context
        let failure = await error { () throws(CloudKitServiceError) in
            _ = try await service.listZones(in: refused)
        }
        #expect(failure?.code == .authenticationFailed)
    }

    @Test("No secret appears in a description, a dump or an error")
    func secrets() async throws {
        let secret = "secret-web-token"
        var texts: [String] = []
        for answer in [401, 421, 500, 503, 200, 307] {
            let (service, server) = try scripted { _ in
                .response(WebServiceResponse(status: answer, headers: ["Location": "http://x/"]))
            }
            let failure = await error { () throws(CloudKitServiceError) in
                _ = try await service.listZones(in: privateContext)
            }
            #expect(server.requests.first?.target.contains(secret) == true)
            let failed = try #require(failure)
            let credentials = WebServiceCredentials.tokens(
                api: WebCloud.apiToken, webAuthentication: secret)
            for value in [failed, service, service.description, credentials] as [Any] {
                var dumped = ""
                dump(value, to: &dumped)
                texts += [dumped, String(describing: value), String(reflecting: value)]
            }
            server.stop()
            let unreachable = await error { () throws(CloudKitServiceError) in
                _ = try await service.listZones(in: privateContext)
            }
            texts.append(String(reflecting: unreachable))
        }
        for text in texts {
            #expect(!text.contains(secret) && !text.contains(WebCloud.apiToken), "\(text)")
        }
    }
}
