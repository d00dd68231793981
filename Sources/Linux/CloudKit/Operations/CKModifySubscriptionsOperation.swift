import CloudKitService

/// Saves and deletes subscriptions.
open class CKModifySubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The subscriptions to save. One with the same ID is replaced.
    public var subscriptionsToSave: [CKSubscription]?

    /// The subscriptions to delete.
    public var subscriptionIDsToDelete: [CKSubscription.ID]?

    /// Called for each subscription with the saved one or its error.
    public var perSubscriptionSaveBlock:
        ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?

    /// Called for each ID to delete with its success or error.
    public var perSubscriptionDeleteBlock: ((CKSubscription.ID, Result<Void, any Error>) -> Void)?

    /// Called at the end. The operation succeeds even if some subscriptions failed.
    public var modifySubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)?

    /// Called at the end, with a partial failure if subscriptions failed.
    @available(*, deprecated, message: "use modifySubscriptionsResultBlock")
    public var modifySubscriptionsCompletionBlock:
        (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?
    {
        get { legacyCompletionBlock }
        set { legacyCompletionBlock = newValue }
    }

    private var legacyCompletionBlock:
        (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?

    // The reported results, for the deprecated block; used on the operation's queue only.
    private var reports = ModificationReports<CKSubscription.ID, CKSubscription>()

    /// Creates an operation without work.
    public override init() {
        super.init()
    }

    /// Creates an operation that saves and deletes subscriptions.
    public convenience init(
        subscriptionsToSave: [CKSubscription]? = nil,
        subscriptionIDsToDelete: [CKSubscription.ID]? = nil
    ) {
        self.init()
        self.subscriptionsToSave = subscriptionsToSave
        self.subscriptionIDsToDelete = subscriptionIDsToDelete
    }

    // MARK: - Work

    override func execute(in database: CKDatabase) async throws {
        let subscriptions = subscriptionsToSave ?? []
        let deletedIDs = subscriptionIDsToDelete ?? []
        let (saves, deletions) = try await outcomes(
            ofSaving: subscriptions.map {
                SubscriptionOperation(.create, try SubscriptionDictionary($0))
            },
            deleting: deletedIDs.map {
                SubscriptionOperation(.delete, SubscriptionDictionary(subscriptionID: $0))
            }, in: database
        ) { (operations, service, context) async throws(CloudKitServiceError) in
            let request = ModifySubscriptionsRequest(operations: operations)
            return try await service.modifySubscriptions(request, in: context).subscriptions
        }
        await deliver {
            for (subscription, item) in zip(subscriptions, saves) {
                let result = item.result { _ in subscription }
                self.reports.note(subscription.subscriptionID, saved: result)
                guard self.options.operationsReportItems else { continue }
                self.perSubscriptionSaveBlock?(subscription.subscriptionID, result)
            }
            for (subscriptionID, item) in zip(deletedIDs, deletions) {
                let result = item.result { _ in }
                self.reports.note(subscriptionID, deleted: result)
                self.perSubscriptionDeleteBlock?(subscriptionID, result)
            }
        }
    }

    override var itemFailure: CKError? { reports.itemFailure }

    override func finish(with result: Result<Void, any Error>) {
        modifySubscriptionsResultBlock?(result)
        legacyCompletionBlock?(reports.saved, reports.deleted, reports.error(result))
    }
}
