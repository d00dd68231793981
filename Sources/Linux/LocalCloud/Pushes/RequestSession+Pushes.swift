import CloudKitService
import Foundation
import SeamSQLite

/// The queue of pushes in the container's file. It is written in the transaction of the change
/// itself, so either both a change and its pushes exist or neither.
extension RequestSession {
    /// How many pushes are kept for slow listeners.
    private static let queueLength: Int64 = 10_000

    /// Queues the pushes of a change to a zone.
    ///
    /// - Parameter changes: The records that changed; none if only the zone itself did.
    func queuePushes(for changes: [RecordModification.Change], in zone: Zone) throws {
        let subscriptions = try subscriptions()
        guard !subscriptions.isEmpty else { return }
        let composer = PushComposer(session: self, zone: zone)
        for (user, subscription) in subscriptions {
            if subscription.subscriptionType == .query {
                let pushes = try composer.pushes(
                    forQuery: subscription, user: user, changes: changes)
                for push in pushes { try queue(push, user: user) }
                if subscription.firesOnce == true, !pushes.isEmpty {
                    try removeSubscription(subscription.subscriptionID, user: user)
                }
            } else if let push = composer.push(
                for: subscription, user: user, changes: changes)
            {
                try queue(push, user: user)
            }
        }
    }

    private func queue(_ push: PushPayload, user: String) throws {
        try connection.execute(
            "INSERT INTO push (user, device, payload) VALUES (?, ?, ?)",
            [.text(user), .text(device), .blob(try JSONEncoder().encode(push))])
        hasPushes = true
        let last = connection.lastInsertRowID
        try connection.execute(
            "DELETE FROM push WHERE id <= ?", [.integer(last - Self.queueLength)])
    }

    /// The number of the last push that was queued.
    static func lastPush(_ connection: SQLiteConnection) throws -> Int64 {
        try connection.firstRow("SELECT seq FROM sqlite_sequence WHERE name = 'push'") {
            $0.integer(at: 0)
        } ?? 0
    }

    /// The pushes that a device has not seen yet, and the number of the last in the queue.
    static func pushes(
        after last: Int64, user: String, device: String, _ connection: SQLiteConnection
    ) throws -> (pushes: [PushPayload], last: Int64) {
        let pushes = try connection.rows(
            "SELECT payload FROM push WHERE id > ? AND user = ? AND device <> ? ORDER BY id",
            [.integer(last), .text(user), .text(device)]
        ) { try JSONDecoder().decode(PushPayload.self, from: $0.blob(at: 0)) }
        return (pushes, try lastPush(connection))
    }
}
