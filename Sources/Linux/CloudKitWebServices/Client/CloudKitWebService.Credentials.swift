import Foundation

extension CloudKitWebService {
    /// Identifies the caller to the server.
    ///
    /// Credentials never appear in a description, an error or a log.
    public struct Credentials: Sendable {
        enum Kind: Sendable {
            case tokens(api: String, session: WebSession)
            case key(id: String, sign: @Sendable (Data) throws -> Data)
        }

        let kind: Kind

        /// An app without a user. It may read the records of the public database that everybody may
        /// read.
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
        ///   - webAuthToken: The token last passed to `tokenDidChange`; nil if nobody has signed
        ///     in.
        ///   - usesTokensOnce: Whether each token is used for one request only. Requests then run
        ///     one at a time. Apple documents this rule, but its servers do not enforce it.
        ///   - tokenDidChange: Stores the token for the next run, in a place for secrets. Each
        ///     response of the server has a new one. The argument is nil if the token has become
        ///     invalid.
        ///   - signIn: Shows the user the sign-in page, and returns the `ckWebAuthToken` that the
        ///     page passes to the callback URL; nil if the user cancels. Requests wait for it.
        ///     Without it, requests without a valid token fail with `notAuthenticated`.
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

        /// The owner of a server-to-server key. There is no user, so only the public database can
        /// be used.
        ///
        /// - Parameters:
        ///   - id: The key's ID, from the console.
        ///   - sign: Signs bytes with the private key, and returns the DER form of the ECDSA
        ///     signature on P-256 with SHA-256.
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

    /// An empty mirror, so that a dump shows only the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
