import CloudKit
import CloudKitService
import LocalCloud
import Seam3

/// A container for the tests of an app that uses a server inside the process. It represents one
/// device, and needs neither an account nor a network, on every platform.
///
/// Create a container for each simulated device, all on the same cloud, and pass it to the device's
/// store:
///
///     let cloud = LocalCloud.inMemory()
///     let container = LocalContainer(identifier: "iCloud.org.example.Clocks", service: cloud)
///     description.setOption(container, forKey: SMStore.SMStoreContainerOption)
///
/// Containers with the same identifier share their data. Like a `CKContainer`, it reports a change
/// of the account with the notification `CKAccountChanged`, with itself as the object.
public final class LocalContainer: NSObject, SMCloudContainer, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants, and
    // Sendable themselves.

    /// The name of the container, such as `iCloud.org.example.Clocks`.
    public let containerIdentifier: String

    /// The same as ``containerIdentifier``.
    public var cloudIdentifier: String? { containerIdentifier }

    /// The name of this device, which distinguishes it in a fault plan or when somebody signs in.
    public let device: String

    let connection: ServiceConnection
    let accountObserver: AccountObserver
    let pushReceiver: PushReceiver

    /// Creates a container, which represents a device of its own.
    ///
    /// - Parameters:
    ///   - containerIdentifier: The identifier, which is the same for all containers of an app.
    ///   - service: The service that answers the requests.
    ///   - environment: The container's environment. In development the schema is learned from
    ///     saved records.
    ///   - device: The name of the device; by default a new one.
    public init(
        identifier containerIdentifier: String, service: any CloudKitService,
        environment: RequestContext.Environment = .development,
        device: String = UUID().uuidString
    ) {
        self.containerIdentifier = containerIdentifier
        self.device = device
        connection = ServiceConnection(
            service: service,
            context: RequestContext(
                container: containerIdentifier, environment: environment, device: device))
        accountObserver = AccountObserver(connection)
        pushReceiver = PushReceiver(connection)
        super.init()
        accountObserver.start(for: self)
    }

    /// The service that answers the requests.
    public var service: any CloudKitService { connection.service }

    /// The context of the requests to the private database, for methods of the service that take
    /// one.
    public func requestContext() -> RequestContext { connection.context }

    // MARK: - The account

    /// Whether somebody is signed in. A missing account is not an error.
    public func accountStatus() async throws -> CKAccountStatus {
        let status = try await connection.send { try await $0.accountStatus(in: $1) }
        switch status {
        case .available: return .available
        case .noAccount: return .noAccount
        case .restricted: return .restricted
        case .temporarilyUnavailable: return .temporarilyUnavailable
        case .couldNotDetermine: return .couldNotDetermine
        }
    }

    /// The ID of the signed-in user's record.
    ///
    /// - Throws: `CKError`, with the code `notAuthenticated` if nobody is signed in.
    public func userRecordID() async throws -> CKRecord.ID {
        let user = try await connection.send { try await $0.fetchCaller(in: $1) }
        return CKRecord.ID(recordName: user.userRecordName)
    }

    // MARK: - Zones

    /// A zone of the private database, accessed directly through the service.
    ///
    /// - Parameters:
    ///   - zoneID: The zone.
    ///   - qualityOfService: Not used: requests within the process have no priorities.
    public func zone(
        _ zoneID: CKRecordZone.ID,
        qualityOfService: @escaping @Sendable () -> QualityOfService = { .userInitiated }
    ) -> any SMCloudZone {
        ServiceZone(zoneID: zoneID, connection: connection)
    }

    // MARK: - Pushes

    /// Called with the user info of each push for this device, one at a time, on any thread.
    ///
    /// The dictionary is the one that an app's delegate receives: pass it to
    /// `SMStore.handlePush(userInfo:fetchCompletionHandler:)`. Changes made through this container
    /// do not send it pushes. Setting a handler registers the device; the registration is complete
    /// when any later request has been answered, or when ``registerForRemoteNotifications()``
    /// returns.
    public var remoteNotificationHandler: (@Sendable ([AnyHashable: Any]) -> Void)? {
        get { pushReceiver.handler }
        set { pushReceiver.handler = newValue }
    }

    /// Registers this device for pushes, and passes each one to a store, as an app's delegate does. It replaces the
    /// ``remoteNotificationHandler``, and can be called in a test of any actor.
    ///
    ///     let results = try await tablet.deliverPushes(to: store)
    ///     // … another device syncs …
    ///     let isNew = await results.first { _ in true } == .newData
    ///
    /// - Parameter store: The store, which is held weakly.
    /// - Returns: The result of the sync after each push.
    /// - Throws: `CKError`, with the code `notAuthenticated` if nobody is signed in.
    public func deliverPushes(to store: SMStore) async throws -> AsyncStream<FetchResult> {
        let (results, continuation) = AsyncStream<FetchResult>.makeStream()
        remoteNotificationHandler = { [weak store] userInfo in
            guard let store else { return continuation.finish() }
            store.handlePush(userInfo: userInfo) { continuation.yield($0) }
        }
        try await registerForRemoteNotifications()
        return results
    }

    /// Registers this device for pushes, and returns when no later push can be missed.
    ///
    /// - Throws: `CKError`, with the code `notAuthenticated` if nobody is signed in.
    public func registerForRemoteNotifications() async throws {
        try await pushReceiver.register()
    }
}
