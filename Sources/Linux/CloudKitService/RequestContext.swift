/// The destination and the caller of a request: the path and the credentials of a web services URL.
public struct RequestContext: Hashable, Sendable, Codable {
    /// The container's identifier, such as `iCloud.com.example.clock`.
    public var container: String
    /// The container's environment.
    public var environment: Environment
    /// The database of the container.
    public var database: DatabaseScope
    /// Extension: the name of the calling device. Its own changes cause no pushes to it.
    public var device: String
    /// Extension: the record name of the user that the caller expects to be signed in. If another
    /// user is signed in, the request is refused with `AUTHENTICATION_FAILED`, so that the data of
    /// one user never reaches another. Without it the request acts for the signed-in user.
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
        /// The schema is learned from saved records.
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
        /// The data that others share with the user.
        case shared

        /// The number of the database in a push (`dbs`). It differs from the raw value of
        /// `CKDatabase.Scope`.
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
