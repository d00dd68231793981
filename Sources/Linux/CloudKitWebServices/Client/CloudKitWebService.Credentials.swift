import Foundation

extension CloudKitWebService {
    /// By what Apple's servers know the caller.
    ///
    /// Nothing of it appears in a description, an error or a log.
    public struct Credentials: Sendable {
        enum Kind: Sendable {
            case tokens(api: String, session: WebSession)
            case key(id: String, sign: @Sendable (Data) throws -> Data)
        }

        let kind: Kind

        /// An app without a user. It may read the public database as far as everybody may.
        ///
        /// - Parameter apiToken: The API token, from the console.
        public static func app(apiToken: String) -> Credentials {
            let session = WebSession(
                token: nil, usesTokensOnce: false, signIn: nil, tokenDidChange: { _ in })
            return Credentials(kind: .tokens(api: apiToken, session: session))
        }

        /// A user who signs in with an iCloud account.
        ///
        /// - Parameters:
        ///   - apiToken: The API token, from the console.
        ///   - webAuthToken: The token that was last given to `tokenDidChange`; nil if nobody has
        ///     signed in.
        ///   - usesTokensOnce: Whether a token is used for one request only, which then wait for
        ///     each other. Apple documents that and its servers do not demand it.
        ///   - tokenDidChange: Keeps the token for the next run, in a place for secrets. Each answer
        ///     of the server brings one. It is nil when the token is good no longer.
        ///   - signIn: Shows a person the page where to sign in, and returns the `ckWebAuthToken`
        ///     that the page gives to the callback address; nil if the person does not want to.
        ///     Requests wait for it. Without it, a request without a good token fails with
        ///     `notAuthenticated`.
        public static func user(
            apiToken: String, webAuthToken: String?, usesTokensOnce: Bool = false,
            tokenDidChange: @escaping @Sendable (String?) -> Void = { _ in },
            signIn: (@Sendable (URL) async -> String?)? = nil
        ) -> Credentials {
            let session = WebSession(
                token: webAuthToken, usesTokensOnce: usesTokensOnce, signIn: signIn,
                tokenDidChange: tokenDidChange)
            return Credentials(kind: .tokens(api: apiToken, session: session))
        }

        /// The owner of a server-to-server key. There is no user, so only the public database can be
        /// used.
        ///
        /// - Parameters:
        ///   - id: The key's ID, from the console.
        ///   - sign: Signs bytes with the private key: the DER form of ECDSA on P-256 with SHA-256.
        public static func key(
            id: String, sign: @escaping @Sendable (Data) throws -> Data
        ) -> Credentials {
            Credentials(kind: .key(id: id, sign: sign))
        }
    }
}

extension CloudKitWebService.Credentials: CustomStringConvertible, CustomReflectable {
    /// The kind of the credentials.
    public var description: String {
        switch kind {
        case .tokens: "API token"
        case .key: "server-to-server key"
        }
    }

    /// Nothing but the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
