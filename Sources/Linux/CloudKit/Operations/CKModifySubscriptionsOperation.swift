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

    /// Called at the end. Subscriptions that failed are no failure of the operation.
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

    // What has been reported, for the deprecated block; touched on the operation's queue only.
    private var savedSubscriptions: [CKSubscription] = []
    private var deletedSubscriptionIDs: [CKSubscription.ID] = []
    private var itemErrors: [AnyHashable: any Error] = [:]

    /// Creates an operation to be filled in.
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
        guard !subscriptions.isEmpty || !deletedIDs.isEmpty else { return }
        let saves = try subscriptions.map {
            SubscriptionOperation(.create, try SubscriptionDictionary($0))
        }
        let request = ModifySubscriptionsRequest(
            operations: saves
                + deletedIDs.map {
                    SubscriptionOperation(.delete, SubscriptionDictionary(subscriptionID: $0))
                })
        let response = try await send(to: database) {
            (service, context) async throws(CloudKitServiceError) in
            try await service.modifySubscriptions(request, in: context)
        }
        guard response.subscriptions.count == request.operations.count else {
            throw CKError(.internalError, "The server did not answer for every subscription")
        }
        await deliver {
            for (subscription, item) in zip(subscriptions, response.subscriptions) {
                self.report(
                    subscription.subscriptionID, saved: item.result { _ in subscription })
            }
            let deletedItems = response.subscriptions.dropFirst(subscriptions.count)
            for (subscriptionID, item) in zip(deletedIDs, deletedItems) {
                self.report(subscriptionID, deleted: item.result { _ in })
            }
        }
    }

    // MARK: - Reports

    private func report(
        _ subscriptionID: CKSubscription.ID, saved result: Result<CKSubscription, any Error>
    ) {
        switch result {
        case .success(let subscription): savedSubscriptions.append(subscription)
        case .failure(let error): itemErrors[subscriptionID] = error
        }
        perSubscriptionSaveBlock?(subscriptionID, result)
    }

    private func report(
        _ subscriptionID: CKSubscription.ID, deleted result: Result<Void, any Error>
    ) {
        switch result {
        case .success: deletedSubscriptionIDs.append(subscriptionID)
        case .failure(let error): itemErrors[subscriptionID] = error
        }
        perSubscriptionDeleteBlock?(subscriptionID, result)
    }

    override func finish(with result: Result<Void, any Error>) {
        modifySubscriptionsResultBlock?(result)
        legacyCompletionBlock?(
            savedSubscriptions, deletedSubscriptionIDs,
            result.error ?? CKError.partialFailure(itemErrors))
    }
}
