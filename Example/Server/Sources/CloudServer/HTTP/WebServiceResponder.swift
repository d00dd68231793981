import CloudKitWebServices
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Answers the requests of CloudKit Web Services with a `WebServiceRouter`: first it is asked whether the
/// request is admitted, and only then the body is read.
struct WebServiceResponder: HTTPResponder {
    let router: WebServiceRouter
    let entrance: OpenEntrance
    let options: CloudServer.Options

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let headers = Dictionary(
            request.headers.map { ($0.name.canonicalName, $0.value) },
            uniquingKeysWith: { first, _ in first })
        var service = WebServiceRequest(
            method: request.method.rawValue, target: request.head.path ?? "/", headers: headers,
            peer: context.channel.remoteAddress?.ipAddress ?? "")
        if context.isOpened { service.entrance = entrance.path ?? "" }
        let entry: WebServiceEntry
        switch await router.admit(service) {
        case .admitted(let admitted): entry = admitted
        case .answered(let answer):
            return request.withoutBody(Self.response(answer, context), on: context.channel)
        }
        let file = router.options.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { if entry.isFile { try? FileManager.default.removeItem(at: file) } }
        do {
            service.body = try await body(of: request, entry, file: file)
        } catch let failure as BodyFailure {
            return failure.response(on: context.channel)
        }
        // A request that waits for a push must not keep the server from ending.
        let answer =
            entry.isPatient
            ? await cancelWhenGracefulShutdown { [service] in
                await router.respond(to: service, as: entry)
            } : await router.respond(to: service, as: entry)
        return Self.response(answer, context)
    }

    private func body(
        of request: Request, _ entry: WebServiceEntry, file: URL
    ) async throws -> WebServiceRequest.Body {
        guard entry.isFile else {
            return .data(
                try await request.data(
                    .init(bytes: entry.maximumBodySize, seconds: options.bodyTime)))
        }
        try await request.write(
            to: file, .init(bytes: entry.maximumBodySize, seconds: options.uploadTime))
        return .file(file)
    }

    private static func response(
        _ answer: WebServiceResponse, _ context: ServerContext
    ) -> Response {
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        let status = HTTPResponse.Status(code: answer.status)
        let body: ResponseBody =
            switch answer.body {
            case .data(let data): .init(byteBuffer: ByteBuffer(bytes: data))
            case .file(let file, let size): .init(file, size: size, on: context.channel)
            }
        return Response(status: status, headers: headers, body: body)
    }
}

extension ResponseBody {
    /// The bytes of an open file, which is closed.
    init(_ file: FileHandle, size: Int64, on channel: any Channel) {
        self.init(contentLength: Int(size)) { writer in
            defer { try? file.close() }
            while let chunk = try file.read(upToCount: 65_536), !chunk.isEmpty {
                try await writer.write(ByteBuffer(bytes: chunk))
                // Only the event loop knows whether the client takes more. Reading goes on when it has had its
                // turn; otherwise megabytes wait in memory for a client that does not read.
                try await channel.eventLoop.submit {}.get()
            }
            try await writer.finish(nil)
        }
    }
}
