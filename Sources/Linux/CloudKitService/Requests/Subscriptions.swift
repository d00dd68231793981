/// The body of `subscriptions/lookup`.
public struct LookUpSubscriptionsRequest: Hashable, Sendable, Codable {
    /// The subscriptions. Only their IDs matter.
    public var subscriptions: [SubscriptionDictionary]

    /// Creates a request.
    public init(subscriptionIDs: [String]) {
        subscriptions = subscriptionIDs.map { SubscriptionDictionary(subscriptionID: $0) }
    }
}

/// The body of `subscriptions/modify`.
public struct ModifySubscriptionsRequest: Hashable, Sendable, Codable {
    /// What to do.
    public var operations: [SubscriptionOperation]

    /// Creates a request.
    public init(operations: [SubscriptionOperation]) { self.operations = operations }
}

/// The creation, replacement or deletion of a subscription.
public struct SubscriptionOperation: Hashable, Sendable, Codable {
    /// What to do with the subscription.
    public var operationType: OperationType
    /// The subscription. For a deletion only its ID matters.
    public var subscription: SubscriptionDictionary

    /// Creates an operation.
    public init(_ operationType: OperationType, _ subscription: SubscriptionDictionary) {
        self.operationType = operationType
        self.subscription = subscription
    }

    /// What to do with a subscription.
    public enum OperationType: String, Hashable, Sendable, Codable {
        /// Creates the subscription or replaces the one with its ID.
        case create
        /// The same as `create`.
        case update
        /// Deletes the subscription.
        case delete
    }
}

/// The answer to `subscriptions/list`, `subscriptions/lookup` and `subscriptions/modify`.
public struct SubscriptionsResponse: Hashable, Sendable, Codable {
    /// The subscriptions, in the order of the request if it names them. Deleted ones are marked as
    /// such.
    public var subscriptions: [ItemResult<SubscriptionDictionary>]

    /// Creates a response.
    public init(subscriptions: [ItemResult<SubscriptionDictionary>]) {
        self.subscriptions = subscriptions
    }
}
