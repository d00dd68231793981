import Foundation

/// A user's web-auth token, its renewal, and signing in.
actor WebSession {
    private let usesTokensOnce: Bool
    private let signIn: (@Sendable (URL) async -> String?)?
    private let tokenDidChange: @Sendable (String?) -> Void
    private var token: String?
    /// The record name of the token's user, once it is known.
    private var user: String?
    private var signingIn: Task<String?, Never>?
    private var observers: [UUID: AsyncStream<Void>.Continuation] = [:]
    private var isInUse = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(
        token: String?, usesTokensOnce: Bool, signIn: (@Sendable (URL) async -> String?)?,
        tokenDidChange: @escaping @Sendable (String?) -> Void
    ) {
        self.token = token
        self.usesTokensOnce = usesTokensOnce
        self.signIn = signIn
        self.tokenDidChange = tokenDidChange
    }

    /// The current token; nil if nobody has signed in.
    var currentToken: String? { token }

    /// Whether somebody is signed in or can be asked to.
    var hasOrGetsToken: Bool { token != nil || signIn != nil }

    /// The record name of the user, if it is known.
    var knownUser: String? { user }

    /// Sets the record name of the user.
    func noteUser(_ name: String) { user = name }

    // MARK: - Use

    /// The token for a request. ``end(_:renewedToken:)`` must follow.
    func begin() async -> String? {
        if usesTokensOnce {
            // Cancellation does not shorten the wait, because the requests ahead of this one will
            // end in any case.
            if isInUse { await withCheckedContinuation { waiting.append($0) } }
            isInUse = true
        }
        return token
    }

    /// Ends the use of a token.
    ///
    /// - Parameters:
    ///   - used: The result of ``begin()``.
    ///   - renewedToken: The token of the response. Of several concurrent requests each gets one,
    ///     and all are valid. The last one is kept, unless another user has signed in.
    func end(_ used: String?, renewedToken: String?) {
        if let renewedToken, used != nil, token != nil, renewedToken != token {
            token = renewedToken
            tokenDidChange(renewedToken)
        }
        guard usesTokensOnce else { return }
        if waiting.isEmpty {
            isInUse = false
        } else {
            // The token passes directly to the next request, so that no other gets in between.
            waiting.removeFirst().resume()
        }
    }

    // MARK: - Signing in

    /// Gets a new token after the server has refused one.
    ///
    /// - Parameters:
    ///   - refused: The token that was refused.
    ///   - error: The server's error. Only `AUTHENTICATION_REQUIRED` means that the token is
    ///     invalid; any other error may have another cause.
    /// - Returns: Whether there is a new token.
    func renew(after refused: String?, _ error: CloudKitServiceError) async -> Bool {
        if token != refused { return token != nil }
        guard error.code == .authenticationRequired else { return false }
        // Whatever else a server names, an app that opens it in the system would do with it.
        guard let signIn, let page = error.redirectURL.flatMap({ URL(string: $0) }),
            ["https", "http"].contains(page.scheme?.lowercased() ?? ""), page.host != nil
        else {
            forget(refused)
            return false
        }
        let task =
            signingIn
            ?? Task {
                let token = await signIn(page)
                finishSigningIn(token)
                return token
            }
        signingIn = task
        return await task.value != nil
    }

    private func finishSigningIn(_ new: String?) {
        signingIn = nil
        guard let new else { return forget(token) }
        token = new
        user = nil
        tokenDidChange(new)
        tell()
    }

    private func forget(_ refused: String?) {
        guard refused != nil, token == refused else { return }
        token = nil
        user = nil
        tokenDidChange(nil)
        tell()
    }

    // MARK: - Changes

    /// Yields an element each time a user signs in or the token becomes invalid.
    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        observers[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { [weak self] in await self?.endObserving(id) }
        }
        return stream
    }

    private func endObserving(_ id: UUID) { observers[id] = nil }

    private func tell() {
        for observer in observers.values { observer.yield() }
    }
}
