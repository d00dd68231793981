extension CKDatabase {
    // MARK: - One subscription, all subscriptions

    /// Fetches a subscription.
    public func fetch(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        addConvenience(
            CKFetchSubscriptionsOperation(subscriptionIDs: [subscriptionID])
                .collecting { $0.item(subscriptionID, completionHandler) })
    }

    /// Fetches a subscription.
    ///
    /// - Throws: `unknownItem` if there is none, or the error of the request.
    public func subscription(for subscriptionID: CKSubscription.ID) async throws -> CKSubscription {
        try await subscriptions(for: [subscriptionID]).item(subscriptionID)
    }

    /// Fetches all subscriptions of the user in this database.
    public func fetchAllSubscriptions(
        completionHandler: @escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void
    ) {
        addConvenience(
            CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
                .collectingItems { $0.complete(completionHandler) })
    }

    /// Fetches all subscriptions of the user in this database.
    public func allSubscriptions() async throws -> [CKSubscription] {
        try await value {
            CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation().collectingItems($0)
        }
    }

    /// Saves a subscription, and replaces an existing one with the same ID.
    public func save(
        _ subscription: CKSubscription,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        addConvenience(
            CKModifySubscriptionsOperation(subscriptionsToSave: [subscription])
                .saving(subscription.subscriptionID, completionHandler))
    }

    /// Saves a subscription, and replaces an existing one with the same ID.
    @discardableResult
    public func save(_ subscription: CKSubscription) async throws -> CKSubscription {
        try await modifySubscriptions(saving: [subscription], deleting: [])
            .saveResults.item(subscription.subscriptionID)
    }

    /// Deletes a subscription.
    @preconcurrency
    public func delete(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        addConvenience(
            CKModifySubscriptionsOperation(subscriptionIDsToDelete: [subscriptionID])
                .deleting(subscriptionID, completionHandler))
    }

    /// Deletes a subscription.
    @discardableResult
    public func deleteSubscription(
        withID subscriptionID: CKSubscription.ID
    ) async throws -> CKSubscription.ID {
        try await modifySubscriptions(saving: [], deleting: [subscriptionID])
            .deleteResults.item(subscriptionID)
        return subscriptionID
    }

    // MARK: - Several subscriptions

    /// Fetches subscriptions.
    public func fetch(
        withSubscriptionIDs subscriptionIDs: [CKSubscription.ID],
        completionHandler:
            @escaping @Sendable (
                Result<[CKSubscription.ID: Result<CKSubscription, any Error>], any Error>
            ) -> Void
    ) {
        addConvenience(
            CKFetchSubscriptionsOperation(subscriptionIDs: subscriptionIDs)
                .collecting(completionHandler))
    }

    /// Fetches subscriptions.
    ///
    /// - Returns: the subscription or its error, by ID.
    public func subscriptions(
        for ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
        try await value { CKFetchSubscriptionsOperation(subscriptionIDs: ids).collecting($0) }
    }

    /// Saves and deletes subscriptions.
    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription],
        deleting subscriptionIDsToDelete: [CKSubscription.ID],
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
                        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        addConvenience(
            CKModifySubscriptionsOperation(
                subscriptionsToSave: subscriptionsToSave,
                subscriptionIDsToDelete: subscriptionIDsToDelete
            ).collecting(completionHandler))
    }

    /// Saves and deletes subscriptions.
    ///
    /// - Returns: the result for each subscription.
    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription],
        deleting subscriptionIDsToDelete: [CKSubscription.ID]
    ) async throws -> (
        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
    ) {
        try await value {
            CKModifySubscriptionsOperation(
                subscriptionsToSave: subscriptionsToSave,
                subscriptionIDsToDelete: subscriptionIDsToDelete
            ).collecting($0)
        }
    }
}
