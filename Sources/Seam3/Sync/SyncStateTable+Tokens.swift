import CloudKit
import CoreData

/// The change tokens, as CloudKit gives them.
extension SyncStateTable {
    /// The zone's change token; nil to read the feed from its beginning.
    ///
    /// - Throws: An error if it is damaged.
    func zoneToken() throws -> CKServerChangeToken? { try Self.token(zoneTokenData()) }

    func setZoneToken(_ token: CKServerChangeToken?) throws {
        try setZoneTokenData(Self.data(token))
    }

    /// The database's change token. A damaged one is none: what has happened to zones is told again.
    func databaseToken() throws -> CKServerChangeToken? {
        try? Self.token(databaseTokenData())
    }

    func setDatabaseToken(_ token: CKServerChangeToken?) throws {
        try setDatabaseTokenData(Self.data(token))
    }

    private static func token(_ data: Data?) throws -> CKServerChangeToken? {
        guard let data else { return nil }
        let token = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: CKServerChangeToken.self, from: data)
        guard let token else { throw CocoaError(.coderReadCorrupt) }
        return token
    }

    private static func data(_ token: CKServerChangeToken?) throws -> Data? {
        try token.map {
            try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
        }
    }
}
