/// Where a request goes and who makes it: the path and the credentials of a web services URL.
public struct RequestContext: Hashable, Sendable, Codable {
    /// The container's identifier, such as `iCloud.com.example.clock`.
    public var container: String
    /// The container's environment.
    public var environment: Environment
    /// The database of the container.
    public var database: DatabaseScope
    /// Extension: names the calling device. Its own changes cause it no pushes.
    public var device: String
    /// Extension: the record name of the user whom the caller takes itself to be. If another user
    /// is signed in by now, the request is refused with `AUTHENTICATION_FAILED`, so that the data of
    /// one user never reaches another. Without it the request acts for whoever is signed in.
    public var user: String?

    /// Creates a context.
    public init(
        container: String,
        environment: Environment = .development,
        database: DatabaseScope = .private,
        device: String,
        user: String? = nil
    ) {
        self.container = container
        self.environment = environment
        self.database = database
        self.device = device
        self.user = user
    }

    /// The environments of a container. They share neither data nor schema.
    public enum Environment: String, Hashable, Sendable, Codable, CaseIterable {
        /// The schema is learned from what is saved.
        case development
        /// The schema is fixed.
        case production
    }

    /// The databases of a container.
    public enum DatabaseScope: String, Hashable, Sendable, Codable, CaseIterable {
        /// One for all users.
        case `public`
        /// One for each user.
        case `private`
        /// What others share with the user.
        case shared

        /// The number that stands for the database in a push (`dbs`). It differs from the raw value
        /// of `CKDatabase.Scope`.
        public var pushValue: Int {
            switch self {
            case .private: 1
            case .public: 2
            case .shared: 3
            }
        }
    }

    /// The same context with another database.
    public func with(database: DatabaseScope) -> RequestContext {
        var context = self
        context.database = database
        return context
    }
}
