import CloudKitWebServices
import Foundation
import NIOSSL
import Testing

/// The command `seam3-server` as a process.
@Suite("The process", .timeLimit(.minutes(5)))
struct ProcessTests {
    /// The command as it was built with the tests.
    static let executable =
        Bundle.main.executableURL?.deletingLastPathComponent()
        .appendingPathComponent("seam3-server") ?? URL(fileURLWithPath: "seam3-server")

    private static func freeURL(scheme: String = "http") throws -> URL {
        try #require(URL(string: "\(scheme)://127.0.0.1:\(try LoopbackPort.free())"))
    }

    // MARK: - Its end

    @Test("A server that is killed under load has what it has answered")
    func kills() async throws {
        try await withTemporaryFolder { folder in
            let trial = RestartTrial(
                executable: Self.executable, folder: folder.appendingPathComponent("server"),
                seed: SeededGenerator.seed(from: "SEAM_TEST_SEED"), writerCount: 4)
            let outcome = try await trial.run(restarts: 3)
            #expect(outcome.restarts == 3)
            #expect(outcome.answeredRequests > 0)
        }
    }

    @Test("A server that ends with SIGTERM under load answers all that it carries out")
    func terminations() async throws {
        try await withTemporaryFolder { folder in
            let trial = RestartTrial(
                executable: Self.executable, folder: folder.appendingPathComponent("server"),
                seed: SeededGenerator.seed(from: "SEAM_TEST_SEED"), writerCount: 4,
                isGraceful: true)
            let outcome = try await trial.run(restarts: 2)
            #expect(outcome.answeredRequests > 0)
            #expect(outcome.lostAnswers == 0)
        }
    }

    @Test("An upload that is half sent when SIGTERM comes is answered, and kept")
    func upload() async throws {
        try await withTemporaryFolder { folder in
            let (url, files) = (try Self.freeURL(), folder.appendingPathComponent("files"))
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            let place = folder.appendingPathComponent("server")
            let server = try await ServerProcess.start(
                Self.executable, folder: place, at: url, environment: ["TMPDIR": files.path])
            let context = CloudKitWebServices.RequestContext(
                container: ServerProcess.container, device: "phone")
            let service = try await server.service(user: "ann")
            let field = AssetUploadsRequest.AssetField(
                recordName: "r", recordType: "Note", fieldName: "photo")
            let token = try #require(
                try await service.requestAssetUploads(.init(tokens: [field]), in: context)
                    .tokens.first)
            let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
            let reply = try await Self.halves(of: bytes, to: token.url, at: url) {
                // The server writes an upload to a file while it comes.
                while try Self.sizes(in: files).allSatisfy({ $0 == 0 }) { await Task.yield() }
                server.terminate()
                while (try? RawConnection(port: url.port ?? 0)) != nil { await Task.yield() }
            }
            #expect(reply.status == 200)
            #expect(try await server.exitCode() == 0)
            #expect(try Self.sizes(in: files) == [])

            let second = try await ServerProcess.start(Self.executable, folder: place, at: url)
            let answer = try JSONDecoder().decode(
                [String: AssetDictionary].self, from: reply.body)
            var record = RecordDictionary(recordName: "r", recordType: "Note")
            record.fields = ["photo": .init(.asset(try #require(answer["singleFile"])))]
            let saved = try await service.modifyRecords(
                .init(operations: [.init(.create, record)]), in: context)
            let value = try #require(saved.records.first?.item?.fields["photo"]?.value)
            guard case .asset(let asset) = value else {
                Issue.record("\(value) is no asset")
                return
            }
            let copy = folder.appendingPathComponent("copy")
            try await service.downloadAsset(asset, to: copy, in: context)
            #expect(try Data(contentsOf: copy) == bytes)
            second.terminate()
            #expect(try await second.exitCode() == 0)
        }
    }

    /// Sends half of an upload, does something, and sends the rest.
    private static func halves(
        of bytes: Data, to target: String, at url: URL, _ between: () async throws -> Void
    ) async throws -> RawReply {
        let path = target.dropFirst(url.absoluteString.count)
        let head =
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(bytes.count)\r\n\r\n"
        let connection = try RawConnection(port: url.port ?? 0)
        connection.send(Data(head.utf8) + bytes.prefix(bytes.count / 2))
        try await between()
        connection.send(bytes.dropFirst(bytes.count / 2))
        return try RawConnection.reply(
            try await Thread.runBlocking { connection.readAnswer() })
    }

    /// The sizes of the uploads in a folder. Foundation has hidden files of its own there, for a moment each.
    private static func sizes(in folder: URL) throws -> [Int] {
        try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles
        ).map { try FileManager.default.attributesOfItem(atPath: $0.path)[.size] as? Int ?? 0 }
    }

    // MARK: - TLS

    @Test("With a certificate it is reached over TLS by who trusts it, and by nobody else")
    func encryption() async throws {
        try await withTemporaryFolder { folder in
            let files = try SelfSignedCertificate(in: folder)
            let url = try Self.freeURL(scheme: "https")
            let server = try await ServerProcess.start(
                Self.executable, folder: folder.appendingPathComponent("server"), at: url,
                options: [
                    "--certificates", files.certificate.path, "--private-key",
                    files.privateKey.path,
                ])
            let (page, port) = ("/signin?ckAPIToken=\(ServerProcess.apiToken)", url.port ?? 0)
            var trust = TLSConfiguration.makeClientConfiguration()
            trust.trustRoots = .file(files.certificate.path)
            #expect(try await TLSClient.get(page, port: port, trust).status == 200)
            trust.maximumTLSVersion = .tlsv11
            for configuration in [trust, .makeClientConfiguration()] {
                await #expect(throws: NIOSSLError.self) {
                    try await TLSClient.get(page, port: port, configuration)
                }
            }
            // The client for apps asks the system whom to trust.
            let service = CloudKitWebService(
                container: ServerProcess.container, environment: .development,
                credentials: .user(apiToken: ServerProcess.apiToken, webAuthToken: "token"),
                baseURL: url)
            let error = await #expect(throws: CloudKitServiceError.self) {
                _ = try await service.listZones(
                    in: .init(container: ServerProcess.container, device: "phone"))
            }
            #expect(error?.code == .networkFailure)
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }

    @Test(
        "It does not start without TLS where others reach it",
        arguments: ["0.0.0.0", "::", "example.org"])
    func refusal(host: String) async throws {
        try await withTemporaryFolder { folder in
            let process = Process()
            process.executableURL = Self.executable
            process.arguments = ["--host", host, "--folder", folder.path]
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            let text = try await Thread.runBlocking {
                let data = errors.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                return String(decoding: data, as: UTF8.self)
            }
            #expect(process.terminationStatus == 64)
            #expect(text.contains("Others reach \(host)."))
        }
    }

    // MARK: - Devices

    @Test(
        "Two devices of the example app share the clocks of a server, by its pushes",
        .enabled(if: DemoCommand.isBuilt))
    func demo() async throws {
        try await withTemporaryFolder { folder in
            let url = try Self.freeURL()
            let server = try await ServerProcess.start(
                Self.executable, folder: folder.appendingPathComponent("server"), at: url)
            let demo = DemoCommand(
                folder: folder.appendingPathComponent("devices"), server: server.address)
            let watch = try demo.start(["watch", "--device", "tablet"])
            #expect(try await watch.prints("Watching."))
            let imported = try await demo.run("import", "--device", "phone")
            #expect(imported.code == 0)
            let added = try await demo.run(
                "add", "Office", "--zone", "Europe/Berlin", "--device", "phone")
            #expect(added.code == 0)
            #expect(try await watch.prints("Synced: +1 clock"))
            #expect(try await watch.prints("Office"))
            try await watch.end()
            let status = try await demo.run("status", "--device", "tablet")
            #expect(status.text.contains("249 Country, 312 Zone, 0 Folder, 1 Clock"))
            server.terminate()
            #expect(try await server.exitCode() == 0)
        }
    }
}
