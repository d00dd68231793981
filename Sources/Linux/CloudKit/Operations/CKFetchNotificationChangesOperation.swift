/// Fetches the pushes that were sent since a token.
///
/// Apple gave it up with iOS 11 for the changes of databases and zones. There is no list of pushes on
/// Linux: the operation ends with none and with a token.
@available(
    *, deprecated,
    message:
        "use CKDatabaseSubscription, CKFetchDatabaseChangesOperation, and CKFetchRecordZoneChangesOperation instead"
)
open class CKFetchNotificationChangesOperation: CKOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// Where the fetch begins; at the first push if nil.
    public var previousServerChangeToken: CKServerChangeToken?

    /// How many pushes are fetched at most; 0 lets the server decide.
    public var resultsLimit = 0

    /// Whether another fetch would find more: never on Linux.
    public var moreComing: Bool { false }

    /// Called for each push.
    public var notificationChangedBlock: ((CKNotification) -> Void)?

    /// Called at the end, with the token for the next fetch.
    public var fetchNotificationChangesCompletionBlock:
        ((CKServerChangeToken?, (any Error)?) -> Void)?

    /// Creates an operation to be filled in.
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
