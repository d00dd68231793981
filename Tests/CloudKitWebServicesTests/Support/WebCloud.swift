import CloudKitWebServices
import Foundation
import LocalCloud
import Testing

/// A local cloud behind a router, with an app, users and a key, configured like a server.
final class WebCloud: Sendable {
    let cloud: LocalCloud
    let accounts: WebServiceAccounts
    let router: WebServiceRouter
    let clock: TestClock

    static let container = "iCloud.org.example.web"
    static let apiToken = "api-token-1"
    static let keyID = "key-1"

    init(
        baseURL: URL = WebCloud.anyURL, usesTokensOnce: Bool = false,
        options: WebServiceRouterOptions = WebServiceRouterOptions(),
        adjust: (inout LocalCloudOptions) -> Void = { _ in }
    ) async {
        var cloudOptions = LocalCloudOptions()
        cloudOptions.showsCallerAsDefaultOwner = false
        adjust(&cloudOptions)
        let cloud = LocalCloud.inMemory(options: cloudOptions)
        let clock = TestClock()
        // No signature is good that may be older than the server. The tests do not wait a second for that.
        clock.advance(-1)
        defer { clock.advance(1) }
        let accounts = WebServiceAccounts(
            usesTokensOnce: usesTokensOnce, signInPage: URL(string: "https://example.org/signin"),
            clock: { clock.now }
        ) { user, device, container throws(CloudKitServiceError) in
            if let user {
                try cloud.signIn(user, device: device, container: container)
            } else {
                try cloud.signOut(device: device, container: container)
            }
        }
        var options = options
        options.clock = { clock.now }
        self.cloud = cloud
        self.accounts = accounts
        self.clock = clock
        router = WebServiceRouter(
            service: cloud, authentication: accounts, baseURL: baseURL, options: options)
        await accounts.addAPIToken(
            Self.apiToken, container: Self.container, environment: .development)
        await accounts.addServerKey(
            Self.keyID, container: Self.container, environment: .development,
            verify: TestKey.verify)
    }

    /// An address to which the test sends no request.
    static let anyURL = URL(string: "http://127.0.0.1:1") ?? URL(fileURLWithPath: "/")

    func userToken(_ user: String = "ann") async throws -> String {
        try await accounts.makeWebAuthToken(user: user, apiToken: Self.apiToken)
    }

    /// Sends a request without a network.
    func send(
        _ operation: String, _ body: String? = "{}", database: String = "private",
        user: String? = "ann", method: String? = nil, headers: [String: String] = [:]
    ) async throws -> Reply {
        var query = "?ckAPIToken=\(Self.apiToken)"
        if let user {
            let token = try await userToken(user)
            query += "&ckWebAuthToken=" + Self.encoded(token)
        }
        return await Reply(
            router.respond(
                to: WebServiceRequest(
                    method: method ?? (body == nil ? "GET" : "POST"),
                    target: "/database/1/\(Self.container)/development/\(database)/\(operation)"
                        + query,
                    headers: headers, body: .data(Data((body ?? "").utf8)))))
    }

    static func encoded(_ token: String) -> String {
        token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// Makes the zone `Z` of a user.
    func makeZone(_ name: String = "Z", user: String = "ann") async throws {
        let reply = try await send(
            "zones/modify",
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(name)"}}}]}"#,
            user: user)
        #expect(reply.status == 200)
    }
}

/// A decoded response.
struct Reply {
    let status: Int
    let headers: [String: String]
    let data: Data

    init(_ response: WebServiceResponse) {
        status = response.status
        headers = response.headers
        switch response.body {
        case .data(let data): self.data = data
        case .file(let file, _): data = (try? file.readToEnd()) ?? Data()
        }
    }

    var json: Any? { try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) }

    /// The value at a path of keys and indexes.
    subscript(_ path: String...) -> Any? { value(at: path) }

    /// The text at a path of keys and indexes.
    func text(_ path: String...) -> String? { value(at: path) as? String }

    private func value(at path: [String]) -> Any? {
        path.reduce(json) { value, key in
            if let index = Int(key), let list = value as? [Any] {
                return list.indices.contains(index) ? list[index] : nil
            }
            return (value as? [String: Any])?[key]
        }
    }
}

/// A clock that a test sets.
final class TestClock: @unchecked Sendable {
    // Unchecked because `offset` is touched under `lock` only.
    private let lock = NSLock()
    private var offset: TimeInterval = 0

    var now: Date { lock.withLock { Date().addingTimeInterval(offset) } }

    func advance(_ seconds: TimeInterval) { lock.withLock { offset += seconds } }
}

/// A fake key whose signature has a digest of the message as its first number, which shows that both
/// sides sign and verify the same bytes. The second number is random.
enum TestKey {
    @Sendable static func sign(_ message: Data) -> Data {
        let (first, second) = (digest(of: message), UInt64.random(in: 0 ... .max))
        return Data([0x30, 22, 0x02, 9, 0]) + bytes(first) + Data([0x02, 9, 0]) + bytes(second)
    }

    @Sendable static func verify(_ signature: Data, _ message: Data) -> Bool {
        signature.count == 24
            && signature.starts(with: Data([0x30, 22, 0x02, 9, 0]) + bytes(digest(of: message)))
    }

    private static func digest(of message: Data) -> UInt64 {
        message.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private static func bytes(_ number: UInt64) -> Data {
        withUnsafeBytes(of: number.bigEndian) { Data($0) }
    }
}

/// Compares JSON with the reference. In the expected JSON, `"*"` matches any nonempty string, `"#"`
/// any number, and a key that ends with a question mark is optional.
func difference(_ actual: Any?, _ expected: Any?, at place: String = "$") -> String? {
    switch (actual, expected) {
    case (let actual as [String: Any], let expected as [String: Any]):
        var actual = actual
        for key in extensions { actual[key] = nil }
        let optional = Set(expected.keys.filter { $0.hasSuffix("?") }.map { String($0.dropLast()) })
        let required = Set(expected.keys.filter { !$0.hasSuffix("?") })
        let unknown = Set(actual.keys).subtracting(required).subtracting(optional)
        guard unknown.isEmpty else { return "\(place): unexpected \(unknown.sorted())" }
        for key in required.union(optional.intersection(actual.keys)).sorted() {
            guard let value = actual[key] else { return "\(place).\(key) is missing" }
            let wanted = expected[key] ?? expected[key + "?"]
            if let found = difference(value, wanted, at: "\(place).\(key)") { return found }
        }
        return nil
    case (let actual as [Any], let expected as [Any]):
        guard actual.count == expected.count else {
            return "\(place): \(actual.count) elements instead of \(expected.count)"
        }
        for index in actual.indices {
            let found = difference(actual[index], expected[index], at: "\(place)[\(index)]")
            if let found { return found }
        }
        return nil
    case (let actual as String, "*" as String):
        return actual.isEmpty ? "\(place) is empty" : nil
    case (is NSNumber, "#" as String):
        return nil
    case (let actual?, let expected?):
        return (actual as? NSObject) == (expected as? NSObject)
            ? nil : "\(place): \(actual) instead of \(expected)"
    default:
        return "\(place): \(actual ?? "nothing") instead of \(expected ?? "nothing")"
    }
}

/// Keys that only this package's client reads.
private let extensions = [
    "capabilities", "deletionReason", "extendedErrorCode", "internalErrorCode", "serverRecord",
]

func object(_ json: String) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
}
