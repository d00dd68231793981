import CloudKit
import CloudKitWebServices
import CloudServer
import Crypto
import Foundation
import Testing

@testable import seam3_server

/// The server as its clients use it.
@Suite("The server", .timeLimit(.minutes(2)))
struct ServerTests {
    @Test("Two devices share a record and its asset of some megabytes")
    func devices() async throws {
        try await RunningServer.run { running in
            let (phone, tablet) = (
                try await running.device("phone"), try await running.device("tablet")
            )
            let zone = try await phone.privateCloudDatabase.save(CKRecordZone(zoneName: "N"))
            let file = running.folder.appendingPathComponent("photo")
            let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
            try bytes.write(to: file)
            let record = CKRecord(
                recordType: "Note", recordID: CKRecord.ID(recordName: "n", zoneID: zone.zoneID))
            record["photo"] = CKAsset(fileURL: file)
            try await phone.privateCloudDatabase.save(record)
            let found = try await tablet.privateCloudDatabase.record(for: record.recordID)
            let copy = try #require((found["photo"] as CKAsset?)?.fileURL)
            #expect(try Data(contentsOf: copy) == bytes)
        }
    }

    @Test("A device is pushed what another one has changed, and not what it has changed itself")
    func pushes() async throws {
        try await RunningServer.run { running in
            let tablet = try await running.device("tablet")
            try await tablet.privateCloudDatabase.save(
                CKDatabaseSubscription(subscriptionID: "all"))
            let context = CloudKitWebServices.RequestContext(
                container: RunningServer.container, device: "tablet")
            var pushes = try await running.service().pushes(in: context).makeAsyncIterator()
            try await tablet.privateCloudDatabase.save(CKRecordZone(zoneName: "Own"))
            try await running.makeNote("x")
            let push = await pushes.next()
            #expect(push?.ck.met?.zid == "Z")
            #expect(
                await running.server.router.pushTokens.map(\.context.device) == ["user/ann/tablet"])
        }
    }

    @Test("A key of P-256 writes the public database; another key with its name does not")
    func keys() async throws {
        let key = P256.Signing.PrivateKey()
        try await RunningServer.run(key: key) { running in
            @Sendable func container(_ key: P256.Signing.PrivateKey) -> CKContainer {
                let service = CloudKitWebService(
                    container: RunningServer.container, environment: .development,
                    credentials: .key(id: RunningServer.keyID) {
                        try key.signature(for: $0).derRepresentation
                    }, baseURL: running.url)
                return CKContainer(identifier: RunningServer.container, service: service)
            }
            let record = CKRecord(recordType: "News", recordID: CKRecord.ID(recordName: "n"))
            try await container(key).publicCloudDatabase.save(record)
            let error = await #expect(throws: CKError.self) {
                try await container(.init()).publicCloudDatabase.record(for: record.recordID)
            }
            #expect(error?.code == .notAuthenticated)
        }
    }

    @Test(
        "An address of an asset needs no token, is good for a quarter of an hour, and no other is")
    func assetAddresses() async throws {
        try await RunningServer.run { running in
            try await running.makeNote("the photo")
            let lookUp = #"{"zoneID":{"zoneName":"Z"},"records":[{"recordName":"r"}]}"#
            @Sendable func address() async throws -> String {
                let reply = try await running.operation("records/lookup", lookUp)
                let url = try #require(
                    reply.value("records", "0", "fields", "photo", "value", "downloadURL"))
                return String(url.dropFirst(running.url.absoluteString.count))
                    .replacingOccurrences(of: "${f}", with: "photo.png")
            }
            let target = try await address()
            let reply = try await running.send("GET", target)
            #expect(reply.text == "the photo")
            #expect(reply.headers["content-disposition"] == "attachment")
            #expect(reply.headers["x-content-type-options"] == "nosniff")
            for index in [30, 60, 100] where index < target.count {
                var changed = Array(target)
                changed[index] = changed[index] == "a" ? "b" : "a"
                #expect(try await running.send("GET", String(changed)).status == 403)
            }
            let upload = try await running.operation(
                "assets/upload", #"{"tokens":[{"recordType":"T","fieldName":"f"}]}"#)
            let place = try #require(upload.value("tokens", "0", "url").flatMap { URL(string: $0) })
            // One is not good as the other.
            let swapped = target.replacingOccurrences(of: "download", with: "upload")
            #expect(try await running.send("POST", swapped, body: "x").status == 403)
            #expect(try await running.send("POST", place.path, body: "x").status == 200)
            running.clock.advance(16 * 60)
            #expect(try await running.send("GET", target).status == 403)
            #expect(try await running.send("POST", place.path, body: "x").status == 403)
            #expect(try await running.send("GET", try await address()).status == 200)
        }
    }

    @Test("Each answer brings the next token, which is good after the first has ended")
    func rotation() async throws {
        try await RunningServer.run { running in
            let path = "/database/1/\(RunningServer.container)/development/private/zones/list"
            let api = "?ckAPIToken=\(RunningServer.apiToken)&ckWebAuthToken="
            let first = try await running.token()
            let header = "x-apple-cloudkit-web-auth-token"
            let reply = try await running.send("GET", path + api + encoded(first))
            let second = try #require(reply.headers[header])
            #expect(second != first)
            running.clock.advance(20 * 60)
            let third = try #require(
                try await running.send("GET", path + api + encoded(second)).headers[header])
            running.clock.advance(20 * 60)
            #expect(try await running.send("GET", path + api + encoded(second)).status == 421)
            #expect(try await running.send("GET", path + api + encoded(third)).status == 200)
        }
    }

    @Test("After a restart the records, the tokens and the addresses of assets are still good")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("ServerTests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let kept = Kept()
        try await RunningServer.run(in: folder) { running in
            try await running.makeNote("kept")
            await kept.keep(try await running.token())
        }
        try await RunningServer.run(in: folder) { running in
            let token = encoded(await kept.token)
            let reply = try await running.send(
                "POST",
                "/database/1/\(RunningServer.container)/development/private/records/lookup"
                    + "?ckAPIToken=\(RunningServer.apiToken)&ckWebAuthToken=\(token)",
                body: #"{"zoneID":{"zoneName":"Z"},"records":[{"recordName":"r"}]}"#)
            #expect(reply.value("records", "0", "fields", "text", "value") == "kept")
        }
        let file = folder.appendingPathComponent("Server.json").path
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    private actor Kept {
        private(set) var token = ""
        func keep(_ token: String) { self.token = token }
    }

    @Test("A server that is to end answers those who wait for pushes, and ends")
    func shutdown() async throws {
        try await RunningServer.run({ _, options in options.shutdownTime = 30 }) { running in
            let created = try await running.operation("tokens/create", "{}", database: "public")
            let url = try #require(created.value("webcourierURL").flatMap { URL(string: $0) })
            async let reply = running.send("GET", url.path)
            // The request is under way as soon as the server counts its token as used again.
            while await running.server.router.pushTokens.first?.isWaitedFor != true {
                await Task.yield()
            }
            let start = ContinuousClock.now
            await running.shutDown()
            #expect(try await reply.status == 204)
            #expect(ContinuousClock.now - start < .seconds(25))
        }
    }

    @Test("Pages of an app's origins may use the server, others not", arguments: [true, false])
    func origins(isNamed: Bool) async throws {
        try await RunningServer.run({ settings, _ in
            if isNamed { settings.apiTokens[0].origins = ["https://app.example.org"] }
        }) { running in
            let path = "/database/1/\(RunningServer.container)/development/private/records/query"
            @Sendable func reply(_ method: String, _ origin: String) async throws -> RawReply {
                try await running.send(
                    method, path,
                    headers: ["Origin": origin, "Access-Control-Request-Headers": "content-type"])
            }
            let own = try await reply("OPTIONS", "https://app.example.org")
            #expect(own.status == 200)
            let allowed = "access-control-allow-origin"
            #expect(own.headers[allowed] == "https://app.example.org")
            let other = try await reply("OPTIONS", "https://evil.example.org")
            #expect(other.headers[allowed] == (isNamed ? nil : "https://evil.example.org"))
            #expect(other.headers["access-control-allow-credentials"] == nil)
            let page = try await running.send(
                "GET", "/signin", headers: ["Origin": "https://app.example.org"])
            #expect(page.headers[allowed] == nil)
        }
    }

    @Test(
        "The command listens where others reach it only with TLS or if told to",
        arguments: [
            (["--host", "0.0.0.0"], false), (["--host", "192.168.0.1"], false),
            (["--host", "127.0.0.1.example.org"], false),
            (["--host", "0.0.0.0", "--without-tls"], true),
            (["--host", "0.0.0.0", "--certificates", "c", "--private-key", "k"], true),
            (["--port", "0"], false), (["--port", "99999"], false), (["--port", "65535"], true),
            (["--requests-per-minute", "0"], false),
            (["--certificates", "c"], false), (["--host", "::1"], true), ([], true),
        ])
    func arguments(arguments: [String], isGood: Bool) {
        #expect(((try? Serve.parse(arguments)) != nil) == isGood)
    }
}
