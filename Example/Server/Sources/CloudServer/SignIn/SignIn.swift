import CloudKitWebServices
import Foundation
import HTTPTypes
import Hummingbird

/// The page where users sign in to an app: where the web services redirect to if a request needs a user.
///
/// With `Accept: application/json` the answer to the form is the token, for clients that show no page.
struct SignIn: Sendable {
    let server: CloudServer
    let library: PageLibrary
    let access: ConsoleAccess

    /// Whether a request must have a user's code.
    private func needsCode(_ request: Request, _ context: ServerContext) -> Bool {
        server.options.signIn == .usersWithCode || !access.isOpened(request, context)
    }

    func addRoutes(to router: Router<ServerContext>) {
        router.get("signin") { request, context in
            try page(
                apiToken: FormFields(query: request)["ckAPIToken"],
                needsCode: needsCode(request, context))
        }
        router.post("signin") { request, context in
            try await answer(
                to: request, FormFields(body: request), needsCode: needsCode(request, context))
        }
    }

    private func page(
        apiToken: String?, needsCode: Bool, user: String = "", message: String? = nil,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        guard let app = app(apiToken) else {
            return try library.page(
                "message",
                [
                    "title": "Sign in",
                    "text": "No app of this server has the API token of this address.",
                ], status: .notFound)
        }
        var response = try library.page(
            "signin",
            [
                "container": app.container, "environment": app.environment, "apiToken": app.token,
                "needsCode": needsCode, "isOpen": server.options.signIn == .anybody, "user": user,
                "message": message ?? "",
                "hasMessage": message != nil,
            ], status: status)
        response.headers[.contentSecurityPolicy] = PageGuard.policy(
            formsLeadTo: app.callback.flatMap(Self.origin))
        return response
    }

    /// The scheme, name and port of an address.
    private static func origin(of address: String) -> String? {
        guard let components = URLComponents(string: address), let scheme = components.scheme,
            let host = components.encodedHost
        else { return nil }
        return "\(scheme)://\(host)\(components.port.map { ":\($0)" } ?? "")"
    }

    private func app(_ token: String?) -> ServerSettings.App? {
        token.flatMap { token in server.settings.apiTokens.first { $0.token == token } }
    }

    private func answer(
        to request: Request, _ form: FormFields, needsCode: Bool
    ) async throws -> Response {
        let wantsJSON = request.headers[.accept]?.contains("application/json") == true
        let user = form["user"] ?? ""
        guard let app = app(form["ckAPIToken"]),
            mayUse(name: user, code: needsCode ? form["code"] ?? "" : nil)
        else {
            let message = needsCode ? wrongCode : "That cannot be a name."
            return wantsJSON
                ? try json(["reason": message], status: .unauthorized)
                : try page(
                    apiToken: form["ckAPIToken"], needsCode: needsCode, user: user,
                    message: message, status: .unauthorized)
        }
        let token = try await server.accounts.makeWebAuthToken(user: user, apiToken: app.token)
        if wantsJSON { return try json(["ckWebAuthToken": token], status: .ok) }
        if let callback = Self.callback(of: app, token: token) {
            return Response(status: .seeOther, headers: [.location: callback])
        }
        return try library.page(
            "signedin",
            [
                "user": user, "container": app.container, "token": token,
                "origins": (app.origins ?? []).joined(separator: " "),
            ])
    }

    private var wrongCode: String {
        let text = "The name or the code is wrong."
        guard server.options.signIn == .anybody else { return text }
        return text + " Without a code, use the address that the server printed when it started."
    }

    /// - Parameter code: The code; nil if none is needed.
    private func mayUse(name: String, code: String?) -> Bool {
        let isName =
            (1...100).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { !CharacterSet.controlCharacters.contains($0) }
        guard isName, let code else { return isName }
        return server.settings.users.contains { $0.name == name && $0.hasCode(code) }
    }

    /// The app's own page with the token.
    private static func callback(of app: ServerSettings.App, token: String) -> String? {
        guard let callback = app.callback, var components = URLComponents(string: callback),
            let value = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        else { return nil }
        let query = components.percentEncodedQuery.map { $0 + "&" } ?? ""
        components.percentEncodedQuery = "\(query)ckWebAuthToken=\(value)"
        return components.string
    }

    private func json(_ body: [String: String], status: HTTPResponse.Status) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(body))))
    }
}
