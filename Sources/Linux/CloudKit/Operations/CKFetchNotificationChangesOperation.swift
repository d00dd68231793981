/// Fetches the pushes that were sent since a token.
///
/// Apple deprecated it in iOS 11 in favor of the changes of databases and zones. There is no list
/// of pushes on Linux: the operation finds none and ends with a token.
@available(
    *, deprecated,
    message:
        "use CKDatabaseSubscription, CKFetchDatabaseChangesOperation, and CKFetchRecordZoneChangesOperation instead"
)
open class CKFetchNotificationChangesOperation: CKOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The token to start from; nil to start at the first push.
    public var previousServerChangeToken: CKServerChangeToken?

    /// The maximum number of pushes to fetch; 0 lets the server decide.
    public var resultsLimit = 0

    /// Whether another fetch would find more: never on Linux.
    public var moreComing: Bool { false }

    /// Called for each push.
    public var notificationChangedBlock: ((CKNotification) -> Void)?

    /// Called at the end, with the token for the next fetch.
    public var fetchNotificationChangesCompletionBlock:
        ((CKServerChangeToken?, (any Error)?) -> Void)?

    /// Creates an operation without work.
    public override init() {
        super.init()
    }

    /// Creates an operation that fetches the pushes since a token.
    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    override func execute() async throws {}

    override func finish(with result: Result<Void, any Error>) {
        let token =
            result.error == nil
            ? previousServerChangeToken ?? CKServerChangeToken(syncToken: "notifications") : nil
        fetchNotificationChangesCompletionBlock?(token, result.error)
    }
}
