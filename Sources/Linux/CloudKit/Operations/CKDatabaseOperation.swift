import CloudKitService

/// A piece of work for one database. Use one of the subclasses.
open class CKDatabaseOperation: CKOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The database. If it is nil when the operation starts, it is the private database of the
    /// configuration's container, or of the default container.
    public var database: CKDatabase?

    /// The deadline of the whole operation.
    private var deadline = ContinuousClock.now

    /// Determines the database and the deadline, then does the work of the subclass.
    final override func execute() async throws {
        let settings = settings
        let database =
            database
            ?? (settings.container ?? CKContainer.default()).privateCloudDatabase
        let resourceTimeout =
            settings.timeoutIntervalForResource
            ?? (isUrgent ? .infinity : configuration.timeoutIntervalForResource)
        deadline = .now + .seconds(Self.representable(resourceTimeout))
        try await execute(in: database)
    }

    /// Does the work in the database.
    func execute(in database: CKDatabase) async throws {
        preconditionFailure("CKDatabaseOperation is abstract: use one of its subclasses")
    }

    /// Sends a request to the database's service, within the time limits of the configuration.
    func send<Response: Sendable>(
        to database: CKDatabase,
        _ request:
            @escaping @Sendable (
                any CloudKitService, RequestContext
            ) async throws(CloudKitServiceError) -> Response
    ) async throws -> Response {
        try checkCancellation()
        let requestTimeout =
            settings.timeoutIntervalForRequest ?? configuration.timeoutIntervalForRequest
        let remaining = deadline - .now
        let connection = database.connection
        let context = database.context
        return try await CloudKit.send(
            timeout: min(Self.representable(requestTimeout), max(0, remaining / .seconds(1)))
        ) { () async throws(CloudKitServiceError) -> Response in
            await connection.becomeReady()
            return try await request(connection.service, context)
        }
    }

    /// Limits an interval to what a clock can represent: an app may set an infinite one.
    private static func representable(_ interval: TimeInterval) -> TimeInterval {
        let years: TimeInterval = 100 * 365 * 24 * 60 * 60
        return interval.isNaN ? years : min(max(interval, 0), years)
    }
}
