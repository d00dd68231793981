// Linux only. On Apple's systems a container is always iCloud's.

import CloudKitService

extension CKContainer {
    /// Creates a container on a service of one's choice: a device of its own.
    ///
    /// In a test, each simulated device gets its container on one cloud:
    ///
    ///     let cloud = LocalCloud.inMemory()
    ///     let phone = CKContainer(identifier: "iCloud.test", service: cloud)
    ///     let tablet = CKContainer(identifier: "iCloud.test", service: cloud)
    ///
    /// - Parameters:
    ///   - containerIdentifier: must not be empty.
    ///   - service: who answers the requests.
    ///   - environment: the container's environment. In development the schema is learned from
    ///     what is saved.
    ///   - device: names the device to the service; it is a new one unless given.
    ///   - options: choices for what is undocumented about Apple's client.
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

    /// The name of this device to the service, by which a fault plan or a sign-in can tell it from
    /// others.
    public var device: String { connection.device }

    /// What goes to the service with each request to a database: for methods of the service that
    /// ask for it.
    public func requestContext(for databaseScope: CKDatabase.Scope = .private) -> RequestContext {
        connection.context(for: databaseScope)
    }
}
