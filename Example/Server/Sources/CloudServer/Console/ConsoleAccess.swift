import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// Who may use the console: who has the administrator's token, and who has the address that opens the server,
/// if there is one.
struct ConsoleAccess: Sendable {
    /// A browser, known by its cookie. It has forms of its own, which no other site can fill in.
    struct Session: Sendable {
        /// The cookie's value.
        let text: String
        /// What the browser has shown.
        let role: Role
    }

    /// What a browser has shown.
    enum Role: String {
        /// Nothing.
        case visitor
        /// The address that opens the server.
        case opener
        /// The administrator's token.
        case administrator
    }

    private let administratorToken: String
    let isOpenOnLoopback: Bool
    private let isSecure: Bool
    private let key: SymmetricKey
    private let clock: @Sendable () -> Date

    private static let cookie = "seam3-console"
    private static let lifetime: TimeInterval = 12 * 60 * 60

    init(settings: ServerSettings, options: CloudServer.Options) {
        administratorToken = settings.administratorToken
        isOpenOnLoopback = options.opensConsoleOnLoopback
        isSecure = options.baseURL.scheme == "https"
        // With another token, who signed in with the old one is signed out.
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: settings.secret),
            info: Data("console \(settings.administratorToken)".utf8), outputByteCount: 32)
        clock = options.clock
    }

    // MARK: - Sessions

    /// The session of a request; nil if it has none that is good.
    func session(of request: Request) -> Session? {
        guard let text = request.cookies[Self.cookie]?.value else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let role = Role(rawValue: String(parts[0])),
            let end = TimeInterval(parts[1]),
            end > clock().timeIntervalSince1970,
            isCode(String(parts[3]), of: parts[..<3].joined(separator: "."))
        else { return nil }
        return Session(text: text, role: role)
    }

    /// A new session.
    func makeSession(_ role: Role) -> Session {
        let end = Int(clock().timeIntervalSince1970 + Self.lifetime)
        let text = "\(role.rawValue).\(end).\(ServerSettings.randomText())"
        return Session(text: "\(text).\(code(of: text))", role: role)
    }

    /// Gives a session to the browser.
    func set(_ session: Session, in response: inout Response) {
        guard let name = HTTPField.Name("Set-Cookie") else { return }
        response.headers[name] =
            "\(Self.cookie)=\(session.text); Path=/; HttpOnly; SameSite=Strict; Max-Age="
            + "\(Int(Self.lifetime))\(isSecure ? "; Secure" : "")"
    }

    /// Whether a token is the administrator's.
    func isAdministrator(_ token: String) -> Bool {
        ServerSettings.areEqual(
            Data(SHA256.hash(data: Data(token.utf8))),
            Data(SHA256.hash(data: Data(administratorToken.utf8))))
    }

    // MARK: - Forms

    /// What a form of a session has to contain.
    func formToken(of session: Session) -> String { code(of: "form \(session.text)") }

    /// Whether a form is one that was made for a session.
    func isFormToken(_ token: String?, of session: Session) -> Bool {
        isCode(token ?? "", of: "form \(session.text)")
    }

    // MARK: - Requests

    /// Whether a request may use the console. A server that is no longer open is closed to who has opened it.
    func mayUse(_ context: ServerContext, _ session: Session?) -> Bool {
        switch session?.role {
        case .administrator: true
        case .opener: isOpenOnLoopback
        case .visitor, nil: isOpenOnLoopback && context.isOpened
        }
    }

    /// Whether a request may sign in with any name, if the server lets anybody do so.
    func isOpened(_ request: Request, _ context: ServerContext) -> Bool {
        context.isOpened || session(of: request)?.role == .opener
    }

    // MARK: - Codes

    private func code(of text: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func isCode(_ code: String, of text: String) -> Bool {
        ServerSettings.areEqual(Data(code.utf8), Data(self.code(of: text).utf8))
    }
}

/// Lets only those use the console who may, and gives every browser a session.
struct ConsoleGate: RouterMiddleware {
    let access: ConsoleAccess
    let library: PageLibrary

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let known = access.session(of: request)
        if context.isOpened, access.mayUse(context, known), request.method == .get {
            return entering(request)
        }
        let session = known ?? access.makeSession(.visitor)
        var response: Response
        if access.mayUse(context, known) {
            var context = context
            context.session = session
            response = try await next(request, context)
        } else {
            response = try library.page(
                "administrator",
                [
                    "form": access.formToken(of: session), "hasFailed": false,
                    "isOpen": access.isOpenOnLoopback,
                ], status: .unauthorized)
        }
        if known == nil { access.set(session, in: &response) }
        return response
    }

    /// Gives the browser a session in place of the key, so that the key is not in the address of each page.
    private func entering(_ request: Request) -> Response {
        var response = Response(
            status: .seeOther, headers: [.location: request.uri.description])
        access.set(access.makeSession(.opener), in: &response)
        return response
    }
}
