import Foundation
import HTTPTypes
import Hummingbird

/// What holds for every page: it is asked for under the server's own name, other sites neither post to it
/// nor show it, and browsers run nothing but its own files.
struct PageGuard: RouterMiddleware {
    let baseURL: URL
    let library: PageLibrary

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            try check(request)
            response = try await next(request, context)
        } catch let error as HTTPError {
            response = try library.page(
                "message", ["title": error.status.reasonPhrase, "text": error.body ?? ""],
                status: error.status)
        } catch let failure as BodyFailure {
            response = failure.response(on: context.channel)
        }
        for (name, value) in Self.headers where response.headers[name] == nil {
            response.headers[name] = value
        }
        return response
    }

    private func check(_ request: Request) throws(HTTPError) {
        // A name that leads here by a trick with a name server is not the server's: its pages would be
        // those of another site to the browser.
        guard let host = Self.host(of: request.head.authority),
            Loopback.isName(host) || host == baseURL.host
        else { throw HTTPError(.misdirectedRequest, message: "This is not the server's name.") }
        guard request.method == .get || Self.isFromOwnPage(request) else {
            throw HTTPError(.forbidden, message: "The form was sent by another site.")
        }
    }

    /// What a page may load and where its forms may lead.
    ///
    /// - Parameter origin: Another site to which the answer to a form redirects.
    static func policy(formsLeadTo origin: String? = nil) -> String {
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
            + "connect-src 'self'; form-action 'self'\(origin.map { " " + $0 } ?? ""); "
            + "frame-ancestors 'none'; base-uri 'none'"
    }

    /// The name of `name:port`.
    static func host(of authority: String?) -> String? {
        guard let authority else { return nil }
        return URLComponents(string: "http://\(authority)")?.host
    }

    /// Whether a browser says that a request comes from one of the server's own pages. What is no browser
    /// says nothing.
    private static func isFromOwnPage(_ request: Request) -> Bool {
        if let site = header("Sec-Fetch-Site", request), !["same-origin", "none"].contains(site) {
            return false
        }
        guard let origin = request.headers[.origin] else { return true }
        let authority = request.head.authority ?? ""
        return origin == "http://\(authority)" || origin == "https://\(authority)"
    }

    private static func header(_ name: String, _ request: Request) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    private static let headers: [(HTTPField.Name, String)] =
        [
            (.contentSecurityPolicy, policy())
        ]
        + [("X-Frame-Options", "DENY"), ("Referrer-Policy", "same-origin")].compactMap {
            name, value in
            HTTPField.Name(name).map { ($0, value) }
        }
}
