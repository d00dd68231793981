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

    /// Opens a cloud in a folder.
    ///
    /// - Parameters:
    ///   - folder: Where the cloud is, and the settings.
    ///   - settings: Who may use it.
    ///   - baseURL: The address under which clients reach the server.
    public init(folder: URL, settings: ServerSettings, baseURL: URL) async throws {
        var options = LocalCloudOptions()
        options.showsCallerAsDefaultOwner = false
        let cloud = LocalCloud(
            directory: folder.appendingPathComponent("Cloud", isDirectory: true), options: options)
        accounts = WebServiceAccounts(secret: settings.secret) {
            user, device, container throws(CloudKitServiceError) in
            if let user {
                try cloud.signIn(user, device: device, container: container)
            } else {
                try cloud.signOut(device: device, container: container)
            }
        }
        router = WebServiceRouter(
            service: cloud, authentication: accounts, baseURL: baseURL, secret: settings.secret)
        for app in settings.apiTokens {
            await accounts.addAPIToken(
                app.token, container: app.container, environment: try Self.environment(app.environment))
        }
        for key in settings.keys {
            let publicKey = try P256.Signing.PublicKey(pemRepresentation: key.publicKey)
            await accounts.addServerKey(
                key.id, container: key.container, environment: try Self.environment(key.environment)
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
