import CloudKit
import CloudServer
import Foundation
import Testing

/// What every answer has, and what none tells.
@Suite("Answers", .timeLimit(.minutes(1)))
struct AnswerTests {
    @Test(
        "No answer is guessed at or kept by a browser, and over TLS it stays with TLS",
        arguments: [false, true])
    func headers(isSecure: Bool) async throws {
        try await RunningServer.run({ _, options in
            let address = options.baseURL.absoluteString
            guard isSecure, let url = URL(string: "https" + address.dropFirst(4)) else { return }
            options.baseURL = url
        }) { running in
            let database = "/database/1/\(RunningServer.container)/development"
            for target in [
                "/", "/signin", "/signin?ckAPIToken=\(RunningServer.apiToken)", "/open/x",
                "/console/none", "/console/console.css", "/console/faults", "/courier/x", "/x",
                "/assets/download/x", "\(database)/private/zones/list", "\(database)/x",
                "\(database)/public/records/query?ckAPIToken=\(RunningServer.apiToken)",
            ] {
                for method in ["GET", "POST", "OPTIONS", "DELETE"] {
                    let reply = try await running.send(method, target)
                    let place = "\(method) \(target): \(reply.status)"
                    #expect(reply.headers["x-content-type-options"] == "nosniff", "\(place)")
                    #expect(reply.headers["cache-control"]?.hasPrefix("no-") == true, "\(place)")
                    let transport = reply.headers["strict-transport-security"]
                    #expect((transport != nil) == isSecure, "\(place)")
                }
            }
            let answer = try await running.operation("zones/list", nil)
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["cache-control"] == "no-store")
        }
    }

    @Test("A failure of the server's own files does not tell where they are")
    func ownFiles() async throws {
        try await withTemporaryFolder { folder in
            let place = folder.appendingPathComponent(
                "Cloud/\(RunningServer.container)/development")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(repeating: 120, count: 10_000)
                .write(to: place.appendingPathComponent("Container.sqlite"))
            try await RunningServer.run(in: folder) { running in
                for (name, body) in [
                    ("zones/list", nil), ("records/lookup", #"{"records":[{"recordName":"r"}]}"#),
                    ("zones/modify", #"{"operations":[]}"#),
                    ("assets/upload", #"{"tokens":[{"recordType":"T","fieldName":"f"}]}"#),
                ] as [(String, String?)] {
                    let reply = try await running.operation(name, body)
                    #expect(reply.status == 500, "\(reply.text)")
                    #expect(!reply.text.contains(running.folder.path), "\(reply.text)")
                    #expect(!reply.text.contains("sqlite"), "\(reply.text)")
                    #expect(reply.value("uuid") == reply.headers["x-apple-request-uuid"])
                }
            }
        }
    }

    @Test("An asset whose file is gone does not tell where it was")
    func lostAssets() async throws {
        try await RunningServer.run { running in
            try await running.makeNote("x")
            let answer = try await running.operation(
                "records/lookup", #"{"zoneID":{"zoneName":"Z"},"records":[{"recordName":"r"}]}"#)
            let url = try #require(
                answer.value("records", "0", "fields", "photo", "value", "downloadURL"))
            let assets = running.folder.appendingPathComponent(
                "Cloud/\(RunningServer.container)/development/Assets")
            try FileManager.default.removeItem(at: assets)
            let reply = try await running.send(
                "GET",
                url.dropFirst(running.url.absoluteString.count)
                    .replacingOccurrences(of: "${f}", with: "f"))
            #expect(reply.status == 404)
            #expect(!reply.text.contains(running.folder.path), "\(reply.text)")
        }
    }
}
