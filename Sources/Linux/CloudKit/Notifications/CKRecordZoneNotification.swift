/// A push from a zone subscription: something changed in the zone.
open class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// The zone.
    public let recordZoneID: CKRecordZone.ID?

    /// The database that the zone is in.
    public let databaseScope: CKDatabase.Scope

    init(payload: RemoteNotificationPayload, scope: CKDatabase.Scope) {
        recordZoneID = payload.zoneID
        databaseScope = scope
        super.init(payload: payload, type: .recordZone)
    }
}
