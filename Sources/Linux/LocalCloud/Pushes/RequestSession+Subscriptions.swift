import CloudKitService
import Foundation
import SeamSQLite

/// `subscriptions/list`, `subscriptions/lookup`, `subscriptions/modify`.
extension RequestSession {
    func listSubscriptions() throws -> SubscriptionsResponse {
        let bodies = try connection.rows(
            """
            SELECT body FROM subscription WHERE database_id = ? AND user = ?
            ORDER BY subscription_id
            """, [.integer(database.id), .text(caller.user ?? "")]
        ) { $0.blob(at: 0) }
        return SubscriptionsResponse(
            subscriptions: try bodies.map { .success(try Self.subscription($0)) })
    }

    func lookUpSubscriptions(
        _ request: LookUpSubscriptionsRequest
    ) throws -> SubscriptionsResponse {
        SubscriptionsResponse(
            subscriptions: try request.subscriptions.map { subscription in
                let id = subscription.subscriptionID
                return try result(for: id) {
                    guard let stored = try storedSubscription(id) else {
                        throw Self.missing(id)
                    }
                    return stored
                }
            })
    }

    func modifySubscriptions(
        _ request: ModifySubscriptionsRequest
    ) throws -> SubscriptionsResponse {
        SubscriptionsResponse(
            subscriptions: try request.operations.map { operation in
                let subscription = operation.subscription
                return try result(for: subscription.subscriptionID) {
                    switch operation.operationType {
                    case .create, .update: try save(subscription)
                    case .delete: try delete(subscription.subscriptionID)
                    }
                }
            })
    }

    private func result(
        for id: String, _ body: () throws -> SubscriptionDictionary
    ) throws -> ItemResult<SubscriptionDictionary> {
        do {
            if let error = itemFaults[id] { throw ItemFailure(error) }
            return .success(try body())
        } catch let failure as ItemFailure {
            return .failure(failure.error.naming(subscriptionID: id))
        }
    }

    private static func missing(_ id: String) -> ItemFailure {
        ItemFailure(.notFound, "Subscription '\(id)' does not exist", code: 2003)
    }

    private static func subscription(_ body: Data) throws -> SubscriptionDictionary {
        try JSONDecoder().decode(SubscriptionDictionary.self, from: body)
    }

    private func storedSubscription(_ id: String) throws -> SubscriptionDictionary? {
        try connection.firstRow(
            """
            SELECT body FROM subscription
            WHERE database_id = ? AND user = ? AND subscription_id = ?
            """, [.integer(database.id), .text(caller.user ?? ""), .text(id)]
        ) { try Self.subscription($0.blob(at: 0)) }
    }

    private func save(_ subscription: SubscriptionDictionary) throws -> SubscriptionDictionary {
        try check(subscription)
        try connection.execute(
            """
            INSERT OR REPLACE INTO subscription (database_id, user, subscription_id, body)
            VALUES (?, ?, ?, ?)
            """,
            [
                .integer(database.id), .text(caller.user ?? ""),
                .text(subscription.subscriptionID),
                .blob(try JSONEncoder().encode(subscription)),
            ])
        return subscription
    }

    func delete(_ id: String) throws -> SubscriptionDictionary {
        guard try storedSubscription(id) != nil else { throw Self.missing(id) }
        try removeSubscription(id, user: caller.user ?? "")
        return SubscriptionDictionary(subscriptionID: id, deleted: true)
    }

    func removeSubscription(_ id: String, user: String) throws {
        try connection.execute(
            """
            DELETE FROM subscription WHERE database_id = ? AND user = ? AND subscription_id = ?
            """, [.integer(database.id), .text(user), .text(id)])
    }

    /// Checks that a subscription is complete and of a kind that the database supports.
    private func check(_ subscription: SubscriptionDictionary) throws {
        func fail(_ reason: String) -> ItemFailure { ItemFailure(.badRequest, reason) }
        guard !subscription.subscriptionID.isEmpty else {
            throw fail("A subscription needs an ID")
        }
        if options.requiresNotificationInfo, subscription.notificationInfo == nil {
            throw fail("A subscription needs a notification info")
        }
        switch (subscription.subscriptionType, scope) {
        case (nil, _):
            throw fail("missing required field 'subscriptionType'")
        case (.zone, .public), (.zone, .shared), (.database, .public), (.query, .shared):
            throw ItemFailure(
                .badDatabase, "This database has no subscriptions of this kind")
        case (.zone, _):
            guard let zoneID = subscription.zoneID else { throw fail("A zone is required") }
            guard try !zone(zoneID).isDefault else {
                throw fail("The default zone does not support zone subscriptions")
            }
        case (.query, _):
            guard let query = subscription.query else { throw fail("A query is required") }
            guard subscription.firesOn?.isEmpty == false else {
                throw fail("A query subscription must fire on something")
            }
            try RecordMatcher.check(query, options: options)
            if let zoneID = subscription.zoneID { _ = try zone(zoneID) }
        case (.database, _):
            break
        }
    }

    /// Deletes the subscriptions of a deleted zone.
    func deleteSubscriptions(on zone: Zone) throws {
        for (user, subscription) in try subscriptions()
        where subscription.zoneID?.zoneName == zone.name {
            try removeSubscription(subscription.subscriptionID, user: user)
        }
    }

    /// The subscriptions of all users in the database.
    func subscriptions() throws -> [(user: String, subscription: SubscriptionDictionary)] {
        try connection.rows(
            "SELECT user, body FROM subscription WHERE database_id = ?",
            [.integer(database.id)]
        ) { ($0.text(at: 0), try Self.subscription($0.blob(at: 1))) }
    }
}
