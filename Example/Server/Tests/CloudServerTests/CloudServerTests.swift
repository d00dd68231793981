import CloudKit
import CloudKitWebServices
import CloudServer
import Crypto
import Foundation
import Hummingbird
import Testing

/// The server as a process runs it, on a port of its own.
@Suite("The server")
struct CloudServerTests {
    private static let container = "iCloud.org.example.server"

    /// Runs a server in a new folder while a closure uses it.
    private func withServer(
        key: P256.Signing.PrivateKey? = nil,
        _ body: @Sendable @escaping (URL, CloudServer) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("CloudServerTests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = ServerSettings()
        settings.apiTokens = [.init(token: "api", container: Self.container)]
        if let key {
            settings.keys = [
                .init(
                    id: "key", container: Self.container,
                    publicKey: key.publicKey.pemRepresentation)
            ]
        }
        let port = Int.random(in: 20_000..<60_000)
        let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let server = try await CloudServer(folder: folder, settings: settings, baseURL: url)
        let (running, continuation) = AsyncStream<Void>.makeStream()
        let application = server.application(host: "127.0.0.1", port: port) { _ in
            continuation.yield()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await application.run()
                continuation.finish()
            }
            for await _ in running { break }
            try await body(url, server)
            group.cancelAll()
            // The server ends with a cancellation, which is what was asked for.
            while await group.nextResult() != nil {}
        }
    }

    @Test("Two devices share a record and its asset of some megabytes", .timeLimit(.minutes(1)))
    func devices() async throws {
        try await withServer { url, server in
            @Sendable func device(_ name: String) async throws -> CKContainer {
                let token = try await server.accounts.makeWebAuthToken(
                    user: "ann", apiToken: "api")
                let service = CloudKitWebService(
                    container: Self.container, environment: .development,
                    credentials: .user(apiToken: "api", webAuthToken: token), baseURL: url)
                return CKContainer(identifier: Self.container, service: service, device: name)
            }
            let (phone, tablet) = (try await device("phone"), try await device("tablet"))
            let zone = try await phone.privateCloudDatabase.save(CKRecordZone(zoneName: "N"))
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent(UUID().uuidString)
            let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
            try bytes.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let record = CKRecord(
                recordType: "Note", recordID: CKRecord.ID(recordName: "n", zoneID: zone.zoneID))
            record["photo"] = CKAsset(fileURL: file)
            try await phone.privateCloudDatabase.save(record)
            let found = try await tablet.privateCloudDatabase.record(for: record.recordID)
            let copy = try #require((found["photo"] as CKAsset?)?.fileURL)
            #expect(try Data(contentsOf: copy) == bytes)
        }
    }

    @Test("A key of P-256 writes the public database; another key with its name does not")
    func keys() async throws {
        let key = P256.Signing.PrivateKey()
        try await withServer(key: key) { url, _ in
            @Sendable func container(_ key: P256.Signing.PrivateKey) -> CKContainer {
                let service = CloudKitWebService(
                    container: Self.container, environment: .development,
                    credentials: .key(id: "key") { try key.signature(for: $0).derRepresentation },
                    baseURL: url)
                return CKContainer(identifier: Self.container, service: service)
            }
            let record = CKRecord(recordType: "News", recordID: CKRecord.ID(recordName: "n"))
            try await container(key).publicCloudDatabase.save(record)
            let error = await #expect(throws: CKError.self) {
                try await container(.init()).publicCloudDatabase.record(for: record.recordID)
            }
            #expect(error?.code == .notAuthenticated)
        }
    }
}
