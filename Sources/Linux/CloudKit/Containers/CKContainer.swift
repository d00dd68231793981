import CloudKitService
import LocalCloud

/// An app's container in CloudKit: its databases and the account of its user.
///
/// To the service, each instance that is created with an identifier is a device of its own.
/// Instances with different identifiers share nothing.
public final class CKContainer: NSObject, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// The name of the container, such as `iCloud.com.example.clock`.
    public let containerIdentifier: String?

    /// The database of the signed-in user.
    public let privateCloudDatabase: CKDatabase

    /// The database of all users.
    public let publicCloudDatabase: CKDatabase

    /// The database with data that others share with the signed-in user.
    public let sharedCloudDatabase: CKDatabase

    let connection: ServiceConnection

    /// Delivers pushes to the app's handler.
    let pushReceiver: RemoteNotificationReceiver

    private let accountObserver: AccountObserver
    private let queue: OperationQueue
    private let defaults: OperationDefaults

    /// Creates a container on the default cloud.
    ///
    /// On Linux that is a directory of the current user, which other processes use as well, unless
    /// the environment specifies another; see `LocalCloud.default`.
    ///
    /// - Parameter containerIdentifier: Must not be empty. A container that does not exist yet is
    ///   created on first use.
    public convenience init(identifier containerIdentifier: String) {
        self.init(identifier: containerIdentifier, service: LocalCloud.default)
    }

    init(connection: ServiceConnection) {
        guard !connection.containerIdentifier.isEmpty else {
            _raise("CKException", "containerIdentifier can not be nil or empty")
        }
        containerIdentifier = connection.containerIdentifier
        self.connection = connection
        privateCloudDatabase = CKDatabase(databaseScope: .private, connection: connection)
        publicCloudDatabase = CKDatabase(databaseScope: .public, connection: connection)
        sharedCloudDatabase = CKDatabase(databaseScope: .shared, connection: connection)
        pushReceiver = RemoteNotificationReceiver(connection: connection)
        accountObserver = AccountObserver(connection: connection)
        queue = OperationQueue()
        defaults = OperationDefaults()
        super.init()
        accountObserver.start(for: self)
    }

    private init(
        _ container: CKContainer, _ configuration: CKOperation.Configuration?,
        _ group: CKOperationGroup?
    ) {
        containerIdentifier = container.containerIdentifier
        connection = container.connection
        func configured(_ database: CKDatabase) -> CKDatabase {
            database.configuredWith(configuration: configuration, group: group) { $0 }
        }
        privateCloudDatabase = configured(container.privateCloudDatabase)
        publicCloudDatabase = configured(container.publicCloudDatabase)
        sharedCloudDatabase = configured(container.sharedCloudDatabase)
        pushReceiver = container.pushReceiver
        accountObserver = container.accountObserver
        queue = container.queue
        defaults = container.defaults.with(configuration, group)
    }

    private static let defaultContainer = CKContainer(
        identifier: "iCloud.\(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)")

    /// The app's own container: always the same instance. Its identifier is `iCloud.` and the name
    /// of the process.
    public class func `default`() -> CKContainer { defaultContainer }

    /// The database with the given scope.
    public func database(with databaseScope: CKDatabase.Scope) -> CKDatabase {
        switch databaseScope {
        case .public: publicCloudDatabase
        case .private: privateCloudDatabase
        case .shared: sharedCloudDatabase
        }
    }

    /// Starts an operation after its dependencies have finished. A database operation raises an
    /// exception, as on Apple's systems: add it to the database.
    public func add(_ operation: CKOperation) {
        guard !(operation is CKDatabaseOperation) else {
            _raise("CKException", "CKDatabaseOperations must be submitted to a CKDatabase")
        }
        if operation.configuration.container == nil { operation.configuration.container = self }
        defaults.apply(to: operation)
        queue.addOperation(operation)
    }

    /// Calls a closure with this container, whose methods use the given configuration and group.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKContainer) throws -> R
    ) rethrows -> R {
        try body(CKContainer(self, configuration, group))
    }

    /// Calls an asynchronous closure with this container, whose methods use the given configuration
    /// and group.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKContainer) async throws -> R
    ) async rethrows -> R {
        try await body(CKContainer(self, configuration, group))
    }
}
