import Hummingbird
import Logging

/// Sends each request to the web services or to the pages, and logs it.
struct ServerResponder<Pages: HTTPResponder>: HTTPResponder where Pages.Context == ServerContext {
    let services: WebServiceResponder
    let pages: Pages

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await answer(to: request, context: context)
        context.logger.info(
            "\(request.method.rawValue) \(Self.loggedPath(of: request))",
            metadata: [
                "status": "\(response.status.code)",
                "time":
                    "\((ContinuousClock.now - start).formatted(.units(allowed: [.milliseconds])))",
            ])
        return response
    }

    private func answer(to request: Request, context: ServerContext) async throws -> Response {
        let path = request.uri.path
        let isPage = path == "/" || path == "/signin" || path.hasPrefix("/console/")
        guard isPage else { return try await services.respond(to: request, context: context) }
        return try await pages.respond(to: request, context: context)
    }

    /// The path without what is secret: the tokens in the query, and addresses that are tokens themselves.
    private static func loggedPath(of request: Request) -> String {
        let path = request.uri.path
        for prefix in ["/assets/upload/", "/assets/download/", "/courier/"]
        where path.hasPrefix(prefix) {
            return prefix + "…"
        }
        return path
    }
}
