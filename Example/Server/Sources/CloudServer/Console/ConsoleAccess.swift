import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// Who may use the console: whoever is on this machine, if that is allowed, and who has the administrator's
/// token.
struct ConsoleAccess: Sendable {
    /// A browser, known by its cookie. It has forms of its own, which no other site can fill in.
    struct Session: Sendable {
        /// The cookie's value.
        let text: String
        /// Whether the administrator's token was given.
        let isAdministrator: Bool
    }

    private let administratorToken: String
    private let isOpenOnLoopback: Bool
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
        guard parts.count == 4, let end = TimeInterval(parts[1]),
            end > clock().timeIntervalSince1970,
            isCode(String(parts[3]), of: parts[..<3].joined(separator: "."))
        else { return nil }
        return Session(text: text, isAdministrator: parts[0] == "administrator")
    }

    /// A new session.
    func makeSession(isAdministrator: Bool) -> Session {
        let role = isAdministrator ? "administrator" : "visitor"
        let end = Int(clock().timeIntervalSince1970 + Self.lifetime)
        let text = "\(role).\(end).\(ServerSettings.randomText())"
        return Session(text: "\(text).\(code(of: text))", isAdministrator: isAdministrator)
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

    /// Whether a request may use the console.
    func mayUse(_ request: Request, _ context: ServerContext, _ session: Session?) -> Bool {
        session?.isAdministrator == true || isOpen(to: request, context)
    }

    /// Whether the request comes from this machine, was made for it, and was not passed on by a proxy.
    func isOpen(to request: Request, _ context: ServerContext) -> Bool {
        let host = PageGuard.host(of: request.head.authority)
        return isOpenOnLoopback && context.isFromLoopback && host.map(Loopback.isName) == true
            && !request.headers.contains { field in
                ["forwarded", "via"].contains(field.name.canonicalName)
                    || field.name.canonicalName.hasPrefix("x-forwarded-")
            }
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
        let session = known ?? access.makeSession(isAdministrator: false)
        var response: Response
        if access.mayUse(request, context, known) {
            var context = context
            context.session = session
            response = try await next(request, context)
        } else {
            response = try library.page(
                "administrator", ["form": access.formToken(of: session), "hasFailed": false],
                status: .unauthorized)
        }
        if known == nil { access.set(session, in: &response) }
        return response
    }
}
