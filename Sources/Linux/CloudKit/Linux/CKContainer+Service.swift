// Linux only. On Apple's systems a container is always iCloud's.

import CloudKitService

extension CKContainer {
    /// Creates a container on a given service, which represents a device of its own.
    ///
    /// In a test, create a container for each simulated device, all on one cloud:
    ///
    ///     let cloud = LocalCloud.inMemory()
    ///     let phone = CKContainer(identifier: "iCloud.test", service: cloud)
    ///     let tablet = CKContainer(identifier: "iCloud.test", service: cloud)
    ///
    /// - Parameters:
    ///   - containerIdentifier: The identifier, which must not be empty.
    ///   - service: The service that answers the requests.
    ///   - environment: the container's environment. In development the schema is learned from
    ///     what is saved.
    ///   - device: names the device to the service; it is a new one unless given.
    ///   - options: The choices for undocumented behavior of Apple's client.
    public convenience init(
        identifier containerIdentifier: String, service: any CloudKitService,
        environment: RequestContext.Environment = .development,
        device: String = UUID().uuidString,
        options: CloudKitOptions = .current
    ) {
        self.init(
            connection: ServiceConnection(
                service: service, containerIdentifier: containerIdentifier,
                environment: environment, device: device, options: options))
    }

    /// The service that answers the container's requests.
    public var service: any CloudKitService { connection.service }

    /// The name of this device, which distinguishes it in a fault plan or when somebody signs in.
    public var device: String { connection.device }

    /// The context of the requests to a database, for methods of the service that take one.
    public func requestContext(for databaseScope: CKDatabase.Scope = .private) -> RequestContext {
        connection.context(for: databaseScope)
    }
}
