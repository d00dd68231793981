import CloudKitService

/// The records of one container that a certain group of people can see.
///
/// It exists even if nobody is signed in; requests fail then.
public final class CKDatabase: NSObject, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// The databases of a container.
    public enum Scope: Int, Sendable {
        /// The database of all users. It has only the default zone.
        case `public` = 1

        /// The database of the signed-in user.
        case `private` = 2

        /// The data that others share with the signed-in user.
        case shared = 3
    }

    /// The scope of the database.
    public let databaseScope: Scope

    let connection: ServiceConnection
    private let queue: OperationQueue
    private let defaults: OperationDefaults

    init(databaseScope: Scope, connection: ServiceConnection) {
        self.databaseScope = databaseScope
        self.connection = connection
        queue = OperationQueue()
        defaults = OperationDefaults()
    }

    private init(_ database: CKDatabase, _ defaults: OperationDefaults) {
        databaseScope = database.databaseScope
        connection = database.connection
        queue = database.queue
        self.defaults = defaults
    }

    /// The caller and the database of a request.
    var context: RequestContext { connection.context(for: databaseScope) }

    /// Starts an operation after its dependencies have finished, on this database unless the
    /// operation specifies another.
    public func add(_ operation: CKDatabaseOperation) {
        if operation.database == nil { operation.database = self }
        defaults.apply(to: operation)
        queue.addOperation(operation)
    }

    /// Calls a closure with this database, whose methods use the given configuration and group.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKDatabase) throws -> R
    ) rethrows -> R {
        try body(CKDatabase(self, defaults.with(configuration, group)))
    }

    /// Calls an asynchronous closure with this database, whose methods use the given configuration
    /// and group.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKDatabase) async throws -> R
    ) async rethrows -> R {
        try await body(CKDatabase(self, defaults.with(configuration, group)))
    }
}

extension CKDatabase {
    /// A record that the service reported, with the downloaded files of its assets by field.
    func record(
        _ record: RecordDictionary, zoneID: CKRecordZone.ID, files: [String: [URL]]
    ) -> CKRecord {
        let state = CKRecord.State(record, zoneID: zoneID, scope: databaseScope, files: files)
        connection.remember(state.recordType, of: state.recordID)
        return CKRecord(state: state)
    }

    /// Adds an operation and waits for its result. Canceling the task cancels the operation.
    ///
    /// - Parameter makeOperation: Creates the operation, which must call the closure exactly once.
    func value<Value: Sendable>(
        of makeOperation: (@escaping @Sendable (Result<Value, any Error>) -> Void)
            -> CKDatabaseOperation
    ) async throws -> Value {
        let started = Locked<CKDatabaseOperation?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let operation = makeOperation { continuation.resume(with: $0) }
                started.withLock { $0 = operation }
                if Task.isCancelled { operation.cancel() }
                addConvenience(operation)
            }
        } onCancel: {
            started.value?.cancel()
        }
    }

    /// Starts an operation of one of the convenience methods, which have a higher priority.
    func addConvenience(_ operation: CKDatabaseOperation) {
        operation.qualityOfService = .userInitiated
        add(operation)
    }
}
