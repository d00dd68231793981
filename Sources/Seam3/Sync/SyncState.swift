import CloudKit
import CoreData

/// The state of sync that a store file keeps, read and written inside the engine's transactions.
struct SyncState {
    private enum Key {
        static let user = "user"
        static let zoneCreated = "zone_created"
        static let subscribed = "subscribed"
        static let zoneToken = "zone_token"
        static let databaseToken = "database_token"
        static let sweep = "sweep"
        static let lastSuccess = "last_success"
        static let lastError = "last_error"
        static let retryAfter = "retry_after"
        static let failures = "failures"

        static let ofServer = [
            user, zoneCreated, subscribed, zoneToken, databaseToken, lastSuccess, lastError,
            retryAfter, failures,
        ]
        static let ofZone = [zoneCreated, subscribed, zoneToken]
    }

    let database: StoreDatabase

    /// The record name of the user whose data the store holds, nil before the first pass.
    func user() throws -> String? { try database.metadata(Key.user).text }
    func setUser(_ name: String) throws { try database.setMetadata(Key.user, .text(name)) }

    /// Whether this store's zone was there for this user once.
    func isZoneCreated() throws -> Bool { try database.metadata(Key.zoneCreated).integer == 1 }
    func setZoneCreated() throws { try database.setMetadata(Key.zoneCreated, .integer(1)) }

    func isSubscribed() throws -> Bool { try database.metadata(Key.subscribed).integer == 1 }
    func setSubscribed() throws { try database.setMetadata(Key.subscribed, .integer(1)) }

    func zoneToken() throws -> CKServerChangeToken? { try token(Key.zoneToken) }
    func setZoneToken(_ token: CKServerChangeToken?) throws { try set(token, Key.zoneToken) }

    func databaseToken() throws -> CKServerChangeToken? { try token(Key.databaseToken) }
    func setDatabaseToken(_ token: CKServerChangeToken?) throws {
        try set(token, Key.databaseToken)
    }

    /// The number of the full refetch under way, whose end removes what the server no longer has;
    /// nil if there is none.
    func sweep() throws -> Int64? {
        let value = try database.metadata(Key.sweep).integer ?? 0
        return value > 0 ? value : nil
    }

    /// Starts a full refetch: the feed is read from its beginning.
    func beginSweep() throws {
        let last = abs(try database.metadata(Key.sweep).integer ?? 0)
        try database.setMetadata(Key.sweep, .integer(last + 1))
        try setZoneToken(nil)
    }

    /// Has all records fetched again, if any were fetched before. The feed from its beginning does
    /// not tell of deletions, so that what it lacks is to be removed here.
    func askAgain() throws {
        if try zoneToken() != nil { try beginSweep() }
    }

    /// Ends the full refetch. Its number is not used again.
    func endSweep() throws {
        let last = abs(try database.metadata(Key.sweep).integer ?? 0)
        try database.setMetadata(Key.sweep, .integer(-last))
    }

    /// When the last pass ended without an error.
    func lastSuccess() throws -> Date? {
        try database.metadata(Key.lastSuccess).real.map {
            Date(timeIntervalSinceReferenceDate: $0)
        }
    }

    /// What the last pass failed with, nil if it did not.
    func lastError() throws -> String? { try database.metadata(Key.lastError).text }

    /// Before when a pass is not repeated without being asked for.
    func retryAfter() throws -> Date? {
        try database.metadata(Key.retryAfter).real.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// How many passes in a row have failed.
    func failureCount() throws -> Int { Int(try database.metadata(Key.failures).integer ?? 0) }

    /// Notes that a pass ended without an error.
    ///
    /// - Parameter date: When it ended.
    func noteSuccess(at date: Date) throws {
        for key in [Key.lastError, Key.retryAfter, Key.failures] {
            try database.setMetadata(key, .null)
        }
        try database.setMetadata(Key.lastSuccess, .real(date.timeIntervalSinceReferenceDate))
    }

    /// Notes that a pass failed.
    ///
    /// - Parameters:
    ///   - error: What it failed with.
    ///   - count: How many passes in a row have failed now.
    ///   - retry: When it will be repeated; nil if waiting does not help.
    func noteFailure(_ error: any Error, count: Int, retry: Date?) throws {
        try database.setMetadata(Key.lastError, .text("\(error)"))
        try database.setMetadata(Key.failures, .integer(Int64(count)))
        try database.setMetadata(
            Key.retryAfter,
            retry.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null)
    }

    /// Lets a failed pass be repeated at once.
    func forgetRetry() throws {
        try database.setMetadata(Key.retryAfter, .null)
    }

    /// Forgets the zone: the next pass creates it, and fetches it from its beginning.
    func resetZone() throws {
        for key in Key.ofZone { try database.setMetadata(key, .null) }
        try UnfetchedRecords(database: database).removeAll()
    }

    /// Forgets the server: the next pass sets everything up anew.
    func reset() throws {
        for key in Key.ofServer { try database.setMetadata(key, .null) }
        try UnfetchedRecords(database: database).removeAll()
    }

    /// Takes over the state of another file.
    ///
    /// - Parameter asksAgain: Whether all records are to be fetched again.
    func take(from other: SyncState, asksAgain: Bool) throws {
        for key in Key.ofServer + [Key.sweep] {
            try database.setMetadata(key, other.database.metadata(key))
        }
        try UnfetchedRecords(database: database)
            .take(from: UnfetchedRecords(database: other.database))
        if asksAgain { try askAgain() }
    }

    private func token(_ key: String) throws -> CKServerChangeToken? {
        guard let data = try database.metadata(key).blob else { return nil }
        return try NSKeyedUnarchiver.unarchivedObject(
            ofClass: CKServerChangeToken.self, from: data)
    }

    private func set(_ token: CKServerChangeToken?, _ key: String) throws {
        let data = try token.map {
            try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
        }
        try database.setMetadata(key, SQLiteValue(data))
    }
}
