import CloudKitWebServices
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension CloudServer {
    /// The HTTP server.
    ///
    /// - Parameters:
    ///   - host: The address to listen at.
    ///   - port: The port; 0 for any that is free.
    ///   - onServerRunning: Is called with the port when requests can come.
    public func application(
        host: String, port: Int, onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = router
        return Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in
                try await Self.respond(to: request, router)
            },
            server: .http1(
                configuration: .init(
                    idleTimeout: .seconds(120),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768,
                        maxHeaderFieldCount: 100))),
            configuration: .init(address: .hostname(host, port: port)),
            onServerRunning: { channel in
                await onServerRunning(channel.localAddress?.port ?? port)
            })
    }

    @Sendable private static func respond(
        to request: Request, _ router: WebServiceRouter
    ) async throws -> Response {
        let (method, target) = (request.method.rawValue, request.head.path ?? "/")
        let headers = Dictionary(
            request.headers.map { ($0.name.canonicalName, $0.value) },
            uniquingKeysWith: { first, _ in first })
        let limit = router.bodyLimit(method: method, target: target)
        let file = router.options.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { if limit.isFile { try? FileManager.default.removeItem(at: file) } }
        let body: WebServiceRequest.Body
        do {
            body =
                limit.isFile
                ? .file(try await write(request.body, to: file, limit: limit.bytes))
                : .data(try await collect(request.body, limit: limit.bytes))
        } catch is TooLarge {
            return Response(status: .contentTooLarge)
        }
        let answer = await router.respond(
            to: WebServiceRequest(method: method, target: target, headers: headers, body: body))
        return try response(answer)
    }

    private struct TooLarge: Error {}

    private static func collect(_ body: RequestBody, limit: Int64) async throws -> Data {
        var data = Data()
        for try await chunk in body {
            guard Int64(data.count + chunk.readableBytes) <= limit else { throw TooLarge() }
            data.append(contentsOf: chunk.readableBytesView)
        }
        return data
    }

    private static func write(_ body: RequestBody, to file: URL, limit: Int64) async throws -> URL {
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        var count: Int64 = 0
        for try await chunk in body {
            count += Int64(chunk.readableBytes)
            guard count <= limit else { throw TooLarge() }
            try handle.write(contentsOf: Data(chunk.readableBytesView))
        }
        return file
    }

    private static func response(_ answer: WebServiceResponse) throws -> Response {
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        let status = HTTPResponse.Status(code: answer.status)
        switch answer.body {
        case .data(let data):
            return Response(
                status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
        case .temporaryFile(let file):
            let handle = try FileHandle(forReadingFrom: file)
            let size = try handle.seekToEnd()
            try handle.seek(toOffset: 0)
            // The open file stays readable without its name, and nothing is left whatever happens.
            try FileManager.default.removeItem(at: file)
            let body = ResponseBody(contentLength: Int(size)) { writer in
                defer { try? handle.close() }
                while let chunk = try handle.read(upToCount: 65_536), !chunk.isEmpty {
                    try await writer.write(ByteBuffer(bytes: chunk))
                }
                try await writer.finish(nil)
            }
            return Response(status: status, headers: headers, body: body)
        }
    }
}
