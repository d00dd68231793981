import CloudKit
import CloudKitWebServices
import CloudServer
import Crypto
import Foundation
import ServiceLifecycle
import Testing

/// A server as a process runs it, on a port and in a folder of its own.
struct RunningServer: Sendable {
    static let container = "iCloud.org.example.server"
    static let apiToken = "api-token-1"
    static let keyID = "key-1"

    let server: CloudServer
    let settings: ServerSettings
    let port: Int
    let clock: TestClock
    let folder: URL
    /// Ends the server as a signal does.
    let shutDown: @Sendable () async -> Void

    var url: URL { server.options.baseURL }
    /// What opens the server to anybody, before a path; nothing if it is not open.
    var entrance: String { server.openURL?.path ?? "" }

    /// Runs a server while a closure uses it.
    ///
    /// - Parameters:
    ///   - folder: The folder; a new one, which is removed afterwards, unless given.
    ///   - key: The owner of the key.
    ///   - clock: The server's clock.
    ///   - change: Changes the settings and options.
    ///   - body: Uses the server.
    static func run(
        in folder: URL? = nil, key: P256.Signing.PrivateKey = P256.Signing.PrivateKey(),
        clock: TestClock = TestClock(),
        _ change: (inout ServerSettings, inout CloudServer.Options) -> Void = { _, _ in },
        _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let own = FileManager.default.temporaryDirectory
            .appendingPathComponent("CloudServerTests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: own) }
        let folder = folder ?? own
        let port = try LoopbackPort.free()
        var options = try options(port: port, clock: clock)
        var settings = try ServerSettings.read(from: folder) ?? testSettings(key)
        change(&settings, &options)
        try settings.write(to: folder)
        // No signature is good that may be older than the server. The tests do not wait a second for that.
        clock.advance(-1)
        let server = try await CloudServer(folder: folder, settings: settings, options: options)
        clock.advance(1)
        let (running, continuation) = AsyncStream<Void>.makeStream()
        let group = try server.serviceGroup(.init(port: port), endsWithSignals: false) {
            continuation.yield()
        }
        let this = RunningServer(
            server: server, settings: settings, port: port, clock: clock, folder: folder,
            shutDown: { await group.triggerGracefulShutdown() })
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            for await _ in running { break }
            do {
                try await body(this)
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private static func options(port: Int, clock: TestClock) throws -> CloudServer.Options {
        var options = CloudServer.Options(
            baseURL: try #require(URL(string: "http://127.0.0.1:\(port)")))
        options.clock = { clock.now }
        options.logger.logLevel = .error
        return options
    }

    private static func testSettings(_ key: P256.Signing.PrivateKey) -> ServerSettings {
        var settings = ServerSettings()
        settings.users = ["ann", "bob"].map { ServerSettings.User.make($0).user }
        settings.apiTokens = [.init(token: apiToken, container: container)]
        settings.keys = [
            .init(
                id: keyID, container: container, publicKey: key.publicKey.pemRepresentation)
        ]
        return settings
    }

    // MARK: - Clients

    func token(_ user: String = "ann") async throws -> String {
        try await server.accounts.makeWebAuthToken(user: user, apiToken: Self.apiToken)
    }

    /// The way of a user's device to the server.
    func service(user: String = "ann") async throws -> CloudKitWebService {
        CloudKitWebService(
            container: Self.container, environment: .development,
            credentials: .user(apiToken: Self.apiToken, webAuthToken: try await token(user)),
            baseURL: url)
    }

    /// A user's device.
    func device(_ name: String, user: String = "ann") async throws -> CKContainer {
        CKContainer(
            identifier: Self.container, service: try await service(user: user), device: name)
    }

    /// Sends a request as it is.
    func send(
        _ method: String, _ target: String, headers: [String: String] = [:], body: String = ""
    ) async throws -> RawReply {
        try await RawConnection.exchange(
            port: port, method: method, target: target, headers: headers, body: Data(body.utf8))
    }

    /// Sends an operation of a user.
    func operation(
        _ name: String, _ body: String? = "{}", database: String = "private",
        user: String = "ann", headers: [String: String] = [:]
    ) async throws -> RawReply {
        let token = encoded(try await token(user))
        return try await send(
            body == nil ? "GET" : "POST",
            "/database/1/\(Self.container)/development/\(database)/\(name)"
                + "?ckAPIToken=\(Self.apiToken)&ckWebAuthToken=\(token)",
            headers: headers, body: body ?? "")
    }

    /// Makes zone `Z` of a user with a note `r`, whose text and photo are secret.
    func makeNote(_ text: String, user: String = "ann") async throws {
        let database = try await device("maker", user: user).privateCloudDatabase
        let zone = try await database.save(CKRecordZone(zoneName: "Z"))
        let file = folder.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: file)
        let record = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: "r", zoneID: zone.zoneID))
        record["text"] = text
        record["photo"] = CKAsset(fileURL: file)
        try await database.save(record)
    }
}

/// A text as it may stand in a query.
func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
}

/// A time that a test sets.
final class TestClock: @unchecked Sendable {
    // Unchecked because `offset` is touched under `lock` only.
    private let lock = NSLock()
    private var offset: TimeInterval = 0

    var now: Date { lock.withLock { Date().addingTimeInterval(offset) } }

    func advance(_ seconds: TimeInterval) { lock.withLock { offset += seconds } }
}
