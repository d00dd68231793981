import CloudKitWebServices
import Crypto
import Foundation
import LocalCloud

/// A local cloud that is reached over HTTP.
public struct CloudServer: Sendable {
    /// What answers the requests.
    public let router: WebServiceRouter
    /// Who may make them.
    public let accounts: WebServiceAccounts
    /// The cloud to which the requests go, with its faults.
    public let cloud: LocalCloud
    /// The same cloud for the console, whose requests meet no faults.
    let consoleCloud: LocalCloud
    let settings: ServerSettings
    private let endedSessions: EndedSessions
    /// How large the records of an answer are at most, unless a single one is larger.
    private static let maximumPageBytes = 4_000_000
    /// Where the server is, and what it allows.
    public let options: Options

    /// The address with which anybody on this machine may use the console and sign in with any name; nil if
    /// nobody may. It is the same each time the server starts.
    public var openURL: URL? {
        OpenEntrance(settings, options).path.flatMap {
            URL(string: options.baseURL.absoluteString + $0)
        }
    }

    /// Opens a cloud in a folder.
    ///
    /// - Parameters:
    ///   - folder: Where the cloud is.
    ///   - settings: Who may use it.
    ///   - options: Where the server is, and what it allows.
    /// - Throws: An error for an environment or a public key that is none, or if the file with the ended
    ///   sessions is damaged.
    public init(folder: URL, settings: ServerSettings, options: Options) async throws {
        var cloudOptions = LocalCloudOptions()
        cloudOptions.showsCallerAsDefaultOwner = false
        cloudOptions.clock = options.clock
        cloudOptions.maximumPageBytes = Self.maximumPageBytes
        let directory = folder.appendingPathComponent("Cloud", isDirectory: true)
        let cloud = LocalCloud(directory: directory, options: cloudOptions)
        self.cloud = cloud
        consoleCloud = LocalCloud(directory: directory, options: cloudOptions)
        self.settings = settings
        endedSessions = EndedSessions(in: folder)
        accounts = WebServiceAccounts(
            secret: settings.secret, lifetime: options.tokenLifetime,
            maximumAge: options.sessionAge, endedSessions: try endedSessions.read(),
            signInPage: options.baseURL.appendingPathComponent("signin"), clock: options.clock,
            credential: Self.credential(settings, options)
        ) { user, device, container throws(CloudKitServiceError) in
            if let user {
                try cloud.signIn(user, device: device, container: container)
            } else {
                try cloud.signOut(device: device, container: container)
            }
        }
        var options = options
        options.services.clock = options.clock
        options.services.report = { [logger = options.logger] error, uuid in
            logger.error("\(error)", metadata: ["uuid": "\(uuid)"])
        }
        options.services.allowedOrigins = Self.origins(of: settings.apiTokens)
        self.options = options
        router = WebServiceRouter(
            service: cloud, authentication: accounts, baseURL: options.baseURL,
            secret: settings.secret, options: options.services)
        try await Self.add(settings, to: accounts)
    }

    /// What users sign in with: their codes, or, where anybody may sign in, the key of the address.
    private static func credential(
        _ settings: ServerSettings, _ options: Options
    ) -> WebServiceAccounts.Credential {
        let key = OpenEntrance(settings, options).path.map { Data($0.utf8) }
        let isOpen = options.signIn == .anybody
        return { user in
            settings.users.first { $0.name == user }?.codeDigest ?? (isOpen ? key : nil)
        }
    }

    /// Ends a user's session, for good: none of its tokens is good any more, nor is one for its pushes.
    ///
    /// - Throws: An error of the file system. The session has ended all the same, until the server ends.
    public func endSession(_ id: UUID) async throws {
        let ended = await accounts.endSession(id)
        await router.removePushTokens(ofSession: id)
        try endedSessions.write(ended)
    }

    /// The origins of all apps; nil if an app may be used by any page.
    private static func origins(of apps: [ServerSettings.App]) -> Set<String>? {
        let origins = apps.map(\.origins)
        return origins.contains(nil) ? nil : Set(origins.flatMap { $0 ?? [] })
    }

    /// Makes the apps and keys of the settings known.
    private static func add(
        _ settings: ServerSettings, to accounts: WebServiceAccounts
    ) async throws {
        for app in settings.apiTokens {
            await accounts.addAPIToken(
                app.token, container: app.container,
                environment: try environment(app.environment))
        }
        for key in settings.keys {
            let publicKey = try P256.Signing.PublicKey(pemRepresentation: key.publicKey)
            await accounts.addServerKey(
                key.id, container: key.container, environment: try environment(key.environment)
            ) { signature, message in
                guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
                else { return false }
                return publicKey.isValidSignature(signature, for: message)
            }
        }
    }

    private static func environment(_ name: String) throws -> RequestContext.Environment {
        guard let environment = RequestContext.Environment(rawValue: name) else {
            throw CocoaError(
                .propertyListReadCorrupt,
                userInfo: [NSLocalizedDescriptionKey: "There is no environment '\(name)'"])
        }
        return environment
    }
}
