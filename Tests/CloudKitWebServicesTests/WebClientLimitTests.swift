import CloudKitWebServices
import Foundation
import LoopbackServer
import Testing

/// What a server cannot make the client do.
@Suite("Answers that a client does not take", .timeLimit(.minutes(2)))
struct WebClientLimitTests {
    /// Zeros, compressed by the system's program.
    private static func compressedZeros(_ count: Int) throws -> Data {
        let file = try TemporaryFile(Data(count: count))
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
        process.arguments = ["--to-stdout", file.url.path]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }

    private static func service(
        _ server: LoopbackServer, _ change: (inout CloudKitWebService.Options) -> Void
    ) -> CloudKitWebService {
        var options = CloudKitWebService.Options()
        options.timeout = 20
        change(&options)
        return CloudKitWebService(
            container: WebCloud.container, environment: .development,
            credentials: .user(apiToken: WebCloud.apiToken, webAuthToken: "token"),
            baseURL: server.baseURL, options: options)
    }

    /// A server that answers everything with the same bytes.
    private static func server(
        _ body: Data, status: Int = 200, headers: [String: String]
    ) throws -> LoopbackServer {
        let server = try LoopbackServer()
        let headers = headers.merging(["Connection": "close"]) { $1 }
        server.start { _ in
            .response(WebServiceResponse(status: status, headers: headers, body: .data(body)))
        }
        return server
    }

    @Test("An answer counts as it is after decompression", arguments: [200, 500])
    func answers(status: Int) async throws {
        let server = try Self.server(
            try Self.compressedZeros(5_000_000), status: status,
            headers: ["Content-Encoding": "gzip"])
        let service = Self.service(server) { $0.maximumAnswerSize = 1_000_000 }
        let reading = await error { () throws(CloudKitServiceError) in
            _ = try await service.listZones(in: privateContext)
        }
        #expect(reading?.code == .networkFailure)
        #expect(reading?.reason == "The response is larger than it may be")
        let writing = await error { () throws(CloudKitServiceError) in
            _ = try await service.modifyZones(.init(operations: []), in: privateContext)
        }
        #expect(writing?.code == .serverResponseLost)
    }

    @Test("A download is no larger than its stated size, or than an asset may be")
    func downloads() async throws {
        let zeros = try Self.compressedZeros(5_000_000)
        for headers in [["Content-Encoding": "gzip"], [:]] {
            let body = headers.isEmpty ? Data(count: 5_000_000) : zeros
            let server = try Self.server(body, headers: headers)
            let service = Self.service(server) { $0.maximumAssetSize = 1_000_000 }
            let address = server.baseURL.absoluteString + "/asset/${f}"
            for size in [1_000_000, nil] as [Int64?] {
                let file = try TemporaryFile()
                let asset = AssetDictionary(size: size, downloadURL: address)
                let failure = await error { () throws(CloudKitServiceError) in
                    try await service.downloadAsset(asset, to: file.url, in: privateContext)
                }
                #expect(failure?.code == .networkFailure)
                #expect(failure?.reason == "The response is larger than it may be")
                #expect(!FileManager.default.fileExists(atPath: file.url.path))
            }
            let file = try TemporaryFile()
            try await service.downloadAsset(
                AssetDictionary(size: 5_000_000, downloadURL: address), to: file.url,
                in: privateContext)
            #expect(try Data(contentsOf: file.url).count == 5_000_000)
        }
    }

    @Test(
        "Only a page of the web is shown to a user who has to sign in",
        arguments: [
            ("https://example.org/signin", true), ("http://127.0.0.1/signin", true),
            ("file:///etc/passwd", false), ("javascript:alert(1)", false), ("tel:110", false),
            ("other-app://open?x=y", false), ("data:text/html,x", false), ("//example.org", false),
            ("https:", false), ("", false),
        ])
    func pages(address: String, isShown: Bool) async throws {
        let (pages, tokens) = (Collected<URL>(), Collected<String?>())
        let body =
            #"{"serverErrorCode":"AUTHENTICATION_REQUIRED","redirectURL":"\#(address)"}"#
        let (service, server) = try scripted(
            credentials: .user(
                apiToken: WebCloud.apiToken, webAuthToken: "token",
                tokenDidChange: { tokens.add($0) },
                signIn: { page in
                    pages.add(page)
                    return nil
                })
        ) { _ in .response(WebServiceResponse(status: 421, body: .data(Data(body.utf8)))) }
        defer { server.stop() }
        let failure = await error { () throws(CloudKitServiceError) in
            _ = try await service.listZones(in: privateContext)
        }
        #expect(failure?.code == .authenticationRequired)
        #expect(pages.values.map(\.absoluteString) == (isShown ? [address] : []))
        #expect(tokens.values == [nil])
    }

    @Test(
        "A client waits for a day at most, whatever the server asks for",
        arguments: [
            (#","retryAfter":1e300"#, [:], 86_400.0), (#","retryAfter":-5"#, [:], 0),
            ("", ["Retry-After": "1e300"], 86_400), ("", ["Retry-After": "-5"], 0),
            ("", ["Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"], 86_400),
        ])
    func waits(field: String, headers: [String: String], seconds: Double) async throws {
        let body = #"{"serverErrorCode":"THROTTLED"\#(field)}"#
        let (service, server) = try scripted { _ in
            .response(
                WebServiceResponse(status: 429, headers: headers, body: .data(Data(body.utf8))))
        }
        defer { server.stop() }
        let failure = await error { () throws(CloudKitServiceError) in
            _ = try await service.listZones(in: privateContext)
        }
        #expect(failure?.retryAfter == seconds)
    }

    @Test("A download is redirected to the web only")
    func redirections() async throws {
        let secret = try TemporaryFile(Data("secret".utf8))
        let (service, server) = try scripted { _ in
            .response(
                WebServiceResponse(
                    status: 302, headers: ["Location": secret.url.absoluteString]))
        }
        let file = try TemporaryFile()
        let asset = AssetDictionary(
            size: 6, downloadURL: server.baseURL.absoluteString + "/asset/${f}")
        let failure = await error { () throws(CloudKitServiceError) in
            try await service.downloadAsset(asset, to: file.url, in: privateContext)
        }
        #expect(failure != nil)
        #expect(!FileManager.default.fileExists(atPath: file.url.path))
    }
}
