import CloudKitService

/// Fetches subscriptions by ID, or all of the user's in the database.
open class CKFetchSubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The subscriptions to fetch.
    public var subscriptionIDs: [CKSubscription.ID]?

    /// Called for each ID with the subscription or its error.
    public var perSubscriptionResultBlock:
        ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?

    /// Called at the end. The operation succeeds even if some subscriptions failed.
    public var fetchSubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)?

    /// Called at the end, with a partial failure if subscriptions failed.
    @available(*, deprecated, message: "use fetchSubscriptionsResultBlock")
    public var fetchSubscriptionCompletionBlock:
        (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?
    {
        get { legacyCompletionBlock }
        set { legacyCompletionBlock = newValue }
    }

    private var legacyCompletionBlock:
        (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?
    private var fetchesAllSubscriptions = false

    // The reported results, for the deprecated block; used on the operation's queue only.
    private var reports = FetchReports<CKSubscription.ID, CKSubscription>()

    /// Creates an operation without work.
    public required override init() {
        super.init()
    }

    /// Creates an operation that fetches subscriptions.
    public convenience init(subscriptionIDs: [CKSubscription.ID]) {
        self.init()
        self.subscriptionIDs = subscriptionIDs
    }

    /// An operation that fetches all subscriptions of the user in the database.
    public class func fetchAllSubscriptionsOperation() -> Self {
        let operation = Self()
        operation.fetchesAllSubscriptions = true
        return operation
    }

    // MARK: - Work

    override func execute(in database: CKDatabase) async throws {
        let subscriptionIDs = subscriptionIDs ?? []
        let scope = database.databaseScope
        let items: [(CKSubscription.ID, Result<CKSubscription, any Error>)]
        if fetchesAllSubscriptions {
            let response = try await send(to: database) {
                (service, context) async throws(CloudKitServiceError) in
                try await service.listSubscriptions(in: context)
            }
            items = response.subscriptions.compactMap(\.item).map {
                ($0.subscriptionID, CKSubscription.make($0, scope: scope))
            }
        } else if subscriptionIDs.isEmpty {
            return
        } else {
            let request = LookUpSubscriptionsRequest(subscriptionIDs: subscriptionIDs)
            let response = try await send(to: database) {
                (service, context) async throws(CloudKitServiceError) in
                try await service.lookUpSubscriptions(request, in: context)
            }
            items = zip(subscriptionIDs, response.subscriptions).map { subscriptionID, item in
                let result = item.result { CKSubscription.make($0, scope: scope) }
                return (subscriptionID, result.flatMap { $0 })
            }
        }
        await deliver {
            for (id, result) in items {
                self.reports.note(id, result)
                self.perSubscriptionResultBlock?(id, result)
            }
        }
    }

    override var itemFailure: CKError? { reports.itemFailure }

    override func finish(with result: Result<Void, any Error>) {
        fetchSubscriptionsResultBlock?(result)
        legacyCompletionBlock?(reports.fetched, reports.error(result))
    }
}
