/// A push from a query subscription: a record was created, changed or deleted.
open class CKQueryNotification: CKNotification, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// What happened to the record.
    public enum Reason: Int, Sendable {
        /// It was created, or changed so that it matches.
        case recordCreated = 1

        /// It was changed.
        case recordUpdated = 2

        /// It was deleted.
        case recordDeleted = 3
    }

    /// What happened to the record.
    public let queryNotificationReason: Reason

    /// The values of the fields that the subscription asked for.
    public let recordFields: [String: Any]?

    /// The record.
    public let recordID: CKRecord.ID?

    /// The database that the record is in.
    public let databaseScope: CKDatabase.Scope

    init(payload: RemoteNotificationPayload, reason: Reason, scope: CKDatabase.Scope) {
        queryNotificationReason = reason
        recordFields = payload.recordFields
        recordID = payload.recordName.map {
            CKRecord.ID(received: $0, zoneID: payload.zoneID ?? .default)
        }
        databaseScope = scope
        super.init(payload: payload, type: .query)
    }
}
