import Foundation

/// The API tokens, users and server-to-server keys of a server.
///
/// A web-auth token names its user and when it ends, sealed, so that the server remembers nothing of it;
/// each answer brings the next one. To the service each user is a device of its own, with the devices
/// that the user's clients name beside it.
public actor WebServiceAccounts: WebServiceAuthentication {
    /// Tells the service who is signed in on a device: a user, or nobody.
    public typealias SignIn =
        @Sendable (_ user: String?, _ device: String, _ container: String)
        throws(CloudKitServiceError) -> Void

    /// Checks the DER form of an ECDSA P-256 signature of a message.
    public typealias Verify = @Sendable (_ signature: Data, _ message: Data) -> Bool

    private struct Place: Hashable, Codable {
        var container: String
        var environment: RequestContext.Environment
    }

    private struct Key {
        var place: Place
        var user: String
        var verify: Verify
    }

    /// What a web-auth token says.
    private struct Session: Codable {
        var user: String
        var place: Place
        var apiToken: String
        var expires: Date
        /// Names the chain of tokens that began when the user signed in, and the link of it.
        var chain: UUID
        var link: Int
    }

    private let seal: SealedText
    private let lifetime: TimeInterval
    private let usesTokensOnce: Bool
    private let clock: @Sendable () -> Date
    private let signIn: SignIn
    private let signInPage: URL?
    private var apiTokens: [String: Place] = [:]
    private var keys: [String: Key] = [:]
    /// The devices that the service knows who is signed in on.
    private var devices: Set<[String]> = []
    /// The link that is to come next in each chain, if tokens are good for one request only.
    private var links: [UUID: (next: Int, expires: Date)] = [:]
    /// The signatures that came in the last minutes.
    private var signatures: [Data: Date] = [:]

    private static let purpose = "web-auth token"
    /// What web-auth tokens begin with, as Apple's do.
    private static let prefix = "1__1__"

    /// Creates the accounts of a server, which has none yet.
    ///
    /// - Parameters:
    ///   - secret: 32 bytes. With the same secret, tokens are good after a restart. A new one unless
    ///     given.
    ///   - lifetime: For how many seconds a web-auth token is good.
    ///   - usesTokensOnce: Whether a web-auth token is good for one request only, as Apple's
    ///     documentation says; Apple's servers take them until they end.
    ///   - signInPage: Where users sign in.
    ///   - clock: What time it is.
    ///   - signIn: Tells the service who is signed in on a device.
    public init(
        secret: Data? = nil, lifetime: TimeInterval = 30 * 60, usesTokensOnce: Bool = false,
        signInPage: URL? = nil, clock: @escaping @Sendable () -> Date = { Date() },
        signIn: @escaping SignIn
    ) {
        seal = SealedText(key: secret)
        self.lifetime = lifetime
        self.usesTokensOnce = usesTokensOnce
        self.signInPage = signInPage
        self.clock = clock
        self.signIn = signIn
    }

    // MARK: - What the owner of the server sets

    /// Lets apps with a token use a container.
    public func addAPIToken(
        _ token: String, container: String, environment: RequestContext.Environment
    ) {
        apiTokens[token] = Place(container: container, environment: environment)
    }

    /// Lets the owner of a key use the public database of a container.
    ///
    /// - Parameters:
    ///   - keyID: The key's ID.
    ///   - container: The container.
    ///   - environment: The container's environment.
    ///   - verify: Checks a signature with the public key.
    public func addServerKey(
        _ keyID: String, container: String, environment: RequestContext.Environment,
        verify: @escaping Verify
    ) {
        let place = Place(container: container, environment: environment)
        keys[keyID] = Key(place: place, user: "key \(keyID)", verify: verify)
    }

    /// Signs a user in to an app, and gives the first web-auth token.
    ///
    /// - Throws: `AUTHENTICATION_FAILED` if there is no such API token.
    public func makeWebAuthToken(
        user: String, apiToken: String
    ) throws(CloudKitServiceError) -> String {
        guard let place = apiTokens[apiToken] else {
            throw CloudKitServiceError(.authenticationFailed, reason: "Authentication failed")
        }
        let session = Session(
            user: user, place: place, apiToken: apiToken, expires: clock() + lifetime,
            chain: UUID(), link: 0)
        if usesTokensOnce { links[session.chain] = (0, session.expires) }
        return try text(of: session)
    }

    // MARK: - WebServiceAuthentication

    /// Finds out who makes a request by its API token and web-auth token, or its signature.
    public func caller(
        _ credentials: WebServiceCredentials, deviceName: String?, container: String,
        environment: RequestContext.Environment
    ) async throws(CloudKitServiceError) -> WebServiceCaller {
        let place = Place(container: container, environment: environment)
        switch credentials {
        case .key(let signature):
            return try caller(signature, place)
        case .tokens(let apiToken, let webToken):
            guard apiTokens[apiToken] == place else { throw Self.failure }
            guard let webToken, !webToken.isEmpty else {
                return WebServiceCaller(.app, device: try device("app", user: nil, container))
            }
            return try caller(webToken, apiToken: apiToken, deviceName: deviceName, place)
        case .none:
            throw Self.failure
        }
    }

    /// The device to which the pushes for a caller are addressed.
    public func pushDevice(
        of caller: WebServiceCaller, container: String
    ) async throws(CloudKitServiceError) -> String {
        let parts = caller.device.split(separator: "/").map(String.init)
        guard parts.count == 2, let user = parts[1].removingPercentEncoding, parts[0] == "user"
        else { return caller.device }
        return try device("\(caller.device)/courier", user: user, container)
    }

    /// The page where users sign in.
    public func signInURL(container: String, environment: RequestContext.Environment) -> URL? {
        signInPage
    }

    // MARK: - Tokens

    /// One error for every mistake, so that nobody learns which it is.
    private static let failure = CloudKitServiceError(
        .authenticationFailed, reason: "Authentication failed")

    private func caller(
        _ webToken: String, apiToken: String, deviceName: String?, _ place: Place
    ) throws(CloudKitServiceError) -> WebServiceCaller {
        guard webToken.hasPrefix(Self.prefix),
            let sealed = Data(base64Encoded: String(webToken.dropFirst(Self.prefix.count))),
            var session = seal.open(
                Session.self, String(decoding: sealed, as: UTF8.self), purpose: Self.purpose),
            session.place == place, session.apiToken == apiToken, session.expires > clock(),
            use(session)
        else {
            // Whatever is wrong with the token, the user can sign in again.
            throw CloudKitServiceError(
                .authenticationRequired, reason: "request needs authorization",
                redirectURL: signInPage?.absoluteString)
        }
        let now = clock()
        session.expires = now + lifetime
        session.link += 1
        let user = session.user.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        let name = ["user", user ?? ""] + (deviceName.map { [$0] } ?? [])
        return WebServiceCaller(
            .user,
            device: try device(
                name.joined(separator: "/"), user: session.user, place.container),
            nextToken: try text(of: session))
    }

    /// Whether a token is the next of its chain, if that matters. It is used up with that.
    private func use(_ session: Session) -> Bool {
        guard usesTokensOnce else { return true }
        let now = clock()
        links = links.filter { $0.value.expires > now }
        guard links[session.chain]?.next == session.link else { return false }
        links[session.chain] = (session.link + 1, now + lifetime)
        return true
    }

    private func text(of session: Session) throws(CloudKitServiceError) -> String {
        let sealed = try seal.seal(session, purpose: Self.purpose)
        return Self.prefix + Data(sealed.utf8).base64EncodedString()
    }

    // MARK: - Keys

    private func caller(
        _ signature: RequestSignature, _ place: Place
    ) throws(CloudKitServiceError) -> WebServiceCaller {
        let now = clock()
        guard let key = keys[signature.keyID], key.place == place,
            signature.isTimely(at: now),
            signature.messages.contains(where: { key.verify(signature.signature, $0) })
        else { throw Self.failure }
        // A signature is good once: whoever has overheard a request cannot repeat it.
        signatures = signatures.filter { $0.value > now - 2 * RequestSignature.tolerance }
        guard signatures.updateValue(now, forKey: signature.signature) == nil else {
            throw Self.failure
        }
        let device = try device("key/\(signature.keyID)", user: key.user, place.container)
        return WebServiceCaller(.key, device: device)
    }

    // MARK: - Devices

    /// A device on which a user is signed in, or nobody.
    private func device(
        _ name: String, user: String?, _ container: String
    ) throws(CloudKitServiceError) -> String {
        if !devices.contains([name, container]) {
            try signIn(user, name, container)
            devices.insert([name, container])
        }
        return name
    }
}
