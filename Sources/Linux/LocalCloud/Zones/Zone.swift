import CloudKitService
import Foundation
import SeamSQLite

/// The row of a zone.
struct Zone {
    var id: Int64
    var name: String
    var incarnation: Int64
    var sequence: Int64
    var deletionReason: ZoneDictionary.DeletionReason?
    var tokenEpoch: Int64
    var tombstoneHorizon: Int64
    var clientChangeToken: Data?
    /// Whether items of the request with the client change token failed.
    var hasFailedItems: Bool

    var isDefault: Bool { name == ZoneIDDictionary.defaultZoneName }

    static let columns = """
        id, name, incarnation, sequence, deletion_reason, token_epoch, tombstone_horizon,
        client_change_token, has_failed_items
        """

    init(row: SQLiteStatement) {
        id = row.integer(at: 0)
        name = row.text(at: 1)
        incarnation = row.integer(at: 2)
        sequence = row.counter(at: 3)
        deletionReason = row.isNull(at: 4) ? nil : .init(rawValue: row.text(at: 4)) ?? .deleted
        tokenEpoch = row.counter(at: 5)
        tombstoneHorizon = row.integer(at: 6)
        clientChangeToken = row.isNull(at: 7) ? nil : row.blob(at: 7)
        hasFailedItems = row.integer(at: 8) != 0
    }
}

extension RequestSession {
    /// Finds a zone that a request names, whoever owns it.
    ///
    /// - Throws: ``ItemFailure``: `ZONE_NOT_FOUND` or, for a zone that the user deleted in the
    ///   settings, `USER_DELETED_ZONE`.
    func zone(_ zoneID: ZoneIDDictionary?) throws -> Zone {
        let zoneID = zoneID ?? ZoneIDDictionary()
        guard isOwn(zoneID), let zone = try storedZone(named: zoneID.zoneName) else {
            throw ItemFailure(.zoneNotFound, "Zone '\(zoneID.zoneName)' does not exist")
        }
        switch zone.deletionReason {
        case nil:
            return zone
        case .purged:
            throw ItemFailure(
                .userDeletedZone, "Zone '\(zoneID.zoneName)' was deleted by the user")
        case .deleted:
            throw ItemFailure(
                .zoneNotFound, "Zone '\(zoneID.zoneName)' was purged or deleted", code: 2036)
        case .encryptedDataReset:
            var failure = ItemFailure(
                .zoneNotFound, "Zone '\(zoneID.zoneName)' was reset with the encrypted data")
            failure.error.userDidResetEncryptedData = true
            throw failure
        }
    }

    /// The row of a zone with a name, even of a deleted one.
    func storedZone(named name: String) throws -> Zone? {
        try connection.firstRow(
            "SELECT \(Zone.columns) FROM zone WHERE database_id = ? AND name = ?",
            [.integer(database.id), .text(name)], Zone.init)
    }

    /// Whether the zone belongs to the database's owner. Zones of other users do not exist here.
    func isOwn(_ zoneID: ZoneIDDictionary) -> Bool {
        guard let owner = zoneID.ownerRecordName else { return true }
        return owner == ZoneIDDictionary.defaultOwnerName
            || owner == (scope == .public ? PushComposer.publicOwner : caller.userRecordName)
    }

    private var visibleOwner: String {
        if options.showsCallerAsDefaultOwner { return ZoneIDDictionary.defaultOwnerName }
        if scope == .public { return PushComposer.publicOwner }
        return caller.userRecordName ?? ZoneIDDictionary.defaultOwnerName
    }

    /// The ID of a zone as the caller sees it.
    func zoneID(of zone: Zone) -> ZoneIDDictionary {
        ZoneIDDictionary(
            zoneName: zone.name, ownerRecordName: visibleOwner,
            zoneType: zone.isDefault ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE")
    }

    /// A zone as the caller sees it.
    func dictionary(of zone: Zone) -> ZoneDictionary {
        if let reason = zone.deletionReason {
            return ZoneDictionary(
                zoneID: zoneID(of: zone), deleted: true, deletionReason: reason)
        }
        return ZoneDictionary(
            zoneID: zoneID(of: zone),
            syncToken: zone.isDefault ? nil : token(of: zone, sequence: zone.sequence).text,
            atomic: !zone.isDefault,
            // The capabilities to fetch changes, atomicity, sharing and zone-wide sharing.
            capabilities: zone.isDefault ? 0 : 1 | 2 | 4 | 8)
    }

    /// A token for a position in a zone's feed.
    func token(of zone: Zone, sequence: Int64, tombstonesAfter: Int64 = 0) -> SyncToken {
        SyncToken(
            feed: .zone, incarnation: zone.incarnation, epoch: zone.tokenEpoch, sequence: sequence,
            tombstonesAfter: tombstonesAfter, time: tokenTime)
    }

    /// Notes the last change in a zone.
    func touch(_ zone: Zone, sequence: Int64) throws {
        try connection.execute(
            "UPDATE zone SET sequence = ? WHERE id = ?", [.integer(sequence), .integer(zone.id)])
    }
}
