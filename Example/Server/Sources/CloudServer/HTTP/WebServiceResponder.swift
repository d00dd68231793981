import CloudKitWebServices
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Answers the requests of CloudKit Web Services with a `WebServiceRouter`.
struct WebServiceResponder: HTTPResponder {
    let router: WebServiceRouter
    let options: CloudServer.Options

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let (method, target) = (request.method.rawValue, request.head.path ?? "/")
        let limit = router.bodyLimit(method: method, target: target)
        let file = router.options.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { if limit.isFile { try? FileManager.default.removeItem(at: file) } }
        let body: WebServiceRequest.Body
        do {
            if limit.isFile {
                try await request.write(
                    to: file, .init(bytes: limit.bytes, seconds: options.uploadTime))
                body = .file(file)
            } else {
                body = .data(
                    try await request.data(
                        .init(bytes: limit.bytes, seconds: options.bodyTime)))
            }
        } catch let failure as BodyFailure {
            return failure.response(on: context.channel)
        }
        let headers = Dictionary(
            request.headers.map { ($0.name.canonicalName, $0.value) },
            uniquingKeysWith: { first, _ in first })
        let service = WebServiceRequest(
            method: method, target: target, headers: headers, body: body)
        // A request that waits for a push must not keep the server from ending.
        let answer =
            target.hasPrefix("/courier/")
            ? await cancelWhenGracefulShutdown { await router.respond(to: service) }
            : await router.respond(to: service)
        return try Self.response(answer)
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
            return Response(
                status: status, headers: headers, body: try .init(removing: file))
        }
    }
}

extension ResponseBody {
    /// The bytes of a file, which is removed.
    init(removing file: URL) throws {
        let handle = try FileHandle(forReadingFrom: file)
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        // The open file stays readable without its name, and nothing is left whatever happens.
        try FileManager.default.removeItem(at: file)
        self.init(contentLength: Int(size)) { writer in
            defer { try? handle.close() }
            while let chunk = try handle.read(upToCount: 65_536), !chunk.isEmpty {
                try await writer.write(ByteBuffer(bytes: chunk))
            }
            try await writer.finish(nil)
        }
    }
}
