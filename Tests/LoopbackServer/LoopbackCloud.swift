import CloudKitWebServices
import Foundation

/// A service behind a socket, for suites that run with any connection to a cloud.
public enum LoopbackCloud {
    /// The connection to a service over HTTP.
    ///
    /// The server stops with this service. The user who is signed in on a device in the service is
    /// also signed in over HTTP.
    ///
    /// - Parameter network: The network between client and server; nil for none.
    public static func carrier(
        to service: any CloudKitService, container: String, over network: FaultyNetwork? = nil
    ) throws -> CloudKitWebService {
        let server = try LoopbackServer()
        network?.connect(to: server.baseURL)
        let baseURL = network?.baseURL ?? server.baseURL
        var options = WebServiceRouterOptions()
        options.pushWait = 2
        server.start(
            WebServiceRouter(
                service: service, authentication: EveryDevice(), baseURL: baseURL,
                options: options))
        return CloudKitWebService(
            container: container, environment: .development,
            credentials: .user(
                apiToken: "loopback", webAuthToken: "token",
                signIn: { _ in withExtendedLifetime(server) { "token" } }), baseURL: baseURL)
    }

    /// Trusts the device that a request names.
    private struct EveryDevice: WebServiceAuthentication {
        func caller(
            _ credentials: WebServiceCredentials, deviceName: String?, container: String,
            environment: RequestContext.Environment
        ) async throws(CloudKitServiceError) -> WebServiceCaller {
            WebServiceCaller(.user, device: deviceName ?? "")
        }

        func expects(
            _ signature: RequestSignature, container: String,
            environment: RequestContext.Environment
        ) async -> Bool { false }

        func pushDevice(
            of caller: WebServiceCaller, container: String
        ) async throws(CloudKitServiceError) -> String { caller.device }

        func signInURL(for credentials: WebServiceCredentials) async -> URL? {
            URL(string: "http://127.0.0.1/")
        }
    }
}
