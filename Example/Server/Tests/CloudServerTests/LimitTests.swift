import CloudServer
import Foundation
import Testing

/// What a client cannot make the server do.
@Suite("Limits")
struct LimitTests {
    @Test("A body that is too long is refused before it is read", arguments: [false, true])
    func bodies(isChunked: Bool) async throws {
        try await RunningServer.run({ _, options in
            options.services.maximumBodySize = 1_000
        }) { running in
            let body = String(repeating: " ", count: 5_000)
            let reply =
                isChunked
                ? try await running.operation(
                    "zones/list", "1388\r\n\(body)\r\n0\r\n\r\n",
                    headers: ["Transfer-Encoding": "chunked"])
                : try await running.operation("zones/list", body)
            #expect(reply.status == 413)
        }
    }

    @Test("A length is believed at once, not when that many bytes have come")
    func announcedLength() async throws {
        try await RunningServer.run { running in
            let reply = try await running.operation(
                "zones/list", headers: ["Content-Length": "4000000000"])
            #expect(reply.status == 413)
        }
    }

    @Test("An asset that is too long is refused, and no file of it is left")
    func assets() async throws {
        let files = FileManager.default.temporaryDirectory
            .appendingPathComponent("LimitTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: files) }
        try await RunningServer.run({ _, options in
            options.services.maximumAssetSize = 1_000
            options.services.temporaryDirectory = files
        }) { running in
            let answer = try await running.operation(
                "assets/upload", #"{"tokens":[{"recordType":"T","fieldName":"f"}]}"#)
            let url = try #require(answer.value("tokens", "0", "url").flatMap { URL(string: $0) })
            let long = String(repeating: "x", count: 20_000)
            #expect(try await running.send("POST", url.path, body: long).status == 413)
            let chunked = try await running.send(
                "POST", url.path, headers: ["Transfer-Encoding": "chunked"],
                body: "4e20\r\n\(long)\r\n0\r\n\r\n")
            #expect(chunked.status == 413)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == [])
        }
    }

    @Test("A header that is too long, or has too many fields, is refused")
    func headers() async throws {
        try await RunningServer.run { running in
            let long = try await running.send(
                "GET", "/", headers: ["X-Long": String(repeating: "x", count: 40_000)])
            #expect([400, 431].contains(long.status))
            let many = Dictionary(uniqueKeysWithValues: (0..<200).map { ("X-Field-\($0)", "x") })
            #expect([400, 431].contains(try await running.send("GET", "/", headers: many).status))
        }
    }

    @Test("A client that does not end its header loses the connection", .timeLimit(.minutes(1)))
    func slowHeader() async throws {
        try await RunningServer.run({ _, options in options.headerTime = 0.3 }) { running in
            let port = running.port
            let (answer, time) = try await Thread.runBlocking {
                let start = ContinuousClock.now
                let connection = try RawConnection(port: port)
                connection.send(Data("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ".utf8))
                return (connection.readAll(), ContinuousClock.now - start)
            }
            #expect(answer.isEmpty)
            // The connection's own limit in the test is 90 seconds.
            #expect(time < .seconds(15))
        }
    }

    @Test("A body that trickles is given up, though it never pauses", .timeLimit(.minutes(1)))
    func slowBody() async throws {
        try await RunningServer.run({ _, options in options.bodyTime = 0.3 }) { running in
            let port = running.port
            let token = encoded(try await running.token())
            let path =
                "/database/1/\(RunningServer.container)/development/private/zones/list"
                + "?ckAPIToken=\(RunningServer.apiToken)&ckWebAuthToken=\(token)"
            let status = try await Thread.runBlocking {
                let connection = try RawConnection(port: port)
                connection.send(
                    Data(
                        "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n"
                            .utf8))
                // Until the server ends the connection: the pauses make the trickle.
                while connection.send(Data(" ".utf8)) { usleep(20_000) }
                return try RawConnection.reply(connection.readAll()).status
            }
            #expect(status == 408)
        }
    }

    @Test("A request that is none is answered and harms nobody")
    func nonsense() async throws {
        try await RunningServer.run { running in
            let port = running.port
            for text in [
                "\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}", "GET / HTTP/9.9\r\n\r\n",
            ] {
                let answer = try await Thread.runBlocking {
                    let connection = try RawConnection(port: port)
                    connection.send(Data(text.utf8))
                    connection.endSending()
                    return connection.readAll()
                }
                #expect(!answer.starts(with: Data("HTTP/1.1 200".utf8)))
            }
            #expect(try await running.operation("zones/list", nil).status == 200)
        }
    }
}
