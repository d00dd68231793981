import CloudKit
import CloudKitWebServices
import CloudServer
import Foundation
import Testing

/// In which order the server looks at a request: the limits of its line, who sends it, its seal, and only
/// then its body.
@Suite("What the server looks at first", .timeLimit(.minutes(2)))
struct DoorTests {
    /// What an announced body is: the server waits for it only if it means to read it.
    private static let announcement = ["Content-Length": "1000000"]

    @Test("Without an address that the server has made, no upload is read")
    func nonsenseUploads() async throws {
        let files = FileManager.default.temporaryDirectory
            .appendingPathComponent("DoorTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: files) }
        try await RunningServer.run({ $1.services.temporaryDirectory = files }) { running in
            let upload = try await running.operation(
                "assets/upload", #"{"tokens":[{"recordType":"T","fieldName":"f"}]}"#)
            let url = try #require(upload.value("tokens", "0", "url").flatMap { URL(string: $0) })
            running.clock.advance(16 * 60)
            for target in ["/assets/upload/nonsense", url.path, url.path + "x"] {
                let reply = try await running.send(
                    "POST", target, headers: ["Content-Length": "45000000"])
                #expect(reply.status == 403)
                #expect(reply.headers["connection"] == "close")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == [])
        }
    }

    @Test("Without a caller who may do it, no body of any route is read")
    func bodiesOfStrangers() async throws {
        try await RunningServer.run { running in
            for route in VisitorTests.routes {
                let path =
                    "/database/1/\(RunningServer.container)/development/\(route.database)/"
                    + route.name
                for query in ["", "?ckAPIToken=x", "?ckAPIToken=\(RunningServer.apiToken)"] {
                    let isLetIn =
                        query.hasSuffix(RunningServer.apiToken)
                        && VisitorTests.isPublicRead(route)
                    guard !isLetIn else { continue }
                    let reply = try await running.send(
                        "POST", path + query, headers: Self.announcement)
                    #expect([401, 421].contains(reply.status), "\(route.name)\(query)")
                }
                let signed = try await running.send(
                    "POST", path,
                    headers: Self.announcement.merging([
                        "X-Apple-CloudKit-Request-KeyID": "unknown",
                        "X-Apple-CloudKit-Request-ISO8601Date": "2026-01-01T00:00:00Z",
                    ]) { $1 })
                #expect(signed.status == 401, "\(route.name)")
            }
        }
    }

    @Test(
        "What takes no body reads none",
        arguments: [
            ("GET", "/assets/download/x", 403), ("GET", "/courier/x", 404), ("GET", "/x", 404),
            ("OPTIONS", "/x", 200), ("POST", "/", 413), ("POST", "/signin", 413),
            ("POST", "/console/administrator", 413), ("POST", "/console/actions/addFault", 413),
            ("GET", "/console/console.css", 413), ("POST", "/console/none", 413),
        ])
    func bodiesOfOtherRoutes(method: String, target: String, status: Int) async throws {
        try await RunningServer.run { running in
            let reply = try await running.send(method, target, headers: Self.announcement)
            #expect(reply.status == status)
            #expect(reply.headers["connection"] == "close")
        }
    }

    @Test("A token that is encoded again and again is decoded twice")
    func nestedEncodings() async throws {
        try await RunningServer.run { running in
            let path = "/database/1/\(RunningServer.container)/development/private/zones/list"
            let query = "?ckAPIToken=\(RunningServer.apiToken)&ckWebAuthToken="
            func status(_ token: String) async throws -> Int {
                try await running.send("GET", path + query + token).status
            }
            let token = try await running.token()
            #expect(try await status(encoded(token)) == 200)
            #expect(try await status(encoded(encoded(token))) == 200)
            #expect(try await status(encoded(encoded(encoded(token)))) == 421)
            let nested = "%" + String(repeating: "25", count: 3_500)
            #expect(try await status(nested) == 421)
            // The line has a limit of its own, which is below that of a field of the header.
            #expect(try await status(nested + nested) == 400)
        }
    }

    @Test("A form's boundary has at most 70 bytes")
    func boundaries() async throws {
        try await RunningServer.run { running in
            for (size, status) in [(70, 200), (71, 400), (8_000, 400)] {
                let answer = try await running.operation(
                    "assets/upload", #"{"tokens":[{"recordType":"T","fieldName":"f"}]}"#)
                let url = try #require(
                    answer.value("tokens", "0", "url").flatMap { URL(string: $0) })
                let boundary = String(repeating: "b", count: size)
                // All but the last character of the boundary is in the asset, too.
                let asset = "\r\n--\(boundary.dropLast())x\r\r\n--b"
                let reply = try await running.send(
                    "POST", url.path,
                    headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"],
                    body: "preamble\r\n--\(boundary)\r\n\r\n\(asset)\r\n--\(boundary)--\r\n")
                #expect(reply.status == status)
                guard status == 200 else { continue }
                #expect(reply.value("singleFile", "size") == "\(asset.utf8.count)")
            }
        }
    }

    @Test("With the API token alone nobody makes the server compare without end")
    func queries() async throws {
        try await RunningServer.run { running in
            let record = CKRecord(recordType: "News", recordID: CKRecord.ID(recordName: "n"))
            record["number"] = 1
            try await running.device("d").publicCloudDatabase.save(record)
            let filter = #"{"comparator":"EQUALS","fieldName":"number","fieldValue":{"value":1}}"#
            let sort = #"{"fieldName":"number"}"#
            let word = #"{"comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":"#
            func status(filters: [String], sorts: [String] = []) async throws -> Int {
                let query =
                    #"{"recordType":"News","filterBy":["# + filters.joined(separator: ",")
                    + #"],"sortBy":["# + sorts.joined(separator: ",") + "]}"
                return try await running.send(
                    "POST",
                    "/database/1/\(RunningServer.container)/development/public/records/query"
                        + "?ckAPIToken=\(RunningServer.apiToken)",
                    body: #"{"query":\#(query)}"#
                ).status
            }
            func list(_ count: Int) -> String {
                let values = (0..<count).map { "\($0)" }.joined(separator: ",")
                return
                    #"{"comparator":"IN","fieldName":"number","fieldValue":{"value":[\#(values)]}}"#
            }
            func words(_ count: Int) -> String {
                word + #""\#((0..<count).map { "w\($0)" }.joined(separator: " "))"}}"#
            }
            #expect(try await status(filters: Array(repeating: filter, count: 32)) == 200)
            #expect(try await status(filters: Array(repeating: filter, count: 33)) == 400)
            #expect(try await status(filters: Array(repeating: filter, count: 8_000)) == 400)
            #expect(try await status(filters: [list(250)]) == 200)
            #expect(try await status(filters: [list(251)]) == 400)
            #expect(try await status(filters: [list(200), list(51)]) == 400)
            #expect(try await status(filters: [words(250)]) == 200)
            #expect(try await status(filters: [words(251)]) == 400)
            #expect(try await status(filters: [], sorts: Array(repeating: sort, count: 16)) == 200)
            #expect(try await status(filters: [], sorts: Array(repeating: sort, count: 17)) == 400)
        }
    }

    @Test("A body of a million empty operations is counted, not decoded")
    func manyOperations() async throws {
        try await RunningServer.run { running in
            let operations = Array(repeating: "{}", count: 1_300_000).joined(separator: ",")
            let reply = try await running.operation(
                "records/modify", #"{"operations":[\#(operations)]}"#)
            #expect(reply.status == 400)
            #expect(reply.value("extendedErrorCode") == "LIMIT_EXCEEDED")
        }
    }

    // MARK: - Answers

    @Test("A download that nobody reads is ended, and nothing is copied for it")
    func unreadDownloads() async throws {
        let files = FileManager.default.temporaryDirectory
            .appendingPathComponent("DoorTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: files) }
        try await RunningServer.run({
            $1.services.temporaryDirectory = files
            $1.downloadTime = 0.5
        }) { running in
            let file = running.folder.appendingPathComponent("large")
            try Data(count: 40_000_000).write(to: file)
            let database = try await running.device("d").privateCloudDatabase
            let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "r"))
            record["file"] = CKAsset(fileURL: file)
            try await database.save(record)
            let answer = try await running.operation(
                "records/lookup", #"{"records":[{"recordName":"r"}]}"#)
            let url = try #require(
                answer.value("records", "0", "fields", "file", "value", "downloadURL"))
            let target = url.dropFirst(running.url.absoluteString.count)
                .replacingOccurrences(of: "${f}", with: "f")
            let connection = try RawConnection(port: running.port)
            connection.send(Data("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
            while try Self.openFiles(in: running.folder).isEmpty { await Task.yield() }
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == [])
            while try !Self.openFiles(in: running.folder).isEmpty { await Task.yield() }
            #expect(connection.readAll().count < 40_000_000)
        }
    }

    /// The assets of a server that this process has open.
    private static func openFiles(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(folder.path) && $0.contains("/Assets/") }
    }

    // MARK: - Allowances

    @Test("A user who has sent too many requests has to wait, and another one has not")
    func requestAllowance() async throws {
        try await RunningServer.run({
            $1.services.allowance = WebServiceAllowance(requests: 3, bytes: 1_000_000)
        }) { running in
            func reply(_ user: String) async throws -> RawReply {
                try await running.operation("zones/list", nil, user: user)
            }
            for _ in 0..<3 { #expect(try await reply("ann").status == 200) }
            let refused = try await running.operation(
                "zones/list", nil, headers: ["X-Seam3-Device": "other"])
            #expect(refused.status == 429)
            #expect(refused.value("serverErrorCode") == "THROTTLED")
            #expect(refused.value("retryAfter") == "20")
            #expect(refused.headers["retry-after"] == "20")
            #expect(try await reply("bob").status == 200)
            running.clock.advance(20)
            #expect(try await reply("ann").status == 200)
            #expect(try await reply("ann").status == 429)
        }
    }

    @Test("A user who has sent or fetched too many bytes has to wait")
    func byteAllowance() async throws {
        try await RunningServer.run({
            $1.services.allowance = WebServiceAllowance(requests: 1_000, bytes: 100_000)
        }) { running in
            try await running.makeNote(String(repeating: "x", count: 60_000))
            let lookUp = #"{"zoneID":{"zoneName":"Z"},"records":[{"recordName":"r"}]}"#
            // The note has its text twice, as a field and as an asset.
            let reply = try await running.operation("records/lookup", lookUp)
            #expect(reply.status == 429)
            running.clock.advance(60)
            let answer = try await running.operation("records/lookup", lookUp)
            #expect(answer.status == 200)
            let url = try #require(
                answer.value("records", "0", "fields", "photo", "value", "downloadURL"))
            let target = url.dropFirst(running.url.absoluteString.count)
                .replacingOccurrences(of: "${f}", with: "f")
            #expect(try await running.send("GET", target).status == 200)
            #expect(try await running.send("GET", target).status == 429)
            #expect(try await running.operation("zones/list", nil).status == 429)
            #expect(try await running.operation("zones/list", nil, user: "bob").status == 200)
        }
    }
}
