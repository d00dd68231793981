import CloudKit
import CloudKitService
import LocalCloud
import Seam3
import Seam3Testing

#if os(Linux)
import LoopbackServer
#endif

/// A simulated device's container on the test's cloud.
protocol TestContainer: NSObject, SMCloudContainer {
    /// The device's name on the cloud.
    var device: String { get }
    /// The cloud's requirements for the container's requests.
    var context: RequestContext { get }
    /// The cloud that answers the container's requests.
    var service: any CloudKitService { get }
    /// Called with the user info of each push.
    var remoteNotificationHandler: (@Sendable ([AnyHashable: Any]) -> Void)? { get set }
    /// Registers the device for pushes.
    func registerForRemoteNotifications() async throws
}

extension LocalContainer: TestContainer {
    var context: RequestContext { requestContext() }
}

#if os(Linux)
extension CKContainer: TestContainer {
    var context: RequestContext { requestContext() }
}
#endif

/// The connections between a store and a cloud.
enum CloudPath: String, CaseIterable, Sendable {
    /// Through `CKContainer` and CloudKit's operations, as in an app. On Linux only, because on
    /// other systems a `CKContainer` always uses iCloud.
    case container
    /// Through `LocalContainer`, directly to the cloud.
    case service
    /// Through `CKContainer` and HTTP, with a socket for each device. On Linux only.
    case web

    /// The path that the suites use: the environment variable `SEAM_TEST_CLOUD` selects one;
    /// otherwise an app's, if it is available.
    static var current: CloudPath {
        #if os(Linux)
        let name = ProcessInfo.processInfo.environment["SEAM_TEST_CLOUD"] ?? ""
        return CloudPath(rawValue: name) ?? .container
        #else
        return .service
        #endif
    }

    /// The paths that are available on this system.
    static var available: [CloudPath] {
        #if os(Linux)
        return [.container, .service]
        #else
        return [.service]
        #endif
    }

    /// The request with which a pass checks the account. Over HTTP there is none of its own.
    var accountRequest: RequestKind { self == .web ? .fetchCaller : .accountStatus }

    /// The requests that a fault can make fail. Over HTTP the account is the client's token, which stays
    /// usable if the server cannot say whose it is.
    func failing(_ kinds: [RequestKind]) -> [RequestKind] {
        self == .web ? kinds.filter { $0 != .accountStatus && $0 != .fetchCaller } : kinds
    }

    /// A container of a new device.
    func container(
        on cloud: any CloudKitService, identifier: String = Device.containerIdentifier,
        device: String = UUID().uuidString
    ) -> any TestContainer {
        switch self {
        #if os(Linux)
        case .container:
            return CKContainer(identifier: identifier, service: cloud, device: device)
        case .web:
            guard let web = try? LoopbackCloud.carrier(to: cloud, container: identifier) else {
                fatalError("there is no port for a server")
            }
            return CKContainer(identifier: identifier, service: web, device: device)
        #endif
        default: return LocalContainer(identifier: identifier, service: cloud, device: device)
        }
    }
}
