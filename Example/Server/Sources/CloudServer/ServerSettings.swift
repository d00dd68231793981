import Crypto
import Foundation

/// Who may use the server: the file `Server.json` in its folder.
public struct ServerSettings: Codable, Sendable {
    /// Apps.
    public var apiTokens: [App] = []
    /// Owners of server-to-server keys.
    public var keys: [Key] = []
    /// Users who sign in with a code.
    public var users: [User] = []
    /// Opens the console where it is not open to everybody on this machine.
    public var administratorToken = ServerSettings.randomText()
    /// Seals web-auth tokens, the addresses of assets and the console's sessions: 32 bytes.
    public var secret = ServerSettings.randomBytes()

    /// An app that may use a container.
    public struct App: Codable, Sendable {
        /// The API token.
        public var token: String
        /// The container's identifier.
        public var container: String
        /// `development` or `production`.
        public var environment: String
        /// Where a user is sent who has signed in, with the token as the query item `ckWebAuthToken`.
        public var callback: String?
        /// The origins of the app's pages, such as `https://app.example.org`: they may use the server,
        /// and get the token as a message if they opened the sign-in page. Nil: any page may use the
        /// server, and none gets a message.
        public var origins: [String]?

        /// Creates an app.
        public init(
            token: String = ServerSettings.randomText(), container: String,
            environment: String = "development", callback: String? = nil, origins: [String]? = nil
        ) {
            self.token = token
            self.container = container
            self.environment = environment
            self.callback = callback
            self.origins = origins
        }
    }

    /// A key for the public database of a container.
    public struct Key: Codable, Sendable {
        /// The key's ID.
        public var id: String
        /// The container's identifier.
        public var container: String
        /// `development` or `production`.
        public var environment: String
        /// The public key of ECDSA on P-256, as PEM.
        public var publicKey: String

        /// Creates a key.
        public init(
            id: String, container: String, environment: String = "development", publicKey: String
        ) {
            self.id = id
            self.container = container
            self.environment = environment
            self.publicKey = publicKey
        }
    }

    /// A user who signs in with a code.
    public struct User: Codable, Sendable {
        /// The user's name.
        public var name: String
        /// The SHA-256 digest of the code. The code is random and long, so a plain digest hides it.
        public var codeDigest: Data

        /// Creates a user with a new code.
        ///
        /// - Returns: The user, and the code, which is kept nowhere.
        public static func make(_ name: String) -> (user: User, code: String) {
            let code = ServerSettings.randomText()
            return (User(name: name, codeDigest: digest(of: code)), code)
        }

        /// Whether a code is the user's.
        func hasCode(_ code: String) -> Bool {
            ServerSettings.areEqual(Self.digest(of: code), codeDigest)
        }

        private static func digest(of code: String) -> Data {
            Data(SHA256.hash(data: Data(code.utf8)))
        }
    }

    /// Creates settings with new secrets, for nobody.
    public init() {}

    /// Reads the settings of a folder; nil if it has none.
    ///
    /// - Throws: An error of the file system, or a `DecodingError` if the file is damaged.
    public static func read(from folder: URL) throws -> ServerSettings? {
        let file = file(in: folder)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try JSONDecoder().decode(ServerSettings.self, from: Data(contentsOf: file))
    }

    /// Writes the settings. Nobody but the owner of the folder can read them, at no time.
    public func write(to folder: URL) throws {
        let manager = FileManager.default
        try manager.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let new = folder.appendingPathComponent("Server.json.new")
        try? manager.removeItem(at: new)
        guard
            manager.createFile(
                atPath: new.path, contents: try encoder.encode(self),
                attributes: [.posixPermissions: 0o600]),
            rename(new.path, Self.file(in: folder).path) == 0
        else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: new.path])
        }
    }

    /// The key in the address that opens the server.
    var openKey: String {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Data("open".utf8),
            outputByteCount: 16)
        return Self.text(key.withUnsafeBytes { Data($0) })
    }

    private static func file(in folder: URL) -> URL {
        folder.appendingPathComponent("Server.json")
    }

    /// 32 bytes that nobody can guess.
    static func randomBytes() -> Data {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
    }

    /// A text that nobody can guess and that needs no escapes in an address.
    public static func randomText() -> String {
        text(randomBytes())
    }

    private static func text(_ bytes: Data) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Compares without telling by its time where the first difference is.
    static func areEqual(_ left: Data, _ right: Data) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
