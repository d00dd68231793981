import CloudKit
import CloudKitService
import LocalCloud
import Seam3

/// A container on a server within the process, for the tests of an app: a device of its own, on
/// every platform, without an account and without a network.
///
/// Each simulated device gets its container on one cloud, and its store is given that:
///
///     let cloud = LocalCloud.inMemory()
///     let container = LocalContainer(identifier: "iCloud.org.example.Clocks", service: cloud)
///     description.setOption(container, forKey: SMStore.SMStoreContainerOption)
///
/// Instances share what the cloud has under one identifier. The container reports a changed account as
/// a `CKContainer` does, by the notification `CKAccountChanged` with itself as the object.
public final class LocalContainer: NSObject, SMCloudContainer, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants, and
    // Sendable themselves.

    /// The name of the container, such as `iCloud.org.example.Clocks`.
    public let containerIdentifier: String

    /// Names this device to the service, by which a fault plan or a sign-in can tell it from others.
    public let device: String

    let connection: ServiceConnection
    let accountObserver: AccountObserver
    let pushReceiver: PushReceiver

    /// Creates a container: a device of its own.
    ///
    /// - Parameters:
    ///   - containerIdentifier: What containers share that belong to one application.
    ///   - service: Who answers the requests.
    ///   - environment: The container's environment. In development the schema is learned from what
    ///     is saved.
    ///   - device: The name of the device, which is a new one unless given.
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

    /// What goes to the service with each request to the private database: for methods of the service
    /// that ask for it.
    public func requestContext() -> RequestContext { connection.context }

    // MARK: - The account

    /// Whether somebody is signed in. A missing account is no error.
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

    /// A zone of the private database, spoken to straight through the service.
    ///
    /// - Parameters:
    ///   - zoneID: The zone.
    ///   - qualityOfService: Not asked: requests within the process are all alike.
    public func zone(
        _ zoneID: CKRecordZone.ID,
        qualityOfService: @escaping @Sendable () -> QualityOfService = { .userInitiated }
    ) -> any SMCloudZone {
        ServiceZone(zoneID: zoneID, connection: connection)
    }

    // MARK: - Pushes

    /// Is called with the user info of each push for this device, one after the other, on any thread.
    ///
    /// The dictionary is the one that an app's delegate gets: give it to
    /// `SMStore.handlePush(userInfo:fetchCompletionHandler:)`. Changes that were made through this
    /// container send it no pushes. Setting a handler registers the device; the answer to any request
    /// made after that tells that the registration is done, as does
    /// ``registerForRemoteNotifications()``.
    public var remoteNotificationHandler: (@Sendable ([AnyHashable: Any]) -> Void)? {
        get { pushReceiver.handler }
        set { pushReceiver.handler = newValue }
    }

    /// Registers this device for pushes, and returns when none can be missed any more.
    ///
    /// - Throws: `CKError`, with the code `notAuthenticated` if nobody is signed in.
    public func registerForRemoteNotifications() async throws {
        try await pushReceiver.register()
    }
}
