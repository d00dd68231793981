/// A push from a database subscription: something changed in one of the database's zones.
open class CKDatabaseNotification: CKNotification, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// The database.
    public let databaseScope: CKDatabase.Scope

    init(payload: RemoteNotificationPayload, scope: CKDatabase.Scope) {
        databaseScope = scope
        super.init(payload: payload, type: .database)
    }
}
