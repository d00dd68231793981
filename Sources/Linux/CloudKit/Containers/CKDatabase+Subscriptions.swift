extension CKDatabase {
    typealias SubscriptionResults = [CKSubscription.ID: Result<CKSubscription, any Error>]

    typealias ModifySubscriptionsResults = (
        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
    )

    // MARK: - One subscription, all subscriptions

    /// Fetches a subscription.
    public func fetch(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        let operation = subscriptionsOperation([subscriptionID]) {
            $0.item(subscriptionID, completionHandler)
        }
        addConvenience(operation)
    }

    /// Fetches a subscription.
    ///
    /// - Throws: `unknownItem` if there is none, or what made the request fail.
    public func subscription(for subscriptionID: CKSubscription.ID) async throws -> CKSubscription {
        try await subscriptions(for: [subscriptionID]).item(subscriptionID)
    }

    /// Fetches all subscriptions of the user in this database.
    public func fetchAllSubscriptions(
        completionHandler: @escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void
    ) {
        addConvenience(allSubscriptionsOperation { $0.complete(completionHandler) })
    }

    /// Fetches all subscriptions of the user in this database.
    public func allSubscriptions() async throws -> [CKSubscription] {
        try await value { allSubscriptionsOperation($0) }
    }

    /// Saves a subscription. One with the same ID is replaced.
    public func save(
        _ subscription: CKSubscription,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        let operation = modifySubscriptionsOperation([subscription], []) {
            $0.map(\.saveResults).item(subscription.subscriptionID, completionHandler)
        }
        addConvenience(operation)
    }

    /// Saves a subscription. One with the same ID is replaced.
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
        let operation = modifySubscriptionsOperation([], [subscriptionID]) {
            $0.map { $0.deleteResults.mapValues { $0.map { subscriptionID } } }
                .item(subscriptionID, completionHandler)
        }
        addConvenience(operation)
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
        addConvenience(subscriptionsOperation(subscriptionIDs, completionHandler))
    }

    /// Fetches subscriptions.
    ///
    /// - Returns: the subscription or its error, by ID.
    public func subscriptions(
        for ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
        try await value { subscriptionsOperation(ids, $0) }
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
            modifySubscriptionsOperation(
                subscriptionsToSave, subscriptionIDsToDelete, completionHandler))
    }

    /// Saves and deletes subscriptions.
    ///
    /// - Returns: what became of each subscription.
    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription],
        deleting subscriptionIDsToDelete: [CKSubscription.ID]
    ) async throws -> (
        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
    ) {
        try await value {
            modifySubscriptionsOperation(subscriptionsToSave, subscriptionIDsToDelete, $0)
        }
    }

    // MARK: - Operations

    private func allSubscriptionsOperation(
        _ completion: @escaping @Sendable (Result<[CKSubscription], any Error>) -> Void
    ) -> CKFetchSubscriptionsOperation {
        let subscriptions = Locked<[CKSubscription]>([])
        let operation = CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
        operation.perSubscriptionResultBlock = { _, result in
            if case .success(let subscription) = result {
                subscriptions.withLock { $0.append(subscription) }
            }
        }
        operation.fetchSubscriptionsResultBlock = { completion($0.map { subscriptions.value }) }
        return operation
    }

    private func subscriptionsOperation(
        _ subscriptionIDs: [CKSubscription.ID],
        _ completion: @escaping @Sendable (Result<SubscriptionResults, any Error>) -> Void
    ) -> CKFetchSubscriptionsOperation {
        let results = Locked<SubscriptionResults>([:])
        let operation = CKFetchSubscriptionsOperation(subscriptionIDs: subscriptionIDs)
        operation.perSubscriptionResultBlock = { subscriptionID, result in
            results.withLock { $0[subscriptionID] = result }
        }
        operation.fetchSubscriptionsResultBlock = { completion($0.map { results.value }) }
        return operation
    }

    private func modifySubscriptionsOperation(
        _ subscriptions: [CKSubscription], _ subscriptionIDs: [CKSubscription.ID],
        _ completion: @escaping @Sendable (Result<ModifySubscriptionsResults, any Error>) -> Void
    ) -> CKModifySubscriptionsOperation {
        let results = Locked<ModifySubscriptionsResults>(([:], [:]))
        let operation = CKModifySubscriptionsOperation(
            subscriptionsToSave: subscriptions, subscriptionIDsToDelete: subscriptionIDs)
        operation.perSubscriptionSaveBlock = { subscriptionID, result in
            results.withLock { $0.saveResults[subscriptionID] = result }
        }
        operation.perSubscriptionDeleteBlock = { subscriptionID, result in
            results.withLock { $0.deleteResults[subscriptionID] = result }
        }
        operation.modifySubscriptionsResultBlock = { completion($0.map { results.value }) }
        return operation
    }
}
