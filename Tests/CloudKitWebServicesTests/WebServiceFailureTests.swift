import CloudKit
import CloudKitWebServices
import Foundation
import LocalCloud
import Testing

/// The errors for everything that can go wrong between the client and a server.
@Suite("Failures of the network and of servers")
struct WebServiceFailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: String
        let code: CKError.Code
        var retryAfter: Double?
        /// The error of a request that writes, if it is a different one.
        var writingCode: CKError.Code?

        var testDescription: String { name }
    }

    /// A response that announces the end of its connection, because the next request could be
    /// sent over it while the server closes it.
    private static func answer(_ status: Int, _ body: String, _ headers: String = "") -> String {
        "HTTP/1.1 \(status) S\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n"
            + "\(headers)\r\n\(body)"
    }

    private static let page = "<html>Service Unavailable</html>"

    static let cases: [Case] = [
        Case(name: "closed at once", bytes: "", code: .networkFailure),
        Case(name: "no HTTP", bytes: "SSH-2.0-OpenSSH_9.2\r\n", code: .networkFailure),
        Case(
            name: "truncated body",
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"zones\":[",
            code: .networkFailure, writingCode: .serverResponseLost),
        Case(
            name: "truncated chunks",
            bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{\"zones\"",
            code: .networkFailure, writingCode: .serverResponseLost),
        Case(
            name: "broken body", bytes: answer(200, #"{"zones":[{"zone"#), code: .networkFailure,
            writingCode: .serverResponseLost),
        Case(
            name: "another body", bytes: answer(200, page), code: .networkFailure,
            writingCode: .serverResponseLost),
        Case(
            name: "broken gzip",
            bytes: answer(200, "no gzip at all", "Content-Encoding: gzip\r\n"),
            code: .networkFailure, writingCode: .serverResponseLost),
        Case(
            name: "a page of a login", bytes: answer(302, "", "Location: http://127.0.0.1:9/l\r\n"),
            code: .networkFailure),
        Case(
            name: "moved to another server",
            bytes: answer(307, "", "Location: http://127.0.0.1:9/x\r\n"), code: .networkFailure),
        Case(name: "500", bytes: answer(500, page), code: .serverRejectedRequest),
        Case(name: "502", bytes: answer(502, page), code: .serviceUnavailable),
        Case(
            name: "503 with seconds", bytes: answer(503, page, "Retry-After: 17\r\n"),
            code: .serviceUnavailable, retryAfter: 17),
        Case(name: "504", bytes: answer(504, page), code: .serviceUnavailable),
        Case(
            name: "429", bytes: answer(429, "", "Retry-After: 3\r\n"), code: .requestRateLimited,
            retryAfter: 3),
        Case(name: "403 of a proxy", bytes: answer(403, page), code: .permissionFailure),
        Case(name: "413 of a proxy", bytes: answer(413, page), code: .limitExceeded),
        Case(name: "421 of a proxy", bytes: answer(421, page), code: .networkFailure),
        Case(name: "401 of a proxy", bytes: answer(401, page), code: .notAuthenticated),
        Case(name: "418", bytes: answer(418, page), code: .serverRejectedRequest),
        Case(
            name: "retryAfter in the body",
            bytes: answer(
                503,
                #"{"uuid":"u","serverErrorCode":"TRY_AGAIN_LATER","reason":"r","retryAfter":30}"#,
                "Retry-After: 5\r\n"), code: .serviceUnavailable, retryAfter: 30),
        Case(
            name: "a code that nobody knows",
            bytes: answer(400, #"{"uuid":"u","serverErrorCode":"WHATEVER","reason":"r"}"#),
            code: .serverRejectedRequest),
    ]

    @Test(
        "Each becomes the error of Apple's client", .timeLimit(.minutes(1)),
        arguments: cases)
    func failures(item: Case) async throws {
        let (service, server) = try scripted { _ in .bytes(Data(item.bytes.utf8)) }
        defer { server.stop() }
        let reading = await error { () throws(CloudKitServiceError) in
            _ = try await service.listZones(in: privateContext)
        }
        #expect(reading?.code.ckErrorCode == item.code.rawValue, "\(String(describing: reading))")
        #expect(reading?.retryAfter == item.retryAfter)
        let writing = await error { () throws(CloudKitServiceError) in
            _ = try await service.modifyZones(
                ModifyZonesRequest(operations: [.init(.create, .init(zoneName: "Z"))]),
                in: privateContext)
        }
        let expected = item.writingCode ?? item.code
        #expect(writing?.code.ckErrorCode == expected.rawValue, "\(String(describing: writing))")
    }

    @Test("A date in Retry-After counts from now")
    func retryDate() async throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = formatter.string(from: Date() + 3_600)
        let (service, server) = try scripted { _ in
            .response(WebServiceResponse(status: 503, headers: ["Retry-After": date]))
        }
        defer { server.stop() }
        let failure = await error { () throws(CloudKitServiceError) in
            _ = try await service.listZones(in: privateContext)
        }
        let seconds = try #require(failure?.retryAfter)
        #expect((3_000...3_600).contains(seconds))
    }

    @Test("A missing server is a network failure")
    func noServer() async throws {
        let (service, server) = try scripted { _ in .silence }
        defer { server.stop() }
        server.stop()
        let failure = await error { () throws(CloudKitServiceError) in
            _ = try await service.listZones(in: privateContext)
        }
        #expect(failure?.code == .networkFailure)
    }

    @Test("A silent server leads to a timeout", .timeLimit(.minutes(1)))
    func timeout() async throws {
        let (service, server) = try scripted(timeout: 1) { _ in .silence }
        defer { server.stop() }
        let failure = await error { () throws(CloudKitServiceError) in
            _ = try await service.listZones(in: privateContext)
        }
        #expect(failure?.code == .networkFailure)
        #expect(failure?.reason == "The request timed out")
    }

    @Test("A canceled request ends at once", .timeLimit(.minutes(1)))
    func cancellation() async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let (service, server) = try scripted { _ in
            arrival.yield()
            return .silence
        }
        defer { server.stop() }
        let task = Task {
            await error { () throws(CloudKitServiceError) in
                _ = try await service.listZones(in: privateContext)
            }
        }
        for await _ in arrived { break }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        // A request that is canceled before it begins is not sent.
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await error { () throws(CloudKitServiceError) in
                _ = try await service.listZones(in: privateContext)
            }
        }
        #expect(await late.value?.code == .cancelled)
    }

    @Test("A compressed response is read, and 307 to the same server is followed with the body")
    func gzipAndRedirect() async throws {
        // {"zones":[]}, compressed with gzip.
        let gzip = try #require(
            Data(base64Encoded: "H4sIAL69A2sC/6tWqsrPSy1WsoqOrQUAa6vKZgwAAAA="))
        let (service, server) = try scripted { request in
            if request.target.hasPrefix("/database") {
                return .response(
                    WebServiceResponse(status: 307, headers: ["Location": "/elsewhere"]))
            }
            return .response(
                WebServiceResponse(
                    status: 200, headers: ["Content-Encoding": "gzip"], body: .data(gzip)))
        }
        defer { server.stop() }
        let found = try await service.lookUpZones(
            LookUpZonesRequest(zones: [.init(zoneName: "Z")]), in: privateContext)
        #expect(found.zones.isEmpty)
        let bodies = server.requests.map { request -> String in
            guard case .data(let data) = request.body else { return "file" }
            return "\(request.method) \(String(decoding: data, as: UTF8.self))"
        }
        #expect(bodies == Array(repeating: #"POST {"zones":[{"zoneName":"Z"}]}"#, count: 2))
    }

    @Test("An interrupted download leaves no file")
    func truncatedDownload() async throws {
        let bytes = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhalf"
        let (service, server) = try scripted { request in
            request.target.hasSuffix("whole")
                ? .response(WebServiceResponse(status: 200, body: .data(Data("half".utf8))))
                : .bytes(Data(bytes.utf8))
        }
        defer { server.stop() }
        for address in ["/x/${f}", "/whole"] {
            let file = try TemporaryFile()
            let failure = await error { () throws(CloudKitServiceError) in
                try await service.downloadAsset(
                    AssetDictionary(
                        size: 500, downloadURL: server.baseURL.absoluteString + address),
                    to: file.url, in: privateContext)
            }
            #expect(failure?.code == .networkFailure)
            #expect(!FileManager.default.fileExists(atPath: file.url.path))
        }
    }

    @Test(
        "An asset that is gone is not available", arguments: [403, 404, 410])
    func goneAsset(status: Int) async throws {
        let (service, server) = try scripted { _ in
            .response(WebServiceResponse(status: status, body: .data(Data("gone".utf8))))
        }
        defer { server.stop() }
        let file = try TemporaryFile()
        let failure = await error { () throws(CloudKitServiceError) in
            try await service.downloadAsset(
                AssetDictionary(size: 4, downloadURL: server.baseURL.absoluteString + "/a"),
                to: file.url, in: privateContext)
        }
        #expect(failure?.code == .assetNotAvailable)
        #expect(!FileManager.default.fileExists(atPath: file.url.path))
    }

    @Test("A file that is missing, a folder, or changed during its upload is not uploaded")
    func badFiles() async throws {
        let file = try TemporaryFile(Data(count: 100))
        let (service, server) = try scripted { _ in
            try? Data(count: 99).write(to: file.url)
            return .response(
                WebServiceResponse(status: 200, body: .data(Data(#"{"singleFile":{}}"#.utf8))))
        }
        defer { server.stop() }
        let token = AssetUploadToken(
            recordName: "r", fieldName: "f", url: server.baseURL.absoluteString + "/u")
        func upload(_ url: URL) async -> ServerErrorCode? {
            await error { () throws(CloudKitServiceError) in
                _ = try await service.uploadAsset(from: url, to: token, in: privateContext)
            }?.code
        }
        #expect(await upload(URL(fileURLWithPath: "/no/such/file")) == .assetFileNotFound)
        #expect(await upload(FileManager.default.temporaryDirectory) == .assetNotAvailable)
        #expect(await upload(file.url) == .assetFileModified)
    }

    @Test("An atomic request that fails as a whole fails with each of its records")
    func atomicError() async throws {
        let (service, server) = try scripted { _ in
            .response(
                WebServiceResponse(
                    status: 400, body: .data(Data(#"{"serverErrorCode":"ATOMIC_ERROR"}"#.utf8))))
        }
        defer { server.stop() }
        let answer = try await service.modifyRecords(
            ModifyRecordsRequest(
                zoneID: .init(zoneName: "Z"), atomic: true,
                operations: ["a", "b"].map { .init(.forceDelete, .init(recordName: $0)) }),
            in: privateContext)
        #expect(answer.records.map(\.error?.serverErrorCode) == [.atomicError, .atomicError])
        #expect(answer.records.map(\.error?.recordName) == ["a", "b"])
    }
}
