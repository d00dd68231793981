import CloudKit
import CoreData

/// The change tokens, as CloudKit gives them.
extension SyncStateTable {
    func zoneToken() throws -> CKServerChangeToken? { try Self.token(zoneTokenData()) }

    func setZoneToken(_ token: CKServerChangeToken?) throws {
        try setZoneTokenData(Self.data(token))
    }

    func databaseToken() throws -> CKServerChangeToken? { try Self.token(databaseTokenData()) }

    func setDatabaseToken(_ token: CKServerChangeToken?) throws {
        try setDatabaseTokenData(Self.data(token))
    }

    private static func token(_ data: Data?) throws -> CKServerChangeToken? {
        try data.flatMap {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: $0)
        }
    }

    private static func data(_ token: CKServerChangeToken?) throws -> Data? {
        try token.map {
            try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
        }
    }
}
