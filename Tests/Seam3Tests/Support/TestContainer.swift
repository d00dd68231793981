import CloudKit
import CloudKitService
import LocalCloud
import Seam3
import Seam3Testing

#if os(Linux)
import LoopbackServer
#endif

/// A container of a simulated device, on a cloud of the test.
protocol TestContainer: NSObject, SMCloudContainer {
    /// The name of the device to the cloud.
    var device: String { get }
    /// What the cloud asks for that answers the container's requests.
    var context: RequestContext { get }
    /// The cloud that answers the container's requests.
    var service: any CloudKitService { get }
    /// Is called with the user info of each push.
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

/// The ways from a store to a cloud.
enum CloudPath: String, CaseIterable, Sendable {
    /// Through `CKContainer` and CloudKit's operations, as in an application. On Linux only: elsewhere
    /// a `CKContainer` is always iCloud's.
    case container
    /// Through `LocalContainer`, straight to the cloud.
    case service
    /// Through `CKContainer` and HTTP, on a socket for each device. On Linux only.
    case web

    /// The path that the suites take: that of an application where there is a choice, unless the
    /// environment variable `SEAM_TEST_CLOUD` is `service`.
    static var current: CloudPath {
        #if os(Linux)
        let name = ProcessInfo.processInfo.environment["SEAM_TEST_CLOUD"] ?? ""
        return CloudPath(rawValue: name) ?? .container
        #else
        return .service
        #endif
    }

    /// The paths that there are here.
    static var available: [CloudPath] {
        #if os(Linux)
        return [.container, .service]
        #else
        return [.service]
        #endif
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
