import CloudKit
import CloudKitWebServices
import CloudServer
import Crypto
import Foundation
import Testing

/// Who may do what, for every route and over real sockets.
@Suite("Every route for every visitor")
struct VisitorTests {
    /// What a request comes with.
    enum Visitor: String, CaseIterable, Sendable {
        case nobody, wrongAPIToken, app, brokenToken, expiredToken, tokenOfOtherApp, endedSession
        case owner, otherUser, otherContainer
        case unknownKey, keyOfOther, oldSignature, replayedSignature, mirroredSignature
        case signatureOfOtherPath
        case signatureOfOtherBody, key, keyInOtherContainer, keyAndToken
    }

    typealias Route = (name: String, body: String?, database: String)

    private static let secret = "ann's secret 5d0c"
    private static let zone = #""zoneID":{"zoneName":"Z"}"#
    private static let record = #""recordName":"r","recordType":"Note""#

    /// Every operation, asked for what belongs to ann.
    static let routes: [Route] = [
        ("records/query", #"{"query":{"recordType":"Note"}}"#, "public"),
        ("records/lookup", #"{"records":[{"recordName":"r"}]}"#, "public"),
        ("records/modify", #"{"operations":[]}"#, "public"),
        ("records/query", #"{\#(zone),"query":{"recordType":"Note"}}"#, "private"),
        ("records/query", #"{"zoneWide":true,"query":{"recordType":"Note"}}"#, "private"),
        ("records/lookup", #"{\#(zone),"records":[{"recordName":"r"}]}"#, "private"),
        (
            "records/modify",
            #"{\#(zone),"operations":[{"operationType":"update","record":{\#(record),"fields":{}}}]}"#,
            "private"
        ),
        (
            "records/modify",
            #"{\#(zone),"operations":[{"operationType":"create","record":{\#(record)}}]}"#,
            "private"
        ),
        ("records/changes", #"{\#(zone)}"#, "private"),
        ("records/resolve", #"{"shortGUIDs":[{"value":"g"}]}"#, "public"),
        ("records/accept", #"{"shortGUIDs":[{"value":"g"}]}"#, "public"),
        ("changes/zone", #"{"zones":[{\#(zone)}]}"#, "private"),
        ("changes/database", "{}", "private"), ("zones/changes", "{}", "private"),
        ("zones/list", nil, "private"),
        ("zones/lookup", #"{"zones":[{"zoneName":"Z"}]}"#, "private"),
        ("zones/modify", #"{"operations":[]}"#, "private"),
        ("subscriptions/list", nil, "private"),
        ("subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"s"}]}"#, "private"),
        ("subscriptions/modify", #"{"operations":[]}"#, "private"),
        ("users/caller", nil, "public"), ("users/current", nil, "public"),
        ("users/discover", #"{"lookupInfos":[{"emailAddress":"ann@example.org"}]}"#, "public"),
        ("users/lookup/email", #"{"users":[{"emailAddress":"ann@example.org"}]}"#, "public"),
        ("users/lookup/id", #"{"users":[{"userRecordName":"ann"}]}"#, "public"),
        ("users/lookup/contacts", "{}", "public"),
        (
            "assets/upload",
            #"{\#(zone),"tokens":[{"recordType":"Note","recordName":"r","fieldName":"photo"}]}"#,
            "private"
        ),
        (
            "assets/rereference",
            #"{\#(zone),"assets":[{"recordName":"r","fieldName":"photo"}]}"#, "private"
        ),
        ("tokens/create", "{}", "public"), ("tokens/register", #"{"apnsToken":"t"}"#, "public"),
        ("records/query", #"{"query":{"recordType":"Note"}}"#, "shared"),
        ("zones/list", nil, "shared"),
    ]

    /// The status with which a route is answered to a visitor; nil for any that comes after the visitor was
    /// let in.
    private static func expected(_ visitor: Visitor, _ route: Route) -> Int? {
        let isPublic = route.database == "public"
        switch visitor {
        case .owner, .otherUser: return nil
        case .app: return isPublicRead(route) ? nil : 421
        case .brokenToken, .expiredToken, .tokenOfOtherApp, .endedSession: return 421
        case .key: return isPublic && route.name.hasPrefix("records/") ? nil : 403
        default: return 401
        }
    }

    /// Whether an app without a user may do it.
    static func isPublicRead(_ route: Route) -> Bool {
        route.database == "public"
            && ["records/query", "records/lookup", "records/resolve"].contains(route.name)
    }

    @Test("Nobody but the owner sees what is the owner's", arguments: Visitor.allCases)
    func matrix(visitor: Visitor) async throws {
        let key = P256.Signing.PrivateKey()
        let other = "iCloud.org.example.other"
        try await RunningServer.run(
            key: key,
            { settings, _ in
                settings.apiTokens.append(
                    .init(token: "api-token-2", container: RunningServer.container))
                settings.apiTokens.append(.init(token: "api-token-3", container: other))
            }
        ) { running in
            try await running.makeNote(Self.secret)
            var sawSecret = false
            for route in Self.routes {
                let reply = try await Self.reply(running, visitor, route, key: key)
                let place = "\(route.name) in \(route.database): \(reply.status) \(reply.text)"
                if let status = Self.expected(visitor, route) {
                    #expect(reply.status == status, "\(place)")
                } else {
                    #expect(![401, 403, 421].contains(reply.status), "\(place)")
                }
                if reply.text.contains(Self.secret) { sawSecret = true }
                if visitor != .owner { #expect(!reply.text.contains("photo"), "\(place)") }
            }
            #expect(sawSecret == (visitor == .owner))
            let note = try await running.operation(
                "records/lookup", #"{\#(Self.zone),"records":[{"recordName":"r"}]}"#)
            #expect(note.value("records", "0", "fields", "text", "value") == Self.secret)
        }
    }

    private static func reply(
        _ running: RunningServer, _ visitor: Visitor, _ route: Route, key: P256.Signing.PrivateKey
    ) async throws -> RawReply {
        let isElsewhere = [.otherContainer, .keyInOtherContainer].contains(visitor)
        let container = isElsewhere ? "iCloud.org.example.other" : RunningServer.container
        let path = "/database/1/\(container)/development/\(route.database)/\(route.name)"
        let method = route.body == nil ? "GET" : "POST"
        var query = try await query(running, visitor)
        var headers = try signature(
            visitor, path: path, body: route.body ?? "", key: key, now: running.clock.now)
        if visitor == .keyAndToken { query = "?ckAPIToken=\(RunningServer.apiToken)" }
        if visitor == .expiredToken { running.clock.advance(31 * 60) }
        if [.replayedSignature, .mirroredSignature].contains(visitor) {
            _ = try await running.send(method, path, headers: headers, body: route.body ?? "")
        }
        if visitor == .mirroredSignature { try mirror(&headers) }
        return try await running.send(
            method, path + query, headers: headers, body: route.body ?? "")
    }

    private static func query(
        _ running: RunningServer, _ visitor: Visitor
    ) async throws -> String {
        let api = "?ckAPIToken=\(RunningServer.apiToken)"
        let token = encoded(try await running.token(visitor == .otherUser ? "bob" : "ann"))
        switch visitor {
        case .wrongAPIToken: return "?ckAPIToken=x&ckWebAuthToken=\(token)"
        case .app: return api
        case .brokenToken: return "\(api)&ckWebAuthToken=\(token.dropLast(8))AAAAAAAA"
        case .tokenOfOtherApp: return "?ckAPIToken=api-token-2&ckWebAuthToken=\(token)"
        case .endedSession:
            _ = try await running.send(
                "GET",
                "/database/1/\(RunningServer.container)/development/public/users/caller\(api)"
                    + "&ckWebAuthToken=\(token)")
            for session in await running.server.accounts.sessions {
                await running.server.accounts.endSession(session.id)
            }
            return "\(api)&ckWebAuthToken=\(token)"
        case .owner, .otherUser, .otherContainer, .expiredToken:
            return "\(api)&ckWebAuthToken=\(token)"
        default: return ""
        }
    }

    /// Puts the other signature in place of one, which is good for the same message.
    private static func mirror(_ headers: inout [String: String]) throws {
        let name = "X-Apple-CloudKit-Request-SignatureV1"
        let der = try #require(headers[name].flatMap { Data(base64Encoded: $0) })
        let numbers = try P256.Signing.ECDSASignature(derRepresentation: der).rawRepresentation
        let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        var (digits, borrow) = ([UInt8](numbers), 0)
        for index in stride(from: 31, through: 0, by: -1) {
            let start = order.index(order.startIndex, offsetBy: 2 * index)
            let digit = try #require(Int(order[start...].prefix(2), radix: 16))
            let value = digit - Int(digits[32 + index]) - borrow
            borrow = value < 0 ? 1 : 0
            digits[32 + index] = UInt8(value + 256 * borrow)
        }
        headers[name] = try P256.Signing.ECDSASignature(rawRepresentation: Data(digits))
            .derRepresentation.base64EncodedString()
    }

    @Test("A signature that was accepted before a restart is not accepted after it")
    func restart() async throws {
        let key = P256.Signing.PrivateKey()
        let clock = TestClock()
        let path = "/database/1/\(RunningServer.container)/development/public/records/modify"
        let body = #"{"operations":[]}"#
        @Sendable func headers() throws -> [String: String] {
            try Self.signature(.key, path: path, body: body, key: key, now: clock.now)
        }
        @Sendable func status(
            _ running: RunningServer, _ headers: [String: String]
        ) async throws -> Int {
            try await running.send("POST", path, headers: headers, body: body).status
        }
        try await withTemporaryFolder { folder in
            let (sent, continuation) = AsyncStream<[String: String]>.makeStream()
            try await RunningServer.run(in: folder, key: key, clock: clock) { running in
                let headers = try headers()
                continuation.yield(headers)
                let first = try await status(running, headers)
                #expect(first == 200)
            }
            clock.advance(5)
            try await RunningServer.run(in: folder, key: key, clock: clock) { running in
                for await headers in sent.prefix(1) {
                    let second = try await status(running, headers)
                    #expect(second == 401)
                }
                let third = try await status(running, try headers())
                #expect(third == 200)
            }
        }
    }

    private static func signature(
        _ visitor: Visitor, path: String, body: String, key: P256.Signing.PrivateKey, now: Date
    ) throws -> [String: String] {
        let signers: [Visitor] = [
            .unknownKey, .keyOfOther, .oldSignature, .replayedSignature, .mirroredSignature,
            .signatureOfOtherPath, .signatureOfOtherBody, .key, .keyInOtherContainer, .keyAndToken,
        ]
        guard signers.contains(visitor) else { return [:] }
        let date = ISO8601DateFormatter().string(from: now - (visitor == .oldSignature ? 601 : 0))
        let signedBody = visitor == .signatureOfOtherBody ? "{ }" : body
        let digest = Data(SHA256.hash(data: Data(signedBody.utf8))).base64EncodedString()
        let signedPath = visitor == .signatureOfOtherPath ? path + "/x" : path
        let signer = visitor == .keyOfOther ? P256.Signing.PrivateKey() : key
        let signature = try signer.signature(for: Data("\(date):\(digest):\(signedPath)".utf8))
        return [
            "X-Apple-CloudKit-Request-KeyID":
                visitor == .unknownKey ? "key-2" : RunningServer.keyID,
            "X-Apple-CloudKit-Request-ISO8601Date": date,
            "X-Apple-CloudKit-Request-SignatureV1":
                signature.derRepresentation.base64EncodedString(),
        ]
    }
}
