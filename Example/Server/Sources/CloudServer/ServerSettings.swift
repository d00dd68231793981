import Foundation

/// Who may use the server: the file `Server.json` in its folder.
public struct ServerSettings: Codable, Sendable {
    /// Apps.
    public var apiTokens: [App] = []
    /// Owners of server-to-server keys.
    public var keys: [Key] = []
    /// Seals web-auth tokens and the addresses of assets: 32 bytes.
    public var secret: Data

    /// An app that may use a container.
    public struct App: Codable, Sendable {
        /// The API token.
        public var token: String
        /// The container's identifier.
        public var container: String
        /// `development` or `production`.
        public var environment: String

        /// Creates an app.
        public init(token: String, container: String, environment: String = "development") {
            self.token = token
            self.container = container
            self.environment = environment
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

    /// Creates settings with a new secret, for nobody.
    public init() {
        var source = SystemRandomNumberGenerator()
        secret = Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }

    /// Reads the settings of a folder; new ones are written if there are none.
    public init(folder: URL) throws {
        let file = folder.appendingPathComponent("Server.json")
        guard FileManager.default.fileExists(atPath: file.path) else {
            self.init()
            try write(to: folder)
            return
        }
        self = try JSONDecoder().decode(ServerSettings.self, from: Data(contentsOf: file))
    }

    /// Writes the settings, for the owner of the folder only.
    public func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("Server.json")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
