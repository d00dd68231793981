/// Marks pushes as read.
///
/// Apple deprecated it in iOS 11. There is no list of pushes on Linux: every ID counts as marked.
@available(
    *, deprecated,
    message:
        "use CKDatabaseSubscription, CKFetchDatabaseChangesOperation, and CKFetchRecordZoneChangesOperation instead"
)
open class CKMarkNotificationsReadOperation: CKOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The pushes to mark.
    public var notificationIDs: [CKNotification.ID]?

    /// Called at the end, with the pushes that are marked.
    public var markNotificationsReadCompletionBlock: (([CKNotification.ID]?, (any Error)?) -> Void)?

    /// Creates an operation without work.
    public override init() {
        super.init()
    }

    /// Creates an operation that marks pushes.
    public convenience init(notificationIDsToMarkRead notificationIDs: [CKNotification.ID]) {
        self.init()
        self.notificationIDs = notificationIDs
    }

    override func execute() async throws {}

    override func finish(with result: Result<Void, any Error>) {
        markNotificationsReadCompletionBlock?(
            result.error == nil ? notificationIDs ?? [] : nil, result.error)
    }
}
