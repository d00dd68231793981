import CloudKitWebServices
import Foundation

/// A service that answers behind a socket, for suites that run on any way to a cloud.
public enum LoopbackCloud {
    /// The way to a service over HTTP, for one device.
    ///
    /// The server ends with the carrier. Whoever is signed in on the device according to the service is
    /// so over HTTP.
    public static func carrier(
        to service: any CloudKitService, container: String
    ) throws -> CloudKitWebService {
        let server = try LoopbackServer()
        var options = WebServiceRouterOptions()
        options.pushWait = 2
        server.start(
            WebServiceRouter(
                service: service, authentication: EveryDevice(), baseURL: server.baseURL,
                options: options))
        return CloudKitWebService(
            container: container, environment: .development,
            credentials: .user(apiToken: "loopback", webAuthToken: "token") { _ in
                withExtendedLifetime(server) { "token" }
            }, baseURL: server.baseURL)
    }

    /// Takes each device for what it says that it is.
    private struct EveryDevice: WebServiceAuthentication {
        func caller(
            _ credentials: WebServiceCredentials, deviceName: String?, container: String,
            environment: RequestContext.Environment
        ) async throws(CloudKitServiceError) -> WebServiceCaller {
            WebServiceCaller(.user, device: deviceName ?? "")
        }

        func pushDevice(
            of caller: WebServiceCaller, container: String
        ) async throws(CloudKitServiceError) -> String { caller.device }

        func signInURL(container: String, environment: RequestContext.Environment) async -> URL? {
            URL(string: "http://127.0.0.1/")
        }
    }
}
