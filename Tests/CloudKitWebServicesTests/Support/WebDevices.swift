import CloudKit
import CloudKitWebServices
import Foundation
import LocalCloud
import LoopbackServer
import Testing

/// A local cloud behind a router behind a socket.
final class WebServer: Sendable {
    let server: LoopbackServer
    let web: WebCloud

    init(
        usesTokensOnce: Bool = false, options: WebServiceRouterOptions = WebServiceRouterOptions()
    ) async throws {
        server = try LoopbackServer()
        web = await WebCloud(
            baseURL: server.baseURL, usesTokensOnce: usesTokensOnce, options: options)
        server.start(web.router)
    }

    /// The service for a user's device.
    func service(
        user: String = "ann", usesTokensOnce: Bool = false,
        tokenDidChange: @escaping @Sendable (String?) -> Void = { _ in }
    ) async throws -> CloudKitWebService {
        let token = try await web.userToken(user)
        return CloudKitWebService(
            container: WebCloud.container, environment: .development,
            credentials: .user(
                apiToken: WebCloud.apiToken, webAuthToken: token, usesTokensOnce: usesTokensOnce,
                tokenDidChange: tokenDidChange),
            baseURL: server.baseURL)
    }

    /// A device of a user.
    func device(
        _ name: String = UUID().uuidString, user: String = "ann", usesTokensOnce: Bool = false
    ) async throws -> CKContainer {
        CKContainer(
            identifier: WebCloud.container,
            service: try await service(user: user, usesTokensOnce: usesTokensOnce), device: name)
    }
}

/// A service for a scripted server.
func scripted(
    timeout: TimeInterval = 20, credentials: CloudKitWebService.Credentials? = nil,
    over network: FaultyNetwork? = nil, _ handler: @escaping LoopbackServer.Handler
) throws -> (service: CloudKitWebService, server: LoopbackServer) {
    let server = try LoopbackServer()
    server.start(handler)
    network?.connect(to: server.baseURL)
    var options = CloudKitWebService.Options()
    options.timeout = timeout
    let service = CloudKitWebService(
        container: WebCloud.container, environment: .development,
        credentials: credentials
            ?? .user(apiToken: WebCloud.apiToken, webAuthToken: "secret-web-token"),
        baseURL: network?.baseURL ?? server.baseURL, options: options)
    return (service, server)
}

let privateContext = RequestContext(container: WebCloud.container, device: "d")

/// A file that is removed with the instance.
final class TemporaryFile: Sendable {
    let url: URL

    init(_ data: Data? = nil) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        if let data { try data.write(to: url) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// The arguments with which a closure was called.
final class Collected<Value: Sendable>: @unchecked Sendable {
    // Unchecked because `storage` is accessed under `lock` only.
    private let lock = NSLock()
    private var storage: [Value] = []

    var values: [Value] { lock.withLock { storage } }

    func add(_ value: Value) { lock.withLock { storage.append(value) } }
}

func error(
    of body: () async throws(CloudKitServiceError) -> Void
) async -> CloudKitServiceError? {
    do throws(CloudKitServiceError) {
        try await body()
        return nil
    } catch {
        return error
    }
}
