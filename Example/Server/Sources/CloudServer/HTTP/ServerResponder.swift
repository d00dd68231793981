import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Sends each request to the web services or to the pages, and logs it.
struct ServerResponder<Pages: HTTPResponder>: HTTPResponder where Pages.Context == ServerContext {
    let services: WebServiceResponder
    let pages: Pages
    let entrance: OpenEntrance
    let library: PageLibrary
    let options: CloudServer.Options

    /// How many bytes a form may have.
    private static var maximumFormSize: Int { 65_536 }

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let start = ContinuousClock.now
        let (request, context, isRefused) = entered(request, context)
        var response: Response
        do {
            response =
                isRefused
                ? request.withoutBody(try Self.refusal(library), on: context.channel)
                : try await answer(to: request, context: context)
        } catch {
            // What went wrong is nobody's business but the log's.
            context.logger.error("\(error)")
            response = Response(status: .internalServerError)
                .endingConnection(context.channel)
        }
        for (name, value) in headers where response.headers[name] == nil {
            response.headers[name] = value
        }
        context.logger.info(
            "\(request.method.rawValue) \(Self.loggedPath(of: request))",
            metadata: [
                "status": "\(response.status.code)",
                "time":
                    "\((ContinuousClock.now - start).formatted(.units(allowed: [.milliseconds])))",
            ])
        let time = response.isLong ? options.downloadTime : options.answerTime
        return response.taken(within: time, on: context.channel)
    }

    /// What every answer has unless it says otherwise.
    private var headers: [(HTTPField.Name, String)] {
        let isSecure = options.baseURL.scheme == "https"
        return [(.xContentTypeOptions, "nosniff"), (.cacheControl, "no-store")]
            + (isSecure ? [(.strictTransportSecurity, "max-age=31536000")] : [])
    }

    /// The request without the key of the address that opens the server, and whether the key is wrong.
    private func entered(
        _ request: Request, _ context: ServerContext
    ) -> (Request, ServerContext, isRefused: Bool) {
        guard OpenEntrance.isLike(request.uri.path) else { return (request, context, false) }
        guard let entered = entrance.entered(request, context) else {
            return (request, context, true)
        }
        var context = context
        context.isOpened = true
        return (entered, context, false)
    }

    private static func refusal(_ library: PageLibrary) throws -> Response {
        try library.page(
            "message",
            [
                "title": "Not found",
                "text": "This is not the address that the server printed when it started.",
            ], status: .notFound)
    }

    private func answer(to request: Request, context: ServerContext) async throws -> Response {
        let path = request.uri.path
        let isPage = path == "/" || path == "/signin" || path.hasPrefix("/console/")
        guard isPage else { return try await services.respond(to: request, context: context) }
        guard let length = request.bodyLength, length <= Self.maximumFormSize else {
            return BodyFailure.tooLarge.response(on: context.channel)
        }
        return try await pages.respond(to: request, context: context)
    }

    /// The path without what is secret: the tokens in the query, and addresses that are tokens themselves.
    private static func loggedPath(of request: Request) -> String {
        let path = request.uri.path
        for prefix in ["/open/", "/assets/upload/", "/assets/download/", "/courier/"]
        where path.hasPrefix(prefix) {
            return prefix + "…"
        }
        return path
    }
}

extension Response {
    /// Whether it has the bytes of an asset, or as many.
    fileprivate var isLong: Bool { (body.contentLength ?? .max) > 1_000_000 }
}
