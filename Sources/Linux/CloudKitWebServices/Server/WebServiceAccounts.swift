import Foundation

/// The API tokens, users and server-to-server keys of a server.
///
/// A web-auth token contains its user and its expiry date, sealed, so that the server does not have
/// to store it. Each response has the next token. For the service, each user is a device, and the
/// devices that the user's clients name continue its name after a slash: `user/ann/phone`. The
/// service is told of the user only, so that it need not remember whatever names clients make up.
public actor WebServiceAccounts: WebServiceAuthentication {
    /// Tells the service which user is signed in on a device, and on those whose names continue its
    /// name after a slash; nil if nobody is.
    public typealias SignIn =
        @Sendable (_ user: String?, _ device: String, _ container: String)
        throws(CloudKitServiceError) -> Void

    /// What a user signs in with at present, such as a digest of the user's code; nil if the user may not
    /// sign in. A session ends as soon as this is another value than when it began.
    public typealias Credential = @Sendable (_ user: String) -> Data?

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

    /// The content of a web-auth token.
    private struct Session: Codable {
        var user: String
        var place: Place
        var apiToken: String
        var expires: Date
        /// When the user signed in.
        var began: Date
        /// A digest of what the user signed in with.
        var credential: Data
        /// Identifies the chain of tokens that began when the user signed in, and the position in
        /// it.
        var chain: UUID
        var link: Int
    }

    private let seal: SealedText
    private let lifetime: TimeInterval
    private let maximumAge: TimeInterval
    private let credential: Credential
    private let usesTokensOnce: Bool
    private let clock: @Sendable () -> Date
    private let signIn: SignIn
    private let signInPage: URL?
    private var apiTokens: [String: Place] = [:]
    private var keys: [String: Key] = [:]
    /// The devices whose user the service has been told, with their containers.
    private var knownDevices: Set<[String]> = []
    /// The next expected link of each chain, if tokens are valid for one request only.
    private var links: [UUID: (next: Int, expires: Date)] = [:]
    /// The sessions whose tokens were used.
    private var knownSessions: [UUID: WebServiceSession] = [:]
    /// The sessions that were ended, until they would have ended by their age.
    private var endedSessions: [UUID: Date]
    /// The signatures received in the last minutes.
    private var signatures: [SignatureNumbers: Date] = [:]
    private var lastCleaning: Date
    private let start: Date

    private static let purpose = "web-auth token"
    /// The prefix of web-auth tokens, the same as Apple's.
    private static let prefix = "1__1__"

    /// How many seconds a session lasts at most, unless set otherwise: thirty days.
    public static let defaultMaximumAge: TimeInterval = 30 * 24 * 60 * 60

    /// Creates the accounts of a server, without any tokens or keys.
    ///
    /// - Parameters:
    ///   - secret: 32 bytes; by default random. With the same secret, tokens stay valid after a
    ///     restart.
    ///   - lifetime: How many seconds a web-auth token is valid.
    ///   - maximumAge: How many seconds after a user has signed in the session ends, however often its
    ///     tokens are renewed.
    ///   - endedSessions: The sessions that were ended before the server was started, as
    ///     ``endSession(_:)`` returned them.
    ///   - usesTokensOnce: Whether a web-auth token is valid for one request only, as Apple
    ///     documents. Apple's servers accept a token until it expires.
    ///   - signInPage: The page where users sign in. The query item `ckAPIToken` is added to it.
    ///   - clock: Returns the current time.
    ///   - credential: What a user signs in with at present. By default nothing ends a user's sessions.
    ///   - signIn: Tells the service which user is signed in on a device.
    public init(
        secret: Data? = nil, lifetime: TimeInterval = 30 * 60,
        maximumAge: TimeInterval = WebServiceAccounts.defaultMaximumAge,
        endedSessions: [UUID: Date] = [:], usesTokensOnce: Bool = false, signInPage: URL? = nil,
        clock: @escaping @Sendable () -> Date = { Date() },
        credential: @escaping Credential = { _ in Data() }, signIn: @escaping SignIn
    ) {
        seal = SealedText(key: secret)
        self.lifetime = lifetime
        self.maximumAge = maximumAge
        self.endedSessions = endedSessions
        self.credential = credential
        self.usesTokensOnce = usesTokensOnce
        self.signInPage = signInPage
        self.clock = clock
        start = clock()
        lastCleaning = start
        self.signIn = signIn
    }

    // MARK: - Configuration

    /// Allows apps with an API token to use a container.
    public func addAPIToken(
        _ token: String, container: String, environment: RequestContext.Environment
    ) {
        apiTokens[token] = Place(container: container, environment: environment)
    }

    /// Allows the owner of a key to use the public database of a container.
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

    /// Signs a user in to an app, and returns the first web-auth token.
    ///
    /// - Throws: `AUTHENTICATION_FAILED` if there is no such API token, or the user may not sign in.
    public func makeWebAuthToken(
        user: String, apiToken: String
    ) throws(CloudKitServiceError) -> String {
        guard let place = apiTokens[apiToken], let credential = digest(ofCredentialOf: user) else {
            throw Self.failure
        }
        let now = clock()
        let session = Session(
            user: user, place: place, apiToken: apiToken,
            expires: now + min(lifetime, maximumAge), began: now, credential: credential,
            chain: UUID(), link: 0)
        if usesTokensOnce { links[session.chain] = (0, session.expires) }
        return try text(of: session)
    }

    // MARK: - WebServiceAuthentication

    /// Identifies the caller of a request by its API token and web-auth token, or by its signature.
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
                try tellService(nil, device: "app", container)
                return WebServiceCaller(.app, device: "app")
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
        let hasNoName = caller.kind == .user && caller.device.split(separator: "/").count == 2
        return hasNoName ? "\(caller.device)/courier" : caller.device
    }

    /// The page where users sign in.
    ///
    /// The API token is added as `ckAPIToken`, so that the page knows for which app the token is to be.
    public func signInURL(for credentials: WebServiceCredentials) -> URL? {
        guard case .tokens(let apiToken, _) = credentials, let signInPage,
            var components = URLComponents(url: signInPage, resolvingAgainstBaseURL: false),
            let value = apiToken.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        else { return signInPage }
        let query = components.percentEncodedQuery.map { $0 + "&" } ?? ""
        components.percentEncodedQuery = "\(query)ckAPIToken=\(value)"
        return components.url
    }

    // MARK: - Sessions

    /// The sessions whose tokens have been used since the server was started and are still good, in
    /// the order in which they began here.
    public var sessions: [WebServiceSession] {
        let now = clock()
        return knownSessions.values.filter { $0.expires > now }.sorted { $0.began < $1.began }
    }

    /// Ends a session: none of its tokens is good any more, and the user has to sign in again.
    ///
    /// - Returns: All sessions that were ended, with the dates until which they have to be remembered.
    ///   After a restart they are good again unless they are given to the new accounts.
    @discardableResult
    public func endSession(_ id: UUID) -> [UUID: Date] {
        let now = clock()
        knownSessions[id] = nil
        endedSessions = endedSessions.filter { $0.value > now }
        endedSessions[id] = now + maximumAge
        return endedSessions
    }

    // MARK: - Tokens

    /// The same error for every cause, so that a caller cannot find out the cause.
    private static let failure = CloudKitServiceError(
        .authenticationFailed, reason: "Authentication failed")

    private func caller(
        _ webToken: String, apiToken: String, deviceName: String?, _ place: Place
    ) throws(CloudKitServiceError) -> WebServiceCaller {
        guard webToken.hasPrefix(Self.prefix),
            let sealed = Data(base64Encoded: String(webToken.dropFirst(Self.prefix.count))),
            var session = seal.open(
                Session.self, String(decoding: sealed, as: UTF8.self), purpose: Self.purpose),
            session.place == place, session.apiToken == apiToken, isGood(session), use(session)
        else {
            // Whatever the problem with the token, the user can sign in again.
            throw CloudKitServiceError(
                .authenticationRequired, reason: "request needs authorization",
                redirectURL: signInURL(for: .tokens(api: apiToken, webAuthentication: nil))?
                    .absoluteString)
        }
        let now = clock()
        session.expires = min(now + lifetime, session.began + maximumAge)
        session.link += 1
        let account = "user/" + Self.encoded(session.user)
        try tellService(session.user, device: account, place.container)
        let device = deviceName.map { "\(account)/\(Self.withoutSlashes($0))" } ?? account
        note(session, device: device, at: now)
        return WebServiceCaller(
            .user, device: device, account: account, nextToken: try text(of: session),
            session: session.chain)
    }

    /// Whether a session has not ended: by its date, its age, or another code of its user, or because
    /// somebody ended it.
    private func isGood(_ session: Session) -> Bool {
        let now = clock()
        return session.expires > now && session.began + maximumAge > now
            && endedSessions[session.chain] == nil
            && session.credential == digest(ofCredentialOf: session.user)
    }

    /// A token is not secret from its user, and the digest of a code is no one's business.
    private func digest(ofCredentialOf user: String) -> Data? {
        credential(user).map { seal.code($0, "credential of \(user)").prefix(16) }
    }

    private func note(_ session: Session, device: String, at now: Date) {
        forgetOld(now)
        let known = knownSessions[session.chain]
        knownSessions[session.chain] = WebServiceSession(
            id: session.chain, user: session.user, container: session.place.container,
            environment: session.place.environment, device: device, began: known?.began ?? now,
            lastUse: now, expires: session.expires)
    }

    /// Whether a token may be used, which marks it as used. If tokens are valid for one request
    /// only, it has to be the next of its chain.
    private func use(_ session: Session) -> Bool {
        guard usesTokensOnce else { return true }
        let now = clock()
        forgetOld(now)
        guard links[session.chain]?.next == session.link else { return false }
        links[session.chain] = (session.link + 1, now + lifetime)
        return true
    }

    private func text(of session: Session) throws(CloudKitServiceError) -> String {
        let sealed = try seal.seal(session, purpose: Self.purpose)
        return Self.prefix + Data(sealed.utf8).base64EncodedString()
    }

    // MARK: - Keys

    /// Whether a signature names a key of the container, and a date near the present one.
    public func expects(
        _ signature: RequestSignature, container: String, environment: RequestContext.Environment
    ) -> Bool {
        let place = Place(container: container, environment: environment)
        return key(of: signature, place, at: clock()) != nil
    }

    private func key(of signature: RequestSignature, _ place: Place, at now: Date) -> Key? {
        guard let key = keys[signature.keyID], key.place == place,
            signature.isTimely(at: now, since: start)
        else { return nil }
        return key
    }

    private func caller(
        _ signature: RequestSignature, _ place: Place
    ) throws(CloudKitServiceError) -> WebServiceCaller {
        let now = clock()
        guard let key = key(of: signature, place, at: now),
            let numbers = SignatureNumbers(der: signature.signature),
            signature.messages.contains(where: { key.verify(signature.signature, $0) })
        else { throw Self.failure }
        // A signature is valid once, so that an intercepted request cannot be replayed.
        forgetOld(now)
        guard signatures.updateValue(now, forKey: numbers) == nil else { throw Self.failure }
        let device = "key/" + Self.withoutSlashes(signature.keyID)
        try tellService(key.user, device: device, place.container)
        return WebServiceCaller(.key, device: device)
    }

    /// Forgets what no request can need any more, once a minute: doing it with each request would take the
    /// longer the more users there are.
    private func forgetOld(_ now: Date) {
        guard abs(now.timeIntervalSince(lastCleaning)) >= 60 else { return }
        lastCleaning = now
        knownSessions = knownSessions.filter { $0.value.expires > now }
        links = links.filter { $0.value.expires > now }
        signatures = signatures.filter { $0.value > now - 2 * RequestSignature.tolerance }
    }

    // MARK: - Devices

    /// Tells the service who is signed in on a device, unless it knows.
    private func tellService(
        _ user: String?, device: String, _ container: String
    ) throws(CloudKitServiceError) {
        guard !knownDevices.contains([device, container]) else { return }
        try signIn(user, device, container)
        knownDevices.insert([device, container])
    }

    private static func encoded(_ user: String) -> String {
        user.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// A name that no other continues after a slash.
    private static func withoutSlashes(_ name: String) -> String {
        name.replacingOccurrences(of: "%", with: "%25")
            .replacingOccurrences(of: "/", with: "%2F")
    }
}
