/// The parsed user info of a push.
///
/// The keys are those of real pushes: `ck` contains `cid`, `ckuserid`, `nid`, and one of `qry`,
/// `fet` and `met`; `aps` describes the alert. Unknown keys are ignored.
struct RemoteNotificationPayload {
    let notificationID: String?
    let containerIdentifier: String?
    let userRecordName: String?
    let isPruned: Bool
    let alert: RemoteNotificationAlert
    private let cause: Cause
    private let details: [AnyHashable: Any]

    /// The kind of subscription that sent the push.
    private enum Cause: String, CaseIterable {
        case query = "qry"
        case recordZone = "fet"
        case database = "met"
    }

    /// Reads a push, or returns nil if it is not CloudKit's.
    init?(_ userInfo: [AnyHashable: Any]) {
        guard let cloudKit = userInfo["ck"] as? [AnyHashable: Any],
            let (cause, details) = Self.cause(in: cloudKit)
        else { return nil }
        self.cause = cause
        self.details = details
        notificationID = cloudKit["nid"] as? String
        containerIdentifier = cloudKit["cid"] as? String
        userRecordName = (cloudKit["ckuserid"] as? String).flatMap { $0.isEmpty ? nil : $0 }
        isPruned = Self.integer(cloudKit["p"]) == 1
        alert = RemoteNotificationAlert(userInfo["aps"] as? [AnyHashable: Any] ?? [:])
    }

    private static func cause(in cloudKit: [AnyHashable: Any]) -> (Cause, [AnyHashable: Any])? {
        for cause in Cause.allCases {
            if let details = cloudKit[cause.rawValue] as? [AnyHashable: Any] {
                return (cause, details)
            }
        }
        return nil
    }

    /// Reads a number, which is an `NSNumber` after JSON and an `Int` from Swift code.
    private static func integer(_ value: Any?) -> Int? {
        (value as? Int) ?? (value as? NSNumber)?.intValue
    }

    var subscriptionID: CKSubscription.ID? { details["sid"] as? String }

    var recordName: String? {
        (details["rid"] as? String).flatMap { $0.isEmpty ? nil : $0 }
    }

    var recordFields: [String: Any]? { details["af"] as? [String: Any] }

    /// The zone, with the default owner if it is the subscriber's own or the public database's.
    var zoneID: CKRecordZone.ID? {
        guard let name = details["zid"] as? String, !name.isEmpty else { return nil }
        let owner = details["zoid"] as? String
        let isOwn = owner == nil || owner == userRecordName || owner == "_defaultOwner"
        return CKRecordZone.ID(
            received: name, ownerName: isOwn ? CKCurrentUserDefaultName : owner ?? "")
    }

    /// The database. The numbers on the wire are not the raw values of `CKDatabase.Scope`.
    private var scope: CKDatabase.Scope {
        switch Self.integer(details["dbs"]) {
        case 2: .public
        case 3: .shared
        default: .private
        }
    }

    private var reason: CKQueryNotification.Reason {
        Self.integer(details["fo"]).flatMap(CKQueryNotification.Reason.init(rawValue:))
            ?? .recordUpdated
    }

    /// The push as an instance of the class for its kind.
    var notification: CKNotification {
        switch cause {
        case .query: CKQueryNotification(payload: self, reason: reason, scope: scope)
        case .recordZone: CKRecordZoneNotification(payload: self, scope: scope)
        case .database: CKDatabaseNotification(payload: self, scope: scope)
        }
    }
}
